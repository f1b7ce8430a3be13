"""Gradient-boosted trees as plain arrays: learned by scikit-learn, applied by NumPy alone.

A missing value goes the way the tree says. The result is a log odds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Floats, Ints
from vermeil.errors import MissingExtraError
from vermeil.recognise.rescoring.leaf_masks import MOST_LEAVES, LeafMasks

N_TREES = 200


@dataclass(frozen=True, eq=False)
class BoostedTrees:
    """Nodes of all trees on one axis; ``root`` is the first node of each tree.

    A leaf is its own daughter on both sides.
    """

    root: Ints
    feature: Ints
    threshold: Floats
    left: Ints
    right: Ints
    missing_left: Flags
    value: Floats
    base: float

    @classmethod
    def fit(cls, values: Floats, right: Flags, *, seed: int = 0) -> "BoostedTrees":
        """Learn which rows are right."""
        require_trainer()
        from sklearn.ensemble import HistGradientBoostingClassifier
        from threadpoolctl import threadpool_limits

        model = HistGradientBoostingClassifier(
            max_iter=N_TREES,
            learning_rate=0.05,
            max_leaf_nodes=MOST_LEAVES,
            min_samples_leaf=30,
            l2_regularization=5.0,
            early_stopping=False,
            random_state=seed,
        )
        # What is missing everywhere says nothing, and scikit-learn stumbles over it.
        values = np.where(np.isnan(values).all(axis=0), 0.0, values)
        # Many threads on so few rows mostly wait for one another.
        with threadpool_limits(1):
            model.fit(values, right)
        return cls._of_nodes(
            [each[0].nodes for each in model._predictors],
            float(model._baseline_prediction.ravel()[0]),
        )

    @classmethod
    def _of_nodes(cls, trees: list[NDArray[Any]], base: float) -> "BoostedTrees":
        sizes = np.array([len(nodes) for nodes in trees], dtype=np.int64)
        root = np.cumsum(sizes) - sizes
        nodes = np.concatenate(trees)
        shift = np.repeat(root, sizes)
        own = np.arange(len(nodes))
        leaf = nodes["is_leaf"].astype(bool)
        return cls(
            root,
            np.where(leaf, 0, nodes["feature_idx"]).astype(np.int64),
            nodes["num_threshold"].astype(np.float64),
            np.where(leaf, own, nodes["left"] + shift).astype(np.int64),
            np.where(leaf, own, nodes["right"] + shift).astype(np.int64),
            nodes["missing_go_to_left"].astype(bool),
            np.where(leaf, nodes["value"], 0.0),
            base,
        )

    def log_odds(self, values: Floats) -> Floats:
        """Give the log odds of each row."""
        return self.base + self._masks.totals(values)

    @cached_property
    def _masks(self) -> LeafMasks:
        return LeafMasks.of(
            self.root,
            self.feature,
            self.threshold,
            self.left,
            self.right,
            self.missing_left,
            self.value,
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give all there is to save."""
        return {
            "root": self.root,
            "feature": self.feature.astype(np.int16),
            "threshold": self.threshold,
            "left": self.left.astype(np.int32),
            "right": self.right.astype(np.int32),
            "missing_left": self.missing_left,
            "value": self.value.astype(np.float32),
            "base": np.array([self.base]),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "BoostedTrees":
        """Make the trees again that gave these arrays."""
        return cls(
            arrays["root"].astype(np.int64),
            arrays["feature"].astype(np.int64),
            arrays["threshold"].astype(np.float64),
            arrays["left"].astype(np.int64),
            arrays["right"].astype(np.int64),
            arrays["missing_left"].astype(bool),
            arrays["value"].astype(np.float64),
            float(arrays["base"][0]),
        )


def require_trainer() -> None:
    """Say what is missing where trees cannot be learned, before other work is done in vain."""
    if find_spec("sklearn") is None:
        raise MissingExtraError("training a rescorer", "train")
