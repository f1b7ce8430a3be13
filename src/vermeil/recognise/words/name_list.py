"""Lists of names, found in tokens: the longest match from left to right.

A name is the hash of its tokens, folded as ``token_sets`` folds them, so a list
holds no text. Windows of up to LONGEST tokens are hashed for a whole batch at once. The first 36
bits of a hash are kept, so that files are small: in a list of 150,000 names one window in 450,000
is taken for a name that it is not.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np

from vermeil.arrays import AnyArray, Flags, Ints, distinct
from vermeil.models.model_files import Arrays
from vermeil.models.schema import HASHES, checked
from vermeil.recognise.words.token_sets import folded
from vermeil.sequences.tokens.alphabet import Hashes, hash_words
from vermeil.text.tokens import tokenise

LONGEST = 10
"""Tokens of the longest name that can be found."""

_SHIFT = np.uint64(0x9E3779B97F4A7C15)
_SIEVE_BITS = 21
_KEPT = np.uint64((1 << 64) - (1 << 28))


@dataclass(frozen=True, eq=False)
class NameList:
    """The hashes of names, which rise.

    >>> names = NameList.of(["acetic acid", "ethanol"])
    >>> words = ("in", "Acetic", "acid", "and", "ethanol")
    >>> [column.tolist() for column in names.find(words, np.array([0, 5]))]
    [[1, 4], [3, 5]]
    """

    hashes: Hashes

    @classmethod
    def of(cls, names: Iterable[str], *, tokeniser: str = "fine") -> "NameList":
        """Make a list of names as strings; those of more than LONGEST tokens are left out."""
        tokens: list[str] = []
        lengths: list[int] = []
        for name in names:
            own = [folded(name[start:end]) for start, end in tokenise(name, by=tokeniser)]
            if 0 < len(own) <= LONGEST:
                tokens.extend(own)
                lengths.append(len(own))
        return cls.of_tokens(hash_words(tokens), np.array(lengths, dtype=np.int64))

    @classmethod
    def of_tokens(cls, hashes: Hashes, lengths: Ints) -> "NameList":
        """Make a list of names given as hashes of tokens, one name after the other."""
        first = np.cumsum(lengths) - lengths
        names = np.zeros(len(lengths), dtype=np.uint64)
        for place in range(int(lengths.max(initial=0))):
            more = lengths > place
            names[more] = _longer(names[more], hashes[first[more] + place])
        return cls(distinct(names & _KEPT))

    def find(self, words: Sequence[str], first_token: Ints) -> tuple[Ints, Ints]:
        """Find the starts and ends of the names in tokens; none reaches over a sentence's end."""
        return self.find_hashed(hash_words([folded(word) for word in words]), first_token)

    def find_hashed(self, hashes: Hashes, first_token: Ints) -> tuple[Ints, Ints]:
        """Find names in tokens that are hashed already."""
        [names] = find_in_all([self], hashes, first_token)
        return names

    def __contains__(self, name: str) -> bool:
        """Tell whether a whole string is a name of the list."""
        return len(self.places_of(NameList.of([name]).hashes)) > 0

    @cached_property
    def _sieve(self) -> Flags:
        """Whether any name has these first bits; most of what is no name stops here."""
        sieve = np.zeros(1 << _SIEVE_BITS, dtype=bool)
        sieve[(self.hashes >> np.uint64(64 - _SIEVE_BITS)).astype(np.int64)] = True
        return sieve

    def places_of(self, wanted: Hashes) -> Ints:
        """Find the places, among hashes of names, of those that are in the list."""
        return self._found(wanted)[0]

    def rows_of(self, wanted: Hashes) -> Ints:
        """Find the rows of hashes of names in the list, -1 for those that are not in it."""
        places, rows = self._found(wanted)
        of_all = np.full(len(wanted), -1)
        of_all[places] = rows
        return of_all

    def _found(self, wanted: Hashes) -> tuple[Ints, Ints]:
        """Find the places of those that are in the list, and the row of each."""
        places = _passed(self._sieve, wanted)
        own = wanted[places] & _KEPT
        at = np.minimum(np.searchsorted(self.hashes, own), max(0, len(self.hashes) - 1))
        known = self.hashes[at] == own
        return places[known], at[known]

    def has_spans(self, hashes: Hashes, start: Ints, end: Ints) -> Flags:
        """Tell which stretches of hashed tokens are names of the list."""
        is_name: Flags = self.rows_of_spans(hashes, start, end) >= 0
        return is_name

    def rows_of_spans(self, hashes: Hashes, start: Ints, end: Ints) -> Ints:
        """Find the rows of stretches of hashed tokens in the list, -1 for those not in it."""
        names = np.zeros(len(start), dtype=np.uint64)
        for place in range(LONGEST):
            more = np.flatnonzero(end - start > place)
            names[more] = _longer(names[more], hashes[start[more] + place])
        return np.where(end - start <= LONGEST, self.rows_of(names), -1)

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        return {"hashes": self.hashes}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "NameList":
        """Make the list again that gave these arrays; it may have been saved with more bits."""
        hashes = checked(arrays, {"hashes": HASHES})["hashes"].astype(np.uint64)
        return cls(distinct(hashes & _KEPT, rising=True))


