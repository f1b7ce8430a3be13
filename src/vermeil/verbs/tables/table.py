"""Tables, and results that show themselves as tables, in a terminal and in a notebook.

A result is told in ``blocks``, lines and tables one after the other. ``print`` writes them as text,
a notebook shows them as a page, and a command can print the same blocks in its own way.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from vermeil.errors import MissingExtraError
from vermeil.shown import plain, plain_lines
from vermeil.verbs.tables.layout import lay_out, table_width

if TYPE_CHECKING:
    import pandas as pd

UNDEFINED = "–"
N_NAMED = 6
"""Names in a line."""

SHORT = 160
"""Characters of what a result says of itself in one line."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a title; ``wide`` names the column that may be folded where room is short.

    A table that is wider still goes on below, where its first ``n_keys`` columns are repeated.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    wide: str = ""
    n_keys: int = 1

    @property
    def cells(self) -> list[list[str]]:
        """The rows as text."""
        return [[cell(value) for value in row] for row in self.rows]

    def parts(self) -> "list[tuple[list[str], list[str]]]":
        """Lay the table out as wide as the terminal, in parts: lines of headings and of rows."""
        heads = tuple(plain(str(each)) for each in self.columns)
        columns = list(zip(heads, *self.cells, strict=True))
        return lay_out(columns, table_width(), wide=self.wide, n_keys=self.n_keys)

    def __str__(self) -> str:
        """Line the columns up: words to the left, numbers to the right.

        >>> print(Table("Names", ["layer", "n"], [["anna", 1200], ["ben", 7]]))
        Names
        layer      n
        anna   1,200
        ben        7
        """
        said = [plain(self.title)] if self.title else []
        for number, (headings, lines) in enumerate(self.parts()):
            said += [*([""] if number else []), *headings, *lines]
        return "\n".join(said)


Block: TypeAlias = str | Table


class Tabled(ABC):
    """A result that shows itself as tables."""

    __slots__ = ()

    @abstractmethod
    def blocks(self) -> Iterable[Block]:
        """Yield the lines and tables that tell the result."""

    @abstractmethod
    def rows(self) -> Iterable[Mapping[str, Any]]:
        """Yield the rows of the data frame that holds the result."""

    def to_pandas(self) -> "pd.DataFrame":
        """Return the figures as a pandas data frame; undefined is NaN."""
        return pandas().DataFrame(list(self.rows()))

    def __str__(self) -> str:
        return "\n".join(map(_as_text, _without_outer_blanks(self.blocks())))

    def __repr__(self) -> str:
        said = next((plain(each) for each in self.blocks() if isinstance(each, str) and each), "")
        return shortened(f"<{type(self).__name__}: {said}>" if said else f"<{type(self).__name__}>")

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Let IPython show the tables where plain Python shows one line."""
        printer.text(repr(self) if cycle else str(self))

    def _repr_html_(self) -> str:
        return html_of(_without_outer_blanks(self.blocks()), type(self).__name__)


def pandas() -> Any:
    """Load pandas, or say what is missing."""
    try:
        import pandas as pd
    except ImportError:
        raise MissingExtraError("a data frame", "pandas") from None
    return pd


def html_of(blocks: Iterable[Block], title: str) -> str:
    """Show blocks in a notebook, in the frame that the views of the report have there."""
    from vermeil.reports.drawing.elements import Section, element, joined, name_of, table
    from vermeil.reports.notebook import NotebookView
    from vermeil.reports.page import bare_page

    made, height = [], 60
    for each in blocks:
        if isinstance(each, str):
            made.append(element("p", each))
            height += 30
        else:
            rows = [[name_of(first), *rest] for first, *rest in each.cells]
            made.append(table(each.title, each.columns, rows))
            height += 70 + 26 * len(rows)
    return NotebookView(bare_page(title, [Section("", "", joined(*made))]), height)._repr_html_()


def cell(value: object) -> str:
    """Write a value as a cell of a table has it."""
    if isinstance(value, bool):
        return "yes" if value else "·"
    return f"{value:,}" if isinstance(value, int) else plain(str(value).replace("\n", " "))


def figure(value: float, n_digits: int = 3, undefined: str = UNDEFINED) -> str:
    """Write a number with so many digits; undefined is a dash.

    >>> figure(0.12345), figure(float("nan"))
    ('0.123', '–')
    """
    return undefined if isnan(value) else f"{value:.{n_digits}f}"


def signed(value: float, n_digits: int) -> str:
    """Write a number with its sign; what rounds to nothing is never less than that.

    >>> signed(0.5, 2), signed(-0.001, 2), signed(float("nan"), 2)
    ('+0.50', '+0.00', '–')
    """
    return UNDEFINED if isnan(value) else f"{round(value, n_digits) + 0.0:+.{n_digits}f}"


def defined(value: float) -> float | None:
    """Return a number as JSON can hold it: undefined is None."""
    return None if isnan(value) else value


def json_data(value: Any) -> dict[str, Any]:
    """Return what ``--json`` prints of a value, for anybody to encode: undefined is None.

    >>> json_data({"f1": float("nan"), "span": (0, 3)})
    {'f1': None, 'span': [0, 3]}
    """
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    return told


def some_of(n: int, n_all: int) -> str:
    """Say behind a title how many rows are shown; nothing where all are.

    >>> some_of(10, 270), some_of(3, 3)
    (' (10 of 270; see --full)', '')
    """
    return f" ({n:,} of {n_all:,}; see --full)" if n < n_all else ""


def named(names: Sequence[str], n: int = N_NAMED) -> str:
    """Name the first few, and say how many more there are.

    >>> named(["anna", "ben", "cleo"], 2)
    'anna, ben and 1 more'
    """
    further = len(names) - n
    return ", ".join(names[:n]) + (f" and {further:,} more" if further > 0 else "")


def counted(n: int, noun: str) -> str:
    """Say how many there are.

    >>> counted(1, "document"), counted(1200, "span")
    ('1 document', '1,200 spans')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def shortened(text: str, n: int = SHORT) -> str:
    """Cut a line to so many characters.

    >>> shortened("one  two three", 9)
    'one two …'
    """
    line = " ".join(plain(text).split())
    return line if len(line) <= n else f"{line[: n - 1]}…"


def _as_text(block: Block) -> str:
    return str(block) if isinstance(block, Table) else plain_lines(block)


def _without_outer_blanks(blocks: Iterable[Block]) -> list[Block]:
    kept = list(blocks)
    while kept and kept[-1] == "":
        kept.pop()
    return kept
