"""The features of training tokens as two sparse matrices, and which features are worth a weight.

A token is a sum of rows and a row a sum of features (see ``rows``), so scores of tokens and the
gradients of weights are two sparse products each. What every sequence model needs to be trained is
here; how tags depend on each other is not.

Features seen fewer than ``min_count`` times are left out. So may be those that say little about
the tag: Corbett and Copestake, section 3.5, leave out about half, by the log-likelihood ratio G
(Dunning 1993), here that of two rows, tokens with and without the feature, by tag.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Floats, Ints
from vermeil.sequences.features.rows import (
    FEATURE_BITS,
    Encoded,
    FeatureRows,
    KeyedRows,
    TokenViews,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Singles: TypeAlias = NDArray[np.float32]

_BLOCK_BITS = 6
_ABSENT = 255


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The places of features among those used, which rise.

    Those of a block of 64 are from ``first[block]`` on, and ``rank[feature]`` says which of them: a
    byte for each feature there can be, for a table of whole places would be out of the cache.
    """

    first: NDArray[np.int32]
    rank: NDArray[np.uint8]

    @classmethod
    def of(cls, features: Ints) -> "Places":
        """Lay out the places of features that rise."""
        block = features >> _BLOCK_BITS
        n_own = np.bincount(block, minlength=1 << (FEATURE_BITS - _BLOCK_BITS))
        first = (np.cumsum(n_own) - n_own).astype(np.int32)
        rank = np.full(1 << FEATURE_BITS, _ABSENT, dtype=np.uint8)
        rank[features] = np.arange(len(features)) - first[block]
        return cls(first, rank)

    def known(self, features: Ints) -> tuple[Ints, NDArray[np.int32]]:
        """Find which features are used, and the places of these."""
        rank = self.rank.take(features)
        which = np.flatnonzero(rank != _ABSENT)
        return which, self.first.take(features.take(which) >> _BLOCK_BITS) + rank.take(which)

    def among(self, features: Ints, other: int) -> Ints:
        """Find the places of features, ``other`` for those that are not used."""
        rank = self.rank.take(features)
        place: Ints = self.first.take(features >> _BLOCK_BITS).astype(np.int64)
        place += rank
        np.putmask(place, rank == _ABSENT, other)
        return place


@dataclass(frozen=True, slots=True, eq=False)
class PlacedWeights:
    """``columns[tag, place]`` are the weights of features by place, then a 0 for all others."""

    places: Places
    columns: Floats

    @classmethod
    def of(cls, features: Ints, weights: Floats) -> "PlacedWeights":
        """Lay out ``weights[k, tag]`` of ``features[k]``, which rise."""
        columns = np.zeros((weights.shape[1], len(features) + 1))
        columns[:, :-1] = weights.T
        return cls(Places.of(features), columns)

    @property
    def n_tags(self) -> int:
        """The columns of scores."""
        return len(self.columns)


@dataclass(frozen=True, slots=True, eq=False)
class FeatureMatrix:
    """``features`` are those used, which rise; their places are the rows of weights."""

    features: Ints
    of_rows: "csr_matrix"
    of_tokens: "csr_matrix"
    to_features: "csr_matrix"
    to_rows: "csr_matrix"

    @classmethod
    def of(
        cls, encoded: Encoded, tag: Ints, n_tags: int, *, min_count: int = 1, kept: float = 1.0
    ) -> "FeatureMatrix":
        """Lay out tokens; of the features only the share ``kept`` with the highest G."""
        times = np.bincount(encoded.row.ravel(), minlength=len(encoded.rows))
        count = np.bincount(encoded.rows.features, np.repeat(times, np.diff(encoded.rows.first)))
        matrix = cls._with(encoded, np.flatnonzero(count >= min_count))
        if kept >= 1:
            return matrix
        by_tag = matrix.gradient(_one_hot(tag, n_tags)).astype(np.float64)
        g = log_likelihood_ratio(by_tag, np.bincount(tag, minlength=n_tags))
        telling = np.argsort(-g, kind="stable")[: round(kept * len(g))]
        return cls._with(encoded, matrix.features[np.sort(telling)])

    @classmethod
    def _with(cls, encoded: Encoded, used: Ints) -> "FeatureMatrix":
        from scipy.sparse import csr_matrix

        n_tokens, n_views = encoded.row.shape
        owner, column = _entries(encoded.rows, Places.of(used))
        of_rows = csr_matrix(
            (np.ones(len(column), dtype=np.float32), (owner, column)),
            shape=(len(encoded.rows), len(used)),
        )
        ends = np.arange(0, n_tokens * n_views + 1, n_views)
        of_tokens = csr_matrix(
            (np.ones(n_tokens * n_views, dtype=np.float32), encoded.row.ravel(), ends),
            shape=(n_tokens, len(encoded.rows)),
        )
        return cls(used, of_rows, of_tokens, of_rows.T.tocsr(), of_tokens.T.tocsr())

    def scores(self, weights: Singles) -> Floats:
        """Sum weights[feature, tag] for each token (row) and tag."""
        scores: Floats = (self.of_tokens @ (self.of_rows @ weights)).astype(np.float64)
        return scores

    def gradient(self, error: Singles) -> Singles:
        """Sum what is given for each token (row) and tag over the tokens with each feature."""
        gradient: Singles = self.to_features @ (self.to_rows @ error)
        return gradient


