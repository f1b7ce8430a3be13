from itertools import pairwise
from xml.etree import ElementTree

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.reports.trees.test_difference import flattened
from tests.strategies import TREES
from vermeil import Tree
from vermeil.reports.trees.svg import LETTER, Exhibit, draw

SVG = "{http://www.w3.org/2000/svg}"
ONE = Tree.parse("(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))")
TWO = Tree.parse("(S (NP (NN p53)) (NP (VBZ binds) (NN DNA)))")


def pieces(svg: str, kind: str = "text") -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter(SVG + kind))


def texts(svg: str) -> list[str | None]:
    return [each.text for each in pieces(svg)]


def test_a_tree_has_its_labels_tags_and_words() -> None:
    svg = draw([Exhibit("sentence 1", ("gold",), (ONE,))])
    drawn = texts(svg)
    assert drawn[:2] == ["sentence 1", "gold"]
    assert sorted(map(str, drawn[2:])) == sorted(
        ["S", "NP", "NN", "VP", "VBZ", "NP", "NN", "p53", "binds", "DNA"]
    )


def test_differences_have_a_sign_and_a_legend() -> None:
    drawn = texts(draw([Exhibit("sentence 1", ("gold", "ours"), (ONE, TWO))]))
    for wanted in ("- only in gold", "+ only in ours", "~ VP→NP", "~ NP→VP", "- NP"):
        assert wanted in drawn


def test_a_failure_is_drawn_as_such() -> None:
    drawn = texts(draw([Exhibit("sentence 1", ("gold", "ours"), (ONE, None))]))
    assert "no parse" in drawn
    assert drawn.count("p53") == 1


@pytest.mark.parametrize("odd", ["<&>", "\"'", "\x00\x1b", "]]>", "😀"])
def test_any_text_makes_good_xml(odd: str) -> None:
    tree = Tree("S<", (Tree("N&", (odd,)),))
    svg = draw([Exhibit(odd, (odd,), (tree,))])
    assert "N&" in texts(svg)
    assert ElementTree.fromstring(svg).get("role") == "img"


def test_nothing_is_fetched_and_nothing_runs() -> None:
    svg = draw([Exhibit("sentence 1", ("gold", "ours"), (ONE, TWO))])
    assert svg.count("http") == 1  # the name space
    assert not any(each in svg for each in ("<script", "url(", "@import", "href", "<image"))


@given(TREES)
def test_words_of_two_trees_stand_in_the_same_columns(tree: Tree) -> None:
    svg = draw([Exhibit("sentence 1", ("a", "b"), (tree, flattened(tree)))])
    words = [each for each in pieces(svg) if each.get("class") is None and each.text in tree.words]
    assert [each.text for each in words] == [*tree.words, *tree.words]
    places = [each.get("x") for each in words]
    assert places[: len(tree.words)] == places[len(tree.words) :]


LONG = Tree.parse("(S (ADJP-TPC-1 (JJ a)) (ADVP-TMP (RB b)) (NP (NP-LGS (NN c)) (PRN (NN d))))")


@given(TREES, st.booleans())
def test_no_text_touches_another_or_leaves_the_picture(tree: Tree, swapped: bool) -> None:
    trees = (flattened(tree), tree) if swapped else (tree, flattened(tree))
    assert_roomy(draw([Exhibit("sentence 1", ("a", "b"), trees)]))


@pytest.mark.parametrize("trees", [(LONG, flattened(LONG)), (flattened(LONG), LONG)])
def test_long_labels_over_short_words_get_their_room(trees: tuple[Tree, Tree]) -> None:
    assert_roomy(draw([Exhibit("sentence 1", ("a", "b"), trees)]))


def assert_roomy(svg: str) -> None:
    rows: dict[str, list[tuple[float, float]]] = {}
    for each in pieces(svg):
        if each.get("class") not in ("title", "name"):
            half = len(each.text or "") * LETTER / 2
            place = float(each.get("x", "nan"))
            rows.setdefault(each.get("y", ""), []).append((place - half, place + half))
    for row in rows.values():
        assert all(one[1] < next_one[0] for one, next_one in pairwise(sorted(row)))
    width = float(ElementTree.fromstring(svg).get("width", "nan"))
    assert all(left >= 0 and right <= width for row in rows.values() for left, right in row)


def test_other_words_are_refused() -> None:
    with pytest.raises(ValueError, match="word 1 is 'p53' in the first and 'p52' in the second"):
        draw([Exhibit("1", ("a", "b"), (Tree.parse("(S (NN p53))"), Tree.parse("(S (NN p52))")))])
