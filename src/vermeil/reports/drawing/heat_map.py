"""A table of squares, darker where the value is larger."""

from collections.abc import Callable, Sequence
from math import isnan

from vermeil.reports.drawing.elements import Html, element, figure
from vermeil.reports.drawing.shapes import LONGEST, cut, label, picture

HEAD, STEP = 26, 22
"""Height of the head and of each row."""

LETTER = 7
WIDEST = 88
"""Pixels of a column from which on columns are numbered."""


def heat_map(
    title: str,
    rows: Sequence[str],
    names: Sequence[str],
    values: Sequence[Sequence[float]],
    *,
    links: Sequence[Sequence[str]],
    top: float = 1.0,
    spelt: Callable[[float], str] = figure,
) -> Html:
    """Draw a table of squares, darker where the value is larger; undefined ones are empty.

    ``links`` are where each square leads, "" for nowhere. Columns whose names have no room are
    numbered, and so are the rows if they have the same names.
    """
    numbered = max(map(len, names), default=0) * LETTER > WIDEST
    left = 8 * min(LONGEST, max(map(len, rows), default=0)) + (32 if numbered else 12)
    size = 46 if numbered else max(46, LETTER * max(map(len, names), default=0) + 6)
    parts: list[Html] = []
    for place, name in enumerate(names):
        head = str(place + 1) if numbered else name
        parts.append(label(left + (place + 0.5) * size, 18, head, "middle"))
    for number, (row, cells) in enumerate(zip(rows, values, strict=True)):
        y = HEAD + number * STEP
        named = f"{number + 1} {cut(row)}" if numbered else cut(row)
        parts.append(label(left - 6, y + 15, named, "end"))
        for place, value in enumerate(cells):
            if not isnan(value):
                said = element("title", f"{row}, {names[place]}: {spelt(value)}")
                square = _square(left + place * size, y, size, value / top, spelt(value))
                link = links[number][place]
                parts.append(element("a" if link else "g", said, *square, href=link or None))
    drawn = picture(
        left + size * len(names) + 8, HEAD + STEP * len(rows) + 6, title, title, parts, role="group"
    )
    return element("figure", element("figcaption", title), drawn)


def _square(x: float, y: float, size: float, share: float, said: str) -> list[Html]:
    share = min(1.0, max(0.0, share))
    opacity = f"{0.06 + 0.94 * share:.2f}"
    return [
        element(
            "rect", class_="heat", x=x, y=y, width=size - 2, height=STEP - 2, fill_opacity=opacity
        ),
        label(x + size / 2 - 1, y + 14, said, f"middle {_shade(share)}"),
    ]


def _shade(share: float) -> str:
    """Tell how dark a square is, for letters that stand out from it on either kind of page."""
    return "dark" if share > 0.75 else "mid" if share > 0.5 else ""
