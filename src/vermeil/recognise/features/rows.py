"""The features of tokens, hashed, and laid out so that what repeats is computed once.

A token is described from several points of view: the word itself, its neighbours up to two away,
the run of tokens without white space it stands in, pairs of neighbours, and what name lists say.
From each view it is one of a limited number of rows, and a row has a list of features. So the score
of a token is a sum over views of the scores of rows, and a row is scored once however often it
comes.

A feature is a hash of FEATURE_BITS bits. Nothing of the text can be read from it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import ColumnTable, Flags, Ints
from vermeil.recognise.features.described_words import DescribedWords
from vermeil.recognise.features.hashed_rows import HashedRows, chunk_rows
from vermeil.recognise.features.word_strings import N_POSITIONS
from vermeil.recognise.tokens.alphabet import Hashes, hash_words
from vermeil.recognise.tokens.axis import TokenAxis, numbered
from vermeil.recognise.words.knowledge import Knowledge
from vermeil.recognise.words.name_list import find_in_all
from vermeil.recognise.words.token_sets import folded

FEATURE_BITS = 22
OFFSETS = (0, -1, 1, -2, 2)
FAMILIES = frozenset({"n-grams", "preclassifier", "lists", "chunks", "pairs"})
"""Families of features that can be left out, to see what they are worth."""


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
class TokenView:
    """Tokens from one view: which of the rows each is.

    Without ``row`` each token is its own row, and has one feature.
    """

    number: int
    hashed: HashedRows
    row: Ints | None = None

    @property
    def rows(self) -> FeatureRows:
        """The rows with the numbers that features have in a model."""
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


def view_tokens(
    axis: TokenAxis,
    knowledge: Sequence[Knowledge],
    fold_of_document: Ints | None = None,
    *,
    families: frozenset[str] = FAMILIES,
) -> TokenViews:
    """Describe the tokens of a batch.

    Each document is described with the knowledge of its fold; without folds there is one knowledge
    for all.
    """
    n_tokens = np.diff(axis.first_of_document)
    folds = (
        np.zeros(len(n_tokens), dtype=np.int64) if fold_of_document is None else fold_of_document
    )
    fold = np.repeat(folds, n_tokens)
    words = DescribedWords.of(axis, fold, knowledge, families)
    beyond = len(words.spelt)
    views = [
        TokenView(
            view,
            words.context if offset else words.full,
            axis.neighbours(words.number, offset, beyond=beyond),
        )
        for view, offset in enumerate(OFFSETS)
    ]
    view = len(OFFSETS)
    if "pairs" in families:
        for number, pair in enumerate(_pairs(words, axis)):
            views.append(_single(view + number, _joined(pair)))
    if "chunks" in families:
        views.append(TokenView(view + 5, *_chunks(axis)))
    if "lists" in families:
        for number, states in enumerate(_list_states(words, axis, fold, knowledge)):
            views.append(_single(view + 6 + 2 * number, states))
            views.append(_single(view + 7 + 2 * number, _joined(_around(states, axis))))
    return TokenViews(len(axis.words), tuple(views))


def gaps(axis: TokenAxis) -> Flags:
    """Tell before which tokens there is white space, or the beginning of a text."""
    gap = np.ones(len(axis.words), dtype=bool)
    gap[1:] = axis.start[1:] != axis.end[:-1]
    first = axis.first_of_document[:-1]
    gap[first[first < len(gap)]] = True
    return gap


def _pairs(words: DescribedWords, axis: TokenAxis) -> Iterator[tuple[Hashes, ...]]:
    """Yield what stands side by side: words, then classes of words."""
    lower = hash_words([word.lower() for word in words.spelt])
    for of_words in (lower, words.classes):
        before, own, after = _around(of_words[words.number], axis)
        yield before, own
        yield own, after
    yield before, own, after


def _around(values: Hashes, axis: TokenAxis) -> tuple[Hashes, Hashes, Hashes]:
    """Return what the tokens before have, what the tokens have and what those after have."""
    before, after = (axis.neighbours(values, offset, beyond=1) for offset in (-1, 1))
    return before, values, after


def _chunks(axis: TokenAxis) -> tuple[HashedRows, Ints]:
    """Describe the runs of tokens without white space, together with the token's place in them."""
    gap = gaps(axis)
    first = np.flatnonzero(gap)
    size = np.diff(np.append(first, len(gap)))
    chunks, of_run = numbered(
        [
            axis.words[begin] if length == 1 else "".join(axis.words[begin : begin + length])
            for begin, length in zip(first.tolist(), size.tolist(), strict=True)
        ]
    )
    # First, inside, last, alone.
    position = np.ones(len(gap), dtype=np.int64)
    position[first] = 0
    position[first + size - 1] = 2
    position[first[size == 1]] = 3
    key = np.repeat(of_run, size) * N_POSITIONS + position
    is_used = np.zeros(len(chunks) * N_POSITIONS, dtype=bool)
    is_used[key] = True
    used = np.flatnonzero(is_used)
    return chunk_rows(chunks, *np.divmod(used, N_POSITIONS)), (np.cumsum(is_used) - 1)[key]


def _list_states(
    words: DescribedWords, axis: TokenAxis, fold: Ints, knowledge: Sequence[Knowledge]
) -> list[Hashes]:
    """Say where each token stands in names of the lists: 0 in none, else place and length."""
    hashes = hash_words([folded(word) for word in words.spelt])[words.number]
    of_kinds = []
    lists = [names for own in knowledge for names in (own.lexicon, own.seen)]
    matches = find_in_all(lists, hashes, axis.first_token)
    for kind in range(2):
        states = np.zeros(len(hashes), dtype=np.uint64)
        for each, (start, end) in enumerate(matches[kind::2]):
            mine = fold[start] == each
            length = (end - start)[mine]
            place = _ramp(length)
            last = place == np.repeat(length, length) - 1
            state = 1 + np.minimum(place, 2) + 3 * last
            state += 6 * np.repeat(np.minimum(length, 4), length)
            states[np.repeat(start[mine], length) + place] = state
        of_kinds.append(states)
    return of_kinds


def _ramp(lengths: Ints) -> Ints:
    return np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)


def _single(number: int, values: Hashes) -> TokenView:
    return TokenView(number, HashedRows(np.arange(len(values) + 1), values))


def _without_repeats(view: TokenView) -> tuple[Ints, FeatureRows]:
    if view.row is not None:
        return view.row, view.rows
    distinct, row = np.unique(view.hashed.hashes, return_inverse=True)
    return row, _single(view.number, distinct).rows


def salted(features: Hashes, view: int) -> Ints:
    """Number features as a model does, seen from a view."""
    mixed = (features + np.uint64(view << 32)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(31))) * np.uint64(0xBF58476D1CE4E5B9)
    return (mixed >> np.uint64(64 - FEATURE_BITS)).astype(np.int64)


def _joined(columns: Sequence[Hashes]) -> Hashes:
    mixed = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        mixed = (mixed ^ column) * np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(29)
    return mixed
