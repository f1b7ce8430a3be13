"""Trees ranked by the names in them: the confidence of a recogniser in the choice of a parse.

A wish of Corbett and Copestake (section 1): names are edges over the words of a sentence, each with
a confidence, and parses compete. A name is a constituent, or at the least nothing crosses it. So a
tree gains the confidence of each name of several words that one of its brackets covers exactly, and
loses that of each name that one of its brackets crosses. It is the expected number of the one less
that of the other, also where candidates overlap.
"""

from collections.abc import Sequence
from typing import NamedTuple

from vermeil.document import Document
from vermeil.formats.kinds.tokens.chart import edge_of
from vermeil.recognise.placed_names import Finder
from vermeil.text.tokens import Token
from vermeil.tree import Tree, unescape


class Edge(NamedTuple):
    """A candidate name over the words from ``start`` up to ``end``."""

    start: int
    end: int
    label: str
    confidence: float


def name_edges(
    finder: Finder, sentences: Sequence[Sequence[str]], *, least: float
) -> list[list[Edge]]:
    """Find the candidate names of sentences that are given as words; brackets may be escaped.

    Candidates less sure than ``least`` are left out. A name that begins or ends inside a word
    covers all of it.
    """
    placed = [_laid_out(words) for words in sentences]
    documents = [Document(id=str(n), text=text) for n, (text, _) in enumerate(placed, start=1)]
    names = finder.find(documents, threshold=least)
    return [
        [
            Edge(*edge_of(words, span.start, span.end), span.label, span.confidence or 0.0)
            for span in names.spans(number, names.candidates)
        ]
        for number, (_, words) in enumerate(placed)
    ]


def support(tree: Tree, edges: Sequence[Edge]) -> float:
    """Weigh a tree by the names of several words that are constituents, and those it crosses.

    >>> edges = [Edge(0, 2, "Gene", 0.75)]
    >>> support(Tree.parse("(S (NP (NN p53) (NN gene)) (VP (VBZ helps)))"), edges)
    0.75
    >>> support(Tree.parse("(S (NN p53) (VP (NN gene) (VBZ helps)))"), edges)
    -0.75
    """
    brackets = {(each.start, each.end) for each in tree.brackets}
    total = 0.0
    for edge in edges:
        if edge.end - edge.start < 2:
            continue
        if (edge.start, edge.end) in brackets:
            total += edge.confidence
        elif any(_cross(start, end, edge) for start, end in brackets):
            total -= edge.confidence
    return total


def chosen_by_names(trees: Sequence[Tree | None], edges: Sequence[Edge], *, margin: float) -> int:
    """Choose the tree with the greatest support; -1 where no parser has one.

    A later tree must beat the first one there is by more than ``margin``; of equals the first.
    """
    parsed = [(number, tree) for number, tree in enumerate(trees) if tree is not None]
    if not parsed:
        return -1
    weighed = [(support(tree, edges), number) for number, tree in parsed]
    best, winner = max(weighed, key=lambda each: (each[0], -each[1]))
    first, number = weighed[0]
    return winner if best > first + margin else number


def _cross(start: int, end: int, edge: Edge) -> bool:
    return start < edge.start < end < edge.end or edge.start < start < edge.end < end


def _laid_out(words: Sequence[str]) -> tuple[str, list[Token]]:
    """Join words by single spaces, and tell where each is."""
    plain = [unescape(word) for word in words]
    places, at = [], 0
    for word in plain:
        places.append((at, at + len(word)))
        at += len(word) + 1
    return " ".join(plain), places
