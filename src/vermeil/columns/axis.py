"""The characters of a batch of documents on one axis, and the stretches names cover on it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Ints
from vermeil.columns.span_table import SpanTable
from vermeil.text.characters import code_points, is_space


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """The characters of a batch that count, numbered.

    ``before[p]`` counts them before offset ``p`` of the batch, ``offset[k]`` is where character
    ``k`` stands. Both are None where every character counts: names that neither begin nor end
    with white space have the same votes on either axis, and the text need not be looked at.
    """

    length: int
    before: Ints | None = None
    offset: Ints | None = None

    def places(self, offsets: Ints) -> Ints:
        """Number offsets of the batch."""
        return offsets if self.before is None else self.before[offsets]

    def bounds(self, first: Ints, end: Ints) -> tuple[Ints, Ints]:
        """Give the offsets of stretches of the axis, half-open."""
        if self.offset is None:
            return first, end
        return self.offset[first], self.offset[end - 1] + 1


def lay_axis(table: SpanTable, ignored: str = "") -> Axis:
    """Number what counts: everything but white space and the ``ignored`` characters."""
    length = int(table.origin[-1]) + len(table.documents[-1].text) + 1 if table.documents else 0
    if not ignored:
        return Axis(length)
    codes = codes_of(table)
    kept = ~is_space(codes)
    for character in ignored:
        kept &= codes != ord(character)
    ends = np.append(table.origin[1:], length) - 1
    kept[ends] = True  # the free place between two documents
    return Axis(int(kept.sum()), np.concatenate(([0], np.cumsum(kept))), np.flatnonzero(kept))


def stretches(table: SpanTable) -> tuple[Ints, Ints, Ints]:
    """Give the row, start and end of every stretch a span covers, in offsets of the batch.

    A discontinuous span has a stretch for each fragment. White space at the edges is left out, and
    so is a stretch of nothing else.
    """
    row = np.arange(len(table), dtype=np.int64)
    start, end = table.start, table.end
    pieces = [
        (number, *piece) for number, span in table.further.items() for piece in span.fragments
    ]
    if pieces:
        whole = np.ones(len(table), dtype=bool)
        whole[[number for number, _, _ in pieces]] = False
        extra = np.array(sorted(pieces), dtype=np.int64)
        row = np.concatenate((row[whole], extra[:, 0]))
        start = np.concatenate((start[whole], extra[:, 1]))
        end = np.concatenate((end[whole], extra[:, 2]))
    origin = table.origin[table.document[row]]
    start, end = start + origin, end + origin
    return _trimmed(table, row, start, end) if len(table.loose) else (row, start, end)


def codes_of(table: SpanTable) -> NDArray[np.unsignedinteger]:
    """Give the code points of all texts, with a line end after each."""
    return code_points("\n".join([*[document.text for document in table.documents], ""]))


def _trimmed(table: SpanTable, row: Ints, start: Ints, end: Ints) -> tuple[Ints, Ints, Ints]:
    """Take white space off the edges; leave out what is nothing else."""
    loose = np.flatnonzero(np.isin(row, table.loose))
    owner = table.document[row[loose]]
    origin = table.origin[owner]
    columns = (loose, owner, start[loose] - origin, end[loose] - origin)
    for place, number, first, last in zip(*(each.tolist() for each in columns), strict=True):
        stretch = table.documents[number].text[first:last]
        start[place] += len(stretch) - len(stretch.lstrip())
        end[place] -= len(stretch) - len(stretch.rstrip())
    some = end > start
    return row[some], start[some], end[some]
