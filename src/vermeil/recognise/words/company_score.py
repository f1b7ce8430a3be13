"""Is this word in the company of parts of names? Judged by its vector alone.

A logistic regression over the vectors of words (see ``word_classes``), learned from the words that
were seen only inside names and only outside. The preclassifier knows how words are spelled; this
knows where they stand, in texts that nobody has annotated.

A model keeps the scores of all words, in tenths, and the weights, by which words that were never
seen are scored: their vectors are guessed by their spelling.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import AnyArray, Flags, Floats
from vermeil.models.model_files import Arrays
from vermeil.models.schema import FINITE, ArraySpec, checked
from vermeil.recognise.word_classes.factors import unit
from vermeil.recognise.word_classes.learned_words import NEVER_SEEN, LookedUp, WordTable
from vermeil.recognise.words.token_sets import OUTSIDE, Sides
from vermeil.sequences.features.matrix import Singles

CLIP = 12.0
"""No score is further from 0."""

UNIT = 10
"""Scores are kept in whole numbers of this part of 1."""

PENALTY = 0.05
N_ROUNDS = 8


@dataclass(frozen=True, slots=True, eq=False)
class CompanyScore:
    """Scores of the words of a table, by row, and weights of vectors; the last is for all words."""

    scores: NDArray[np.int8]
    weights: Floats

    @classmethod
    def fit(cls, sides: Sides, table: WordTable) -> "CompanyScore":
        """Learn from where words were seen."""
        clear = [word for word, side in sides.items() if side == OUTSIDE or not side & OUTSIDE]
        row = table.rows_of(clear)
        known = row != NEVER_SEEN
        inside = np.array([sides[word] != OUTSIDE for word in clear], dtype=bool)[known]
        design = _design(table.unit_vectors[row[known]])
        weights = logistic(design, inside) if 0 < inside.sum() < len(inside) else None
        if weights is None:
            weights = np.zeros(design.shape[1])
        return cls(_in_tenths(_design(table.unit_vectors) @ weights), weights)

    def score(self, words: Sequence[str], table: WordTable) -> Floats:
        """Score words: the log odds to be in a name."""
        return self.score_of(table.looked_up(words))

    def score_of(self, words: LookedUp) -> Floats:
        """Score words that were looked up in their table."""
        scores = self.scores[words.row] / UNIT
        if len(words.rest):
            design = _design(unit(words.vectors))
            scores[words.rest] = _in_tenths(design @ self.weights) / UNIT
        return scores

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        return {"scores": self.scores, "weights": self.weights}

    @classmethod
    def from_arrays(cls, arrays: Arrays, table: WordTable) -> "CompanyScore":
        """Make the scores again that gave these arrays."""
        schema = {
            "scores": ArraySpec("whole", (len(table),), least=-CLIP * UNIT, most=CLIP * UNIT),
            "weights": ArraySpec("number", (table.n_dimensions + 1,), least=-FINITE, most=FINITE),
        }
        fitting = checked(arrays, schema)
        return cls(fitting["scores"].astype(np.int8), fitting["weights"].astype(np.float64))


def logistic(design: Floats, right: Flags) -> Floats:
    """Find weights by Newton's method; the last column, of ones, has no penalty to speak of."""
    penalty = np.full(design.shape[1], PENALTY)
    penalty[-1] = 1e-3
    weights = np.zeros(design.shape[1])
    for _ in range(N_ROUNDS):
        likely = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (right - likely) - penalty * weights
        curve = (design * (likely * (1 - likely))[:, None]).T @ design + np.diag(penalty)
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def _design(vectors: Singles) -> Floats:
    return np.column_stack((vectors.astype(np.float64), np.ones(len(vectors))))


def _in_tenths(scores: Floats) -> NDArray[np.int8]:
    tenths: NDArray[np.int8] = np.rint(scores.clip(-CLIP, CLIP) * UNIT).astype(np.int8)
    return tenths
