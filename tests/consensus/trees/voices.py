"""Several parsers on the same sentences, any of whom may have failed on any."""

from collections.abc import Iterator

import hypothesis.strategies as st

from tests.scoring.trees.same_words import trees
from vermeil.columns.trees.names import TreeNames
from vermeil.columns.trees.table import TreeTable
from vermeil.formats.forests import Forests
from vermeil.tree import TRACE, Tree

WORDS = ("p53", "binds", ".", ",", "-LRB-", "α", '"')
NAMES = ("anna", "ben", "cleo")


@st.composite
def voices(
    draw: st.DrawFn, *, n_members: int = 3, max_sentences: int = 3, may_fail: bool = True
) -> Forests:
    """Sentences with punctuation and traces, as parsers with names of their own see them."""
    said: dict[str, list[Tree | None]] = {name: [] for name in NAMES[:n_members]}
    for _ in range(draw(st.integers(1, max_sentences))):
        words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6))
        for answers in said.values():
            fails = may_fail and draw(st.integers(0, 4)) == 0
            tree = spoken(draw(trees(len(words), depth=3)), iter(words))
            traced = Tree("S", (Tree("NP", (Tree(TRACE, ("*",)),)), tree))
            answers.append(None if fails else traced if draw(st.integers(0, 3)) == 0 else tree)
    return forests(said)


def spoken(tree: Tree, words: Iterator[str]) -> Tree:
    """Put words at the leaves."""
    if tree.is_tag:
        return Tree(tree.label, (next(words),))
    return Tree(
        tree.label,
        tuple(spoken(child, words) for child in tree.children if isinstance(child, Tree)),
    )


def forests(said: dict[str, list[Tree | None]]) -> Forests:
    names = TreeNames()
    lines = {
        name: ["" if tree is None else str(tree) for tree in answers]
        for name, answers in said.items()
    }
    return Forests(1, {name: TreeTable.parse(texts, names) for name, texts in lines.items()})


def lines_of(batch: Forests) -> dict[str, list[str]]:
    """What each parser said, as bracket text."""
    return {
        name: [str(table.tree_as_read(number) or "") for number in range(len(batch))]
        for name, table in batch.tables.items()
    }


def of_texts(**texts: str) -> Forests:
    """One sentence as parsers see it."""
    return forests({name: [Tree.parse(text) if text else None] for name, text in texts.items()})


def reordered(batch: Forests, names: list[str]) -> Forests:
    return batch.of(names)
