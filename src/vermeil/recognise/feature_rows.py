"""The features of tokens, hashed, and laid out so that what repeats is computed once.

A token is described from several points of view: the word itself, its neighbours up to two away,
the run of tokens without white space it stands in, pairs of neighbours, and what name lists say.
From each view it is one of a limited number of rows, and a row has a list of features. So the score
of a token is a sum over views of the scores of rows, and a row is scored once however often it
comes.

A feature is a hash of FEATURE_BITS bits. Nothing of the text can be read from it.
"""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vermeil.recognise.alphabet import Hashes, hash_words
from vermeil.recognise.knowledge import Knowledge
from vermeil.recognise.preclassifier import tentative_type
from vermeil.recognise.tag_set import Flags, Ints
from vermeil.recognise.token_axis import TokenAxis
from vermeil.recognise.token_sets import folded, is_word
from vermeil.recognise.word_features import (
    chunk_features,
    context_features,
    shape,
    spelling_features,
)

FEATURE_BITS = 22
OFFSETS = (0, -1, 1, -2, 2)
FAMILIES = frozenset({"n-grams", "preclassifier", "lists", "chunks", "pairs"})
"""Families of features that can be left out, to see what they are worth."""

N_REMEMBERED = 1 << 16
"""Words whose features are kept in mind; texts repeat themselves."""

Base: TypeAlias = NDArray[np.uint32]
"""Features before it is known from which view they are seen."""

PAD = "\x00"
"""The one feature of what lies beyond the ends of a sentence."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Lists of features: row r has ``features[first[r]:first[r + 1]]``."""

    first: Ints
    features: Ints

    def __len__(self) -> int:
        return len(self.first) - 1


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """Tokens as rows: ``row[token, view]`` is a row of ``rows``."""

    row: Ints
    rows: Rows


def encode(
    axis: TokenAxis,
    text_gap: Flags,
    knowledge: Sequence[Knowledge],
    fold_of_document: Ints | None = None,
    *,
    families: frozenset[str] = FAMILIES,
) -> Encoded:
    """Describe the tokens of a batch.

    ``text_gap`` tells whether there is white space before a token. Each document is described with
    the knowledge of its fold; without folds there is one knowledge for all.
    """
    n = len(axis.words)
    n_tokens = np.diff(axis.first_of_document)
    folds = (
        np.zeros(len(n_tokens), dtype=np.int64) if fold_of_document is None else fold_of_document
    )
    fold = np.repeat(folds, n_tokens)
    words = _Words.of(axis.words, fold, knowledge, families)
    build = _Builder(n)
    edge = _edges(axis)
    for view, offset in enumerate(OFFSETS):
        rows = words.full if offset == 0 else words.context
        build.add(view, _shifted(words.number, offset, edge, len(words.full)), rows)
    view = len(OFFSETS)
    classes = words.classes
    if "pairs" in families:
        lower = hash_words([word.lower() for word in words.spelt])[words.number]
        own = classes[words.number]
        before, after = _neighbour(own, -1, edge), _neighbour(own, 1, edge)
        pairs = (
            (_neighbour(lower, -1, edge), lower),
            (lower, _neighbour(lower, 1, edge)),
            (before, own),
            (own, after),
            (before, own, after),
        )
        for number, parts in enumerate(pairs):
            build.add_single(view + number, _joined(parts))
    if "chunks" in families:
        build.add(view + 5, *_chunks(axis, text_gap))
    if "lists" in families:
        for number, states in enumerate(_list_states(words, axis, fold, knowledge)):
            before, after = _neighbour(states, -1, edge), _neighbour(states, 1, edge)
            build.add_single(view + 6 + 2 * number, states)
            build.add_single(view + 7 + 2 * number, _joined((before, states, after)))
    return build.done()


def gaps(axis: TokenAxis) -> Flags:
    """Tell before which tokens there is white space, or the beginning of a text."""
    gap = np.ones(len(axis.words), dtype=bool)
    gap[1:] = axis.start[1:] != axis.end[:-1]
    first = axis.first_of_document[:-1]
    gap[first[first < len(gap)]] = True
    return gap


