"""Rows of hashed features, for all words of a batch at once.

What ``word_strings`` says of a word, as strings, is hashed here by passes over arrays. The hash of
a feature is the CRC-32 of its string; it is not yet seen from any view (see ``features.rows``).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from vermeil.arrays import Flags, Ints, numbered
from vermeil.sequences.features.checksums import (
    Registers,
    Tails,
    begun,
    checksums,
    extended,
    finished,
    width,
)
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
from vermeil.sequences.tokens.alphabet import CodedWords, Hashes


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
    spelt, shape = CodedWords.of(lower), shapes(words)
    every = np.arange(len(words))
    whole = checksums("l=", lower)
    full, context = _Rows(len(words)), _Rows(len(words))
    full.add(every, np.repeat(checksums("bias", [""]), len(words)))
    full.add(every, checksums("w=", words))
    full.add(every, whole)
    full.add(every, checksums("s=", [word.removesuffix("s") for word in lower]))
    full.add(every, _of_few("shape=", [each[:12] for each in shape]))
    full.add(every, _of_lengths("length=", _lengths(words), 12))
    full.add_several(*_special(words, lower))
    beginnings, ends = _affixes(spelt, AFFIXES) if n_grams else ({}, {})
    if n_grams:
        full.add_parts((*beginnings.values(), *ends.values()))
        full.add_n_grams(CodedWords.of([f"^{word[:LONGEST]}$" for word in lower]))
    context.add(every, whole)
    context.add(every, _of_few("shape=", [each[:8] for each in shape]))
    if n_grams:
        context.add(every, _of_few("ends=", [word[-3:] for word in lower]))
        context.add_parts((beginnings[4],))
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
    beginnings, ends = _affixes(CodedWords.of(lower), AFFIXES)
    rows.add_parts((*beginnings.values(), *ends.values()))
    rows.add_n_grams(CodedWords.of([f"^{word[:LONGEST]}$" for word in lower]))
    return rows.done()


def chunk_rows(
    chunks: Sequence[str], chunk: Ints, position: Ints, *, n_grams: bool = True
) -> HashedRows:
    """Hash ``chunk_features`` of the chunk of each row, by themselves and with a position."""
    parts = _chunk_parts(chunks, n_grams=n_grams)
    rows = _Rows(len(chunk))
    prefixed = [("", np.arange(len(chunk)))]
    prefixed += [(f"{place}:", np.flatnonzero(position == place)) for place in range(N_POSITIONS)]
    for prefix, which in prefixed:
        own = chunk[which]
        for part in parts:
            has = part.has[own]
            rows.add(which[has], part.tails.after(prefix + part.name)[own[has]])
    return rows.done()


class _Part(NamedTuple):
    """One thing that can be said of strings: before what, of which of them, and what."""

    name: str
    has: Flags
    tails: Tails


def _chunk_parts(chunks: Sequence[str], *, n_grams: bool) -> list[_Part]:
    """List what ``chunk_features`` says, in its order."""
    lower = [each.lower() for each in chunks]
    length, every = _lengths(chunks), np.ones(len(chunks), dtype=bool)
    shape, of_shape = numbered([each[:16] for each in shapes(chunks)])
    known = length <= LONGEST_CHUNK
    of_length = Tails.of(map(str, range(21))).some(np.minimum(length, 20))
    parts = [
        _Part("shape=", every, Tails.of(shape).some(of_shape)),
        _Part("length=", every, of_length),
        _Part(
            "l=",
            known,
            Tails.of(each if has else "" for each, has in zip(lower, known, strict=True)),
        ),
    ]
    if n_grams:
        beginnings, ends = _affixes(CodedWords.of(lower), CHUNK_AFFIXES)
        parts += [*beginnings.values(), *ends.values()]
    return parts


def _affixes(
    words: CodedWords, lengths: Sequence[int]
) -> tuple[dict[int, _Part], dict[int, _Part]]:
    """Hash the beginnings and the ends, by length, of words that are longer."""
    n_before = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(width(words.codes))))
    last = words.first + words.length

    def part(name: str, length: int, registers: Registers, first: Ints) -> _Part:
        n_bytes = n_before[np.minimum(first + length, len(words.codes))] - n_before[first]
        return _Part(name, words.length > length, Tails(registers, n_bytes))

    beginnings, ends = {}, {}
    register = np.zeros(len(words.first), dtype=np.uint32)
    for length in range(1, max(lengths) + 1):
        longer = np.flatnonzero(words.length > length)
        codes = words.codes[words.first[longer] + length - 1]
        register[longer] = extended(register[longer], codes)
        if length not in lengths:
            continue
        beginnings[length] = part("begins=", length, register.copy(), words.first)
        ended = np.zeros(len(longer), dtype=np.uint32)
        for back in range(length, 0, -1):
            ended = extended(ended, words.codes[last[longer] - back])
        registers = np.zeros_like(register)
        registers[longer] = ended
        ends[length] = part("ends=", length, registers, np.maximum(last - length, 0))
    return beginnings, ends


class _Rows:
    """Collects hashes for rows."""

    def __init__(self, n_rows: int) -> None:
        self._n_rows = n_rows
        self._added: list[tuple[Ints, Registers, Ints | None]] = []

    def add(self, rows: Ints, hashes: Registers) -> None:
        """Add a hash to each of some rows, none of which comes twice."""
        self._added.append((rows, hashes, None))

    def add_several(self, rows: Ints, hashes: Registers) -> None:
        """Add a hash to each of some rows, which do not fall and may come more than once."""
        self._added.append((rows, hashes, np.bincount(rows, minlength=self._n_rows)))

    def add_parts(self, parts: Iterable[_Part]) -> None:
        """Add what is said of the strings that all rows are of."""
        for part in parts:
            has = np.flatnonzero(part.has)
            self.add(has, part.tails.after(part.name)[has])

    def add_n_grams(self, words: CodedWords) -> None:
        """Add all stretches of N_GRAMS characters of the words, which are those of all rows."""
        owner = np.repeat(np.arange(self._n_rows), words.length + 1)
        left = np.repeat(words.first + words.length, words.length + 1) - np.arange(len(owner))
        register = np.repeat(begun("n="), len(owner))
        for length in range(1, max(N_GRAMS) + 1):
            n = len(owner) - length + 1
            register = extended(register[:n], words.codes[length - 1 :])
            if length in N_GRAMS:
                inside = np.flatnonzero(left[:n] >= length)
                self.add_several(owner[inside], finished(register[inside]))

    def done(self) -> HashedRows:
        """Put the hashes of each row together."""
        n_own = np.zeros(self._n_rows, dtype=np.int64)
        for rows, _, n in self._added:
            if n is None:
                n_own[rows] += 1
            else:
                n_own += n
        first = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(n_own)))
        free = first[:-1].copy()
        hashes = np.empty(first[-1], dtype=np.uint64)
        for rows, own, n in self._added:
            if n is None:
                hashes[free[rows]] = own
                free[rows] += 1
            else:
                hashes[np.arange(len(rows)) + (free - (np.cumsum(n) - n))[rows]] = own
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
