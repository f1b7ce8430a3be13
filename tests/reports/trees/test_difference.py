from collections import Counter

import pytest
from hypothesis import assume, given

from tests.strategies import TREES
from vermeil import Tree
from vermeil.reports.trees.difference import Status, mark


def relabelled(tree: Tree) -> Tree:
    children = tuple(relabelled(each) if isinstance(each, Tree) else each for each in tree.children)
    return Tree(tree.label + "X", children) if not tree.is_tag else tree


def flattened(tree: Tree) -> Tree:
    leaves = tuple(Tree(tag, (word,)) for tag, word in tree.leaves())
    return Tree("NP", leaves)


@given(TREES)
def test_a_tree_differs_in_nothing_from_itself(tree: Tree) -> None:
    first, second = mark(tree, tree)
    assert first == second
    assert tuple(each.bracket for each in first) == tree.brackets
    assert {each.status for each in first} <= {Status.SHARED}


@given(TREES)
def test_shared_brackets_are_those_of_the_multisets(tree: Tree) -> None:
    other = flattened(tree)
    shared = Counter(tree.brackets) & Counter(other.brackets)
    for marks in mark(tree, other):
        found = Counter(each.bracket for each in marks if each.status is Status.SHARED)
        assert found == shared


@given(TREES)
def test_swapping_the_trees_swaps_the_sides(tree: Tree) -> None:
    other = flattened(tree)
    swap = {Status.FIRST: Status.SECOND, Status.SECOND: Status.FIRST}
    there = [(each.bracket, each.status, each.other) for each in mark(tree, other)[0]]
    back = [(each.bracket, each.status, each.other) for each in mark(other, tree)[1]]
    assert there == [(bracket, swap.get(status, status), label) for bracket, status, label in back]


@given(TREES)
def test_another_label_on_the_same_span_is_called_so(tree: Tree) -> None:
    first, second = mark(tree, relabelled(tree))
    assert {each.status for each in (*first, *second)} <= {Status.RELABELLED}
    assert all(each.caption == f"{each.bracket.label}→{each.other}" for each in first)


@given(TREES)
def test_a_failure_has_no_brackets(tree: Tree) -> None:
    nothing, only = mark(None, tree)
    assert nothing == ()
    assert {each.status for each in only} <= {Status.SECOND}
    assert len(only) == len(tree.brackets)


@given(TREES, TREES)
def test_other_words_are_refused_with_both(tree: Tree, other: Tree) -> None:
    assume(tree.words != other.words)
    with pytest.raises(ValueError, match=r"word \d+ is '.*' in the first and|words, the second"):
        mark(tree, other)
