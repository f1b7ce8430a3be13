"""CRC-32 of many strings at once, character by character.

A checksum is a register that each byte of the UTF-8 text changes in turn. So the strings that share
a beginning share the work, and n-grams and affixes are hashed without being cut out.

    >>> both = extended(begun("n="), np.array([ord("a"), ord("β")], dtype=np.uint32))
    >>> finished(both).tolist() == [zlib.crc32("n=a".encode()), zlib.crc32("n=β".encode())]
    True
"""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Ints

Registers: TypeAlias = NDArray[np.uint32]

_ONES = 0xFFFFFFFF
_POLYNOMIAL = 0xEDB88320
# From which code point on UTF-8 has a byte more, and what its first byte then begins with.
_LONGER = ((0x80, 0xC0), (0x800, 0xE0), (0x10000, 0xF0))


def checksums(prefix: str, strings: Iterable[str]) -> Registers:
    """Compute the checksums of whole strings after the same prefix."""
    start = zlib.crc32(prefix.encode())
    return np.array([zlib.crc32(each.encode(), start) for each in strings], dtype=np.uint32)


@dataclass(frozen=True, slots=True, eq=False)
class Tails:
    """Strings by what they make of a register that is zero, and by how many bytes they have.

    Registers are linear: after a prefix, a string makes of them what it makes of zero, and beside
    it what as many zero bytes make of the prefix. So what stands after several prefixes is hashed
    once. (zlib's ``crc32_combine`` does the same.)
    """

    registers: Registers
    n_bytes: Ints

    @classmethod
    def of(cls, strings: Iterable[str]) -> "Tails":
        """Hash whole strings.

        >>> Tails.of(["a", "β"]).after("n=").tolist() == checksums("n=", ["a", "β"]).tolist()
        True
        """
        encoded = [each.encode() for each in strings]
        made = np.array([zlib.crc32(each, _ONES) for each in encoded], dtype=np.uint32)
        return cls(finished(made), np.array(list(map(len, encoded)), dtype=np.int64))

    def some(self, which: Ints) -> "Tails":
        """Select some of the strings, maybe more than once."""
        return Tails(self.registers[which], self.n_bytes[which])

    def after(self, prefix: str) -> Registers:
        """Return the checksums of the strings after a prefix."""
        most = int(self.n_bytes.max(initial=0))
        return finished(self.registers ^ _after_zeros(prefix, most.bit_length())[self.n_bytes])


@cache
def _after_zeros(prefix: str, bits: int) -> Registers:
    """Feed a prefix with zero bytes, up to one less than ``bits`` can count."""
    registers, table = [int(begun(prefix))], _table().tolist()
    for _ in range((1 << bits) - 1):
        last = registers[-1]
        registers.append(table[last & 0xFF] ^ (last >> 8))
    return np.array(registers, dtype=np.uint32)


def width(codes: Registers) -> Ints:
    """Count the bytes of characters, given as code points."""
    n_bytes = np.ones(len(codes), dtype=np.int64)
    if codes.max(initial=0) >= _LONGER[0][0]:
        for least, _ in _LONGER:
            n_bytes += codes >= least
    return n_bytes


def begun(prefix: str) -> np.uint32:
    """Return the register after a prefix."""
    return np.uint32(zlib.crc32(prefix.encode()) ^ _ONES)


def extended(registers: Registers | np.uint32, codes: Registers) -> Registers:
    """Feed registers with one more character each, given as code points."""
    longer = np.flatnonzero(codes >= _LONGER[0][0])
    result = _fed(registers, codes)
    if len(longer):
        before = np.broadcast_to(registers, codes.shape)[longer]
        result[longer] = _fed_utf8(before, codes[longer])
    return result


def finished(registers: Registers) -> Registers:
    """Return the checksums that registers stand for."""
    return registers ^ np.uint32(_ONES)


def _fed(registers: Registers | np.uint32, byte: Registers) -> Registers:
    mixed = (registers ^ byte) & np.uint32(0xFF)
    fed: Registers = _table()[mixed] ^ (registers >> np.uint32(8))
    return fed


def _fed_utf8(registers: Registers, codes: Registers) -> Registers:
    """Feed characters that take more than one byte."""
    n_more = np.zeros(len(codes), dtype=np.uint32)
    lead = np.zeros(len(codes), dtype=np.uint32)
    for least, mark in _LONGER:
        n_more += codes >= least
        lead[codes >= least] = mark
    registers = _fed(registers, lead | (codes >> (np.uint32(6) * n_more)))
    for place in (2, 1, 0):
        rows = np.flatnonzero(n_more > place)
        byte = np.uint32(0x80) | ((codes[rows] >> np.uint32(6 * place)) & np.uint32(0x3F))
        registers[rows] = _fed(registers[rows], byte)
    return registers


@cache
def _table() -> Registers:
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ np.uint32(_POLYNOMIAL), table >> 1)
    return table.astype(np.uint32)
