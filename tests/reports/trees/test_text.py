from collections import Counter
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.reports.trees.test_difference import flattened
from tests.strategies import TREES
from vermeil import Tree
from vermeil.formats import read
from vermeil.reports.trees.difference import mark
from vermeil.reports.trees.text import outline, side_by_side

FIRST = Tree.parse("(S (NP (NN p53)) (VP (VBZ binds) (NP (DT the) (NN DNA)) (RB well)) (. .))")
SECOND = Tree.parse("(S (NP (NN p53)) (NP (VBZ binds) (DT the) (NN DNA)) (ADVP (RB well)) (. .))")


def shown(lines: list[object]) -> str:
    return "\n".join(map(str, lines))


def test_one_constituent_a_line() -> None:
    assert shown([*outline(FIRST)]) == (
        "  S\n  ├─ NP  p53\n  ├─ VP  binds\n  │  ├─ NP  the DNA\n  │  └─ well\n  └─ ."
    )


def test_differences_have_a_sign_in_the_first_column() -> None:
    first, second = mark(FIRST, SECOND)
    assert shown([*outline(FIRST, first)]) == (
        "  S\n  ├─ NP  p53\n- ├─ VP  binds\n- │  ├─ NP  the DNA\n  │  └─ well\n  └─ ."
    )
    assert shown([*outline(SECOND, second)]) == (
        "  S\n  ├─ NP  p53\n+ ├─ NP  binds the DNA\n+ ├─ ADVP  well\n  └─ ."
    )


def test_another_label_is_shown_with_both() -> None:
    other = Tree.parse("(S (NP (NN p53)) (NP (VBZ binds)))")
    one = Tree.parse("(S (NP (NN p53)) (VP (VBZ binds)))")
    assert str(outline(one, mark(one, other)[0])[2]) == "~ └─ VP→NP  binds"


def test_parts_of_speech_follow_their_words_when_asked() -> None:
    assert str(outline(FIRST, tags=True)[3]) == "  │  ├─ NP  the/DT DNA/NN"


def test_traces_and_what_holds_only_them_are_not_drawn() -> None:
    tree = Tree.parse("(S (NP (-NONE- *)) (VP (TO to) (-NONE- *) (VB bind)))")
    assert shown([*outline(tree)]) == "  S\n  └─ VP  to bind"
    empty = Tree.parse("(S (NP (-NONE- *)))")
    assert shown([*outline(empty, mark(empty, empty)[0])]) == "  S"


def test_a_failure_is_shown_as_such() -> None:
    assert shown([*outline(None)]) == "  (no parse)"


@given(TREES, st.integers(20, 60), st.booleans())
def test_every_word_and_label_is_there_once_in_order(tree: Tree, width: int, tags: bool) -> None:
    lines = outline(tree, mark(tree, tree)[0] if not tree.is_tag else None, width=width, tags=tags)
    words = " ".join(line.words for line in lines if line.words).split()
    assert [word.split("/")[0] for word in words] == list(tree.words)
    labels = Counter(line.label for line in lines if line.label)
    wanted = Counter([bracket.label for bracket in tree.brackets] or [tree.label])
    assert labels == wanted


@given(TREES)
def test_side_by_side_keeps_the_lines_of_both(tree: Tree) -> None:
    other = flattened(tree)
    pairs = side_by_side(tree, other)
    for side, (one, marks) in enumerate(zip((tree, other), mark(tree, other), strict=True)):
        kept = [str(pair[side]) for pair in pairs if pair[side] is not None]
        assert kept == list(map(str, outline(one, marks)))


@given(TREES)
def test_equal_trees_stand_line_beside_line(tree: Tree) -> None:
    assert all(str(first) == str(second) for first, second in side_by_side(tree, tree))


@pytest.mark.corpus
def test_real_trees_fit_a_terminal(corpora: Path) -> None:
    folder = corpora / "genia-trees"
    for gold, parsed in zip(read(folder / "gold.mrg"), read(folder / "charniak.mrg"), strict=True):
        [first], [second] = gold.trees["gold"], parsed.trees["charniak"]
        for line in outline(first, width=160):
            assert len(str(line)) <= 160
        assert first is not None
        pairs = side_by_side(first, second)
        assert " ".join(a.words for a, _ in pairs if a and a.words).split() == list(first.words)
