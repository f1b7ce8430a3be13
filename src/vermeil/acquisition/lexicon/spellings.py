"""Many names in one form, found in text wherever they fill whole tokens.

Names are kept spelled in an alphabet of their own. A name has a hash, a polynomial of its letters
(Karp and Rabin, 1987), and the hash of any stretch of text follows from two sums over the text, so
a batch of texts is searched by a few array operations: from each token on whose first three letters
begin a name, stretches that end where a token ends are looked up as long as some name begins like
them (the beginnings of names, at the lengths BEGINNINGS, are kept in a sieve of bits). What is
found is compared letter by letter, so a match is exact.

An Aho-Corasick automaton finds the same names, but where tokens lie does not matter to it: it makes
an object of every name inside a word, and the longest of these may hide the one that fills tokens.
``python -m benchmarks.matching`` compares the two.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vermeil.acquisition.lexicon.normal_form import FORMS, Speller
from vermeil.arrays import Flags, Ints, distinct, ranges
from vermeil.models.schema import ArraySpec, checked
from vermeil.sequences.tokens.alphabet import Hashes, hash_words
from vermeil.text.characters import code_points
from vermeil.text.token_edges import TextAxis

BEGINNINGS = (3, 5, 7, 10, 14, 20, 30, 50)
"""Letters after which a stretch is given up if no name begins like it."""

_N_TRIPLES = 1 << 20
_BITS_A_HASH = 16
_SEEDS = 9
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)

_SCHEMA = {
    "letters": ArraySpec("whole", ("letters",), least=0, most=0x10FFFF, rises=True),
    "spelt": ArraySpec("whole", ("symbols",), least=1),
    "first": ArraySpec("whole", ("bounds",), least=0, rises=True),
    "hashes": ArraySpec("whole", ("names",), least=0, rises=True),
    "rows": ArraySpec("whole", ("names",), least=0),
    "sieve": ArraySpec("whole", ("sieve",), least=0),
    "beginnings": ArraySpec("whole", ("beginnings",), least=0),
}


class Stretches(NamedTuple):
    """Stretches of text that are names: code points of the axis, and the rows of the names."""

    start: Ints
    end: Ints
    row: Ints


@dataclass(frozen=True, eq=False)
class SpellingTable:
    """Distinct names in one form. Row r is spelled ``spelt[first[r]:first[r + 1]]``.

    A symbol is the place of a letter in ``letters``, counted from 1. ``hashes`` rise and
    ``rows`` tells whose they are.
    """

    form: str
    seed: int
    letters: NDArray[np.uint32]
    spelt: NDArray[np.unsignedinteger]
    first: Ints
    hashes: Hashes
    rows: NDArray[np.int32]
    sieve: NDArray[np.uint8]
    beginnings: NDArray[np.uint8]

    @classmethod
    def of(cls, names: Sequence[str], form: str) -> "SpellingTable":
        """Make a table of names that are spelled in this form already, none of them empty."""
        codes = code_points("".join(names))
        is_letter = np.zeros(int(codes.max(initial=0)) + 1, dtype=bool)
        is_letter[codes] = True
        letters = np.flatnonzero(is_letter)
        spelt = np.cumsum(is_letter).astype(np.min_scalar_type(len(letters) + 1))[codes]
        first = np.concatenate(([0], np.cumsum([len(name) for name in names], dtype=np.int64)))
        for seed in range(_SEEDS):
            sums = _Sums.of(spelt, letters.astype(np.uint32), seed)
            unsorted = sums.hashes(first[:-1], first[1:])
            rows = np.argsort(unsorted, kind="stable")
            hashes = unsorted[rows]
            if not (hashes[1:] == hashes[:-1]).any():
                break
        return cls(
            form=form,
            seed=seed,
            letters=letters.astype(np.uint32),
            spelt=spelt,
            first=first,
            hashes=hashes,
            rows=rows.astype(np.int32),
            sieve=_sieve([hashes]),
            beginnings=_sieve([_beginnings(sums, first, length) for length in BEGINNINGS]),
        )

    def __len__(self) -> int:
        return len(self.rows)

    def name(self, row: int) -> str:
        """Spell a row out.

        >>> SpellingTable.of(["il2", "p53"], "normalised").name(1)
        'p53'
        """
        own = self.spelt[self.first[row] : self.first[row + 1]]
        return "".join(map(chr, self.letters[own.astype(np.int64) - 1].tolist()))

    def find(self, axis: TextAxis) -> Stretches:
        """Find every name that starts and ends where tokens do, within one text. Overlaps are kept.

        Tokens of which the form leaves nothing begin and end no name, but may lie inside one.
        """
        if not len(self) or not len(axis.token_start):
            return Stretches(*np.zeros((3, 0), dtype=np.int64))
        symbols, places = self._spelling.spell(axis.codes)
        begin = axis.token_start if places is None else places[axis.token_start]
        stop = axis.token_end if places is None else places[axis.token_end]
        beyond = np.repeat(axis.first_token[1:], np.diff(axis.first_token))
        token = np.arange(len(begin))
        if places is not None and not (has_letters := stop > begin).all():
            token = np.flatnonzero(has_letters)
            begin, stop = begin[token], stop[token]
            beyond = np.append(0, np.cumsum(has_letters))[beyond[token]]
        tokens = _Tokens(begin, stop, beyond)
        sums = _Sums.of(symbols, self.letters, self.seed)
        first, final, row = self._look_up(sums, tokens, self._starts(symbols, tokens))
        is_same = self._is_spelled(symbols, tokens.begin[first], tokens.stop[final], row)
        first, final, row = first[is_same], final[is_same], row[is_same]
        return Stretches(
            axis.token_start[token[first]], axis.token_end[token[final]], row.astype(np.int64)
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all there is to save but the form and the seed."""
        names = ("letters", "spelt", "first", "hashes", "rows", "sieve", "beginnings")
        return {name: getattr(self, name) for name in names}

    @classmethod
    def from_arrays(
        cls, form: str, seed: int, arrays: Mapping[str, NDArray[Any]]
    ) -> "SpellingTable":
        """Make the table again that gave these arrays."""
        if form not in FORMS or not 0 <= seed < _SEEDS:
            raise ValueError(f"no form {form!r} with the seed {seed}")
        fitting = checked(arrays, _SCHEMA)
        n_names, n_letters = len(fitting["rows"]), len(fitting["letters"])
        first, spelt, rows = (fitting[name] for name in ("first", "spelt", "rows"))
        if len(first) != n_names + 1 or first[0] != 0 or first[-1] != len(spelt):
            raise ValueError("first does not part the spellings of all names")
        if spelt.max(initial=0) > n_letters or rows.max(initial=-1) >= n_names:
            raise ValueError("spelt or rows lead out of their table")
        if any(n & (n - 1) or n < 8 for n in (len(fitting["sieve"]), len(fitting["beginnings"]))):
            raise ValueError("a sieve has no size that it can have")
        return cls(form, seed, **fitting)

    @cached_property
    def _spelling(self) -> Speller:
        return Speller(self.form, self.letters)

    @cached_property
    def _longest(self) -> int:
        return int(np.diff(self.first).max(initial=0))

    @cached_property
    def _triples(self) -> Flags:
        """Tell which numbers three symbols have that a name begins with."""
        begin = self.first[:-1][np.diff(self.first) >= BEGINNINGS[0]]
        known = np.zeros(_N_TRIPLES, dtype=bool)
        known[_triple(self.spelt, begin)] = True
        return known

    @cached_property
    def _short(self) -> Ints:
        """Tell how long names shorter than BEGINNINGS may be, by their first symbol."""
        length = np.diff(self.first)
        short = np.flatnonzero((length < BEGINNINGS[0]) & (length > 0))
        longest = np.zeros(len(self.letters) + 1, dtype=np.int64)
        np.maximum.at(longest, self.spelt[self.first[short]], length[short])
        return longest

    @cached_property
    def _buckets(self) -> tuple[Ints, int]:
        """Tell where hashes that begin with the same bits begin, and how many bits these are."""
        n_bits = max(6, len(self).bit_length() + 1)
        n_each = np.bincount(_place(self.hashes, 1 << n_bits), minlength=1 << n_bits)
        return np.cumsum(n_each) - n_each, 1 << n_bits

    def _starts(self, symbols: NDArray[np.unsignedinteger], tokens: "_Tokens") -> "_Starts":
        """Find the tokens that a name may begin with, and how many letters it has at most then."""
        may_be_long = tokens.begin + BEGINNINGS[0] <= tokens.stop[tokens.beyond - 1]
        live = np.flatnonzero(may_be_long)
        live = live[self._triples[_triple(symbols, tokens.begin[live])]]
        short = self._short
        if not short.any():
            return _Starts(live, live, np.full(len(live), BEGINNINGS[0] - 1))
        reach = short[symbols[tokens.begin]]
        reach[live] = BEGINNINGS[0] - 1
        every = np.flatnonzero(reach)
        return _Starts(every, live, reach[every])

    def _look_up(
        self, sums: "_Sums", tokens: "_Tokens", starts: "_Starts"
    ) -> tuple[Ints, Ints, Ints]:
        """Find first and last tokens of what hashes like a name, and the rows of these names."""
        live, reach = starts.token, self._reach(sums, tokens, starts)
        found: list[tuple[Ints, Ints, Ints]] = []
        for n_more in count():
            final = live + n_more
            inside = np.flatnonzero(final < tokens.beyond[live])
            live, reach, final = live[inside], reach[inside], final[inside]
            inside = np.flatnonzero(tokens.stop[final] - tokens.begin[live] <= reach)
            live, reach, final = live[inside], reach[inside], final[inside]
            if not len(live):
                break
            hashes = sums.hashes(tokens.begin[live], tokens.stop[final])
            maybe = np.flatnonzero(_is_in(self.sieve, hashes))
            which, place = self._places(hashes[maybe])
            first = live[maybe[which]]
            found.append((first, first + n_more, self.rows[place].astype(np.int64)))
        if not found:
            nothing = np.zeros(0, dtype=np.int64)
            return nothing, nothing, nothing
        first, final, row = (np.concatenate(column) for column in zip(*found, strict=True))
        return first, final, row

    def _places(self, hashes: Hashes) -> tuple[Ints, Ints]:
        """Find which of some hashes are there, and where. Buckets hold one or two."""
        bucket, n_buckets = self._buckets
        place, last = bucket[_place(hashes, n_buckets)], len(self) - 1
        behind = np.arange(len(hashes))
        while len(behind):
            at = place[behind]
            behind = behind[(at < last) & (self.hashes[np.minimum(at, last)] < hashes[behind])]
            place[behind] += 1
        place = np.minimum(place, last)
        which = np.flatnonzero(self.hashes[place] == hashes)
        return which, place[which]

    def _reach(self, sums: "_Sums", tokens: "_Tokens", starts: "_Starts") -> Ints:
        """Tell how many letters at most a name can have that begins at each of the starts."""
        reach = np.zeros(len(tokens.begin), dtype=np.int64)
        reach[starts.token] = np.minimum(starts.reach, self._longest)
        live, begin = starts.long, tokens.begin[starts.long]
        room = tokens.stop[tokens.beyond[live] - 1] - begin
        for length, longer in zip(BEGINNINGS, [*BEGINNINGS[1:], self._longest + 1], strict=True):
            hashes = sums.hashes(begin, begin + length)
            known = np.flatnonzero(_is_in(self.beginnings, hashes))
            live, begin, room = live[known], begin[known], room[known]
            reach[live] = min(longer - 1, self._longest)
            further = np.flatnonzero(room >= longer)
            live, begin, room = live[further], begin[further], room[further]
        return reach[starts.token]

    def _is_spelled(
        self, symbols: NDArray[np.unsignedinteger], begin: Ints, stop: Ints, row: Ints
    ) -> Flags:
        """Compare stretches with names of the same hash, letter by letter."""
        length = stop - begin
        is_same: Flags = length == self.first[row + 1] - self.first[row]
        of, place = ranges(begin, np.where(is_same, stop, begin))
        differs = symbols[place] != self.spelt[place + (self.first[row] - begin)[of]]
        is_same[of[differs]] = False
        return is_same


