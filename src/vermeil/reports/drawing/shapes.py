"""What pictures are put together from: frames, marks and letters, as SVG elements.

Colours are those of the page (classes s0 to s7), so that light, dark and paper each have theirs.
"""

from collections.abc import Sequence

from vermeil.reports.drawing.elements import Html, element, name_of, whole

N_COLOURS = 8
LONGEST = 22
"""Letters of a name that are shown."""


def titled(title: str, drawn: Html, names: Sequence[str]) -> Html:
    """Set a picture under its title, with the names of its series."""
    legend = [
        element("li", element("span", class_=f"key {series_class(number)}"), name_of(name))
        for number, name in enumerate(names)
    ]
    listed = element("ul", *legend, class_="legend") if legend else ""
    return element("figure", element("figcaption", title), drawn, listed)


def picture(
    width: float,
    height: float,
    title: str,
    said: str,
    parts: Sequence[Html],
    role: str = "img",
) -> Html:
    """Make a picture that says what it is."""
    return element(
        "svg",
        element("title", title),
        element("desc", said),
        *parts,
        viewBox=f"0 0 {width:g} {height:g}",
        width=f"{width:g}",
        height=f"{height:g}",
        role=role,
    )


def marked(shape: str, said: str, kind: str, **place: object) -> Html:
    """Make a mark that says its numbers when pointed at."""
    return element(shape, element("title", said), class_=f"mark {kind}", **place)


def label(x: object, y: object, said: str, kind: str = "") -> Html:
    """Write something at a place."""
    return element("text", said, x=x, y=y, class_=kind or None)


def series_class(number: int) -> str:
    """Name the class of a series; where colours come again, dashes tell them apart."""
    dashes = " dashed" if number // N_COLOURS % 2 else ""
    return f"s{number % N_COLOURS}{dashes}"


def cut(name: str) -> str:
    """Shorten a long name."""
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def amount(value: float) -> str:
    """Spell a count whole, any other number by its first digits."""
    return whole(value) if value == int(value) and abs(value) > 1 else f"{value:.3g}"
