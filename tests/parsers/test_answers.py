import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.strategies import TREES
from vermeil import Tree
from vermeil.parsers.answers import Failure, judge


@given(TREES)
def test_a_tree_over_the_words_is_taken_as_it_is_spelt(tree: Tree) -> None:
    assert judge(f" {tree} \r", tree.words) == str(tree)


@given(TREES, st.data())
def test_a_tree_over_other_words_is_not(tree: Tree, data: st.DataObject) -> None:
    words = list(tree.words)
    place = data.draw(st.integers(0, len(words) - 1))
    words[place] += "x"
    failure = judge(str(tree), words)
    wanted = f"word {place + 1} is {tree.words[place]!r}, not {words[place]!r}"
    assert failure == Failure("other words", wanted)


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        ("", Failure("empty answer")),
        ("  ", Failure("empty answer")),
        ("(())", Failure("no parse")),
        ("()", Failure("no parse")),
        ("(S (NN a)", Failure("not a tree", "1 bracket not closed")),
        ("loading", Failure("not a tree", "'loading' stands outside any bracket")),
        ("(NN a) (NN a)", Failure("not a tree", "2 trees on one line")),
        ("(S (NN a) (NN b))", Failure("other words", "2 words, not 1")),
        ("(" * 300, Failure("not a tree", "nested deeper than 250 brackets")),
    ],
)
def test_what_is_no_tree_says_why(answer: str, failure: Failure) -> None:
    assert judge(answer, ["a"]) == failure


def test_escapes_make_no_difference_on_either_side() -> None:
    escaped = r"(NP (NN and\/or) (-LRB- -LRB-))"
    assert judge(escaped, ["and/or", "-LRB-"]) == escaped
    plain = "(NP (NN and/or) (-LRB- -LRB-))"
    assert judge(plain, [r"and\/or", "("]) == plain
