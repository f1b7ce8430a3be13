import hypothesis.strategies as st
from hypothesis import given

from tests.recognise.annotated import marked
from vermeil import Tree
from vermeil.parsers.names_in_trees import Edge, chosen_by_names, name_edges, support
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.rivals.dictionary import DictionaryTagger
from vermeil.recognise.words.knowledge import Resources

GOOD = Tree.parse("(S (NP (PRP We)) (VP (VBD gave) (NP (JJ acetic) (NN acid))))")
FLAT = Tree.parse("(S (NP (PRP We)) (VP (VBD gave) (JJ acetic) (NN acid)))")
CROSSED = Tree.parse("(S (NP (PRP We)) (VP (VBD gave) (JJ acetic)) (NN acid))")
NAME = [Edge(2, 4, "C", 0.75)]


def test_names_are_found_over_words_whose_brackets_may_be_escaped() -> None:
    names = Resources({"C": ["acetic acid", "(AA)"]})
    finder = DictionaryTagger.fit([marked("1", "[C:acetic acid] is")], Recipe(("C",)), names)
    sentences = [["We", "gave", "acetic", "acid-based", "-LRB-AA-RRB-"], [], ["None"]]
    found = name_edges(finder, sentences, least=0.0)
    assert [(edge.start, edge.end) for edge in found[0]] == [(2, 4), (4, 5)]
    assert found[1:] == [[], []]


def test_a_constituent_is_worth_its_confidence_and_a_crossed_name_costs_it() -> None:
    assert [support(tree, NAME) for tree in (GOOD, FLAT, CROSSED)] == [0.75, 0, -0.75]
    assert support(GOOD, [Edge(3, 4, "C", 0.9)]) == 0


def test_the_first_tree_is_the_one_to_beat() -> None:
    assert chosen_by_names([FLAT, GOOD], NAME, margin=0) == 1
    assert chosen_by_names([FLAT, GOOD], NAME, margin=0.8) == 0
    assert chosen_by_names([None, FLAT, FLAT], NAME, margin=0) == 1
    assert chosen_by_names([None, None], NAME, margin=0) == -1
    assert chosen_by_names([FLAT, CROSSED], [], margin=0) == 0


@given(
    st.lists(
        st.builds(
            lambda start, length: Edge(start, start + length, "C", 0.5),
            st.integers(0, 3),
            st.integers(1, 4),
        ),
        max_size=6,
    )
)
def test_support_is_that_of_word_sets_written_out(edges: list[Edge]) -> None:
    for tree in (GOOD, FLAT, CROSSED):
        sets = [set(range(each.start, each.end)) for each in tree.brackets]
        wanted = 0.0
        for edge in edges:
            name = set(range(edge.start, edge.end))
            if len(name) > 1:
                crossed = any(name & own and name - own and own - name for own in sets)
                wanted += edge.confidence * ((name in sets) - crossed)
        assert support(tree, edges) == wanted
