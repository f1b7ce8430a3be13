import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.strategies import TREES
from vermeil import Tree
from vermeil.parsers.answers import judge
from vermeil.programs import Failure


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


def test_words_that_a_parser_splits_are_whole_again() -> None:
    words = ["differentiation/activation", "of", "T-cell", "(CD4+)", "lines"]
    answer = (
        "(NP (NP (NN differentiation) (SYM /) (NN activation)) (PP (IN of) (NP (NP (NN T) "
        "(HYPH -)) (NN cell) (PRN (-LRB- -LRB-) (NN CD4+) (-RRB- -RRB-)) (NNS lines))))"
    )
    assert judge(answer, words) == (
        "(NP (NP (NN differentiation/activation)) (PP (IN of) (NP (NN T-cell) "
        "(PRN (NN -LRB-CD4+-RRB-)) (NNS lines))))"
    )


def test_a_bracket_that_ends_inside_a_word_leaves_it_out() -> None:
    assert judge("(S (NP (NN a) (NN b)) (VP (VB c) (NN d)))", ["a", "bc", "d"]) == (
        "(S (NP (NN a)) (VB bc) (VP (NN d)))"
    )


def test_pieces_that_spell_other_words_are_other_words() -> None:
    assert judge("(S (NN a) (NN bx))", ["ab"]) == Failure("other words", "word 1 is 'a', not 'ab'")
    assert isinstance(judge("(S (NN a) (NN b) (NN c))", ["ab"]), Failure)
    assert isinstance(judge("(S (NP (-NONE- *)) (NN a) (NN b))", ["ab"]), Failure)
