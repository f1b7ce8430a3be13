"""Rows of hashed features, for all words of a batch at once.

What ``word_strings`` says of a word, as strings, is hashed here by passes over arrays. The hash of
a feature is the CRC-32 of its string; it is not yet seen from any view (see ``features.rows``).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Ints, numbered
from vermeil.sequences.features.checksums import Registers, begun, checksums, extended, finished
from vermeil.sequences.features.word_strings import (
    AFFIXES,
    CHUNK_AFFIXES,
    LONGEST,
    LONGEST_CHUNK,
    N_GRAMS,
    N_POSITIONS,
    shapes,
    special_features,
)
from vermeil.sequences.tokens.alphabet import Hashes, code_points, word_starts


@dataclass(frozen=True, slots=True, eq=False)
class HashedRows:
    """Lists of hashes: row r has ``hashes[first[r]:first[r + 1]]``."""

    first: Ints
    hashes: Hashes

    def with_row(self, hashes: Registers) -> "HashedRows":
        """Add one row at the end."""
        first = np.append(self.first, self.first[-1] + len(hashes))
        return HashedRows(first, np.append(self.hashes, hashes.astype(np.uint64)))

    def without_last(self) -> "HashedRows":
        """Leave the last row out."""
        return HashedRows(self.first[:-1], self.hashes[: self.first[-2]])


def word_rows(
    words: Sequence[str], facts: Registers, *, n_grams: bool
) -> tuple[HashedRows, HashedRows]:
    """Hash ``spelling_features`` and ``context_features`` of words; both get ``facts[word, …]``."""
    lower = [word.lower() for word in words]
    spelt, shape = _Spelt(lower), shapes(words)
    every = np.arange(len(words))
    whole = checksums("l=", lower)
    full, context = _Rows(len(words)), _Rows(len(words))
    full.add(every, np.repeat(checksums("bias", [""]), len(words)))
    full.add(every, checksums("w=", words))
    full.add(every, whole)
    full.add(every, checksums("s=", [word.removesuffix("s") for word in lower]))
    full.add(every, _of_few("shape=", [each[:12] for each in shape]))
    full.add(every, _of_lengths("length=", _lengths(words), 12))
    full.add(*_special(words, lower))
    if n_grams:
        full.add_affixes(every, spelt, AFFIXES)
        full.add_n_grams(_Spelt([f"^{word[:LONGEST]}$" for word in lower]))
    context.add(every, whole)
    context.add(every, _of_few("shape=", [each[:8] for each in shape]))
    if n_grams:
        context.add(every, _of_few("ends=", [word[-3:] for word in lower]))
        context.add_beginnings(every, spelt, (4,))
    for column in facts.T:
        full.add(every, column)
        context.add(every, column)
    return full.done(), context.done()


def part_rows(words: Sequence[str]) -> HashedRows:
    """Hash the parts of words, in lower case: whole, affixes and n-grams."""
    lower = [word.lower() for word in words]
    rows = _Rows(len(words))
    every = np.arange(len(words))
    rows.add(every, checksums("l=", lower))
    rows.add(every, _of_few("shape=", [each[:8] for each in shapes(words)]))
    rows.add_affixes(every, _Spelt(lower), AFFIXES)
    rows.add_n_grams(_Spelt([f"^{word[:LONGEST]}$" for word in lower]))
    return rows.done()


def chunk_rows(
    chunks: Sequence[str], chunk: Ints, position: Ints, *, n_grams: bool = True
) -> HashedRows:
    """Hash ``chunk_features`` of the chunk of each row, by themselves and with a position."""
    lower = [each.lower() for each in chunks]
    shape = [each[:16] for each in shapes(chunks)]
    spelt, length = _Spelt(lower), _lengths(chunks)
    rows = _Rows(len(chunk))
    prefixed = [("", np.arange(len(chunk)))]
    prefixed += [(f"{place}:", np.flatnonzero(position == place)) for place in range(N_POSITIONS)]
    for prefix, which in prefixed:
        own = chunk[which]
        rows.add(which, _of_few(f"{prefix}shape=", shape)[own])
        rows.add(which, _of_lengths(f"{prefix}length=", length[own], 20))
        known = which[length[own] <= LONGEST_CHUNK]
        rows.add(known, checksums(f"{prefix}l=", [lower[each] for each in chunk[known].tolist()]))
        if n_grams:
            rows.add_affixes(which, spelt.some(own), CHUNK_AFFIXES, prefix)
    return rows.done()


class _Spelt:
    """The characters of words on one axis, where each begins, and how many it has."""

    def __init__(self, words: Sequence[str]) -> None:
        self.codes = code_points(words)
        self.first = word_starts(self.codes)
        self.length = np.diff(self.first, append=len(self.codes)) - 1

    def some(self, which: Ints) -> "_Spelt":
        """Select some of the words, maybe more than once."""
        spelt = _Spelt.__new__(_Spelt)
        spelt.codes, spelt.first, spelt.length = self.codes, self.first[which], self.length[which]
        return spelt


class _Rows:
    """Collects hashes for rows."""

    def __init__(self, n_rows: int) -> None:
        self._n_rows = n_rows
        self._added: list[tuple[Ints, Registers]] = []

    def add(self, rows: Ints, hashes: Registers) -> None:
        """Add a hash to each of some rows, which do not fall and may come more than once."""
        self._added.append((rows, hashes))

    def add_affixes(
        self, rows: Ints, words: _Spelt, lengths: Sequence[int], prefix: str = ""
    ) -> None:
        """Add the beginnings and the ends of words that are longer than these."""
        self.add_beginnings(rows, words, lengths, prefix)
        last = words.first + words.length
        for length in lengths:
            longer = np.flatnonzero(words.length > length)
            register = np.repeat(begun(f"{prefix}ends="), len(longer))
            for back in range(length, 0, -1):
                register = extended(register, words.codes[last[longer] - back])
            self.add(rows[longer], finished(register))

    def add_beginnings(
        self, rows: Ints, words: _Spelt, lengths: Sequence[int], prefix: str = ""
    ) -> None:
        """Add the beginnings of words that are longer than these, which rise."""
        longer = np.flatnonzero(words.length > lengths[0])
        register = np.repeat(begun(f"{prefix}begins="), len(longer))
        for length in range(1, lengths[-1] + 1):
            register = extended(register, words.codes[words.first[longer] + length - 1])
            if length in lengths:
                kept = words.length[longer] > length
                register, longer = register[kept], longer[kept]
                self.add(rows[longer], finished(register))

    def add_n_grams(self, words: _Spelt) -> None:
        """Add all stretches of N_GRAMS characters of the words, which are those of all rows."""
        owner = np.repeat(np.arange(self._n_rows), words.length + 1)
        left = np.repeat(words.first + words.length, words.length + 1) - np.arange(len(owner))
        register = np.repeat(begun("n="), len(owner))
        for length in range(1, max(N_GRAMS) + 1):
            n = len(owner) - length + 1
            register = extended(register[:n], words.codes[length - 1 :])
            if length in N_GRAMS:
                inside = np.flatnonzero(left[:n] >= length)
                self.add(owner[inside], finished(register[inside]))

    def done(self) -> HashedRows:
        """Put the hashes of each row together."""
        n_own = [np.bincount(rows, minlength=self._n_rows) for rows, _ in self._added]
        first = np.concatenate(([0], np.cumsum(np.sum(n_own, axis=0))))
        free = first[:-1].copy()
        hashes = np.empty(first[-1], dtype=np.uint64)
        for (rows, own), n in zip(self._added, n_own, strict=True):
            place = np.arange(len(rows)) - (np.cumsum(n) - n)[rows]
            hashes[free[rows] + place] = own
            free += n
        return HashedRows(first, hashes)


def _of_few(prefix: str, strings: Sequence[str]) -> Registers:
    """Hash strings of which most are equal to others."""
    distinct, number = numbered(strings)
    return checksums(prefix, distinct)[number]


def _of_lengths(prefix: str, lengths: Ints, longest: int) -> Registers:
    return checksums(prefix, map(str, range(longest + 1)))[np.minimum(lengths, longest)]


def _lengths(words: Sequence[str]) -> Ints:
    return np.fromiter(map(len, words), dtype=np.int64, count=len(words))


def _special(words: Sequence[str], lower: Sequence[str]) -> tuple[Ints, Registers]:
    special = [
        (row, feature)
        for row, each in enumerate(zip(words, lower, strict=True))
        for feature in special_features(*each)
    ]
    rows = np.array([row for row, _ in special], dtype=np.int64)
    return rows, checksums("", [feature for _, feature in special])
