"""Gradient-boosted trees as plain arrays: learned by scikit-learn, applied by NumPy alone.

A missing value goes the way the tree says. The result is a log odds.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from importlib.util import find_spec

import numpy as np

from vermeil.arrays import AnyArray, Flags, Floats
from vermeil.errors import MissingExtraError
from vermeil.models.model_files import Arrays, widened
from vermeil.models.schema import FINITE, ArraySpec, checked
from vermeil.recognise.rescoring.leaf_masks import MOST_LEAVES, LeafMasks, TreeNodes

N_TREES = 200
SHARE_SEEN = 0.3
"""The share of the features that each split may choose from: many say nearly the same."""

SCHEMA = {
    "root": ArraySpec("whole", ("trees",), least=0, rises=True),
    "feature": ArraySpec("whole", least=0, most=999),
    "threshold": ArraySpec("number"),
    "left": ArraySpec("whole", least=0),
    "right": ArraySpec("whole", least=0),
    "missing_left": ArraySpec("flag"),
    "value": ArraySpec("number", least=-FINITE, most=FINITE),
    "base": ArraySpec("number", (1,), least=-FINITE, most=FINITE),
}
"""The arrays of a model; a threshold may be infinite."""


@dataclass(frozen=True, eq=False)
class BoostedTrees:
    """The nodes of trees, and what their values are added to."""

    nodes: TreeNodes
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
            max_features=SHARE_SEEN,
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
        nodes = _on_one_axis([each[0].nodes for each in model._predictors])
        return cls(nodes, float(model._baseline_prediction.ravel()[0]))

    def log_odds(self, values: Floats) -> Floats:
        """Return the log odds of each row."""
        return self.base + self._masks.totals(values)

    @cached_property
    def _masks(self) -> LeafMasks:
        return LeafMasks.of(self.nodes)

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        return {
            "root": self.nodes.root,
            "feature": self.nodes.feature.astype(np.int16),
            "threshold": self.nodes.threshold,
            "left": self.nodes.left.astype(np.int32),
            "right": self.nodes.right.astype(np.int32),
            "missing_left": self.nodes.missing_left,
            "value": self.nodes.value.astype(np.float32),
            "base": np.array([self.base]),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "BoostedTrees":
        """Make the trees again that gave these arrays."""
        fitting = checked(arrays, SCHEMA)
        names = [column.name for column in fields(TreeNodes)]
        nodes = TreeNodes(*widened(fitting, *names))
        _refuse_cycles(nodes)
        return cls(nodes, float(fitting["base"][0]))


def _refuse_cycles(nodes: TreeNodes) -> None:
    """See that every way through a tree ends: a node is a leaf, or its children come after it."""
    n = len(nodes.left)
    own = np.arange(n)
    is_leaf = nodes.left == own
    onward = (nodes.left > own) & (nodes.right > own) & (nodes.left != nodes.right)
    if not np.where(is_leaf, nodes.right == own, onward).all():
        raise ValueError("its trees have a cycle")
    if not (np.maximum(nodes.left, nodes.right) < n).all() or not (nodes.root < n).all():
        raise ValueError("its trees lead out of the table")
    children = np.concatenate((nodes.left[~is_leaf], nodes.right[~is_leaf]))
    n_parents = np.bincount(children, minlength=n)
    if (n_parents > 1).any() or n_parents[nodes.root].any():
        raise ValueError("its trees share branches")


def require_trainer() -> None:
    """Say what is missing where trees cannot be learned, before other work is done in vain."""
    if find_spec("sklearn") is None:
        raise MissingExtraError("training a rescorer", "scikit-learn")


def _on_one_axis(trees: list[AnyArray]) -> TreeNodes:
    """Lay out trees as scikit-learn has them."""
    sizes = np.array([len(nodes) for nodes in trees], dtype=np.int64)
    root = np.cumsum(sizes) - sizes
    nodes = np.concatenate(trees)
    shift = np.repeat(root, sizes)
    own = np.arange(len(nodes))
    leaf = nodes["is_leaf"].astype(bool)
    return TreeNodes(
        root=root,
        feature=np.where(leaf, 0, nodes["feature_idx"]).astype(np.int64),
        threshold=nodes["num_threshold"].astype(np.float64),
        left=np.where(leaf, own, nodes["left"] + shift).astype(np.int64),
        right=np.where(leaf, own, nodes["right"] + shift).astype(np.int64),
        missing_left=nodes["missing_go_to_left"].astype(bool),
        value=np.where(leaf, nodes["value"], 0.0),
    )
