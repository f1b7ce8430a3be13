"""A linear-chain conditional random field over hashed features, trained by L-BFGS.

Lafferty, McCallum and Pereira 2001. A tag scores the sum of its weights for the features of its
token and a weight for the tag before it. Rows of features are scored once (see ``features.rows``),
the sums over tag sequences are those of ``lattice``, so that one round over 200,000 tokens takes a
fraction of a second. Features seen fewer than MIN_COUNT times are left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Floats, Ints
from vermeil.recognise.features.matrix import (
    FeatureMatrix,
    Places,
    places_of,
    row_scores,
    token_scores,
)
from vermeil.recognise.features.rows import Encoded, FeatureRows, TokenViews
from vermeil.recognise.sequence.descent import Watch, descend
from vermeil.recognise.sequence.lattice import backward_sums, forward_sums
from vermeil.recognise.sequence.potentials import ChainPotentials, relative
from vermeil.recognise.sequence.steps import Steps
from vermeil.recognise.tokens.tag_set import TagSet

MIN_COUNT = 2
PENALTY = 4.0
"""Weight of half the squared weights in the objective (c2 = 2 of crfsuite)."""

N_ROUNDS = 60
LEAST_WEIGHT = 0.01
"""Features without a weight so large are not stored."""


@dataclass(frozen=True, eq=False)
class Crf:
    """Weights: ``weights[k, tag]`` for the feature ``features[k]`` (these rise)."""

    tags: TagSet
    features: Ints
    weights: Floats
    transition: Floats

    def row_scores(self, rows: FeatureRows) -> Floats:
        """Score rows of features: a sum of weights for each row and tag."""
        return row_scores(rows, self._places, self.weights)

    def potentials(self, encoded: Encoded | TokenViews, first_token: Ints) -> ChainPotentials:
        """Score the tags of tokens."""
        unary = token_scores(encoded, self._places, self.weights)
        return ChainPotentials(self.tags, first_token, unary, self.transition)

    @cached_property
    def _places(self) -> Places:
        return places_of(self.features)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give all there is to save; weights too small to matter are left out."""
        kept = np.abs(self.weights).max(axis=1) >= LEAST_WEIGHT
        return {
            "features": self.features[kept].astype(np.uint32),
            "weights": self.weights[kept].astype(np.float16),
            "transition": self.transition,
        }

    @classmethod
    def from_arrays(cls, tags: TagSet, arrays: Mapping[str, NDArray[Any]]) -> "Crf":
        """Make the model again that gave these arrays."""
        return cls(
            tags,
            arrays["features"].astype(np.int64),
            arrays["weights"].astype(np.float64),
            arrays["transition"].astype(np.float64),
        )


def fit_crf(
    encoded: Encoded,
    tag: Ints,
    first_token: Ints,
    tags: TagSet,
    *,
    penalty: float = PENALTY,
    n_rounds: int = N_ROUNDS,
    min_count: int = MIN_COUNT,
    min_g: float = 0.0,
    watch: Watch | None = None,
) -> Crf:
    """Learn weights that make the tags given most likely, less a penalty for large weights.

    ``min_g`` selects features by their log-likelihood ratio (see ``features.matrix``).
    """
    n_tags, n_tokens = len(tags), len(tag)
    matrix = FeatureMatrix.of(encoded, tag, n_tags, min_count=min_count, min_g=min_g)
    steps = Steps.of(first_token)
    wanted = np.zeros((n_tokens, n_tags), dtype=np.float32)
    wanted[np.arange(n_tokens), tag] = 1
    inner = np.ones(n_tokens, dtype=bool)
    inner[first_token[:-1]] = False
    seen = np.zeros((n_tags, n_tags))
    np.add.at(seen, (tag[np.flatnonzero(inner) - 1], tag[inner]), 1)
    n_weights = len(matrix.features) * n_tags

    def loss(parameters: Floats) -> tuple[float, Floats]:
        weights = parameters[:n_weights].reshape(-1, n_tags).astype(np.float32)
        transition = parameters[n_weights:].reshape(n_tags, n_tags)
        unary = matrix.scores(weights)
        log_total, marginal, pairs = sum_of_sequences(steps, unary, transition, tags)
        score = unary[np.arange(n_tokens), tag].sum() + (seen * transition).sum()
        error = (marginal - wanted).astype(np.float32)
        gradient = np.empty_like(parameters)
        gradient[:n_weights] = matrix.gradient(error).ravel()
        gradient[n_weights:] = (pairs - seen).ravel()
        gradient += penalty * parameters
        value = log_total - score + penalty * (parameters @ parameters) / 2
        return float(value), gradient

    found = descend(loss, n_weights + n_tags * n_tags, n_rounds, watch)
    weights = found[:n_weights].reshape(-1, n_tags)
    return Crf(tags, matrix.features, weights, found[n_weights:].reshape(n_tags, n_tags))


def sum_of_sequences(
    steps: Steps, unary: Floats, transition: Floats, tags: TagSet
) -> tuple[float, Floats, Floats]:
    """Give the log of the sum over all sequences, tag probabilities, and expected pairs of tags."""
    emission, best = relative(steps.in_rows(unary))
    edge = np.exp(transition) * tags.allowed
    forward, scale = forward_sums(steps, emission, edge, tags.allowed_first)
    backward = backward_sums(steps, emission, edge)
    marginal = forward * backward
    marginal /= marginal.sum(axis=0)
    onward = emission * backward
    pairs = np.zeros_like(edge)
    for before, rows in steps.pairs():
        both = forward[:, before], onward[:, rows]
        total = ((edge.T @ both[0]) * both[1]).sum(axis=0)
        pairs += (both[0] / total) @ both[1].T
    log_total = float((np.log(scale) + best).sum())
    return log_total, steps.in_tokens(marginal), pairs * edge
