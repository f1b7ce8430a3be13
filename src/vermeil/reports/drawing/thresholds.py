"""Figures 7 and 8 of the centroids paper as a picture: systems beside silver at every threshold.

Precision over recall, with lines of equal F. Systems are dots with their names; the silver of one
method is a line whose points are its thresholds. Self-contained SVG, drawn by hand.
"""

from collections.abc import Iterator
from math import isnan

from vermeil.reports.drawing.charts import CONTOURS
from vermeil.reports.drawing.elements import Html, element
from vermeil.reports.drawing.shapes import cut
from vermeil.scoring.counts import Counts
from vermeil.scoring.sweep import SilverRow, Sweep

SIDE, LEFT, TOP, BOTTOM, LEGEND = 420, 56, 40, 50, 230
COLOURS = ("#0b57d0", "#b3261e", "#146c2e", "#7a4b00", "#6b3fa0", "#00696e", "#a8005c", "#5f6368")
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#202124}.title{font-weight:bold}"
    ".grid{stroke:#e8eaed}.axis{fill:none;stroke:#9aa0a6}"
    ".equal{fill:none;stroke:#9aa0a6;stroke-dasharray:4 4}.small{font-size:10px;fill:#5f6368}"
    ".system{fill:#5f6368}.silver{fill:none;stroke-width:1.5}.middle{text-anchor:middle}"
    ".end{text-anchor:end}"
)


def draw_thresholds(sweep: Sweep) -> str:
    """Draw all systems and all silver standards of a sweep."""
    width, height = LEFT + SIDE + LEGEND, TOP + SIDE + BOTTOM
    title = f"Systems and silver against {sweep.gold}, {sweep.view}"
    parts = [
        element("title", title),
        element("style", Html(STYLE)),
        element("rect", width=width, height=height, fill="#fff"),
        element("text", title, x=LEFT, y=TOP - 16, class_="title"),
        *_frame(),
        *_systems(sweep),
        *_silver(sweep),
    ]
    drawn = element(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
    )
    return f"{drawn}\n"


def _frame() -> Iterator[Html]:
    for tick in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        x, y = _place(tick, tick)
        yield element("line", class_="grid", x1=x, x2=x, y1=TOP, y2=TOP + SIDE)
        yield element("line", class_="grid", x1=LEFT, x2=LEFT + SIDE, y1=y, y2=y)
        yield element("text", f"{tick:.1f}", x=x, y=TOP + SIDE + 16, class_="middle")
        yield element("text", f"{tick:.1f}", x=LEFT - 6, y=float(y) + 4, class_="end")
    yield element("rect", class_="axis", x=LEFT, y=TOP, width=SIDE, height=SIDE)
    yield element("text", "recall", x=LEFT + SIDE / 2, y=TOP + SIDE + 36, class_="middle")
    turned = f"translate(16 {TOP + SIDE / 2}) rotate(-90)"
    yield element("text", "precision", class_="middle", transform=turned)
    for f1 in CONTOURS:
        low = f1 / (2 - f1)
        recalls = [low + (1 - low) * step / 40 for step in range(41)]
        path = " ".join(",".join(_place(r, f1 * r / (2 * r - f1))) for r in recalls)
        yield element("polyline", class_="equal", points=path)
        x, y = _place(1, low)
        yield element("text", f"F {f1:g}", x=x, y=float(y) - 3, class_="end small")


def _systems(sweep: Sweep) -> Iterator[Html]:
    for name, counts in sweep.systems.items():
        if _is_defined(counts):
            x, y = _place(counts.recall, counts.precision)
            said = element("title", f"{name}: {_said(counts)}")
            yield element("circle", said, class_="system", cx=x, cy=y, r=4)
            yield element("text", cut(name), x=float(x) + 6, y=float(y) + 4, class_="small")


def _silver(sweep: Sweep) -> Iterator[Html]:
    lines: dict[str, list[SilverRow]] = {}
    for row in sweep.silver:
        lines.setdefault(row.name, []).append(row)
    for number, (name, rows) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        there = [row for row in rows if _is_defined(row.counts)]
        path = " ".join(",".join(_place(r.counts.recall, r.counts.precision)) for r in there)
        yield element("polyline", class_="silver", stroke=colour, points=path)
        for row in there:
            x, y = _place(row.counts.recall, row.counts.precision)
            votes = "" if row.votes is None else f"t={row.votes:g}"
            said = element("title", f"{name} {votes}: {_said(row.counts)}")
            yield element("circle", said, cx=x, cy=y, r=5, fill=colour)
            yield element("text", votes, x=float(x) + 7, y=float(y) - 5, fill=colour)
        left, line = LEFT + SIDE + 20, TOP + 14 + 34 * number
        best = max(there, key=lambda each: each.counts.f1, default=None)
        yield element("rect", x=left, y=line - 9, width=12, height=9, fill=colour)
        yield element("text", cut(name), x=left + 18, y=line)
        if best is not None:
            at = "" if best.votes is None else f" at t={best.votes:g}"
            figure = f"best F {best.counts.f1:.3f}{at}"
            yield element("text", figure, x=left + 18, y=line + 14, class_="small")


def _is_defined(counts: Counts) -> bool:
    return not isnan(counts.recall + counts.precision)


def _said(counts: Counts) -> str:
    return f"precision {counts.precision:.3f}, recall {counts.recall:.3f}, F {counts.f1:.3f}"


def _place(recall: float, precision: float) -> tuple[str, str]:
    return f"{LEFT + SIDE * recall:.1f}", f"{TOP + SIDE * (1 - precision):.1f}"
