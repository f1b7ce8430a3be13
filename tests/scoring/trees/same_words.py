"""Trees of two parsers over the same words, and their productions read off one by one."""

from functools import cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import hypothesis.strategies as st

from vermeil import Tree
from vermeil.columns.trees.names import TreeNames
from vermeil.columns.trees.table import TreeTable

LABELS, TAGS = ("NP", "VP", "S"), ("NN", "JJ")
_LABEL, _TAG = st.sampled_from(LABELS), st.sampled_from(TAGS)


Pairs: TypeAlias = list[tuple[Tree | None, Tree | None]]
"""What two parsers said about some sentences."""


class Production(NamedTuple):
    start: int
    end: int
    parent: str
    daughters: tuple[str, ...]

    @property
    def rule(self) -> str:
        return f"{self.parent} → {' '.join(self.daughters)}"


@cache
@st.composite
def trees(draw: st.DrawFn, n_words: int, *, depth: int = 4) -> Tree:
    """A constituent over so many words; some have one daughter over all of them."""
    label = draw(_LABEL)
    cuts = (
        [0, *sorted(draw(_inner(n_words if depth else 0))), n_words]
        if depth
        else list(range(n_words + 1))
    )
    children = []
    for start, end in pairwise(cuts):
        is_word = end - start == 1 and (not depth or draw(st.booleans()))
        tag = Tree(draw(_TAG), ("w",))
        children.append(tag if is_word else draw(trees(end - start, depth=depth - 1)))
    return Tree(label, tuple(children))


@cache
def _inner(n_words: int) -> st.SearchStrategy[set[int]]:
    return st.sets(st.integers(1, n_words - 1)) if n_words > 1 else st.just(set())


@st.composite
def forests(draw: st.DrawFn) -> Pairs:
    """Sentences as two parsers see them, either of whom may have failed."""
    lengths = draw(st.lists(st.integers(1, 6), max_size=4))
    sides = [(st.none() | trees(length), st.none() | trees(length)) for length in lengths]
    return [(draw(one), draw(other)) for one, other in sides]


def tables(pairs: Pairs) -> tuple[TreeTable, TreeTable]:
    names = TreeNames()
    return (
        TreeTable.of([gold for gold, _ in pairs], names),
        TreeTable.of([parsed for _, parsed in pairs], names),
    )


def parsed_tables(gold: str, *others: str) -> list[TreeTable]:
    """Tables of bracket texts, one sentence each."""
    names = TreeNames()
    return [TreeTable.parse([line], names) for line in (gold, *others)]


def naive_productions(tree: Tree | None) -> list[Production]:
    found: list[Production] = []

    def visit(node: Tree, start: int) -> int:
        if node.is_tag:
            return start + 1
        place = len(found)
        found.append(Production(start, start, "", ()))
        end, daughters = start, []
        for child in node.children:
            assert isinstance(child, Tree)
            end = visit(child, end)
            daughters.append(child.label)
        found[place] = Production(start, end, node.label, tuple(daughters))
        return end

    if tree is not None:
        visit(tree, 0)
    return found
