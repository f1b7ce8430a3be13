"""Constituency trees over tokens, in and out of Penn bracket text.

A tree is a label and its children; a child that is a string is a word, and a node whose only
child is a word is a part of speech. Words are kept as the brackets spell them (``-LRB-``, ``\\/``);
``words`` undoes the escapes and leaves traces out. Bracket positions are half-open and count
words, so a tree is a set of labelled spans over tokens.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from vermeil.errors import DataError
from vermeil.shown import LONGEST, Shown, cut

MAX_DEPTH = 250
"""Deepest nesting accepted. Real sentences stay under 60; the limit keeps recursion safe."""

TRACE = "-NONE-"
ESCAPES = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "\\/": "/",
    "\\*": "*",
}

_PIECES = re.compile(r"\(|\)|[^\s()]+")
_ESCAPED = re.compile("|".join(map(re.escape, ESCAPES)))
_BRACKETED = re.compile(r"[()\[\]{}]")
_ESCAPE_OF = {plain: escaped for escaped, plain in ESCAPES.items()}


class Bracket(NamedTuple):
    """A constituent: the words from ``start`` up to ``end`` under ``label``."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True, repr=False)
class Tree(Shown):
    """A node of a constituency tree.

    >>> tree = Tree.parse("(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))")
    >>> tree.words
    ('p53', 'binds', 'DNA')
    >>> [tuple(bracket) for bracket in tree.brackets]
    [(0, 3, 'S'), (0, 1, 'NP'), (1, 3, 'VP'), (2, 3, 'NP')]
    >>> print(tree)
    (S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))
    """

    label: str
    children: tuple["Tree | str", ...]

    def __repr__(self) -> str:
        return f"Tree({cut(str(self), LONGEST)!r})"

    @staticmethod
    def parse(text: str) -> "Tree":
        """Read one tree; raise DataError where the brackets do not make exactly one.

        A bracket without a label around a single tree, as treebanks write their roots, is that
        tree under the label ``TOP``.
        """
        trees = parse_all(text)
        if len(trees) != 1 or trees[0] is None:
            found = "none" if not trees or trees[0] is None else str(len(trees))
            raise DataError(f"wanted one tree, found {found} in {_start_of(text)!r}")
        return trees[0]

    @property
    def is_tag(self) -> bool:
        """Whether this node is a part of speech over one word."""
        return len(self.children) == 1 and isinstance(self.children[0], str)

    @property
    def words(self) -> tuple[str, ...]:
        """The words below this node, escapes undone, traces left out."""
        return tuple(unescape(word) for tag, word in self.leaves() if tag != TRACE)

    @property
    def tags(self) -> tuple[str, ...]:
        """The parts of speech of ``words``."""
        return tuple(tag for tag, _ in self.leaves() if tag != TRACE)

    @property
    def brackets(self) -> tuple[Bracket, ...]:
        """The constituents in depth-first order; parts of speech and what holds no word are none.

        The same bracket may come twice (a unary chain of one label).
        """
        found: list[Bracket] = []
        _collect(self, 0, found)
        return tuple(found)

    def leaves(self) -> Iterator[tuple[str, str]]:
        """Yield the tag and the word of each leaf, as spelt, traces included."""
        for child in self.children:
            if isinstance(child, str):
                yield self.label, child
            else:
                yield from child.leaves()

    def __str__(self) -> str:
        return "(" + " ".join([self.label, *map(str, self.children)]) + ")"