@dataclass(frozen=True, slots=True, eq=False)
class _Words:
    """The distinct words of a batch, by fold; ``number`` says which each token is."""

    number: Ints
    spelt: list[str]
    full: list[Base]
    context: list[Base]
    classes: Hashes

    @classmethod
    def of(
        cls,
        words: Sequence[str],
        fold: Ints,
        knowledge: Sequence[Knowledge],
        families: frozenset[str],
    ) -> "_Words":
        known: dict[tuple[int, str], int] = {}
        number = np.fromiter(
            (known.setdefault(key, len(known)) for key in zip(fold.tolist(), words, strict=True)),
            dtype=np.int64,
            count=len(words),
        )
        nothing = hash_features(())
        full, context = [nothing] * len(known), [nothing] * len(known)
        classes = np.zeros(len(known), dtype=np.uint64)
        for each, own in enumerate(knowledge):
            mine = [(word, at) for (of, word), at in known.items() if of == each]
            told = word_facts(own, [word for word, _ in mine], families)
            names = []
            for (word, at), facts in zip(mine, told, strict=True):
                of_facts = _hashed_facts(facts)
                full[at] = np.concatenate((_spelling(word, "n-grams" in families), of_facts))
                context[at] = np.concatenate((_context(word), of_facts))
                names.append("|".join((*facts[:2], _coarse_shape(word))))
            if mine:
                classes[[at for _, at in mine]] = hash_words(names)
        return cls(number, [word for _, word in known], full, context, classes)


def word_facts(
    knowledge: Knowledge, words: Sequence[str], families: frozenset[str]
) -> list[tuple[str, ...]]:
    """Say what the preclassifier and its sets know of words."""
    if "preclassifier" not in families:
        return [()] * len(words)
    scores = knowledge.preclassifier.score(words)
    bins = np.floor(scores / 2.5).astype(np.int64).tolist()
    sides = knowledge.preclassifier.tokens.look_up(words).tolist()
    english = np.isin(
        hash_words([word.lower() for word in words]), knowledge.preclassifier.english
    ).tolist()
    return [
        (
            f"pre={bin}",
            f"seen={side}{'w' if is_word(word) else ''}",
            f"type={tentative_type(word)}{bin > 0}",
            f"english={known}",
        )
        for word, bin, side, known in zip(words, bins, sides, english, strict=True)
    ]


def _chunks(axis: TokenAxis, gap: Flags) -> tuple[Ints, list[Base]]:
    """Describe the runs of tokens without white space, together with the token's place in them."""
    first = np.flatnonzero(gap)
    size = np.diff(np.append(first, len(gap)))
    number = np.repeat(np.arange(len(first)), size)
    place = np.arange(len(gap)) - first[number] if len(first) else number
    at = np.where(
        size[number] == 1, 3, np.where(place == 0, 0, np.where(place == size[number] - 1, 2, 1))
    )
    known: dict[tuple[str, int], int] = {}
    strings = [
        "".join(axis.words[begin : begin + length])
        for begin, length in zip(first.tolist(), size.tolist(), strict=True)
    ]
    row = np.fromiter(
        (
            known.setdefault((strings[of], position), len(known))
            for of, position in zip(number.tolist(), at.tolist(), strict=True)
        ),
        dtype=np.int64,
        count=len(gap),
    )
    return row, [_chunk(chunk, position) for chunk, position in known]


def _list_states(
    words: _Words, axis: TokenAxis, fold: Ints, knowledge: Sequence[Knowledge]
) -> list[Hashes]:
    """Say where each token stands in names of the lists: 0 in none, else place and length."""
    hashes = hash_words([folded(word) for word in words.spelt])[words.number]
    found = []
    for kind in ("lexicon", "seen"):
        states = np.zeros(len(hashes), dtype=np.uint64)
        for each, own in enumerate(knowledge):
            start, end = getattr(own, kind).find_hashed(hashes, axis.first_token)
            mine = fold[start] == each if len(start) else np.zeros(0, dtype=bool)
            start, end = start[mine], end[mine]
            length = np.minimum(end - start, 4)
            token = np.repeat(start, end - start) + _ramp(end - start)
            place = np.minimum(_ramp(end - start), 2)
            last = _ramp(end - start) == np.repeat(end - start, end - start) - 1
            states[token] = 1 + place + 3 * last + 6 * np.repeat(length, end - start)
        found.append(states)
    return found


