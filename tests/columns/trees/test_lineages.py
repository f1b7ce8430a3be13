"""Leaf-ancestor scores: against a plain dynamic programme over lineages walked one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.trees import naive
from tests.scoring.trees.same_words import Pairs, forests, parsed_tables, tables, trees
from vermeil import Tree
from vermeil.columns.trees.lineages import Costs, Lineages, leaf_ancestor, mean_by_sentence
from vermeil.columns.trees.table import TreeTable

COSTS = (
    Costs(),
    Costs(2.0),
    Costs(0.5),
    Costs(0.0),
    Costs(3.0),
    Costs(1.0, {("NP", "VP"): 0.25}),
    Costs(2.0, {("NP", "VP"): 0.5, ("S", "nowhere"): 0.0}),
    Costs(0.5, {("VP", "S"): 7.0}),
)


@given(st.integers(1, 7).flatmap(trees))
def test_lineages_are_those_found_by_walking_up(tree: Tree) -> None:
    found = Lineages.of(TreeTable.of([tree]))
    assert [found.spelt(word) for word in range(len(tree.words))] == naive.lineages(tree)


def test_the_boundaries_stand_at_the_highest_that_begins_and_ends_on_a_word() -> None:
    found = Lineages.of(TreeTable.parse(["(S (NP (NP (NN a)) (PP (IN of) (NP (NN b)))) (NN c))"]))
    assert [" ".join(found.spelt(word)) for word in range(4)] == [
        "NP ] NP [ S",
        "[ PP NP S",
        "[ NP PP NP ] S",
        "S ]",
    ]


@pytest.mark.parametrize("costs", COSTS)
@given(pairs=forests())
def test_scores_are_those_of_the_plain_dynamic_programme(costs: Costs, pairs: Pairs) -> None:
    gold, parsed = tables(pairs)
    found = leaf_ancestor(Lineages.of(gold), Lineages.of(parsed), costs).tolist()
    wanted: list[float] = []
    for one, other in pairs:
        if one is not None and other is not None:
            wanted.extend(naive.leaf_ancestor(one, other, price_of(costs)))
        elif one is not None:
            wanted.extend([0.0] * len(one.words))
    assert found == pytest.approx(wanted)


def price_of(costs: Costs) -> naive.Price:
    prices = {pair: cost for (a, b), cost in costs.pairs.items() for pair in ((a, b), (b, a))}
    return lambda a, b: prices.get((a, b), costs.substitution)


def test_long_lineages_are_scored_in_several_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = parsed_tables(
        "(S (NP (NN a)) (VP (VB b)) (NN c))", "(S (VP (NP (NN a)) (VB b)) (S (NN c)))"
    )
    whole = leaf_ancestor(Lineages.of(one), Lineages.of(other), Costs(0.5)).tolist()
    monkeypatch.setattr("vermeil.columns.trees.lineages._CHUNK", 1)
    assert leaf_ancestor(Lineages.of(one), Lineages.of(other), Costs(0.5)).tolist() == whole


def test_a_wrong_label_costs_one_edit_and_by_sampson_two() -> None:
    one, other = (
        Lineages.of(each) for each in parsed_tables("(A (NN a) (NN b))", "(B (NN a) (NN b))")
    )
    assert leaf_ancestor(one, other).tolist() == [0.75, 0.75]
    assert leaf_ancestor(one, other, Costs(2.0)).tolist() == [0.5, 0.5]
    assert leaf_ancestor(one, other, Costs(1.0, {("B", "A"): 0.0})).tolist() == [1.0, 1.0]


def test_tags_are_the_lowest_labels_where_they_take_part() -> None:
    one, other = (
        Lineages.of(each, with_tags=True)
        for each in parsed_tables("(A (NN a) (NN b))", "(A (NNP a) (NN b))")
    )
    assert [one.spelt(0), other.spelt(0)] == [["NN", "[", "A"], ["NNP", "[", "A"]]
    assert leaf_ancestor(one, other).tolist() == pytest.approx([5 / 6, 1])
    cheap = Costs(1.0, {("NN", "NNP"): 0.5})
    assert leaf_ancestor(one, other, cheap).tolist() == pytest.approx([11 / 12, 1])


def test_words_without_anything_above_them_agree() -> None:
    one, other, third = parsed_tables("(NN a)", "(JJ a)", "(NP (NN a))")
    assert leaf_ancestor(Lineages.of(one), Lineages.of(other)).tolist() == [1.0]
    assert leaf_ancestor(Lineages.of(one), Lineages.of(third)).tolist() == [0.0]


@given(forests())
def test_swapping_the_sides_changes_nothing(pairs: Pairs) -> None:
    both = [(one, other) for one, other in pairs if one is not None and other is not None]
    gold, parsed = map(Lineages.of, tables([*both]))
    for costs in COSTS:
        there, back = leaf_ancestor(gold, parsed, costs), leaf_ancestor(parsed, gold, costs)
        assert there.tolist() == pytest.approx(back.tolist())


def test_the_mean_of_a_sentence_without_words_is_undefined() -> None:
    table = TreeTable.parse(["(S (NN a) (NN b))", "(())"])
    lineages = Lineages.of(table)
    mean = mean_by_sentence(leaf_ancestor(lineages, lineages), table)
    assert str(mean.tolist()) == "[1.0, nan]"
