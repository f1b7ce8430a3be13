"""Trees as a picture: self-contained SVG, two trees over the same words in the same columns.

svgling would lay each tree out by itself, with columns of its own; differences are seen when each
word of two trees stands at the same place, so the layout is done here. Letters are of one width,
which makes the columns exact without asking a font. Words stand on one line, constituents as
high as what is below them needs, and edges turn square corners, so that none crosses a label.
A difference has a colour and a sign.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

from vermeil.reports.trees.difference import SIGNS, Marks, Status, mark
from vermeil.shown import Brief
from vermeil.text.xml_text import escape, quoteattr
from vermeil.tree import Tree

LETTER = 7.2
"""Width of a letter at SIZE: 0.6 em, as nearly all fonts of one width have it."""

SIZE = 12
LEVEL = 34
BOX = 18
MARGIN = 20
SPACE = 10

FAILURE = "no parse"
COLOURS = {
    Status.FIRST: "#b3261e",
    Status.SECOND: "#0b57d0",
    Status.RELABELLED: "#7a4b00",
}
_STYLE = (
    f"text{{font:{SIZE}px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;"
    "text-anchor:middle;fill:#202124}"
    ".tag{fill:#5f6368}.title{text-anchor:start;font-weight:bold}.name{text-anchor:start}"
    ".marked{fill:#fff;font-weight:bold}"
    "path{fill:none;stroke:#9aa0a6;shape-rendering:crispEdges}"
)


@dataclass(frozen=True, slots=True, repr=False)
class Exhibit(Brief):
    """A sentence to draw: a title, and one tree or two with their names. None is a failure."""

    title: str
    names: tuple[str, ...]
    trees: tuple[Tree | None, ...]


@dataclass(frozen=True, slots=True)
class _Node:
    """A constituent or part of speech with its place: columns it spans, levels above the words."""

    caption: str
    start: int
    end: int
    height: int
    children: tuple["_Node", ...]
    status: Status | None = None


def draw(exhibits: Sequence[Exhibit]) -> str:
    """Draw sentences one below the other, the trees of each one below the other.

    Raise ValueError where two trees of a sentence have other words.
    """
    parts: list[str] = []
    width, y = 0.0, float(MARGIN)
    for exhibit in exhibits:
        drawn, right, y = _draw_exhibit(exhibit, y)
        parts += drawn
        width = max(width, right)
    title = _printable("; ".join(exhibit.title for exhibit in exhibits))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label={quoteattr(title)} '
        f'width="{width + MARGIN:.0f}" height="{y:.0f}" '
        f'viewBox="0 0 {width + MARGIN:.0f} {y:.0f}">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n"
        f'<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _draw_exhibit(exhibit: Exhibit, y: float) -> tuple[list[str], float, float]:
    """Draw one sentence from ``y`` down; give the pieces, the right and the lower edge."""
    is_pair = len(exhibit.trees) == 2
    marks = mark(*exhibit.trees) if is_pair else (None,)
    roots = [
        _laid_out(tree, each) if tree is not None and tree.words else None
        for tree, each in zip(exhibit.trees, marks, strict=True)
    ]
    words = next((tree.words for tree in exhibit.trees if tree is not None), ())
    edges = _columns(words, [root for root in roots if root is not None])
    parts = [_text(MARGIN, y + SIZE, exhibit.title, "title")]
    right = max(edges[-1], MARGIN + _width(exhibit.title))
    y += LEVEL
    if is_pair:
        legend, legend_right = _legend(y, exhibit.names)
        parts, right = [*parts, *legend], max(right, legend_right)
        y += LEVEL
    for name, root in zip(exhibit.names, roots, strict=True):
        parts.append(_text(MARGIN, y + SIZE, name, "name"))
        y += LEVEL
        if root is None:
            parts.append(_text(MARGIN, y + SIZE, FAILURE, "name"))
            y += LEVEL
        else:
            base = y + root.height * LEVEL
            parts += _draw_node(root, base, edges)
            parts += [
                _text(_middle(edges, place, place + 1), base + LEVEL - SPACE, word)
                for place, word in enumerate(words)
            ]
            y = base + 2 * LEVEL
    return parts, right, y


def _laid_out(tree: Tree, marks: Marks | None) -> _Node:
    left = iter(marks) if marks is not None else None

    def place(node: Tree, start: int) -> _Node:
        if node.is_tag:
            return _Node(node.label, start, start + 1, 0, ())
        found = next(left) if left is not None else None
        children: list[_Node] = []
        end = start
        for child in node.children:
            if isinstance(child, Tree) and child.words:
                children.append(place(child, end))
                end = children[-1].end
        return _Node(
            caption=f"{SIGNS[found.status]} {found.caption}".strip() if found else node.label,
            start=start,
            end=end,
            height=1 + max(child.height for child in children),
            children=tuple(children),
            status=found.status if found else None,
        )

    return place(tree, 0)


def _columns(words: Sequence[str], roots: Sequence[_Node]) -> list[float]:
    """Find the left edge of each word's column and the right edge of the last.

    A column is as wide as its word; where a label is wider than its span, the span is widened.
    """
    widths = [_width(word) + SPACE for word in words]
    nodes = [node for root in roots for node in _all(root)]
    for node in sorted(nodes, key=lambda node: node.end - node.start):
        lacking = _width(node.caption) + 2 * SPACE - sum(widths[node.start : node.end])
        for place in range(node.start, node.end):
            widths[place] += max(0.0, lacking) / (node.end - node.start)
    edges = [float(MARGIN)]
    for width in widths:
        edges.append(edges[-1] + width)
    return edges


def _all(node: _Node) -> list[_Node]:
    return [node, *(each for child in node.children for each in _all(child))]


def _draw_node(node: _Node, base: float, edges: Sequence[float]) -> list[str]:
    x, y = _middle(edges, node.start, node.end), base - node.height * LEVEL
    parts = [*_label(x, y, node)]
    if node.children:
        parts.append(_edges(x, y, node.children, base, edges))
    for child in node.children:
        parts += _draw_node(child, base, edges)
    return parts


def _label(x: float, y: float, node: _Node) -> list[str]:
    if node.status in COLOURS:
        return _box(x, y, node.caption, COLOURS[node.status])
    return [_text(x, y + SIZE / 3, node.caption, "" if node.height else "tag")]


def _box(x: float, y: float, caption: str, colour: str) -> list[str]:
    width = _width(caption) + SPACE
    return [
        f'<rect fill="{colour}" x="{x - width / 2:.1f}" y="{y - BOX / 2:.1f}" '
        f'width="{width:.1f}" height="{BOX}" rx="4"/>',
        _text(x, y + SIZE / 3, caption, "marked"),
    ]


def _edges(
    x: float, y: float, children: Sequence[_Node], base: float, edges: Sequence[float]
) -> str:
    """Draw a stem down from a node, a bar over its children, and a drop to each."""
    bar = y + LEVEL / 2
    ends = [
        (_middle(edges, child.start, child.end), base - child.height * LEVEL - BOX / 2)
        for child in children
    ]
    drops = "".join(f"M{place:.1f} {bar:.1f}V{top:.1f}" for place, top in ends)
    path = f"M{x:.1f} {y + BOX / 2:.1f}V{bar:.1f}M{ends[0][0]:.1f} {bar:.1f}H{ends[-1][0]:.1f}"
    return f'<path d="{path}{drops}"/>'


def _legend(y: float, names: Sequence[str]) -> tuple[list[str], float]:
    meanings = {
        Status.FIRST: f"{SIGNS[Status.FIRST]} only in {names[0]}",
        Status.SECOND: f"{SIGNS[Status.SECOND]} only in {names[1]}",
        Status.RELABELLED: f"{SIGNS[Status.RELABELLED]} same span, other label",
    }
    parts: list[str] = []
    x = float(MARGIN)
    for status, meaning in meanings.items():
        width = _width(meaning) + SPACE
        parts += _box(x + width / 2, y, meaning, COLOURS[status])
        x += width + 2 * SPACE
    unmarked = "not marked: in both"
    return [*parts, _text(x, y + SIZE / 3, unmarked, "name")], x + _width(unmarked)


def _text(x: float, y: float, content: str, kind: str = "") -> str:
    css = f' class="{kind}"' if kind else ""
    return f'<text{css} x="{x:.1f}" y="{y:.1f}">{escape(_printable(content))}</text>'


def _printable(content: str) -> str:
    """Replace what XML cannot hold."""
    return "".join(each if each.isprintable() or each == " " else "\ufffd" for each in content)


def _middle(edges: Sequence[float], start: int, end: int) -> float:
    return (edges[start] + edges[end]) / 2


def _width(text: str) -> float:
    return LETTER * sum(1 + (east_asian_width(letter) in "WF") for letter in text)