def _ramp(lengths: Ints) -> Ints:
    return np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)


class _Builder:
    """Collects views; each has its own rows, and its own hashes of the same features."""

    def __init__(self, n_tokens: int) -> None:
        self._columns: list[Ints] = []
        self._lengths: list[Ints] = []
        self._features: list[Ints] = []
        self._n_rows = 0
        self._n_tokens = n_tokens

    def add(self, view: int, number: Ints, rows: Sequence[Base]) -> None:
        """Add a view: which row each token is, and the features of rows; a last one is an edge."""
        every = [*rows, hash_features((PAD,))]
        lengths = np.array([len(row) for row in every], dtype=np.int64)
        self._put(view, number, lengths, np.concatenate(every).astype(np.uint64))

    def add_single(self, view: int, values: Hashes) -> None:
        """Add a view in which every token has one feature."""
        distinct, number = np.unique(values, return_inverse=True)
        self._put(view, number, np.ones(len(distinct), dtype=np.int64), distinct)

    def _put(self, view: int, number: Ints, lengths: Ints, features: Hashes) -> None:
        self._columns.append(number + self._n_rows)
        self._lengths.append(lengths)
        self._features.append(salted(features, view))
        self._n_rows += len(lengths)

    def done(self) -> Encoded:
        first = np.concatenate(([0], np.cumsum(np.concatenate(self._lengths))))
        return Encoded(np.stack(self._columns, axis=1), Rows(first, np.concatenate(self._features)))


def hash_features(features: Iterable[str]) -> Base:
    """Hash features, not yet seen from any view."""
    return np.array([zlib.crc32(feature.encode()) for feature in features], dtype=np.uint32)


@lru_cache(maxsize=N_REMEMBERED)
def _spelling(word: str, n_grams: bool) -> Base:
    return hash_features(spelling_features(word, n_grams=n_grams))


@lru_cache(maxsize=N_REMEMBERED)
def _context(word: str) -> Base:
    return hash_features(context_features(word))


@lru_cache(maxsize=N_REMEMBERED)
def _chunk(chunk: str, position: int) -> Base:
    features = list(chunk_features(chunk))
    return hash_features([*features, *(f"{position}:{each}" for each in features)])


@lru_cache(maxsize=N_REMEMBERED)
def _coarse_shape(word: str) -> str:
    return shape(word)[:4]


@lru_cache(maxsize=N_REMEMBERED)
def _hashed_facts(facts: tuple[str, ...]) -> Base:
    return hash_features(facts)


def salted(features: Hashes, view: int) -> Ints:
    """Give the numbers that features have in a model, seen from a view."""
    mixed = (features + np.uint64(view << 32)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(31))) * np.uint64(0xBF58476D1CE4E5B9)
    return (mixed >> np.uint64(64 - FEATURE_BITS)).astype(np.int64)


def _joined(parts: Sequence[Hashes]) -> Hashes:
    mixed = np.zeros(len(parts[0]), dtype=np.uint64)
    for part in parts:
        mixed = (mixed ^ part) * np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(29)
    return mixed


def _edges(axis: TokenAxis) -> Ints:
    """Give the sentence of each token, to see what lies beyond its ends."""
    return np.repeat(np.arange(len(axis.first_token) - 1), np.diff(axis.first_token))


def _shifted(number: Ints, offset: int, sentence: Ints, beyond: int) -> Ints:
    """Give the numbers of the tokens ``offset`` away, or ``beyond`` outside the sentence."""
    at = np.arange(len(number)) + offset
    inside = (at >= 0) & (at < len(number))
    at = np.clip(at, 0, max(0, len(number) - 1))
    inside &= sentence[at] == sentence
    return np.where(inside, number[at], beyond)


def _neighbour(values: Hashes, offset: int, sentence: Ints) -> Hashes:
    at = np.arange(len(values)) + offset
    inside = (at >= 0) & (at < len(values))
    at = np.clip(at, 0, max(0, len(values) - 1))
    inside &= sentence[at] == sentence
    return np.where(inside, values[at], np.uint64(1))
