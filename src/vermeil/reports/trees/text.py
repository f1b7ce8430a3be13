"""Trees as text for a terminal: an outline, one constituent a line, its words beside it.

The words before the first constituent inside stand on the line of the constituent; later ones
have a line of their own. Where two trees are compared, the first column has a sign as in a
diff: ``-`` only in the first, ``+`` only in the second, ``~`` same span, other label.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, zip_longest
from textwrap import wrap

from vermeil.reports.trees.difference import SIGNS, MarkedBracket, Marks, Status, mark
from vermeil.shown import Brief
from vermeil.tree import TRACE, Tree, unescape

FAILURE = "(no parse)"
NARROWEST = 16
"""Columns that words get even where guides have taken the width."""

GAP = "  "


@dataclass(frozen=True, slots=True, repr=False)
class OutlineLine(Brief):
    """A line in parts, so that each can have its colour. ``mark`` is None beside a lone tree."""

    guides: str
    label: str = ""
    words: str = ""
    mark: MarkedBracket | None = None

    @property
    def sign(self) -> str:
        """The first column."""
        return SIGNS[self.mark.status] if self.mark is not None else " "

    def __str__(self) -> str:
        words = GAP + self.words if self.label and self.words else self.words
        return f"{self.sign} {self.guides}{self.label}{words}".rstrip()


Pair = tuple[OutlineLine | None, OutlineLine | None]


def outline(
    tree: Tree | None, marks: Marks | None = None, *, width: int = 100, tags: bool = False
) -> list[OutlineLine]:
    """Draw a tree; ``tags`` puts its part of speech behind each word.

    Words are folded to ``width``; labels and guides are not.

    >>> tree = Tree.parse("(S (NP (DT the) (NN p53)) (VP (VBZ binds) (NP (NN DNA))) (. .))")
    >>> print(*outline(tree), sep="\\n")
      S
      ├─ NP  the p53
      ├─ VP  binds
      │  └─ NP  DNA
      └─ .
    """
    if tree is None:
        return [OutlineLine("", FAILURE)]
    if tree.is_tag or not tree.words:
        return [OutlineLine("", tree.label, " ".join(tree.words))]
    return list(_node(tree, iter(marks) if marks is not None else None, ("", ""), width, tags))


def side_by_side(
    first: Tree | None, second: Tree | None, *, width: int = 100, tags: bool = False
) -> list[Pair]:
    """Draw two trees with their differences marked, what they share on the same line.

    ``width`` is that of each of the two.
    """
    ours, theirs = (
        outline(tree, marks, width=width, tags=tags)
        for tree, marks in zip((first, second), mark(first, second), strict=True)
    )
    pairs: list[Pair] = []
    matcher = SequenceMatcher(None, _keys(ours), _keys(theirs), autojunk=False)
    for step, a, to_a, b, to_b in matcher.get_opcodes():
        if step == "equal":
            pairs += zip(ours[a:to_a], theirs[b:to_b], strict=True)
        else:
            pairs += zip_longest(ours[a:to_a], theirs[b:to_b])
    return pairs


def _node(
    tree: Tree,
    marks: Iterator[MarkedBracket] | None,
    guides: tuple[str, str],
    width: int,
    tags: bool,
) -> Iterator[OutlineLine]:
    """Draw a constituent; ``guides`` lead to its first line and to the lines below."""
    found = next(marks) if marks is not None else None
    label = found.caption if found is not None else tree.label
    head, parts = _parts(tree, tags)
    below = guides[1] + ("│  " if parts else "   ")
    yield from _folded(guides[0], label=label, words=head, below=below, width=width, found=found)
    for number, part in enumerate(parts, start=1):
        is_last = number == len(parts)
        inner = (
            guides[1] + ("└─ " if is_last else "├─ "),
            guides[1] + ("   " if is_last else "│  "),
        )
        if isinstance(part, Tree):
            yield from _node(part, marks, inner, width, tags)
        else:
            yield from _folded(
                inner[0], label="", words=part, below=inner[1], width=width, found=None
            )


def _parts(tree: Tree, tags: bool) -> tuple[str, list[Tree | str]]:
    """Find the words a constituent begins with, and the constituents and words after them."""
    children = [child for child in tree.children if isinstance(child, Tree) and child.words]
    runs = [(is_tag, list(run)) for is_tag, run in groupby(children, lambda each: each.is_tag)]
    parts: list[Tree | str] = []
    for is_tag, run in runs:
        parts += [" ".join(_word(child, tags) for child in run)] if is_tag else run
    if isinstance(parts[0], str):
        return parts[0], parts[1:]
    return "", parts


def _word(tag: Tree, tags: bool) -> str:
    [word] = (unescape(spelt) for name, spelt in tag.leaves() if name != TRACE)
    return f"{word}/{tag.label}" if tags else word


def _folded(
    guides: str, label: str, words: str, below: str, width: int, found: MarkedBracket | None
) -> Iterator[OutlineLine]:
    indent = len(guides) + len(label) + 2 * len(GAP)
    room = max(NARROWEST, width - indent)
    first, *rest = wrap(words, room, break_long_words=False, break_on_hyphens=False) or [""]
    yield OutlineLine(guides, label, first, found)
    hanging = " " * (indent - len(GAP) - len(below)) if label else ""
    for line in rest:
        yield OutlineLine(below + hanging, "", line)


def _keys(lines: Sequence[OutlineLine]) -> list[object]:
    """Say what the partner of each line must have; what is in one tree only has none."""
    keys: list[object] = []
    for line in lines:
        if line.mark is None:
            keys.append(line.words)
        elif line.mark.status in (Status.SHARED, Status.RELABELLED):
            shared = line.mark.bracket
            labels = {shared.label, line.mark.other or shared.label}
            keys.append((shared.start, shared.end, frozenset(labels)))
        else:
            keys.append(object())
    return keys
