"""A greedy tagger for any set of tags: an averaged perceptron over hashed features.

Tags are given from left to right, each the best for the features of its token and the tag before
(Collins 2002, without a search). In training a tag that is wrong costs the weights of its features
one and gives as much to the right one; what is kept are weights averaged over all steps, so that
the last examples count no more than the first.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import AnyArray, Floats, Ints
from vermeil.models.model_files import Arrays, widened
from vermeil.models.schema import checked
from vermeil.recognise.linear.decoding import greedy
from vermeil.recognise.linear.features import WEIGHTS, columns_of
from vermeil.sequences.features.matrix import PlacedWeights, token_scores
from vermeil.sequences.features.rows import Encoded

LEAST_WEIGHT = 0.02
"""Columns without a weight so large are left out."""


@dataclass(frozen=True, eq=False)
class GreedyTagger:
    """``weights[k, tag]`` for the column ``columns[k]`` (these rise), ``before[tag before, tag]``.

    The last row of ``before`` is for the start of a sentence.
    """

    tags: tuple[str, ...]
    columns: Ints
    weights: Floats
    before: Floats

    @classmethod
    def fit(
        cls,
        encoded: Encoded,
        tag: Ints,
        first_token: Ints,
        tags: tuple[str, ...],
        *,
        n_epochs: int,
        seed: int,
    ) -> "GreedyTagger":
        """Learn from sentences that begin at ``first_token``, with the tag of each token."""
        columns = columns_of(encoded)
        used, place = np.unique(columns, return_inverse=True)
        weights, before = _averaged(
            place.reshape(columns.shape), tag, first_token, len(tags), n_epochs, seed=seed
        )
        kept = np.flatnonzero(np.abs(weights).max(axis=1, initial=0) >= LEAST_WEIGHT)
        # Rounded as it is saved, so that a saved tagger is the same tagger.
        return cls(
            tags,
            used[kept].astype(np.int64),
            weights[kept].astype(np.float32).astype(np.float64),
            before.astype(np.float32).astype(np.float64),
        )

    def tag(self, encoded: Encoded, first_token: Ints) -> Ints:
        """Tag the tokens of sentences; numbers of tags."""
        scores = token_scores(encoded, self._placed)
        return greedy(scores, self.before, first_token, self.tags)

    @cached_property
    def _placed(self) -> PlacedWeights:
        return PlacedWeights.of(self.columns, self.weights)

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save but the tags."""
        return {
            "columns": self.columns.astype(np.uint32),
            "weights": self.weights.astype(np.float32),
            "before": self.before.astype(np.float32),
        }

    @classmethod
    def from_arrays(cls, tags: tuple[str, ...], arrays: Arrays) -> "GreedyTagger":
        """Make the tagger again that gave these arrays."""
        return cls(
            tags, *widened(checked(arrays, WEIGHTS, tags=len(tags), before=len(tags) + 1), *WEIGHTS)
        )


def _averaged(
    place: NDArray[np.int64],
    tag: Ints,
    first_token: Ints,
    n_tags: int,
    n_epochs: int,
    *,
    seed: int,
) -> tuple[Floats, Floats]:
    """Learn weights for the rows of ``place`` and for tags before, averaged over all steps.

    A change counts from its step on, so what is taken off in the end is each change times the steps
    before it.
    """
    weights = np.zeros((int(place.max(initial=-1)) + 1, n_tags))
    before = np.zeros((n_tags + 1, n_tags))
    late_weights, late_before = np.zeros_like(weights), np.zeros_like(before)
    right = tag.tolist()
    chance, step = np.random.default_rng(seed), 0
    for _ in range(n_epochs):
        for sentence in chance.permutation(len(first_token) - 1).tolist():
            last = n_tags
            for token in range(first_token[sentence], first_token[sentence + 1]):
                own = place[token]
                best = int((weights[own].sum(axis=0) + before[last]).argmax())
                wanted = right[token]
                if best != wanted:
                    for table, late, rows in (
                        (weights, late_weights, own),
                        (before, late_before, last),
                    ):
                        table[rows, wanted] += 1
                        table[rows, best] -= 1
                        late[rows, wanted] += step
                        late[rows, best] -= step
                last = best
                step += 1
    n_steps = max(1, step)
    return weights - late_weights / n_steps, before - late_before / n_steps
