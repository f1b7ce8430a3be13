"""The bytes of many values of JSON, laid end to end, read by passes over arrays.

The values are well-formed: msgspec took them out of their lines. A number or a string that begins
and ends at known places is read eight bytes at a time (numbers as in Lemire, "Number parsing at
a gigabyte per second", section 3). What is not written as we write it is told, never guessed.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Floats, Ints

Words = NDArray[np.uint64]

BEFORE, AFTER = 8, 48
"""Bytes around the values, so that words near their edges can be looked at."""

N_ROUNDS = 8
"""How often strings that fall into the same slot are told apart before they are sorted."""

_LOWEST = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)
_HIGHEST = ~_LOWEST[::-1]
_ZEROS = np.uint64(0x3030303030303030)
_SIXES, _HALVES = np.uint64(0x0606060606060606), np.uint64(0xF0F0F0F0F0F0F0F0)
_PAIRS, _FOURS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)
_BY = tuple(map(np.uint64, (2561, 6553601, 42949672960001)))
_OVER = tuple(map(np.uint64, (8, 16, 32)))
_MIXED = tuple(map(np.uint64, (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)))
_TENTHS = 10.0 ** np.arange(9)
_decode_reals = msgspec.json.Decoder(list[float]).decode


def word(eight: bytes) -> np.uint64:
    """Return eight bytes, or the fewer that are given, as the number that they are in memory."""
    return np.uint64(int.from_bytes(eight, "little"))


class JsonBytes:
    """Values of JSON in one piece: the bytes of each from ``first`` up to ``end``."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.whole = b"".join((b"\n" * BEFORE, b"\n".join(values), b"\n" * AFTER))
        self.bytes = np.frombuffer(self.whole, dtype=np.uint8)
        self._words: Words = np.ndarray((len(self.whole) - 7,), "<u8", self.whole, strides=(1,))
        size = np.fromiter(map(len, values), np.int64, len(values))
        self.end: Ints = np.cumsum(size + 1) + (BEFORE - 1)
        self.first: Ints = self.end - size

    def words(self, place: Ints) -> Words:
        """Return the eight bytes at each place."""
        return self._words[place]

    def are(self, place: Ints, wanted: bytes) -> Flags:
        """Tell whether the bytes at each place are these, eight at the most."""
        found = self._words[place]
        if len(wanted) < 8:
            found &= _LOWEST[len(wanted)]
        same: Flags = found == word(wanted)
        return same

    def wholes(self, first: Ints, end: Ints) -> tuple[Ints, Flags]:
        """Read whole numbers of up to eight digits; tell which are such."""
        size = end - first
        good = (size > 0) & (size <= 8)
        digits = self._words[end - 8] ^ _ZEROS
        digits &= _HIGHEST[np.clip(size, 0, 8)]
        good &= ((digits | (digits + _SIXES)) & _HALVES) == 0
        digits = digits * _BY[0] >> _OVER[0]
        digits = (digits & _PAIRS) * _BY[1] >> _OVER[1]
        digits = (digits & _FOURS) * _BY[2] >> _OVER[2]
        return digits.astype(np.int64), good

    def reals(self, first: Ints, end: Ints) -> tuple[Floats, Flags]:
        """Read numbers with a point; tell which are written as we write them."""
        digits, good = self.wholes(first + 2, end)
        scale = _TENTHS[np.clip(end - first - 2, 0, 8)]
        lead = self.bytes[first].astype(np.int64) - ord("0")
        good &= (lead >= 0) & (lead <= 9) & (self.bytes[first + 1] == ord("."))
        # Of so few digits the quotient is the nearest number there is. What ends in a nought, or is
        # very small, may be written otherwise.
        good &= (digits % 10 != 0) | ((digits == 0) & (scale == 10))
        good &= (lead > 0) | (digits == 0) | (digits * 1000 >= scale)
        value = (lead * scale + digits) / scale
        rest = np.flatnonzero(~good)
        if len(rest):
            value[rest], good[rest] = self._other_reals(first[rest], end[rest])
        return value, good

    def _other_reals(self, first: Ints, end: Ints) -> tuple[Floats, Flags]:
        """Have numbers read one after the other, and see whether they would be written so."""
        places = zip(first.tolist(), end.tolist(), strict=True)
        every = [self.whole[one:other] for one, other in places]
        values = _reals_in(every)
        if values is not None:
            return np.array(values), np.ones(len(every), dtype=bool)
        each = [_reals_in([one]) for one in every]
        good = np.array([value is not None for value in each], dtype=bool)
        return np.array([0.0 if value is None else value[0] for value in each]), good

    def strings(self, first: Ints, end: Ints) -> tuple[Ints, list[str]]:
        """Number strings without escapes, given without their quotes.

        Raises UnicodeDecodeError where one is no UTF-8.
        """
        if not len(first):
            return np.zeros(0, dtype=np.int64), []
        size = end - first
        short = np.minimum(size, 8)
        head = self._words[first] & _LOWEST[short]
        tail = np.zeros_like(head)
        if (size > 8).any():
            tail = self._words[end - 8] & _HIGHEST[short]
        met: dict[bytes, int] = {}
        for row in np.flatnonzero(size > 16).tolist():
            head[row] = met.setdefault(self.whole[first[row] : end[row]], len(met))
        alike = _alike(head, tail, size.astype(np.uint64))
        own = np.flatnonzero(alike == np.arange(len(alike)))
        code = np.empty(len(alike), dtype=np.int64)
        code[own] = np.arange(len(own))
        places = zip(first[own].tolist(), end[own].tolist(), strict=True)
        names = b"\n".join([self.whole[one:other] for one, other in places]).decode().split("\n")
        return code[alike], names


def _reals_in(written: Sequence[bytes]) -> list[float] | None:
    """Read numbers; None where one is no number, or would be written otherwise."""
    whole = b"[%b]" % b",".join(written)
    try:
        values = _decode_reals(whole)
    except msgspec.MsgspecError:
        return None
    same = len(values) == len(written) and msgspec.json.encode(values) == whole
    return values if same else None


def _alike(head: Words, tail: Words, size: Words) -> Ints:
    """Find for each string one that is equal to it, the same for all that are equal."""
    n = len(head)
    n_bits = (4 * n).bit_length()
    mixed = (head * _MIXED[0]) ^ (tail * _MIXED[1]) ^ (size * _MIXED[2])
    slot = (mixed * _MIXED[0]) >> np.uint64(64 - n_bits)
    last = np.zeros(1 << n_bits, dtype=np.int64)
    alike, rest = np.arange(n), np.arange(n)
    for _ in range(N_ROUNDS):
        last[slot[rest]] = rest
        found = last[slot[rest]]
        same = (head[found] == head[rest]) & (tail[found] == tail[rest])
        same &= size[found] == size[rest]
        alike[rest[same]] = found[same]
        rest = rest[~same]
        if not len(rest):
            return alike
    order = rest[np.lexsort((size[rest], tail[rest], head[rest]))]
    opens = np.ones(len(order), dtype=bool)
    opens[1:] = np.diff(head[order]).astype(bool) | np.diff(tail[order]).astype(bool)
    opens[1:] |= np.diff(size[order]).astype(bool)
    alike[order] = order[np.flatnonzero(opens)][np.cumsum(opens) - 1]
    return alike
