"""Which stretches of two lists overlap; stretches may nest and come in any order.

Overlapping is sharing at least one character.
"""

import numpy as np

from vermeil.arrays import Flags, Ints, ranges

MANY = 3
"""So many times as many values as there are to look among are not looked up one by one."""


def overlapping(start: Ints, end: Ints, other_start: Ints, other_end: Ints) -> tuple[Ints, Ints]:
    """Find all overlapping pairs, as numbers into the two lists.

    Either the other begins inside the one, or the one begins inside the other (after its first
    character), so two range queries find each pair once. Cost: two sorts, and the pairs.

    >>> some, others = overlapping(*map(np.array, ([0, 9], [5, 10], [4, 0], [6, 4])))
    >>> sorted(zip(some.tolist(), others.tolist()))
    [(0, 0), (0, 1)]
    """
    order, other_order = np.argsort(start, kind="stable"), np.argsort(other_start, kind="stable")
    starts, other_starts = start[order], other_start[other_order]
    one, inside = ranges(_places(other_starts, start), _places(other_starts, end))
    other, within = ranges(_places(starts, other_start, after=True), _places(starts, other_end))
    return (
        np.concatenate((one, order[within])),
        np.concatenate((other_order[inside], other)),
    )


def touched(start: Ints, end: Ints, other_start: Ints, other_end: Ints) -> Flags:
    """Tell which stretches overlap any of the others."""
    if not len(other_start):
        return np.zeros(len(start), dtype=bool)
    order = np.argsort(other_start, kind="stable")
    reach = np.maximum.accumulate(other_end[order])
    last = np.searchsorted(other_start[order], end) - 1
    touches: Flags = (last >= 0) & (reach[last] > start)
    return touches


def _places(rising: Ints, values: Ints, *, after: bool = False) -> Ints:
    """Find where values belong among some that rise: ``after`` equal ones, or before these.

    Where there are many more values, and these rise too, each of the few is looked up instead.
    """
    if len(values) < MANY * len(rising) or (values[1:] < values[:-1]).any():
        return np.searchsorted(rising, values, side="right" if after else "left")
    place = np.searchsorted(values, rising, side="left" if after else "right")
    return np.cumsum(np.bincount(place, minlength=len(values) + 1)[: len(values)])
