"""Bars drawn with characters, for distributions on a terminal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan

from vermeil.verbs.tables.table import Block, Table

WIDTH = 78
"""Characters a picture may take, so that it fits a terminal of 80."""

N_ABREAST = 3
"""Columns with bars that stand beside each other."""

_EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
_SHORTEST = 6


@dataclass(frozen=True, slots=True)
class BarRow:
    """A line of a picture: what stands before it, and a figure and a bar for each column."""

    name: Sequence[str]
    figures: Sequence[str]
    lengths: Sequence[float]


def bar_blocks(
    title: str, head: Sequence[str], columns: Sequence[str], rows: Sequence[BarRow]
) -> Iterator[Block]:
    """Tell figures with bars, all bars to the same scale; NaN has no bar.

    More than N_ABREAST columns make several pictures.
    """
    full = max((each for row in rows for each in row.lengths if not isnan(each)), default=0)
    parts = [
        (columns[part], [BarRow(row.name, row.figures[part], row.lengths[part]) for row in rows])
        for part in abreast(len(columns))
    ]
    width = min(_room(head, names, lines) for names, lines in parts)
    for names, lines in parts:
        heads = [*head, *(cell for name in names for cell in (name, ""))]
        yield Table(title, heads, [_cells(row, full, width) for row in lines])
        yield ""


def abreast(n: int) -> list[slice]:
    """Cut ``n`` columns into parts that fit beside each other.

    >>> abreast(4)
    [slice(0, 3, None), slice(3, 6, None)]
    """
    return [slice(begin, begin + N_ABREAST) for begin in range(0, n, N_ABREAST)]


def bar(length: float, *, full: float, width: int) -> str:
    """Draw a bar, ``width`` characters long where it is ``full``.

    >>> bar(3, full=4, width=2), bar(0, full=4, width=2)
    ('█▌', '')
    """
    if isnan(length) or not full:
        return ""
    whole, eighths = divmod(round(8 * width * length / full), 8)
    return "█" * whole + _EIGHTHS[eighths]


def _room(head: Sequence[str], columns: Sequence[str], rows: Sequence[BarRow]) -> int:
    """Tell how long a bar can be beside the names and figures."""
    texts = [[*head, *columns], *([*row.name, *row.figures] for row in rows)]
    taken = sum(2 + max(map(len, column)) for column in zip(*texts, strict=True))
    return max(_SHORTEST, (WIDTH - taken) // len(columns) - 1)


def _cells(row: BarRow, full: float, width: int) -> list[str]:
    cells = [*row.name]
    for figure, length in zip(row.figures, row.lengths, strict=True):
        cells += [figure, bar(length, full=full, width=width)]
    return cells
