"""Which pieces a decided name has: a name with a gap is decided whole, and its pieces are voted on.

Where a level holds names with gaps, those who gave a name with the decided edges say what lies
between them: the pieces most of them gave, of equals the whole, then the first in reading order. If
nobody gave both edges, the name has the pieces that any of the names around it has, so that it is
never wider than what supports it.
"""

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Ints
from vermeil.columns.axis import extents
from vermeil.columns.levels import Levels, Pieces
from vermeil.columns.span_table import SpanTable

ObjectColumn = NDArray[np.object_]
"""A column of anything."""


def pieces_of(
    table: SpanTable,
    levels: Levels,
    *,
    document: Ints,
    level: Ints,
    label: Ints | None,
    start: Ints,
    end: Ints,
) -> ObjectColumn:
    """Return for each decided name its pieces, () for one without a gap.

    Offsets are those of its document. Without ``label``, names of all labels have a say.
    """
    found = np.empty(len(start), dtype=object)
    found[:] = [()] * len(start)
    if not levels.pieces or not len(start):
        return found
    n_levels = int(levels.level.max()) + 1
    broken = np.array(sorted(levels.pieces), dtype=np.int64)
    row, first, last = extents(table)
    place = table.document.astype(np.int64) * n_levels + levels.level
    some = np.isin(place[row], place[broken])
    row, first, last = row[some], first[some], last[some]
    origin = table.origin[table.document[row]]
    columns = (place[row], first - origin, last - origin, row)
    names: dict[int, list[tuple[int, int, int]]] = {}
    for where, *name in zip(*(column.tolist() for column in columns), strict=True):
        names.setdefault(where, []).append((name[0], name[1], name[2]))
    wanted = document.astype(np.int64) * n_levels + level
    for number in np.flatnonzero(np.isin(wanted, place[broken])).tolist():
        near = names[int(wanted[number])]
        if label is not None:
            near = [name for name in near if table.label[name[2]] == label[number]]
        found[number] = _elected(table, levels, near, int(start[number]), int(end[number]))
    return found


def _elected(
    table: SpanTable, levels: Levels, near: Iterable[tuple[int, int, int]], start: int, end: int
) -> Pieces:
    votes: Counter[Pieces] = Counter()
    voted: set[tuple[int, Pieces]] = set()
    covered: list[tuple[int, int]] = []
    for first, last, row in near:
        pieces = levels.pieces.get(row, ())
        if (first, last) == (start, end):
            voted.add((int(table.annotator[row]), pieces))
        covered += pieces or ((first, last),)
    votes.update(pieces for _, pieces in voted)
    if votes:
        return min(votes, key=lambda pieces: (-votes[pieces], pieces))
    united = _united((max(first, start), min(last, end)) for first, last in covered)
    return united if len(united) > 1 else ()


def _united(pieces: Iterable[tuple[int, int]]) -> Pieces:
    """Put pieces that touch or overlap together; those that end before they begin are none.

    >>> _united([(6, 9), (0, 3), (2, 4), (5, 5)])
    ((0, 4), (6, 9))
    """
    found: list[tuple[int, int]] = []
    for first, last in sorted(piece for piece in pieces if piece[0] < piece[1]):
        if found and first <= found[-1][1]:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    return tuple(found)
