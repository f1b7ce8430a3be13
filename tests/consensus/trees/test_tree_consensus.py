"""What every way to combine trees keeps to: the table is the list of what is tested."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings

from tests.consensus.trees.voices import lines_of, of_texts, reordered, voices
from tests.scoring.trees.naive import cross
from vermeil.columns.trees.table import TreeTable
from vermeil.consensus.trees import TREE_CONSENSUS, TreeOptions, get_tree_method
from vermeil.consensus.trees.ensembles import Combined, Ensemble
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.forests import Forests
from vermeil.tree import Tree

# Learning takes its time.
FEW = settings(max_examples=10)
STEPS = ("clegg", "none", "functions", "traces")


def combined(
    batch: Forests, by: str, *, steps: tuple[str, ...] = ("clegg",), **options: object
) -> Combined:
    ensemble = Ensemble(by, steps=steps, options=TreeOptions(**options))  # type: ignore[arg-type]
    return ensemble.combine(batch, ensemble.learn([batch]))


@pytest.mark.parametrize("by", TREE_CONSENSUS)
@FEW
@given(batch=voices())
def test_every_sentence_somebody_parsed_has_a_tree_over_the_same_words(
    by: str, batch: Forests
) -> None:
    found = combined(batch, by)
    for number, tree in enumerate(found.trees):
        said = [Tree.parse(lines[number]) for lines in lines_of(batch).values() if lines[number]]
        assert (tree is None) == (not said)
        if tree is not None:
            assert tree.words == said[0].words
            assert Tree.parse(str(tree)) == tree
            assert not any(cross(a, b) for a, b in combinations(tree.brackets, 2))


@pytest.mark.parametrize("by", TREE_CONSENSUS)
@FEW
@given(batch=voices(may_fail=False))
def test_what_is_unanimous_is_kept(by: str, batch: Forests) -> None:
    found = combined(batch, by)
    table = TreeTable.of(found.trees, next(iter(batch.tables.values())).names)
    [made] = Forests(1, {"made": table}).prepared(["clegg"]).values()
    members = [bracket_sets(each) for each in found.prepared.values()]
    for number, brackets in enumerate(bracket_sets(made)):
        assert brackets >= set.intersection(*(each[number] for each in members))


@pytest.mark.parametrize("by", TREE_CONSENSUS)
@FEW
@given(batch=voices(n_members=2, may_fail=False, max_sentences=1))
def test_equal_trees_are_given_back(by: str, batch: Forests) -> None:
    [line] = lines_of(batch)["anna"]
    found = combined(of_texts(anna=line, ben=line, cleo=line), by)
    [tree] = found.trees
    assert tree is not None
    [again] = bracket_sets(prepared(tree))
    [before] = bracket_sets(prepared(Tree.parse(line)))
    assert again == before
    trust = found.decision.trust[0]
    assert np.isnan(trust) or (0.9 if by == "best" else 1) <= trust + 1e-9 <= 1 + 2e-9


@pytest.mark.parametrize("by", sorted({*TREE_CONSENSUS} - {"fallback"}))
@FEW
@given(batch=voices(max_sentences=2))
def test_the_order_of_members_decides_nothing_but_ties(by: str, batch: Forests) -> None:
    usual = combined(batch, by)
    other = combined(reordered(batch, ["cleo", "anna", "ben"]), by)
    trust = other.decision.trust.tolist()
    if not usual.decision.tied.any():
        assert trust == pytest.approx(usual.decision.trust.tolist(), nan_ok=True)
    for one, two, tied in zip(usual.trees, other.trees, usual.decision.tied, strict=True):
        # Trees may be the same once prepared and yet be written otherwise.
        if not tied and one is not None and two is not None:
            assert bracket_sets(prepared(one)) == bracket_sets(prepared(two))


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("by", ["vote", "best"])
@FEW
@given(batch=voices())
def test_trees_can_be_made_after_any_preparation(by: str, steps: str, batch: Forests) -> None:
    try:
        found = combined(batch, by, steps=(steps,))
    except UsageError:
        return  # some parsers have traces
    for number, tree in enumerate(found.trees):
        said = [Tree.parse(lines[number]) for lines in lines_of(batch).values() if lines[number]]
        assert tree is None or tree.words == said[0].words


@pytest.mark.parametrize("quorum", [0.0, 0.3, 0.5, 0.7, 1.0])
@FEW
@given(batch=voices())
def test_any_quorum_gives_trees_and_a_higher_one_no_more_brackets(
    quorum: float, batch: Forests
) -> None:
    found = combined(batch, "vote", quorum=quorum)
    for tree, at_half in zip(found.trees, combined(batch, "vote").trees, strict=True):
        assert (tree is None) == (at_half is None)
        if tree is not None and at_half is not None:
            assert not any(cross(a, b) for a, b in combinations(tree.brackets, 2))
            if quorum >= 0.5:
                assert len(tree.brackets) <= len(at_half.brackets)
            else:
                assert len(tree.brackets) >= len(at_half.brackets)


def test_a_vote_wants_more_than_the_quorum_and_all_at_one() -> None:
    batch = of_texts(
        anna="(S (NP (NN a) (NN b)) (NN c))",
        ben="(S (NP (NN a) (NN b)) (NN c))",
        cleo="(S (NN a) (VP (NN b) (NN c)))",
    )
    with_np, bare = "(TOP (S (NP (NN a) (NN b)) (NN c)))", "(TOP (S (NN a) (NN b) (NN c)))"
    assert [str(tree) for tree in combined(batch, "vote").trees] == [with_np]
    assert [str(tree) for tree in combined(batch, "vote", quorum=2 / 3).trees] == [bare]
    assert [str(tree) for tree in combined(batch, "vote", quorum=1.0).trees] == [bare]
    weighted = combined(batch, "vote", weights={"cleo": 3.0})
    assert [str(tree) for tree in weighted.trees] == ["(TOP (S (NN a) (VP (NN b) (NN c))))"]


def test_fallback_takes_the_first_that_parsed() -> None:
    batch = of_texts(anna="", ben="(NP (NN a))", cleo="(S (NN a))")
    assert [str(tree) for tree in combined(batch, "fallback").trees] == ["(NP (NN a))"]


def test_an_unknown_method_is_refused_with_the_likely_one() -> None:
    with pytest.raises(
        UnknownNameError, match="no way to combine trees named 'votes'; did you mean"
    ):
        get_tree_method("votes")


def prepared(tree: Tree) -> TreeTable:
    return Forests(1, {"it": TreeTable.of([tree])}).prepared(["clegg"])["it"]


def bracket_sets(table: TreeTable) -> list[set[tuple[int, int, str]]]:
    found: list[set[tuple[int, int, str]]] = [set() for _ in range(len(table))]
    labels = table.names.labels.names
    for row, sentence in enumerate(table.sentence.tolist()):
        origin = int(table.first_word[sentence])
        bracket = int(table.start[row]) - origin, int(table.end[row]) - origin
        found[sentence].add((*bracket, labels[table.label[row]]))
    return found
