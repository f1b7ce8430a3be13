"""Who says the same: the count behind every vote, over spans of text and over brackets of trees."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Ints

Number = TypeVar("Number", bound=np.signedinteger)

_ROOM = 1 << 62
_FEW = 1 << 20
"""Numbers up to this are counted, which is much faster than sorting them."""


def tally(columns: Sequence[Ints], voter: Ints, n_voters: int) -> tuple[Ints, Flags, Ints]:
    """Bring equal rows together.

    Give one row number for each distinct row, in order of the columns, the first counting most; who
    has it (a voter that has it twice has it); and for every row which distinct one it is.

    >>> rows, voted, number = tally([np.array([5, 3, 5])], np.array([0, 0, 1]), 2)
    >>> rows.tolist(), voted.tolist(), number.tolist()
    ([1, 0], [[True, False], [True, True]], [1, 0, 1])
    """
    order = np.lexsort(columns[::-1])
    is_new = changes(*(column[order] for column in columns))
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.cumsum(is_new) - 1
    voted = np.zeros((int(is_new.sum()), n_voters), dtype=bool)
    voted[number, voter] = True
    return order[is_new], voted, number


def changes(*columns: Ints) -> Flags:
    """Tell where any of the columns differs from the row before; the first row does."""
    changed = np.ones(len(columns[0]), dtype=bool)
    changed[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return changed


def are_repeated(keys: Ints) -> Flags:
    """Tell which keys come more than once. Few enough to count are counted, which is faster.

    >>> are_repeated(np.array([3, 1, 3])).tolist()
    [True, False, True]
    """
    if int(keys.max(initial=0)) < 16 * len(keys):
        counted: Flags = np.bincount(keys)[keys] > 1
        return counted
    order = np.argsort(keys, kind="stable")
    same = keys[order][1:] == keys[order][:-1]
    repeated = np.zeros(len(keys), dtype=bool)
    repeated[order[1:][same]] = True
    repeated[order[:-1][same]] = True
    return repeated


def distinct(rows: NDArray[Number]) -> tuple[NDArray[Number], Ints]:
    """Return the distinct rows in lexical order, -1 after all others, and which one each row is.

    Columns hold small whole numbers from -1 on.

    >>> rows, number = distinct(np.array([[1, -1], [1, 0], [1, -1]]))
    >>> rows.tolist(), number.tolist()
    ([[1, 0], [1, -1]], [1, 0, 1])
    """
    if not rows.size:
        return rows[:1], np.zeros(len(rows), dtype=np.int64)
    last = int(rows.max()) + 1
    number, size = np.zeros(len(rows), dtype=np.int64), 1
    for column in np.ascontiguousarray(rows.T):
        if (column == column[0]).all():
            continue
        if size * (last + 1) > _ROOM:
            number, size = _ranked(number, size)
        number = number * (last + 1) + np.where(column < 0, last, column)
        size *= last + 1
    number, size = _ranked(number, size)
    some = np.empty(size, dtype=np.int64)
    some[number] = np.arange(len(rows))
    return rows[some], number


def _ranked(number: Ints, size: int) -> tuple[Ints, int]:
    """Replace numbers below ``size`` by their ranks among those that occur; count these."""
    if size > _FEW:
        found, rank = np.unique(number, return_inverse=True)
        return rank.ravel(), len(found)
    occurs = np.zeros(size, dtype=bool)
    occurs[number] = True
    ranks = np.cumsum(occurs) - 1
    return ranks[number], int(ranks[-1]) + 1