class _Tokens(NamedTuple):
    """Tokens with letters: where their symbols lie, and the first token beyond their text."""

    begin: Ints
    stop: Ints
    beyond: Ints


class _Starts(NamedTuple):
    """Tokens that a name may begin with, those of them that begin a long one, and its letters.

    ``reach`` are the letters of short names, if there are any.
    """

    token: Ints
    long: Ints
    reach: Ints


class _Sums(NamedTuple):
    """Sums over symbols up to each place, from which the hash of any stretch follows."""

    up_to: Hashes
    unshift: Hashes

    @staticmethod
    def of(symbols: NDArray[np.unsignedinteger], letters: NDArray[np.uint32], seed: int) -> "_Sums":
        values = hash_words([f"{seed}", *(f"{seed}{chr(code)}" for code in letters.tolist())])
        powers, inverses = _powers(1 << max(10, len(symbols).bit_length()))
        up_to = np.zeros(len(symbols) + 1, dtype=np.uint64)
        np.cumsum(values[symbols] * powers[: len(symbols)], out=up_to[1:])
        return _Sums(up_to, inverses)

    def hashes(self, begin: Ints, stop: Ints) -> Hashes:
        """Hash stretches of symbols."""
        polynomial = (self.up_to[stop] - self.up_to[begin]) * self.unshift[begin]
        scattered: Hashes = (polynomial ^ (polynomial >> np.uint64(32))) * _MULTIPLIER
        return scattered


