"""Tables that fit the terminal: what is too wide is folded, or goes on in a second table.

Widths are counted in cells of a terminal, of which a Chinese character takes two.
"""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest

GAP = 2
"""Cells between columns."""

LEAST = 24
"""Cells a folded column should have; with less it goes to a table of its own."""

KEYS = 0.6
"""Share of the room that the columns may take which every part of a table begins with."""

WIDTH, NARROWEST = 100, 40
"""Cells that lines have where there is no terminal, and that the narrowest one is taken to have."""

Column = tuple[str, ...]
"""A heading and the cells below it."""


def lay_out(
    columns: Sequence[Column], room: int, *, wide: str = "", n_keys: int = 1
) -> list[tuple[list[str], list[str]]]:
    """Write a table as lines that are at most ``room`` cells long, in as many parts as it needs.

    A part is the lines of its headings and those of its rows, and begins with the first ``n_keys``
    columns, which tell what a row is about. ``wide`` heads the column to fold where there is too
    little room.

    >>> columns = [("name", "anna", "ben"), ("found", "12", "8"), ("missed", "3", "10")]
    >>> for headings, lines in lay_out(columns, 12):
    ...     print(headings, lines)
    ['name  found'] ['anna     12', 'ben       8']
    ['name  missed'] ['anna       3', 'ben       10']
    """
    wanted = [max(map(_width, column)) for column in columns]
    widths = _with_folded(wide, columns, wanted, room)
    if _total(widths) > room:
        widths = _with_folded(wide, columns, _narrowed(columns, wanted, room), room)
    return [
        _lines([columns[place] for place in part], [min(widths[place], room) for place in part])
        for part in _parts(widths, room, n_keys)
    ]


def table_width() -> int:
    """Return the cells a line of a table may take; a file has room for 100."""
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        return max(NARROWEST, shutil.get_terminal_size((WIDTH, 24)).columns)
    return WIDTH


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _with_folded(
    wide: str, columns: Sequence[Column], widths: Sequence[int], room: int
) -> list[int]:
    """Leave to the column ``wide`` what the others do not need, if that is enough."""
    left = [room - _total(widths) + width for width in widths]
    return [
        rest if column[0] == wide and LEAST <= rest < width else width
        for column, width, rest in zip(columns, widths, left, strict=True)
    ]


def _narrowed(columns: Sequence[Column], wanted: Sequence[int], room: int) -> list[int]:
    """Fold headings between words, as far as there is no room for them."""
    widths = [
        max(map(_width, (*heading.split(), *cells)), default=0) for heading, *cells in columns
    ]
    for place, want in enumerate(wanted):
        if want - widths[place] <= room - _total(widths):
            widths[place] = want
    return widths


def _parts(widths: list[int], room: int, n_keys: int) -> Iterator[list[int]]:
    """Deal columns into parts that fit; keys that leave too little room are folded."""
    places = range(len(widths))
    if _total(widths) <= room or len(widths) <= n_keys:
        yield [*places]
        return
    keys = [*places[:n_keys]]
    if _total(widths[:n_keys]) > KEYS * room:
        for place in keys:
            widths[place] = min(widths[place], int(KEYS * room / n_keys) - GAP)
    part = keys
    for place in places[n_keys:]:
        alone = room - _total([widths[key] for key in keys]) - GAP
        widths[place] = min(widths[place], alone)
        if part != keys and _total([widths[each] for each in (*part, place)]) > room:
            yield part
            part = keys
        part = [*part, place]
    yield part


def _lines(columns: Sequence[Column], widths: Sequence[int]) -> tuple[list[str], list[str]]:
    are_numbers = [len(cells) > 0 and all(map(_is_number, cells)) for _, *cells in columns]

    def line(cells: Sequence[str]) -> str:
        padded = map(_padded, cells, widths, are_numbers)
        return (" " * GAP).join(padded).rstrip()

    heading, *rows = ([*map(_folded, row, widths)] for row in zip(*columns, strict=True))
    upside_down = (cell[::-1] for cell in heading)  # so that short headings stand on the last line
    headings = [line(cells) for cells in zip_longest(*upside_down, fillvalue="")][::-1]
    return headings, [line(cells) for row in rows for cells in zip_longest(*row, fillvalue="")]


def _padded(cell: str, width: int, is_number: bool) -> str:
    blank = " " * (width - _width(cell))
    return blank + cell if is_number else cell + blank


def _is_number(cell: str) -> bool:
    return cell.replace(",", "").replace(".", "").strip("-–·% ").isdigit() or cell in ("", "–")


def _folded(cell: str, width: int) -> list[str]:
    """Cut a cell into lines between words, and words that are too long anywhere."""
    from rich.cells import chop_cells

    if _width(cell) <= width:
        return [cell]
    lines = [""]
    for word in cell.split():
        first, *further = chop_cells(word, width)
        if not lines[-1]:
            lines[-1] = first
        elif _width(lines[-1]) + 1 + _width(first) <= width:
            lines[-1] += f" {first}"
        else:
            lines.append(first)
        lines += further
    return lines


def _width(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)
