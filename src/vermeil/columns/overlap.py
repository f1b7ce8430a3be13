"""Which stretches of two lists overlap; stretches may nest and come in any order.

Overlapping is sharing at least one character.
"""

import numpy as np

from vermeil.arrays import Flags, Ints, ranges


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
    one, inside = ranges(np.searchsorted(other_starts, start), np.searchsorted(other_starts, end))
    other, within = ranges(
        np.searchsorted(starts, other_start, side="right"), np.searchsorted(starts, other_end)
    )
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
