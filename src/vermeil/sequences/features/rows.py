"""The features of tokens, hashed, and laid out so that what repeats is computed once.

A token is described from several points of view (see ``views``): the word itself, its neighbours,
what it stands in. From each view it is one of a limited number of rows, and a row has a list of
features. So the score of a token is a sum over views of the scores of rows, and a row is scored
once however often it comes.

A feature is a hash of FEATURE_BITS bits. Nothing of the text can be read from it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import ColumnTable, Ints
from vermeil.sequences.features.hashed_rows import HashedRows
from vermeil.sequences.features.word_memory import RowMemory
from vermeil.sequences.tokens.alphabet import Hashes

FEATURE_BITS = 22


@dataclass(frozen=True, slots=True, eq=False)
class FeatureRows:
    """Lists of features: row r has ``features[first[r]:first[r + 1]]``."""

    first: Ints
    features: Ints

    def __len__(self) -> int:
        return len(self.first) - 1


@dataclass(frozen=True, slots=True, eq=False)
class Encoded(ColumnTable):
    """Tokens as rows: ``row[token, view]`` is a row of ``rows``."""

    row: Ints
    rows: FeatureRows


@dataclass(frozen=True, slots=True, eq=False)
class KeyedRows:
    """Rows that follow from a key each, so that a model need not score one twice.

    All ``views`` (their numbers) from which the keys are seen are described and scored together:
    ``describe`` makes the rows of some keys for each of them; ``memory`` is for their scores.
    """

    keys: Sequence[str]
    views: tuple[int, ...]
    describe: Callable[[Sequence[str]], Sequence[HashedRows]]
    memory: RowMemory[np.float64]

    def rows_of(self, keys: Sequence[str]) -> list["FeatureRows"]:
        """Describe some keys from each view, with the numbers that features have in a model."""
        return [
            FeatureRows(hashed.first, salted(hashed.hashes, view))
            for view, hashed in zip(self.views, self.describe(keys), strict=True)
        ]


@dataclass(frozen=True, slots=True, eq=False)
class TokenView:
    """Tokens from one view: which of the rows each is.

    Without ``row`` each token is its own row, and has one feature.
    """

    number: int
    hashed: HashedRows | KeyedRows
    row: Ints | None = None

    @property
    def rows(self) -> FeatureRows:
        """The rows with the numbers that features have in a model."""
        if isinstance(self.hashed, KeyedRows):
            return self.hashed.rows_of(self.hashed.keys)[self.hashed.views.index(self.number)]
        return FeatureRows(self.hashed.first, salted(self.hashed.hashes, self.number))


@dataclass(frozen=True, slots=True, eq=False)
class TokenViews:
    """Tokens from all views; what is rare is not sought twice, unlike in ``Encoded``."""

    n_tokens: int
    views: tuple[TokenView, ...]


def encode(tokens: TokenViews) -> Encoded:
    """Put the rows of all views together, so that equal tokens of any view are the same row."""
    columns: list[Ints] = []
    of_views: list[FeatureRows] = []
    n_rows = 0
    for row, rows in map(_without_repeats, tokens.views):
        columns.append(row + n_rows)
        of_views.append(rows)
        n_rows += len(rows)
    lengths = np.concatenate([np.diff(rows.first) for rows in of_views])
    first = np.concatenate(([0], np.cumsum(lengths)))
    features = np.concatenate([rows.features for rows in of_views])
    return Encoded(np.stack(columns, axis=1), FeatureRows(first, features))


def single(number: int, values: Hashes) -> TokenView:
    """See each token as a row of its own, with one feature."""
    return TokenView(number, HashedRows(np.arange(len(values) + 1), values))


def of_few(number: int, code: Ints, hashes: Hashes) -> TokenView:
    """See tokens as ``single(number, hashes[code])`` does; each hash is some token's."""
    distinct, row = np.unique(hashes, return_inverse=True)
    return TokenView(number, single(number, distinct).hashed, row[code])


def _without_repeats(view: TokenView) -> tuple[Ints, FeatureRows]:
    if view.row is not None:
        return view.row, view.rows
    assert isinstance(view.hashed, HashedRows), "rows with keys are shared by tokens"
    distinct, row = np.unique(view.hashed.hashes, return_inverse=True)
    return row, single(view.number, distinct).rows


def salted(features: Hashes, view: int) -> Ints:
    """Number features as a model does, seen from a view."""
    mixed = (features + np.uint64(view << 32)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(31))) * np.uint64(0xBF58476D1CE4E5B9)
    return (mixed >> np.uint64(64 - FEATURE_BITS)).astype(np.int64)
