"""What a script measures: our cost beside that of a peer and of a floor, taken in the same run.

The peer is what a user would otherwise pick; the floor is the least that any program has to do.
Costs are CPU seconds unless a unit is named, and less is better. What was not measured is NaN.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan, nan

COLUMNS = ("what", "ours", "peer", "peer takes", "floor", "we take", "note")


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of a table."""

    what: str
    ours: float
    unit: str = "CPU s"
    peer: float = nan
    peer_name: str = ""
    floor: float = nan
    floor_name: str = ""
    note: str = ""

    @property
    def of_ours(self) -> float:
        """How many times our cost the peer takes; NaN where a coarse clock saw none."""
        return self.peer / self.ours if self.ours else nan

    @property
    def of_floor(self) -> float:
        """How many times the floor we take; NaN where a coarse clock saw none."""
        return self.ours / self.floor if self.floor else nan

    def cells(self) -> list[str]:
        """Give the line as text, in the order of COLUMNS."""
        return [
            self.what,
            f"{figure(self.ours)} {self.unit}",
            _named(self.peer, self.peer_name),
            times(self.of_ours),
            _named(self.floor, self.floor_name),
            times(self.of_floor),
            self.note,
        ]


def show(measures: Iterable[Measure]) -> None:
    """Print measures as a table that lines up."""
    lines = [list(COLUMNS), *(measure.cells() for measure in measures)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(COLUMNS))]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        print("  ".join(cells).rstrip())


def figure(value: float) -> str:
    """Give a number with three digits that count.

    >>> [figure(value) for value in (0.00123456, 0.0987, 12.345, 1234.5, float("nan"))]
    ['0.00123', '0.0987', '12.3', '1,234', '']
    """
    if isnan(value):
        return ""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def times(ratio: float) -> str:
    """Give a ratio as a multiple; nothing where there is none.

    >>> times(2.345), times(123.4), times(float("nan"))
    ('2.3x', '123x', '')
    """
    if isnan(ratio):
        return ""
    return f"{ratio:.0f}x" if ratio >= 20 else f"{ratio:.1f}x" if ratio >= 1 else f"{ratio:.2f}x"


def _named(value: float, name: str) -> str:
    return f"{figure(value)} {name}".strip() if not isnan(value) else ""
