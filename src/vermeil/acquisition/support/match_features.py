"""What can be said of a match without knowing whether it is a name: its features, hashed.

How often references support its key, how it is spelled, what stands around it, what it overlaps and
is coordinated with, whether other names of the same record stand in the document, whether a tagger
would take it for a name. Each feature is a family and a value; the pair is hashed to a column.
All are worked out for a batch of matches at once, word features once for each distinct word.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.acquisition.lexicon.compilation import Lexicon
from vermeil.acquisition.lexicon.matching import Matches
from vermeil.acquisition.support.counts import KeySupport, WordCounts
from vermeil.arrays import Flags, Floats, Ints, numbered
from vermeil.document import Document
from vermeil.sequences.features.word_strings import shapes
from vermeil.sequences.tokens.alphabet import Hashes, hash_words
from vermeil.text.token_edges import lay_out

N_BITS = 20
LINKS = frozenset({",", "and", "or", "/", ";"})
"""Words over which two names are coordinated."""

_FAMILY = np.uint64(0xD6E8FEB86659FD93)
_VALUE = np.uint64(0x9E3779B97F4A7C15)
_OUTSIDE = 0


def describe_matches(
    lexicon: Lexicon,
    counts: WordCounts,
    matches: Matches,
    support: KeySupport,
    documents: Sequence[Document],
    *,
    tokeniser: str,
) -> Ints:
    """Describe matches, overlapping ones too, which are in reading order.

    A row for each match: the columns of its features, numbers below 2 ** N_BITS.
    """
    words = _Words.of(documents, tokeniser)
    place = _Place.of(matches, words)
    columns: list[Ints] = []
    families = (
        _support(support),
        _spelling(lexicon, matches, documents, counts),
        _context(place, words),
        _neighbours(matches, place, words, support.rate),
        _records(lexicon, matches, support.rate),
    )
    for number, values in enumerate(value for family in families for value in family):
        columns.append(hashed(number, values))
    return np.stack(columns, axis=1)


def hashed(family: int, values: Ints | Hashes) -> Ints:
    """Hash the values of a family of features to columns."""
    salt = np.array([family + 1], dtype=np.uint64) * _FAMILY
    mixed = values.astype(np.uint64) * _VALUE + salt
    mixed = (mixed ^ (mixed >> np.uint64(29))) * _VALUE
    columns: Ints = (mixed >> np.uint64(64 - N_BITS)).astype(np.int32)
    return columns


@dataclass(frozen=True, slots=True, eq=False)
class _Words:
    """Tokens of the batch. The numbers of words begin at 1; 0 stands outside a document."""

    start: Ints
    end: Ints
    origin: Ints
    word: Ints
    lowered: Hashes
    shape: Hashes
    is_link: Flags
    is_opening: Flags
    is_closing: Flags

    @staticmethod
    def of(documents: Sequence[Document], tokeniser: str) -> "_Words":
        texts = [document.text for document in documents]
        axis = lay_out(texts, tokeniser=tokeniser)
        joined = "\n".join([*texts, ""])
        strings = [
            joined[start:end]
            for start, end in zip(axis.token_start.tolist(), axis.token_end.tolist(), strict=True)
        ]
        distinct, number = numbered(strings)
        lowered = [word.lower() for word in distinct]
        of_document = np.repeat(np.arange(len(texts)), np.diff(axis.first_token))
        # Two empty places before each document and after the last keep windows apart.
        shift = 2 * (of_document + 1)
        word = np.zeros(len(strings) + 2 * len(texts) + 4, dtype=np.int64)
        word[np.arange(len(strings)) + shift] = number + 1
        filled = np.flatnonzero(word)
        start, end = np.full(len(word), -1), np.full(len(word), -1)
        start[filled], end[filled] = axis.token_start, axis.token_end

        def known(is_so: Iterator[bool]) -> Flags:
            return np.array([False, *is_so])

        return _Words(
            start=np.maximum.accumulate(start),
            end=np.maximum.accumulate(end),
            origin=axis.origin,
            word=word,
            lowered=np.append(np.uint64(0), hash_words(lowered)),
            shape=np.append(np.uint64(0), hash_words(shapes(distinct))),
            is_link=known(each in LINKS for each in lowered),
            is_opening=known(each in "([" for each in distinct),
            is_closing=known(each in ")]" for each in distinct),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """The tokens of each match: from ``first`` up to ``last``."""

    first: Ints
    last: Ints

    @staticmethod
    def of(matches: Matches, words: _Words) -> "_Place":
        start = matches.start + words.origin[matches.document]
        end = matches.end + words.origin[matches.document]
        return _Place(
            np.searchsorted(words.start, start),
            np.searchsorted(words.end, end) + 1,
        )


def _support(support: KeySupport) -> Iterator[Ints]:
    """Yield what references say of the key."""
    odds = np.log(support.rate / np.maximum(1 - support.rate, 1e-3))
    rate = np.rint(2 * odds).astype(np.int64)
    n = _doublings(support.n_documents)
    yield rate * 16 + np.minimum(n, 6)
    yield rate
    yield np.minimum(n, 8)


def _spelling(
    lexicon: Lexicon, matches: Matches, documents: Sequence[Document], counts: WordCounts
) -> Iterator[Ints | Hashes]:
    """Yield what the match itself looks like."""
    distinct, of = numbered(matches.strings(documents))
    shape = hash_words([each[:12] for each in shapes(distinct)])[of]
    exact = matches.is_exact.astype(np.int64)
    is_small = np.array([each.islower() for each in distinct], dtype=np.int64)[of]
    bare = ["".join(filter(str.isalnum, each.lower())) for each in distinct]
    length = np.array([len(each) for each in bare])[of]
    n_records = np.diff(lexicon.first_record)[matches.key]
    yield shape
    yield shape * np.uint64(2) + exact.astype(np.uint64)
    yield np.minimum(length, 12)
    yield exact
    yield _half_doublings(n_records)
    yield _half_doublings(_times_in_document(matches))
    for affix in (slice(0, 3), slice(-2, None), slice(-3, None), slice(-4, None)):
        yield hash_words([each[affix] for each in bare])[of]
    yield _half_doublings(counts.of([each.lower() for each in distinct])[of])
    yield _half_doublings(counts.of(distinct)[of])
    yield is_small
    yield is_small * 8 + np.minimum(length, 6)


def _context(place: _Place, words: _Words) -> Iterator[Ints | Hashes]:
    """Yield the words around, the first and the last word, and the number of words."""
    for offset in (-2, -1):
        yield words.lowered[words.word[place.first + offset]]
    for offset in (0, 1):
        yield words.lowered[words.word[place.last + offset]]
    yield words.shape[words.word[place.first - 1]]
    yield words.shape[words.word[place.last]]
    yield words.lowered[words.word[place.first]]
    yield words.lowered[words.word[place.last - 1]]
    yield place.last - place.first


def _neighbours(matches: Matches, place: _Place, words: _Words, rate: Floats) -> Iterator[Ints]:
    """Yield the best rate of what holds a match, and of what it is coordinated with."""
    n_places = len(words.word)
    ending, starting = np.zeros(n_places + 1), np.zeros(n_places + 1)
    np.maximum.at(ending, place.last, rate)
    np.maximum.at(starting, place.first, rate)
    yield _tenths(_best_holding(place, rate))
    before, after = words.word[place.first - 1], words.word[place.last]
    yield np.where(words.is_link[before], _tenths(ending[place.first - 1]) + 1, _OUTSIDE)
    yield np.where(words.is_link[after], _tenths(starting[place.last + 1]) + 1, _OUTSIDE)
    in_brackets = words.is_opening[before] & words.is_closing[after]
    yield np.where(in_brackets, _tenths(ending[place.first - 1]) + 1, _OUTSIDE)
    has_short = words.is_opening[after] & (starting[place.last + 1] > 0)
    yield np.where(has_short, _tenths(starting[place.last + 1]) + 1, _OUTSIDE)


def _best_holding(place: _Place, rate: Floats) -> Floats:
    """Find the best rate of the other matches that hold all of a match; -1 where none does."""
    best = np.full(len(rate), -1.0)
    order = np.lexsort((-place.last, place.first))
    first, last, own = place.first[order], place.last[order], rate[order]
    reach = np.maximum.accumulate(last)
    # What begins before all that may hold a match ends the search; matches come in reading order.
    active, back = np.arange(len(order)), 1
    while len(active := active[active >= back]):
        other = active - back
        # No match further back reaches the end of this one.
        active = active[reach[other] >= last[active]]
        other = active - back
        holds = (last[other] >= last[active]) & (
            (first[other] < first[active]) | (last[other] > last[active])
        )
        rows = order[active[holds]]
        best[rows] = np.maximum(best[rows], own[other[holds]])
        back += 1
    return best


def _records(lexicon: Lexicon, matches: Matches, rate: Floats) -> Iterator[Ints]:
    """Yield how many names of the same record a document has, and the best rate of the others."""
    n_keys = len(lexicon)
    pair, of = np.unique(matches.document * n_keys + matches.key, return_inverse=True)
    pair_rate = np.zeros(len(pair))
    pair_rate[of] = rate
    which, record = lexicon.records_of(pair % n_keys)
    group, member = np.unique(
        pair[which] // n_keys * len(lexicon.ids) + record, return_inverse=True
    )
    n_names = np.bincount(member, minlength=len(group))
    order = np.lexsort((-pair_rate[which], member))
    first = np.searchsorted(member[order], np.arange(len(group)))
    best = order[first]
    second = order[np.minimum(first + 1, len(order) - 1)] if len(order) else order
    other = np.where(best[member] == np.arange(len(member)), second[member], best[member])
    other_rate = np.where(n_names[member] > 1, pair_rate[which][other], 0.0)
    most, highest = np.zeros(len(pair), dtype=np.int64), np.zeros(len(pair))
    np.maximum.at(most, which, n_names[member])
    np.maximum.at(highest, which, other_rate)
    yield np.minimum(most, 4)[of]
    yield _tenths(highest)[of]


def _times_in_document(matches: Matches) -> Ints:
    n_keys = int(matches.key.max(initial=0)) + 1
    _, of, n = np.unique(
        matches.document * n_keys + matches.key, return_inverse=True, return_counts=True
    )
    times: Ints = n[of]
    return times


def _tenths(rate: Floats) -> Ints:
    return np.floor(10 * rate).astype(np.int64)


def _doublings(n: Ints) -> Ints:
    return np.floor(np.log2(n + 1)).astype(np.int64)


def _half_doublings(n: Ints) -> Ints:
    return np.floor(1.5 * np.log2(n + 1)).astype(np.int64)
