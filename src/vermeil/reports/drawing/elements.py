"""HTML and SVG, element by element: whatever is not markup already is escaped.

There is no way to put text into a page but through here, so nothing in an id, a label or a text
can become an element or end a script.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import isnan
from urllib.parse import quote

import msgspec

from vermeil.shown import Brief

VOID = frozenset({"br", "input", "link", "meta"})
UNDEFINED = "–"

_SHOWN = str.maketrans(
    {code: "\ufffd" for code in range(32) if chr(code) not in "\t\n\r"} | {0x7F: "\ufffd"}
)


class Html(str):
    """Markup: it is put into a page as it is."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, repr=False)
class Section(Brief):
    """A part of a page that its contents list leads to."""

    id: str
    heading: str
    body: Html


def section(id: str, heading: str, *children: object) -> Section:
    """Make a section with its heading."""
    return Section(id, heading, element("section", element("h2", heading), *children, id=id))


def element(name: str, /, *children: object, **attributes: object) -> Html:
    """Make an element; text in it is escaped. ``class_`` is class, ``aria_label`` aria-label.

    An attribute that is None or False is left out; one that is True has no value.

    >>> element("td", "p < 0.05", class_="number", title=None)
    '<td class="number">p &lt; 0.05</td>'
    """
    said = "".join(
        f" {_attribute(key)}" if value is True else f' {_attribute(key)}="{_text(value)}"'
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in VOID:
        return Html(f"<{name}{said}>")
    return Html(f"<{name}{said}>{joined(*children)}</{name}>")


def joined(*children: object) -> Html:
    """Put markup and text, which is escaped, one after the other."""
    return Html("".join(each if isinstance(each, Html) else _text(each) for each in children))


def name_of(text: str) -> Html:
    """Show a name from the data: whichever way it is written, what is around it stays in place."""
    return element("bdi", text)


def figure(value: float, digits: int = 3) -> str:
    """Spell a number, or say that it is not defined.

    >>> figure(0.12345), figure(float("nan"))
    ('0.123', '–')
    """
    return UNDEFINED if isnan(value) else f"{value:.{digits}f}"


def whole(value: float) -> str:
    """Spell a count, with its half where it has one.

    >>> whole(1234.0), whole(2.5)
    ('1,234', '2.5')
    """
    return f"{int(value):,}" if value == int(value) else f"{value:,.1f}"


def finding(kind: str, *narrower: str) -> str:
    """Spell the address, within the page, of all instances of a kind; the page's script reads it.

    >>> finding("near", "anna/1", "Gene")
    '#find/near/anna%2F1/Gene'
    """
    return "#find/" + "/".join(quote(part, safe="") for part in (kind, *narrower))


def count_link(value: float, kind: str, *narrower: str) -> Html:
    """Show a count that leads to its instances; nothing leads from 0."""
    return element("a", whole(value), href=finding(kind, *narrower)) if value else Html("0")


def table(
    caption: object, columns: Sequence[object], rows: Iterable[Sequence[object]], *, id: str = ""
) -> Html:
    """Make a table whose rows begin with their name; it scrolls by itself where it is too wide."""
    head = element("tr", *(element("th", each, scope="col") for each in columns))
    body = [
        element("tr", element("th", first, scope="row"), *(element("td", each) for each in rest))
        for first, *rest in rows
    ]
    made = element(
        "table",
        element("caption", caption),
        element("thead", head),
        element("tbody", *body),
        id=id or None,
    )
    return element("div", made, class_="wide", tabindex="0", role="region", aria_label=caption)


def script_data(value: object, id: str) -> Html:
    """Store data for a script. Neither a text nor an id can end the element it is in."""
    text = msgspec.json.encode(value).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Html(f'<script type="application/json" id="{id}">{text}</script>')


def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _text(value: object) -> str:
    return escape(str(value).translate(_SHOWN))
