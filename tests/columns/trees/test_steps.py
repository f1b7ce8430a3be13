"""What is done to trees before they are compared: each step against a naive one over nodes."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vermeil import Tree
from vermeil.columns.trees.steps import (
    COLLINS_TAGS,
    PRESETS,
    PUNCTUATION,
    ROOTS,
    STEPS,
    named,
    prepare,
)
from vermeil.columns.trees.table import TreeTable
from vermeil.errors import UnknownNameError
from vermeil.tree import TRACE, parse_all, unescape

LABELS = ("NP", "NP-SBJ-1", "NP=2", "S", "TOP", "S1", "NX", "NAC-X", "NAC", "PRT", "-X-Y")
LEAVES = (
    *(("NN", "p53"), (".", "."), (",", ","), ("NN", ";"), (TRACE, "*"), ("PRT", "up"), (":", "-")),
)
TREES = st.recursive(
    st.sampled_from(LEAVES).map(lambda leaf: Tree(leaf[0], (leaf[1],))),
    lambda inner: st.builds(
        Tree, st.sampled_from(LABELS), st.lists(inner, min_size=1, max_size=3).map(tuple)
    ),
    max_leaves=8,
)
FORESTS = st.lists(st.none() | TREES, max_size=4)
RENAMED = {
    "functions": {"NP-SBJ-1": "NP", "NP=2": "NP", "NAC-X": "NAC", "-X-Y": "-X"},
    "nominals": {"NX": "NP", "NAC": "NP"},
    "collins-labels": {"PRT": "ADVP"},
}


class Described(NamedTuple):
    """What a forest says, all its sentences on one axis."""

    words: list[tuple[str, str]]
    brackets: list[tuple[int, int, str]]
    paths: list[list[str]]


@pytest.mark.parametrize(
    ("step", "before", "after"),
    [
        ("traces", "(S (NP (-NONE- *)) (VP (TO to)))", "(S (VP (TO to)))"),
        ("prune", "(S (NP (NN a)) (VP (TO to)))", "(S (NP (NN a)) (VP (TO to)))"),
        ("functions", "(S=1 (NP-SBJ-2 (NN-X a)))", "(S (NP (NN-X a)))"),
        ("functions", "(S (-X-Y (NN a)))", "(S (-X (NN a)))"),
        ("root", "(S1 (S (NN a)))", "(S (NN a))"),
        ("root", "(S (TOP (NN a)))", "(S (TOP (NN a)))"),
        ("root", "(TOP (S (NN a)) (S (NN b)))", "(S (NN a)) (S (NN b))"),
        ("nominals", "(NX (NAC (NX a)))", "(NP (NP (NX a)))"),
        ("punctuation", "(S (NP (NN ;) (, a)) (X (. .)))", "(S (NP (, a)))"),
        ("punctuation", "(S (-LRB- -LRB-) (NN -) (NN '))", "(S (-LRB- -LRB-) (NN -) (NN '))"),
        ("repeats", "(NP (NP (NP (NN a))))", "(NP (NN a))"),
        ("repeats", "(NP (VP (NP (NN a))))", "(NP (VP (NP (NN a))))"),
        ("repeats", "(NP (NP (NN a)) (NN b))", "(NP (NP (NN a)) (NN b))"),
        ("collins-words", "(S (NN a) (: ;) (`` x) ('' x) (NN .) (-NONE- 0))", "(S (NN a) (NN .))"),
        ("top", "(S1 (TOP (S (TOP (NN a)))))", "(S1 (S (NN a)))"),
        ("collins-labels", "(S (PRT (PRT up)))", "(S (ADVP (ADVP up)))"),
    ],
)
def test_each_step_does_one_thing(step: str, before: str, after: str) -> None:
    wanted = described([tree for tree in parse_all(after) if tree is not None])
    assert told(prepare(TreeTable.parse([before]), [step])) == wanted


def test_clegg_is_done_in_the_order_that_reproduces_the_paper() -> None:
    line = "(S1 (S (NP-SBJ (NP (NN a)) (, ,)) (NX (NAC (NN b))) (VP (NP (-NONE- *)) (. .)) (. .)))"
    wanted = described([Tree.parse("(S (NP (NN a)) (NP (NN b)))")])
    assert told(prepare(TreeTable.parse([line]), ["clegg"])) == wanted
    order = "traces prune functions root nominals punctuation prune repeats"
    assert " ".join(named(["clegg"])) == order


def test_presets_and_steps_can_be_mixed_and_names_are_checked() -> None:
    assert named(["none", "traces", "evalb"]) == ["traces", *PRESETS["evalb"]]
    with pytest.raises(UnknownNameError, match="no step named 'cleg'; did you mean 'clegg'"):
        named(["cleg"])


# Not ``root``: a root under a root is the topmost once the first is gone.
@pytest.mark.parametrize("name", sorted({*STEPS, "evalb"} - {"root"}))
@given(FORESTS)
def test_doing_a_step_again_changes_nothing(name: str, trees: list[Tree | None]) -> None:
    once = prepare(TreeTable.of(trees), [name])
    assert told(prepare(once, [name])) == told(once)


@given(FORESTS, st.lists(st.sampled_from(sorted({*STEPS, *PRESETS})), max_size=4))
def test_steps_do_to_tables_what_naive_ones_do_to_trees(
    trees: list[Tree | None], chosen: list[str]
) -> None:
    # What counts as an only daughter is settled once empty ones are gone.
    steps = [
        step
        for each in named(chosen)
        for step in (("prune", each) if each == "repeats" else (each,))
    ]
    table = prepare(TreeTable.of(trees), steps)
    nodes = [tree for tree in trees if tree is not None]
    for step in steps:
        nodes = [new for node in nodes for new in naive(step, node, is_top=True)]
    assert told(table) == described(nodes)
    assert len(table.label) == sum(n_constituents(node) for node in nodes)
    assert table.failed.tolist() == [tree is None for tree in trees]


def naive(step: str, node: Tree, *, is_top: bool = False) -> list[Tree]:
    """Do a step to a node; give what stands in its place."""
    if node.is_tag:
        word = str(node.children[0])
        gone = (
            (step == "traces" and node.label == TRACE)
            or (step == "punctuation" and word in PUNCTUATION)
            or (step == "collins-words" and node.label in COLLINS_TAGS)
        )
        tag = RENAMED[step].get(node.label, node.label) if step == "collins-labels" else node.label
        return [] if gone else [Tree(tag, (word,))]
    children = [
        new for child in node.children if isinstance(child, Tree) for new in naive(step, child)
    ]
    gone = (
        (step == "prune" and not list(node.leaves()))
        or (step == "root" and is_top and node.label in ROOTS)
        or (step == "top" and node.label in ("TOP", *COLLINS_TAGS))
        or (
            step == "repeats"
            and [(each.label, each.is_tag) for each in children] == [(node.label, False)]
        )
    )
    label = RENAMED.get(step, {}).get(node.label, node.label)
    return children if gone else [Tree(label, tuple(children))]


def n_constituents(node: Tree) -> int:
    below = sum(n_constituents(child) for child in node.children if isinstance(child, Tree))
    return 0 if node.is_tag else 1 + below


def described(nodes: list[Tree]) -> Described:
    """Walk nodes; constituents without words are not told."""
    found = Described([], [], [])

    def visit(node: Tree, above: list[str]) -> None:
        if node.is_tag:
            found.words.append((node.label, unescape(str(node.children[0]))))
            found.paths.append(above)
            return
        start, place = len(found.words), len(found.brackets)
        for child in node.children:
            assert isinstance(child, Tree)
            visit(child, [node.label, *above])
        if len(found.words) > start:
            found.brackets.insert(place, (start, len(found.words), node.label))

    for node in nodes:
        visit(node, [])
    return found


def told(table: TreeTable) -> Described:
    """The same of a table: brackets by their spans, paths by ``above`` and ``parent``."""
    labels, words = table.names.labels.names, table.names.words.names

    def path(row: int) -> list[str]:
        return [] if row < 0 else [labels[table.label[row]], *path(int(table.parent[row]))]

    rows = zip(table.start.tolist(), table.end.tolist(), table.label.tolist(), strict=True)
    return Described(
        [(labels[tag], words[word]) for tag, word in zip(table.tag, table.word, strict=True)],
        [(start, end, labels[label]) for start, end, label in rows if start < end],
        [path(row) for row in table.above.tolist()],
    )
