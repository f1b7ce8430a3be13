"""The weights of a linear tagger, and two ways to learn them: a batch SVM and an online learner.

A tag scores the sum of its weights for the features of the token and for the tag before,
s(y | x, y before): section 2 of the acquisition paper. At training the tag before is the one given.
Each tag is told from all others (one against the rest) with the hinge loss of a support vector
machine. There is no intercept: every token has just one tag before, and its weight is one.

``svm`` is LIBLINEAR, as in the paper, and holds all examples in memory at once. ``online`` goes
through them a batch at a time, several times over, and averages its weights from the second time
on: batches of documents that come from disk, each time anew, make memory independent of how many
there are. Its loss, the squared hinge, and its penalty are those of ``svm`` with the same ``cost``;
its step is the one that just puts right the example at hand.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import AnyArray, Floats, Ints
from vermeil.errors import MissingExtraError, UsageError
from vermeil.models.model_files import Arrays, widened
from vermeil.models.schema import checked
from vermeil.recognise.linear.examples import Examples
from vermeil.recognise.linear.features import N_BITS, WEIGHTS, columns_of
from vermeil.recognise.linear.iobes import Iobes
from vermeil.recognise.linear.options import COST
from vermeil.sequences.features.matrix import PlacedWeights, token_scores
from vermeil.sequences.features.rows import Encoded

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

TOLERANCE = 0.01
N_EPOCHS = 5
LEAST_WEIGHT = 1e-3
"""Columns without a weight so large are left out."""

AT_ONCE = 1 << 15
"""Examples written out as a matrix at a time by the online learner."""


@dataclass(frozen=True, eq=False)
class LinearWeights:
    """``weights[k, tag]`` for the column ``columns[k]`` (these rise), ``before[tag before, tag]``.

    The last row of ``before`` is for the start of a sentence. All are numbers that 32 bits hold.
    """

    tags: Iobes
    columns: Ints
    weights: Floats
    before: Floats

    def scores(self, encoded: Encoded) -> Floats:
        """Sum the weights of each token (row) for each tag, without those for the tag before."""
        return token_scores(encoded, self._placed)

    @cached_property
    def _placed(self) -> PlacedWeights:
        return PlacedWeights.of(self.columns, self.weights)

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        return {
            "columns": self.columns.astype(np.uint32),
            "weights": self.weights.astype(np.float32),
            "before": self.before.astype(np.float32),
        }

    @classmethod
    def from_arrays(cls, tags: Iobes, arrays: Arrays) -> "LinearWeights":
        """Make the weights again that gave these arrays."""
        return cls(
            tags, *widened(checked(arrays, WEIGHTS, tags=len(tags), before=len(tags) + 1), *WEIGHTS)
        )


def fit_svm(
    examples: Iterable[Examples], tags: Iobes, *, cost: float = COST, seed: int = 0
) -> LinearWeights:
    """Learn from all examples at once."""
    require_trainer()
    from sklearn.svm import LinearSVC

    some = [each for each in examples if len(each)]
    _refuse_one_tag(some)
    columns = np.concatenate([columns_of(each.encoded) for each in some])
    is_used = np.zeros(columns.max() + 1, dtype=bool)
    is_used[columns] = True
    used = np.flatnonzero(is_used)
    places = np.cumsum(is_used, dtype=np.int32) - 1
    tag, before, weight = (
        np.concatenate([getattr(each, name) for each in some])
        for name in ("tag", "before", "weight")
    )
    matrix = as_matrix(places[columns], before, len(used), tags)
    model = LinearSVC(C=cost, tol=TOLERANCE, fit_intercept=False, random_state=seed)
    model.fit(matrix, tag, sample_weight=weight)
    return _stored(tags, used, _every_tag(model, tags))


def fit_online(
    examples: Iterable[Examples],
    tags: Iobes,
    *,
    cost: float = COST,
    n_epochs: int = N_EPOCHS,
    seed: int = 0,
    n_bits: int = N_BITS,
) -> LinearWeights:
    """Learn from one batch after the other; ``examples`` are gone through several times."""
    require_trainer()
    from sklearn.linear_model import SGDClassifier

    n_columns, n_examples = 1 << n_bits, sum(map(len, examples))
    if not n_examples:
        raise UsageError("there is nothing to learn from: no token has a tag")
    width = 1 + columns_of(next(each for each in examples if len(each)).encoded).shape[1]
    model = SGDClassifier(
        "squared_hinge",
        alpha=1 / (cost * n_examples),
        learning_rate="constant",
        eta0=1 / (2 * width),
        fit_intercept=False,
        average=n_examples,
        random_state=seed,
    )
    for _ in range(n_epochs):
        for each in examples:
            for first in range(0, len(each), AT_ONCE):
                some = each.keep(slice(first, first + AT_ONCE))
                matrix = as_matrix(columns_of(some.encoded), some.before, n_columns, tags)
                every_tag = np.arange(len(tags))
                model.partial_fit(matrix, some.tag, classes=every_tag, sample_weight=some.weight)
    return _stored(tags, np.arange(n_columns), model.coef_.T)


ONLINE = "online"
LEARNERS: Mapping[str, Callable[..., LinearWeights]] = {"svm": fit_svm, ONLINE: fit_online}


def require_trainer() -> None:
    """Refuse to train without scikit-learn, before anything else is done."""
    if find_spec("sklearn") is None:
        raise MissingExtraError("training a linear tagger", "scikit-learn")


def as_matrix(
    columns: NDArray[np.int32], before: Ints, n_columns: int, tags: Iobes
) -> "csr_matrix":
    """Lay out examples: the columns given, then one for each tag before."""
    from scipy.sparse import csr_matrix

    every = np.column_stack((columns, (n_columns + before).astype(np.int32)))
    n_rows, width = every.shape
    ends = np.arange(0, n_rows * width + 1, width, dtype=np.int32)
    shape = n_rows, n_columns + len(tags) + 2
    return csr_matrix((np.ones(n_rows * width), every.ravel(), ends), shape=shape)


def _refuse_one_tag(examples: Iterable[Examples]) -> None:
    if len({int(tag) for each in examples for tag in np.unique(each.tag)}) < 2:
        raise UsageError("there are no names of these labels to learn from")


def _every_tag(model: Any, tags: Iobes) -> Floats:
    """Lay out the weights of all tags; one that was never seen scores worse than any other."""
    rows = model.coef_ if len(model.classes_) > 2 else np.vstack((-model.coef_, model.coef_))
    weights = np.zeros((rows.shape[1], len(tags)))
    weights[-(len(tags) + 2) :] = -np.inf
    weights[:, model.classes_] = rows.T
    return weights


def _stored(tags: Iobes, columns: Ints, weights: Floats) -> LinearWeights:
    """Keep what matters, rounded as it is saved, so that a saved tagger is the same tagger."""
    n_before = len(tags) + 2
    of_columns = weights[:-n_before]
    kept = np.flatnonzero(np.abs(of_columns).max(axis=1) >= LEAST_WEIGHT)
    return LinearWeights(
        tags,
        columns[kept],
        of_columns[kept].astype(np.float32).astype(np.float64),
        weights[-n_before:-1].astype(np.float32).astype(np.float64),
    )