@cache
def _powers(n: int) -> tuple[Hashes, Hashes]:
    """Return the first powers of an odd number and of its inverse modulo two to the 64."""
    root = 0xD1342543DE82EF95
    powers, inverses = np.ones((2, n), dtype=np.uint64)
    powers[1:] = root
    inverses[1:] = pow(root, -1, 1 << 64)
    return np.cumprod(powers), np.cumprod(inverses)


def _triple(symbols: NDArray[np.unsignedinteger], begin: Ints) -> Ints:
    """Number the three symbols at each place; few share a number."""
    first, second, third = (symbols[begin + nth].astype(np.int64) for nth in range(BEGINNINGS[0]))
    return (first + second * 101 + third * 10_201) & (_N_TRIPLES - 1)


def _beginnings(sums: _Sums, first: Ints, length: int) -> Hashes:
    long_enough = first[:-1][np.diff(first) >= length]
    return distinct(sums.hashes(long_enough, long_enough + length))


def _sieve(hashes: Sequence[Hashes]) -> NDArray[np.uint8]:
    """Set the bits that the first bits of hashes point to."""
    n = sum(map(len, hashes))
    n_bits = 1 << max(6, int(n * _BITS_A_HASH - 1).bit_length() if n else 0)
    bits = np.zeros(n_bits, dtype=bool)
    for each in hashes:
        bits[_place(each, n_bits)] = True
    return np.packbits(bits, bitorder="little")


def _is_in(sieve: NDArray[np.uint8], hashes: Hashes) -> Flags:
    place = _place(hashes, 8 * len(sieve))
    is_set: Flags = (sieve[place >> 3] >> (place & 7).astype(np.uint8)) & np.uint8(1) != 0
    return is_set


def _place(hashes: Hashes, n_bits: int) -> Ints:
    shift = np.uint64(64 - (n_bits.bit_length() - 1))
    return (hashes >> shift).astype(np.int64)
