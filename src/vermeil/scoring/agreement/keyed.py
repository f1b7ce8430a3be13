"""Counts by key, of which only those that are not zero are kept. Add two to pool them."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Ints


@dataclass(frozen=True, slots=True, eq=False)
class KeyedCounts:
    """Rows of whole numbers, each under a key; keys are whole numbers in rising order."""

    key: Ints
    counts: Ints

    @staticmethod
    def none(width: int) -> "KeyedCounts":
        """Make a table without rows."""
        return KeyedCounts(np.zeros(0, dtype=np.int64), np.zeros((0, width), dtype=np.int64))

    @staticmethod
    def gathered(columns: Iterable[tuple[Ints, Ints | int]]) -> "KeyedCounts":
        """Sum up numbers by key, a column for each pair of keys and numbers given.

        >>> some = np.array([7, 7, 2])
        >>> table = KeyedCounts.gathered([(some, np.array([1, 2, 3])), (np.array([7]), 1)])
        >>> table.key.tolist(), table.counts.tolist()
        ([2, 7], [[3, 0], [3, 1]])
        """
        given = list(columns)
        key, place = _numbered(np.concatenate([keys for keys, _ in given]))
        counts = np.zeros((len(key), len(given)), dtype=np.int64)
        done = 0
        for column, (keys, numbers) in enumerate(given):
            here = place[done : done + len(keys)]
            # Sums stay far below 2^53, so they are exact as floats.
            weights = np.broadcast_to(np.asarray(numbers), len(keys))
            counts[:, column] = np.bincount(here, weights, len(key)).astype(np.int64)
            done += len(keys)
        return KeyedCounts(key, counts)

    def __add__(self, other: "KeyedCounts") -> "KeyedCounts":
        if not len(self.key) or not len(other.key):
            return self if len(self.key) else other
        every = np.concatenate((self.key, other.key))
        rows = np.concatenate((self.counts, other.counts))
        order = np.argsort(every, kind="stable")
        every = every[order]
        first = np.flatnonzero(np.append(True, every[1:] != every[:-1]))
        return KeyedCounts(every[first], np.add.reduceat(rows[order], first))

    def of(self, key: Ints) -> Ints:
        """Look rows up; of keys that are not there they are all zero."""
        place = np.searchsorted(self.key, key)
        known = place < len(self.key)
        known[known] = self.key[place[known]] == key[known]
        rows = np.zeros((len(key), self.counts.shape[1]), dtype=np.int64)
        rows[known] = self.counts[place[known]]
        return rows


def _numbered(keys: Ints) -> tuple[Ints, Ints]:
    """Find the distinct keys in rising order, and which each is; sorted only where they are many.

    >>> [column.tolist() for column in _numbered(np.array([7, 2, 7]))]
    [[2, 7], [1, 0, 1]]
    """
    size = int(keys.max(initial=-1)) + 1
    if size > max(4 * len(keys), 1 << 10):
        key, place = np.unique(keys, return_inverse=True)
        return key, place
    known = np.bincount(keys, minlength=size) > 0
    return np.flatnonzero(known), (np.cumsum(known) - 1)[keys]
