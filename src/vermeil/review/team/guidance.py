"""What a team agrees on: which labels there are, and guidelines in Markdown.

Guidelines come to the page as a tree of elements, never as markup: a tag is one of TAGS, raw HTML
stays text, and links lead to the web alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from vermeil.errors import UnknownNameError, UsageError
from vermeil.review.decisions import Change, is_one_line
from vermeil.review.schema import set_setting
from vermeil.review.store import Store

COLOURS = ("blue", "red", "green", "brown", "purple", "teal", "grey", "pink")
"""Names of the colours of labels, in the order of votes.css."""

TAGS = frozenset(
    {
        *("h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "em", "strong", "code", "pre"),
        *("blockquote", "hr", "br", "a", "table", "thead", "tbody", "tr", "th", "td"),
    }
)
LONGEST_LABEL = 200
LONGEST_GUIDELINES = 200_000


class TeamLabel(msgspec.Struct, frozen=True):
    """A label that may be given, with the number of its colour and its key."""

    label: str
    colour: int
    key: str = ""


def parse_labels(spelt: str) -> list[TeamLabel]:
    """Read labels with commas between them, each as NAME, NAME:COLOUR or NAME:COLOUR:KEY.

    >>> [(each.label, each.colour, each.key) for each in parse_labels("Gene:red,Cell::9,DNA")]
    [('Gene', 1, '1'), ('Cell', 1, '9'), ('DNA', 2, '2')]
    """
    rows = [[part.strip() for part in each.split(":")] for each in spelt.split(",") if each.strip()]
    taken = {row[2] for row in rows if len(row) > 2}
    free = iter(key for key in "123456789" if key not in taken)
    labels: list[TeamLabel] = []
    for number, row in enumerate(rows):
        name, colour, key = (*row, "", "")[:3] if len(row) <= 3 else ("", "", "")
        if not name:
            raise UsageError(f"{':'.join(row)!r} is no label; write NAME, NAME:COLOUR:KEY")
        if colour and colour not in COLOURS:
            raise UnknownNameError("colour", colour, COLOURS)
        code = COLOURS.index(colour) if colour else number % len(COLOURS)
        labels.append(TeamLabel(name, code, key or next(free, "")))
    return checked_labels(labels)


def checked_labels(labels: Iterable[TeamLabel]) -> list[TeamLabel]:
    """Return the labels with outer white space stripped; refuse those that cannot be used."""
    found = [TeamLabel(each.label.strip(), each.colour, each.key) for each in labels]
    for each in found:
        if not 0 < len(each.label) <= LONGEST_LABEL or not is_one_line(each.label):
            raise UsageError(
                f"{each.label!r} is no label; one has 1 to {LONGEST_LABEL} characters on one line"
            )
        if not 0 <= each.colour < len(COLOURS):
            raise UsageError(f"the colour of {each.label} is a number below {len(COLOURS)}")
        if each.key and (len(each.key) > 1 or each.key not in "123456789"):
            raise UsageError(f"the key of {each.label} is one of 1 to 9, not {each.key!r}")
    for what in ("label", "key"):
        values = [getattr(each, what) for each in found if getattr(each, what)]
        if len(set(values)) < len(values):
            raise UsageError(f"every label has a {what} of its own")
    return found


def set_labels(store: Store, labels: Sequence[TeamLabel]) -> None:
    """Let only these labels be given; none of them lets any."""
    with store.writing() as connection:
        set_setting(connection, "labels", msgspec.json.encode(labels).decode())


def team_labels(store: Store) -> list[TeamLabel]:
    """Read which labels may be given; none where any may."""
    return msgspec.json.decode(store.setting("labels", "[]"), type=list[TeamLabel])


def check_labels(store: Store, changes: Iterable[Change]) -> None:
    """Refuse names with a label that the team has not agreed on."""
    known = [each.label for each in team_labels(store)]
    for change in changes:
        name = change.after.name if change.after is not None else None
        if known and name is not None and name.label not in known:
            raise UnknownNameError("label", name.label, known)


def set_guidelines(store: Store, text: str) -> None:
    """Keep the guidelines, in Markdown."""
    if len(text) > LONGEST_GUIDELINES:
        raise UsageError(f"guidelines have up to {LONGEST_GUIDELINES:,} characters")
    with store.writing() as connection:
        set_setting(connection, "guidelines", text)


def guidelines(store: Store) -> list[Any]:
    """Return the guidelines as a tree: a text, or [tag, attributes, children]."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(store.setting("guidelines"))
    return [part for node in SyntaxTreeNode(tokens).children for part in _parts(node)]


def _parts(node: SyntaxTreeNode) -> list[Any]:
    children = [part for child in node.children for part in _parts(child)]
    if node.type in ("text", "html_inline", "html_block"):
        return [node.content]
    if node.type == "softbreak":
        return ["\n"]
    if node.type == "fence" or node.type == "code_block":
        return [["pre", {}, [node.content]]]
    if node.type == "code_inline":
        return [["code", {}, [node.content]]]
    if node.type == "image":
        return [node.content]
    if node.tag not in TAGS:
        return children
    return [[node.tag, _attributes(node.tag, node.attrs), children]]


def _attributes(tag: str, given: Mapping[str, Any]) -> dict[str, str]:
    address = str(given.get("href", ""))
    if tag == "a" and address.startswith(("https://", "http://")):
        return {"href": address, "rel": "noreferrer", "target": "_blank"}
    return {}
