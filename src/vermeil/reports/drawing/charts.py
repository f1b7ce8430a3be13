"""Pictures as inline SVG: curves, clouds, columns and bars.

Drawn by hand, with neither fonts nor scripts nor styles of their own: colours are those of the page
(classes s0 to s7), so that light, dark and paper each have theirs. Each picture has a title and a
description, and each mark says its numbers when pointed at.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan

from vermeil.reports.drawing.elements import Html, element, figure
from vermeil.reports.drawing.shapes import (
    LONGEST,
    amount,
    cut,
    label,
    marked,
    picture,
    series_class,
    titled,
)
from vermeil.scoring.ranked import Calibration
from vermeil.shown import Brief

SIDE = 260
LEFT, TOP, BOTTOM = 44, 10, 40
CONTOURS = (0.2, 0.4, 0.6, 0.7, 0.8, 0.9)
"""Values of F for which a line of equal F is drawn."""

LARGEST = 13
"""Radius of the dot of a bin that holds all predictions."""

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True, repr=False)
class Bar(Brief):
    """A bar with its name, which is not written again where it ``continues`` the one above."""

    name: str
    value: float
    series: int = 0
    continues: bool = False


def curves(
    title: str,
    lines: Mapping[str, Points],
    *,
    x: str,
    y: str,
    points: Mapping[str, tuple[float, float]] | None = None,
    contours: bool = False,
) -> Html:
    """Draw lines and single points in a square from 0 to 1, with their names beside it.

    ``x`` and ``y`` name the axes. With ``contours``, points of equal F are joined.
    """
    names = list(dict.fromkeys([*lines, *(points or {})]))
    parts = [*_axes(x, y), *(_contours() if contours else [])]
    for name, line in lines.items():
        path = " ".join(f"{_x(a)},{_y(b)}" for a, b in line if not isnan(a + b))
        parts.append(
            element("polyline", class_=f"line {series_class(names.index(name))}", points=path)
        )
    for name, (a, b) in (points or {}).items():
        if not isnan(a + b):
            said = f"{name}: {x} {figure(a)}, {y} {figure(b)}"
            parts.append(
                marked("circle", said, series_class(names.index(name)), cx=_x(a), cy=_y(b), r=5)
            )
    drawn = picture(LEFT + SIDE + 12, TOP + SIDE + BOTTOM, title, f"{y} over {x}", parts)
    return titled(title, drawn, names)


def reliability(
    title: str,
    calibration: Calibration,
    *,
    x: str = "confidence",
    y: str = "share that is right",
) -> Html:
    """Draw what each confidence is worth: on the diagonal it means what it says."""
    parts = [*_axes(x, y), _line("even", (0, 0), (1, 1))]
    for sure, share, n, area in calibration.dots:
        said = f"{n:,} predictions: {x} {figure(sure)}, {y} {figure(share)}"
        radius = f"{max(2.5, LARGEST * area**0.5):.1f}"
        parts.append(_line("gap", (sure, sure), (sure, share)))
        parts.append(marked("circle", said, "s0", cx=_x(sure), cy=_y(share), r=radius))
    error = f"expected calibration error {figure(calibration.expected_error)}"
    drawn = picture(LEFT + SIDE + 12, TOP + SIDE + BOTTOM, title, error, parts)
    return titled(f"{title}: {error}", drawn, ())


def scatter(title: str, places: Points, *, x: str, y: str) -> Html:
    """Draw a cloud of points in a square from 0 to 1."""
    dots = [
        element("circle", class_="dot", cx=_x(a), cy=_y(b), r=2)
        for a, b in places
        if not isnan(a + b)
    ]
    drawn = picture(
        LEFT + SIDE + 12, TOP + SIDE + BOTTOM, title, f"{y} over {x}", [*_axes(x, y), *dots]
    )
    return titled(title, drawn, ())


def columns(
    title: str,
    names: Sequence[str],
    series: Mapping[str, Sequence[float]],
    *,
    x: str,
    y: str,
    links: Mapping[str, Sequence[str]] | None = None,
) -> Html:
    """Draw columns side by side for each of ``names``, one a series; values are counts or shares.

    Where names are many, only some are written below. ``links`` are where the columns of a series
    lead.
    """
    width, height = max(SIDE, min(620, 16 * len(names) * len(series))), 180
    top = max((value for each in series.values() for value in each if not isnan(value)), default=0)
    room = width / max(1, len(names))
    slot = room * 0.84 / max(1, len(series))
    parts = [
        label(LEFT - 6, TOP + 9, amount(top), "end"),
        label(LEFT - 6, TOP + height, "0", "end"),
    ]
    for number, (name, values) in enumerate(series.items()):
        for place, value in enumerate(values):
            if isnan(value) or not value:
                continue
            tall = height * value / top
            said = f"{name}, {x} {names[place]}: {amount(value)}"
            column = marked(
                "rect",
                said,
                series_class(number),
                x=f"{LEFT + place * room + room * 0.08 + number * slot:.1f}",
                y=f"{TOP + height - tall:.1f}",
                width=f"{slot:.1f}",
                height=f"{tall:.1f}",
            )
            link = links[name][place] if links else ""
            parts.append(element("a", column, href=link, aria_label=said) if link else column)
    every = max(1, -(-len(names) * 34 // width))
    parts += [
        label(f"{LEFT + (place + 0.5) * room:.1f}", TOP + height + 15, names[place], "middle")
        for place in range(0, len(names), every)
    ]
    floor = TOP + height
    parts.append(element("line", class_="axis", x1=LEFT, x2=LEFT + width, y1=floor, y2=floor))
    parts.append(label(LEFT + width / 2, TOP + height + 32, f"{x} ({y} upwards)", "middle"))
    drawn = picture(
        *(LEFT + width + 12, TOP + height + BOTTOM),
        *(title, f"{y} by {x}"),
        parts,
        role="group" if links else "img",
    )
    return titled(title, drawn, list(series) if len(series) > 1 else ())


def bars(title: str, rows: Sequence[Bar], *, top: float = 1.0, legend: Sequence[str] = ()) -> Html:
    """Draw bars lying one below the other from 0 to ``top``."""
    left = 8 * min(LONGEST, max((len(row.name) for row in rows), default=0)) + 12
    width, step = 280, 16
    parts: list[Html] = []
    for number, row in enumerate(rows):
        y = TOP + number * step
        length = width * row.value / top if top else 0.0
        said = f"{row.name}: {amount(row.value)}"
        place = {"x": left, "y": y, "width": f"{length:.1f}", "height": step - 3}
        parts += [
            label(left - 6, y + 11, "" if row.continues else cut(row.name), "end"),
            marked("rect", said, series_class(row.series), **place),
            label(f"{left + length + 6:.1f}", y + 11, amount(row.value)),
        ]
    drawn = picture(left + width + 60, TOP + step * len(rows) + 4, title, title, parts)
    return titled(title, drawn, legend)


def _axes(x: str, y: str) -> list[Html]:
    ticks = (0, 0.25, 0.5, 0.75, 1)
    grid = [
        each
        for at in ticks
        for each in (_line("grid", (at, 0), (at, 1)), _line("grid", (0, at), (1, at)))
    ]
    labels = [
        each
        for at in ticks
        for each in (
            label(_x(at), TOP + SIDE + 15, f"{at:g}", "middle"),
            label(LEFT - 6, f"{float(_y(at)) + 4:.1f}", f"{at:g}", "end"),
        )
    ]
    return [
        *grid,
        *labels,
        label(LEFT + SIDE / 2, TOP + SIDE + 32, x, "middle"),
        element(
            "g", label(0, 0, y, "middle"), transform=f"translate(11 {TOP + SIDE / 2}) rotate(-90)"
        ),
    ]


def _contours() -> list[Html]:
    parts = []
    for f1 in CONTOURS:
        low = f1 / (2 - f1)
        recalls = [low + (1 - low) * step / 40 for step in range(41)]
        path = " ".join(f"{_x(r)},{_y(f1 * r / (2 * r - f1))}" for r in recalls)
        parts.append(element("polyline", class_="contour", points=path))
        parts.append(label(_x(1), f"{float(_y(low)) - 3:.1f}", f"F {f1:g}", "end small"))
    return parts


def _line(kind: str, begin: tuple[float, float], end: tuple[float, float]) -> Html:
    (a, b), (c, d) = begin, end
    return element("line", class_=kind, x1=_x(a), y1=_y(b), x2=_x(c), y2=_y(d))


def _x(share: float) -> str:
    return f"{LEFT + SIDE * share:.1f}"


def _y(share: float) -> str:
    return f"{TOP + SIDE * (1 - share):.1f}"
