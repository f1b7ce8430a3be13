"""Members, cascades, and combined trees over all the words that preparation dropped."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.consensus.trees.voices import forests, lines_of, of_texts, voices
from vermeil.columns.trees.table import TreeTable
from vermeil.consensus.trees import TREE_CONSENSUS
from vermeil.consensus.trees.ensembles import Ensemble
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.forests import Forests
from vermeil.tree import Tree, assemble, parse_line


@given(voices(n_members=1, max_sentences=1, may_fail=False))
def test_a_tree_assembled_of_its_own_brackets_is_the_tree(batch: Forests) -> None:
    tree = Tree.parse(lines_of(batch)["anna"][0].replace("(NP (-NONE- *)) ", ""))
    assert assemble(list(tree.leaves()), tree.brackets).children == (tree,)


def test_punctuation_goes_inside_the_smallest_constituent_on_both_sides_of_it() -> None:
    text = "(S (NP (NN a) (, ,) (NN b)) (, ,) (VP (VB c)) (. .))"
    other = text.replace("VB ", "VBP ")
    batch = of_texts(anna=text, ben=text, cleo=other)
    [tree] = Ensemble("vote").combine(batch, None).trees
    assert str(tree) == "(TOP (S (NP (NN a) (, ,) (NN b)) (, ,) (VP (VB c))) (. .))"


def test_traces_do_not_come_back_and_what_held_only_them_goes() -> None:
    text = "(S (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB bind) (NP (-NONE- *T*)))))"
    batch = of_texts(anna=text, ben=text, cleo=text.replace("-SBJ", ""))
    for steps in ("clegg", "none"):
        [tree] = Ensemble("vote", steps=(steps,)).combine(batch, None).trees
        assert str(tree) == "(TOP (S (VP (TO to) (VP (VB bind)))))"


@pytest.mark.parametrize("root", ["TOP", "S1", "ROOT"])
def test_a_root_that_is_there_is_not_added(root: str) -> None:
    text = f"({root} (S (NP (NN a)) (VP (VB c))))"
    batch = of_texts(anna=text, ben=text, cleo=text.replace("VB ", "VBP "))
    [tree] = Ensemble("vote", steps=("none",)).combine(batch, None).trees
    assert str(tree) == text


@pytest.mark.parametrize("steps", ["none", "clegg", "evalb"])
@pytest.mark.parametrize("by", sorted(TREE_CONSENSUS))
@given(batch=voices(n_members=1), n=st.integers(1, 3))
def test_identical_parsers_give_back_their_tree(
    by: str, steps: str, batch: Forests, n: int
) -> None:
    [lines] = lines_of(batch).values()
    everybody = forests({f"p{k}": [parse_line(line) for line in lines] for k in range(n)})
    ensemble = Ensemble(by, steps=(steps,))
    trees = ensemble.combine(everybody, ensemble.learn([everybody])).trees
    assert ["" if tree is None else str(tree) for tree in trees] == lines


def test_a_tree_of_nothing_but_traces_stays_as_it_is() -> None:
    text = "(S (NP (-NONE- *)))"
    [tree] = Ensemble("vote").combine(of_texts(anna=text, ben=text), None).trees
    assert str(tree) == text


def test_words_are_spelt_as_the_first_parser_spells_them() -> None:
    batch = of_texts(anna="", ben="(S (NN and\\/or))", cleo="(S (NN and/or))")
    [tree] = Ensemble("vote").combine(batch, None).trees
    assert str(tree) == "(TOP (S (NN and\\/or)))"


def test_a_cascade_is_a_member_in_place_of_its_parts() -> None:
    batch = forests(
        {
            "anna": [None, Tree.parse("(NP (NN b))"), None],
            "ben": [Tree.parse("(S (NN a))"), Tree.parse("(S (NN b))"), None],
            "cleo": [None, None, None],
        }
    )
    members = Ensemble(cascades={"both": ("anna", "ben")}).gather(batch)
    assert lines_of(members) == {"cleo": ["", "", ""], "both": ["(S (NN a))", "(NP (NN b))", ""]}
    named = Ensemble(members=("ben", "both"), cascades={"both": ("anna", "ben")}).gather(batch)
    assert list(named.tables) == ["ben", "both"]


def test_unknown_members_and_parts_are_refused() -> None:
    batch = of_texts(anna="(S (NN a))", ben="(S (NN a))")
    with pytest.raises(UnknownNameError, match="no parser named 'bem'; did you mean 'ben'"):
        Ensemble(members=("bem",)).gather(batch)
    with pytest.raises(UnknownNameError, match="no parser named 'bem'"):
        Ensemble(cascades={"x": ("anna", "bem")}).gather(batch)


def test_there_must_be_something_to_learn_from() -> None:
    with pytest.raises(UsageError, match="there is no sentence to learn from"):
        Ensemble("best").learn([])
    assert Ensemble("vote").learn([]) is None


@settings(max_examples=10)
@given(voices(max_sentences=4))
def test_batches_make_the_trees_the_whole_makes(batch: Forests) -> None:
    parts = [
        Forests(
            1 + number,
            {
                name: TreeTable.of([table.tree_as_read(number)], table.names)
                for name, table in batch.tables.items()
            },
        )
        for number in range(len(batch))
    ]
    ensemble = Ensemble("best")
    whole = ensemble.combine(batch, ensemble.learn([batch]))
    learned = ensemble.learn(parts)
    assert [tree for each in parts for tree in ensemble.combine(each, learned).trees] == whole.trees
