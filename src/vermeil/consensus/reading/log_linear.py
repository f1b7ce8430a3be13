"""Log-linear models of what is said of things, learned from how likely the answers are.

Two kinds. Of a heart: which label it has, or none, a softmax over labels of which none scores 0.
Of the boundaries on one side of a heart: which is the true one, a softmax over the boundaries. Both
learn from chances instead of answers, by L-BFGS with a penalty for large weights. Scores of labels
are log-odds against no name.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.consensus.reading.described import DescribedThings
from vermeil.sequences.chains.descent import Loss, descend
from vermeil.sequences.features.matrix import FeatureMatrix, PlacedWeights, token_scores
from vermeil.sequences.features.rows import TokenViews

PENALTY, MIN_COUNT, N_ROUNDS = 4.0, 2, 25
"""The penalty for half the squared weights, how often a feature must come, and rounds of descent.
Half or more than twice the penalty changes relaxed F by less than .006 on abstracts."""


@dataclass(frozen=True, slots=True, eq=False)
class LinearScores:
    """``weights[k, column]`` of the feature ``features[k]``; these rise."""

    features: Ints
    weights: Floats

    @staticmethod
    def nothing(n_columns: int) -> "LinearScores":
        """Score everything 0."""
        return LinearScores(np.zeros(0, dtype=np.int64), np.zeros((0, n_columns)))

    def of(self, things: DescribedThings | TokenViews) -> Floats:
        """Score things (rows) in all columns."""
        seen = things.encoded if isinstance(things, DescribedThings) else things
        return token_scores(seen, PlacedWeights.of(self.features, self.weights))

    def columns(self, chosen: Ints) -> "LinearScores":
        """Keep some columns, in this order."""
        return LinearScores(self.features, self.weights[:, chosen])


def learn_labels(things: DescribedThings, chance: Floats, possible: Flags) -> LinearScores:
    """Learn which label things have, from the chance of each that is ``possible`` (row, label)."""
    matrix = _matrix(things)
    n_labels = chance.shape[1]

    def loss(parameters: Floats) -> tuple[float, Floats]:
        weights = parameters.reshape(-1, n_labels)
        scores = matrix.scores(weights.astype(np.float32))
        scores = np.where(possible, scores, -np.inf)
        best = np.maximum(scores.max(axis=1, initial=0.0), 0.0)
        powers = np.exp(scores - best[:, None])
        total = np.exp(-best) + powers.sum(axis=1)
        wanted = (np.where(possible, scores, 0.0) * chance).sum()
        value = float((best + np.log(total)).sum() - wanted)
        error = powers / total[:, None] - chance
        return value, matrix.gradient(error.astype(np.float32)).ravel().astype(np.float64)

    return LinearScores(matrix.features, _least(loss, len(matrix.features), n_labels))


def learn_cuts(
    things: DescribedThings, chance: Floats, first: Ints, weight: Floats
) -> LinearScores:
    """Learn which boundary is the true one, from the chance of each; group g begins at first[g].

    ``weight`` says how much each group counts.
    """
    matrix = _matrix(things)
    group = np.repeat(np.arange(len(first) - 1), np.diff(first))
    counted = weight[group]

    def loss(parameters: Floats) -> tuple[float, Floats]:
        scores = matrix.scores(parameters.reshape(-1, 1).astype(np.float32))[:, 0]
        best = np.maximum.reduceat(scores, first[:-1])
        powers = np.exp(scores - best[group])
        total = np.add.reduceat(powers, first[:-1])
        value = float((weight * (best + np.log(total))).sum() - (counted * chance * scores).sum())
        error = counted * (powers / total[group] - chance)
        gradient = matrix.gradient(error.astype(np.float32)[:, None])
        return value, gradient.ravel().astype(np.float64)

    if not len(group):
        return LinearScores.nothing(1)
    return LinearScores(matrix.features, _least(loss, len(matrix.features), 1))


def _matrix(things: DescribedThings) -> FeatureMatrix:
    no_tags = np.zeros(len(things), dtype=np.int64)
    return FeatureMatrix.of(things.encoded, no_tags, 1, min_count=MIN_COUNT)


def _least(loss: Loss, n_features: int, n_columns: int) -> Floats:
    def penalised(parameters: Floats) -> tuple[float, Floats]:
        value, gradient = loss(parameters)
        squares = float(parameters @ parameters)
        return value + PENALTY * squares / 2, gradient + PENALTY * parameters

    if not n_features:
        return np.zeros((0, n_columns))
    return descend(penalised, n_features * n_columns, N_ROUNDS).reshape(-1, n_columns)