def row_scores(rows: FeatureRows, weights: PlacedWeights) -> Floats:
    """Sum weights of features for each tag (row) and row (column).

    Sums are taken row by row, so that what else is in a batch shows in no digit.
    """
    owner, place = _entries(rows, weights.places)
    return np.stack(
        [np.bincount(owner, column.take(place), len(rows)) for column in weights.columns]
    )


def token_scores(tokens: Encoded | TokenViews, weights: PlacedWeights) -> Floats:
    """Sum the weights of each token. A row is scored once, however many tokens have it."""
    if isinstance(tokens, TokenViews):
        return np.ascontiguousarray(_view_scores(tokens, weights).T)
    scores = row_scores(tokens.rows, weights)
    total = np.zeros((weights.n_tags, len(tokens.row)))
    for view in tokens.row.T:
        total += scores.take(view, axis=1)
    return np.ascontiguousarray(total.T)


def log_likelihood_ratio(by_tag: Floats, of_tag: Ints) -> Floats:
    """Compute G for features seen ``by_tag[feature, tag]`` times among ``of_tag[tag]`` tokens.

    Twice the sum of observed · ln(observed / expected), over tokens with and without the feature.

    >>> seen = np.array([[2.0, 2.0], [0.0, 4.0]])
    >>> log_likelihood_ratio(seen, np.array([4, 4])).round(3).tolist()
    [0.0, 11.09]
    """
    without = np.maximum(of_tag - by_tag, 0.0)
    g = np.zeros(len(by_tag))
    for seen in (by_tag, without):
        expected = seen.sum(axis=1, keepdims=True) * of_tag / of_tag.sum()
        ratio = np.divide(seen, expected, out=np.ones_like(seen), where=seen > 0)
        g += 2 * (seen * np.log(ratio)).sum(axis=1)
    return g


def _view_scores(tokens: TokenViews, weights: PlacedWeights) -> Floats:
    total = np.zeros((weights.n_tags, tokens.n_tokens))
    other = weights.columns.shape[1] - 1
    keyed: dict[int, Floats] = {}
    for view in tokens.views:
        if view.row is None:
            total += weights.columns.take(weights.places.among(view.rows.features, other), axis=1)
        elif isinstance(view.hashed, KeyedRows):
            if view.number not in keyed:
                keyed |= _keyed_scores(view.hashed, weights)
            total += keyed[view.number].take(view.row, axis=1)
        else:
            total += row_scores(view.rows, weights).take(view.row, axis=1)
    return total


def _keyed_scores(keyed: KeyedRows, weights: PlacedWeights) -> dict[int, Floats]:
    """Score rows from each of their views; keys that the model met before are remembered."""

    def score(keys: Sequence[str]) -> Floats:
        return np.concatenate([row_scores(rows, weights) for rows in keyed.rows_of(keys)]).T

    scores = np.ascontiguousarray(keyed.memory.of(keyed.keys, score, weights).T)
    return dict(zip(keyed.views, np.split(scores, len(keyed.views)), strict=True))


def _entries(rows: FeatureRows, places: Places) -> tuple[Ints, NDArray[np.int32]]:
    """Find the row and the place of each feature that is used."""
    known, place = places.known(rows.features)
    return np.repeat(np.arange(len(rows)), np.diff(rows.first)).take(known), place


def _one_hot(tag: Ints, n_tags: int) -> Singles:
    rows = np.zeros((len(tag), n_tags), dtype=np.float32)
    rows[np.arange(len(tag)), tag] = 1
    return rows
