import pytest
from hypothesis import given

from tests.strategies import TREES
from vermeil import Tree
from vermeil.tree import Bracket, escape, parse_all, unescape


@given(TREES)
def test_brackets_read_back_as_the_same_tree(tree: Tree) -> None:
    assert Tree.parse(str(tree)) == tree


@given(TREES)
def test_brackets_agree_with_a_naive_count(tree: Tree) -> None:
    assert sorted(tree.brackets) == sorted(naive_brackets(tree))


def naive_brackets(tree: Tree) -> list[Bracket]:
    """Number the leaves, then ask each node for its first and last."""
    found: list[Bracket] = []
    counter = iter(range(10_000))

    def visit(node: Tree) -> list[int]:
        if node.is_tag:
            return [next(counter)]
        numbers = [n for child in node.children if isinstance(child, Tree) for n in visit(child)]
        found.append(Bracket(numbers[0], numbers[-1] + 1, node.label))
        return numbers

    visit(tree)
    return found


def test_traces_are_in_the_tree_but_not_among_the_words() -> None:
    tree = Tree.parse("(S (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB bind))))")
    assert tree.words == ("to", "bind")
    assert tree.brackets == ((0, 2, "S"), (0, 2, "VP"), (1, 2, "VP"))


def test_escapes_are_undone_in_words_and_kept_in_the_tree() -> None:
    tree = Tree.parse("(NP (-LRB- -LRB-) (NN and\\/or) (-RRB- -RRB-))")
    assert tree.words == ("(", "and/or", ")")
    assert str(tree) == "(NP (-LRB- -LRB-) (NN and\\/or) (-RRB- -RRB-))"
    assert unescape(escape("[3H](x)")) == "[3H](x)"


def test_a_root_without_a_name_is_called_top() -> None:
    assert str(Tree.parse("( (S (NN a)))")) == "(TOP (S (NN a)))"


def test_failures_are_none() -> None:
    assert parse_all("(())\n(S (NN a))\n()") == [None, Tree.parse("(S (NN a))"), None]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("(S (NN a)", "1 bracket not closed"),
        ("(S (NN a)))", "closing bracket without"),
        ("a (S (NN a))", "'a' stands outside"),
        ("(S)", r"\(S\) holds no word"),
        ("(S a b)", "several words"),
        ("(S a (NN b))", "mixes words"),
        ("", "wanted one tree, found none"),
        ("(())", "wanted one tree, found none"),
        ("(S (NN a)) (S (NN b))", "found 2"),
        ("(X " * 10_000 + "a" + ")" * 10_000, "nested deeper than"),
    ],
)
def test_broken_brackets_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Tree.parse(text)


def test_the_deepest_tree_allowed_can_be_used() -> None:
    from vermeil.tree import MAX_DEPTH

    text = "(X " * (MAX_DEPTH - 1) + "(NN a)" + ")" * (MAX_DEPTH - 1)
    tree = Tree.parse(text)
    assert (str(tree), len(tree.brackets), hash(tree)) == (
        text,
        MAX_DEPTH - 1,
        hash(Tree.parse(text)),
    )