def parse_all(text: str) -> list[Tree | None]:
    """Read every tree of ``text``; ``(())`` and ``()`` are None, a parse failure.

    Raise DataError on unbalanced brackets, words outside brackets, empty constituents and
    nesting beyond MAX_DEPTH.
    """
    trees: list[Tree | None] = []
    stack: list[list[Tree | str]] = []
    expect_label = False
    for match in _PIECES.finditer(text):
        piece = match[0]
        if piece == "(":
            if expect_label:
                stack[-1].append("")
            if len(stack) == MAX_DEPTH:
                raise DataError(f"nested deeper than {MAX_DEPTH} brackets")
            stack.append([])
            expect_label = True
        elif piece == ")":
            if not stack:
                raise DataError("a closing bracket without an opening one")
            node = _close(stack.pop())
            expect_label = False
            if stack:
                if node is not None:
                    stack[-1].append(node)
            else:
                trees.append(_named_root(node))
        elif not stack:
            raise DataError(f"{piece!r} stands outside any bracket")
        else:
            stack[-1].append(piece)
            expect_label = False
    if stack:
        raise DataError(f"{len(stack)} bracket{'s' * (len(stack) > 1)} not closed")
    return trees


def parse_line(text: str) -> Tree | None:
    """Read the only tree of ``text``; none at all is a parse failure, as ``(())`` is."""
    trees = parse_all(text) or [None]
    if len(trees) > 1:
        raise DataError(f"wanted one tree, found {len(trees)}")
    return trees[0]


def assemble(
    leaves: Sequence[tuple[str, str]], brackets: Sequence[Bracket], *, root: str = "TOP"
) -> Tree:
    """Make a tree of tagged words and the brackets over them, under a root of its own.

    Brackets come in depth-first order, as ``brackets`` gives them, and do not cross.

    >>> leaves = [("NN", "p53"), ("VBZ", "binds"), ("NN", "DNA")]
    >>> print(assemble(leaves, [Bracket(0, 3, "S"), Bracket(1, 3, "VP"), Bracket(2, 3, "NP")]))
    (TOP (S (NN p53) (VP (VBZ binds) (NP (NN DNA)))))
    """
    opened: list[tuple[int, str, list[Tree | str]]] = [(len(leaves), root, [])]
    place = 0
    for start, end, label in (*brackets, Bracket(len(leaves), len(leaves), "")):
        while True:
            while len(opened) > 1 and opened[-1][0] <= place:
                _, finished, children = opened.pop()
                opened[-1][2].append(Tree(finished, tuple(children)))
            if place == start:
                break
            tag, word = leaves[place]
            opened[-1][2].append(Tree(tag, (word,)))
            place += 1
        opened.append((end, label, []))
    return Tree(root, tuple(opened[0][2]))


def unescape(word: str) -> str:
    r"""Undo the escapes of the Penn treebank.

    >>> unescape("-LRB-"), unescape(r"and\/or")
    ('(', 'and/or')
    """
    if "-" not in word and "\\" not in word:
        return word
    return _ESCAPED.sub(lambda match: ESCAPES[match[0]], word)


def escape(word: str) -> str:
    """Spell a word so that its brackets are not taken for the tree's.

    >>> escape("(NF)-kappa")
    '-LRB-NF-RRB--kappa'
    """
    return _BRACKETED.sub(lambda match: _ESCAPE_OF[match[0]], word)


def _close(parts: list[Tree | str]) -> Tree | None:
    if not parts or parts == [""]:
        return None
    label, *children = parts
    if not isinstance(label, str):
        raise DataError("a constituent has no label")
    if not children:
        raise DataError(f"({label}) holds no word")
    if len(children) > 1 and any(isinstance(child, str) for child in children):
        raise DataError(f"({label} …) mixes words with constituents or holds several words")
    return Tree(label, tuple(children))


def _named_root(node: Tree | None) -> Tree | None:
    return Tree("TOP", node.children) if node is not None and not node.label else node


def _collect(tree: Tree, start: int, found: list[Bracket]) -> int:
    if tree.is_tag:
        return start + (tree.label != TRACE)
    place, end = len(found), start
    for child in tree.children:
        assert isinstance(child, Tree)
        end = _collect(child, end, found)
    if end > start:
        found.insert(place, Bracket(start, end, tree.label))
    return end


def _start_of(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
