"""The characters of a batch of documents on one axis, and the stretches names cover on it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Ints
from vermeil.columns.span_table import SpanTable, codes_of
from vermeil.shown import Brief
from vermeil.text.characters import is_space


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Axis(Brief):
    """The characters of a batch that count, numbered.

    ``before[p]`` counts them before offset ``p`` of the batch, ``offset[k]`` is where character
    ``k`` stands. Both are None where every character counts: names that neither begin nor end
    with white space have the same votes on either axis, and the text need not be looked at.
    """

    length: int
    before: Ints | None = None
    offset: Ints | None = None

    def _told(self) -> str:
        n_all = self.length if self.before is None else len(self.before) - 1
        return f"{self.length:,} of {n_all:,} characters"

    def places(self, offsets: Ints) -> Ints:
        """Number offsets of the batch."""
        return offsets if self.before is None else self.before[offsets]

    def bounds(self, first: Ints, end: Ints) -> tuple[Ints, Ints]:
        """Find the offsets of stretches of the axis, half-open."""
        if self.offset is None:
            return first, end
        return self.offset[first], self.offset[end - 1] + 1


def lay_axis(table: SpanTable, ignored: str = "") -> Axis:
    """Number what counts: everything but white space and the ``ignored`` characters."""
    length = int(table.origin[-1]) + len(table.documents[-1].text) + 1 if table.documents else 0
    if not ignored or not table.documents:
        return Axis(length)
    codes = codes_of(table)
    kept = ~is_space(codes)
    for character in ignored:
        kept &= codes != ord(character)
    ends = np.append(table.origin[1:], length) - 1
    kept[ends] = True  # the free place between two documents
    return Axis(int(kept.sum()), np.concatenate(([0], np.cumsum(kept))), np.flatnonzero(kept))


def stretches(table: SpanTable) -> tuple[Ints, Ints, Ints]:
    """Find the row, start and end of every stretch a span covers, in offsets of the batch.

    A discontinuous span has a stretch for each fragment. White space at the edges is left out, and
    so is a stretch of nothing else. Found once for a table; nobody may change them.
    """
    return table.once(_stretches)


def _stretches(table: SpanTable) -> tuple[Ints, Ints, Ints]:
    is_broken = np.zeros(len(table), dtype=np.bool_)
    is_broken[table.further.fragments.row] = True
    row, start, end = pieces(table, np.arange(len(table), dtype=np.int64), is_broken)
    if not len(table.loose):
        return row, start, end
    is_loose = np.zeros(len(table), dtype=np.bool_)
    is_loose[table.loose] = True
    loose = np.flatnonzero(is_loose[row])
    start[loose], end[loose] = trimmed(codes_of(table), start[loose], end[loose])
    some = start < end
    return row[some], start[some], end[some]


def extents(table: SpanTable) -> tuple[Ints, Ints, Ints]:
    """Find the row, start and end of the whole extent of every span, in order of rows.

    As ``stretches``, but a discontinuous span is one stretch, from its first fragment to its last.
    """
    return table.once(_extents)


def _extents(table: SpanTable) -> tuple[Ints, Ints, Ints]:
    row, start, end = stretches(table)
    if not len(table.further.fragments):
        return row, start, end
    order = np.lexsort((start, row))
    opens = np.ones(len(order), dtype=bool)
    opens[1:] = np.diff(row[order]) != 0
    first, last = np.flatnonzero(opens), np.flatnonzero(np.append(opens[1:], True)[: len(order)])
    return row[order][first], start[order][first], end[order][last]


def connected(table: SpanTable) -> tuple[Ints, Ints]:
    """Number the places of a table, its connected extents: a row and its place for each extent.

    Places are numbered from the first character on.

    >>> from vermeil.document import Document, Span
    >>> names = (Span(0, 4, "Gene"), Span(3, 5, "Gene"), Span(5, 6, "Gene"))
    >>> table = SpanTable.from_documents([Document(id="1", text="c-mycs", layers={"a": names})])
    >>> [column.tolist() for column in connected(table)]
    [[0, 1, 2], [0, 0, 1]]
    """
    return table.once(_connected)


def _connected(table: SpanTable) -> tuple[Ints, Ints]:
    row, start, end = extents(table)
    order = np.argsort(start, kind="stable")
    start, end = start[order], end[order]
    opens = np.zeros(len(order), dtype=bool)
    opens[1:] = start[1:] >= np.maximum.accumulate(end)[:-1]
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.cumsum(opens)
    return row, place


def pieces(table: SpanTable, rows: Ints, is_broken: Flags) -> tuple[Ints, Ints, Ints]:
    """Find place in ``rows``, start and end of each piece of these rows, in offsets of the batch.

    ``is_broken`` tells which of them have fragments; these come last.
    """
    place = np.arange(len(rows), dtype=np.int64)
    origin = table.origin[table.document[rows]]
    start, end = table.start[rows] + origin, table.end[rows] + origin
    if not is_broken.any():
        return place, start, end
    fragments = [
        (n, first + int(origin[n]), last + int(origin[n]))
        for n in np.flatnonzero(is_broken).tolist()
        for first, last in table.further.fragments[int(rows[n])]
    ]
    whole = ~is_broken
    more = np.array(fragments, dtype=np.int64).reshape(-1, 3)
    return (
        np.concatenate((place[whole], more[:, 0])),
        np.concatenate((start[whole], more[:, 1])),
        np.concatenate((end[whole], more[:, 2])),
    )


def trimmed(codes: NDArray[np.unsignedinteger], start: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Take white space off the edges of stretches of a text; of nothing else, nothing is left.

    >>> from vermeil.text.characters import code_points
    >>> start, end = trimmed(code_points("a  b "), np.array([0, 1]), np.array([5, 3]))
    >>> start.tolist(), end.tolist()
    ([0, 3], [4, 3])
    """
    loose = np.flatnonzero(is_space(codes[start]) | is_space(codes[end - 1]))
    if not len(loose):
        return start, end
    first, last = start[loose], end[loose]
    while (more := (first < last) & is_space(codes[first])).any():
        first[more] += 1
    while (more := (first < last) & is_space(codes[last - 1])).any():
        last[more] -= 1
    start, end = start.copy(), end.copy()
    start[loose], end[loose] = first, last
    return start, end