def find_in_all(
    lists: Sequence[NameList], hashes: Hashes, first_token: Ints
) -> list[tuple[Ints, Ints]]:
    """Find the names of several lists in hashed tokens, each as ``NameList.find`` does."""
    n = len(hashes)
    room = _room(first_token)
    longest = [np.zeros(n, dtype=np.int64) for _ in lists]
    # What is in none of the lists stops at one sieve for all of them.
    sieve = reduce(np.logical_or, [names._sieve for names in lists])
    for length, window in _windows(hashes, room):
        passed = _passed(sieve, window)
        passed = passed[room[passed] >= length]
        some = window[passed]
        for own, names in zip(longest, lists, strict=True):
            own[passed[names.places_of(some)]] = length
    return [_from_left_to_right(own) for own in longest]


def windows(hashes: Hashes, first_token: Ints) -> Iterator[Hashes]:
    """Yield the hashes of all stretches of 1 to LONGEST hashed tokens within sentences."""
    room = _room(first_token)
    for length, window in _windows(hashes, room):
        yield window[room[: len(window)] >= length]


def _passed(sieve: Flags, hashes: Hashes) -> Ints:
    """Find the places of the hashes that a sieve lets through."""
    return np.flatnonzero(sieve.take((hashes >> np.uint64(64 - _SIEVE_BITS)).view(np.int64)))


def _room(first_token: Ints) -> Ints:
    """Tell how many tokens there are from each token to the end of its sentence."""
    ends = np.repeat(first_token[1:], np.diff(first_token))
    return ends - np.arange(len(ends))


def _windows(hashes: Hashes, room: Ints) -> Iterator[tuple[int, Hashes]]:
    """Hash all stretches of each length, those over the ends of sentences, too."""
    n = len(hashes)
    window = np.zeros(n, dtype=np.uint64)
    for length in range(1, min(LONGEST, int(room.max(initial=0))) + 1):
        window = _longer(window[: n - length + 1], hashes[length - 1 :])
        yield length, window


def _from_left_to_right(longest: Ints) -> tuple[Ints, Ints]:
    """Choose matches that do not overlap, given the length of the longest at each token."""
    starts: list[int] = []
    free = 0
    candidates = np.flatnonzero(longest)
    for at, length in zip(candidates.tolist(), longest[candidates].tolist(), strict=True):
        if at >= free:
            starts.append(at)
            free = at + length
    start = np.array(starts, dtype=np.int64)
    return start, start + longest[start]


def _longer(names: Hashes, tokens: Hashes) -> Hashes:
    """Hash names with one token more."""
    mixed = (names ^ tokens) * _SHIFT
    longer: Hashes = mixed ^ (mixed >> np.uint64(32))
    return longer
