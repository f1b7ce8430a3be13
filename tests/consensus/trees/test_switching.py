"""The tree in the middle: totals by hand, ties, and closeness from 0 to 1."""

import numpy as np
import pytest
from hypothesis import given

from tests.consensus.trees.voices import lines_of, of_texts, voices
from tests.scoring.trees import naive
from vermeil.columns.trees.steps import drop_traces, prune
from vermeil.consensus.trees.switching import MEASURES, Affinity, choose
from vermeil.formats.forests import Forests
from vermeil.tree import Tree


@given(voices())
def test_measures_between_members_are_those_counted_naively(batch: Forests) -> None:
    tables = {name: prune(drop_traces(table)) for name, table in batch.tables.items()}
    affinity = Affinity.of(tables)
    said = [[bare(line) for line in lines_of(batch)[name]] for name in affinity.members]
    for p, q in ((0, 1), (1, 2), (2, 0)):
        for number, (one, other) in enumerate(zip(said[p], said[q], strict=True)):
            found = [getattr(affinity, measure)[p, q, number] for measure in MEASURES]
            if one is None or other is None:
                assert found == [0, 0, 0]
                continue
            alike = naive.matched(one, other)
            apart = len(one.brackets) + len(other.brackets) - 2 * alike
            scores = naive.leaf_ancestor(one, other)
            assert found == pytest.approx([alike, apart, sum(scores) / len(scores)])


def bare(line: str) -> Tree | None:
    """Read a tree without the trace that some have in front."""
    return Tree.parse(line.replace("(NP (-NONE- *)) ", "")) if line else None


@given(voices())
def test_the_winner_parsed_and_has_the_best_total(batch: Forests) -> None:
    affinity = Affinity.of(batch.prepared(["clegg"]))
    for by in MEASURES:
        winner, _ = choose(affinity, by)
        totals = np.where(affinity.parsed, np.nan_to_num(affinity.total(by)), -np.inf)
        for number, member in enumerate(winner.tolist()):
            if affinity.parsed[:, number].any():
                assert affinity.parsed[member, number]
                assert totals[member, number] == totals[:, number].max()
                assert member == int(totals[:, number].argmax())
            else:
                assert member == -1


@given(voices())
def test_closeness_lies_between_nothing_and_one(batch: Forests) -> None:
    affinity = Affinity.of(batch.prepared(["clegg"]))
    for by in MEASURES:
        trust = affinity.closeness(by, choose(affinity, by)[0])
        known = trust[~np.isnan(trust)]
        assert ((known >= -1e-9) & (known <= 1 + 1e-9)).all()
        assert np.isnan(trust[affinity.parsed.sum(axis=0) < 2]).all()


def test_other_measures_may_decide_ties_before_the_order_does() -> None:
    """All share one bracket with each other; cleo has fewest that nobody else has."""
    batch = of_texts(
        anna="(S (NP (NN a) (NN b)) (NN c))",
        ben="(S (NN a) (VP (NN b) (NN c)))",
        cleo="(S (NN a) (NN b) (NN c))",
    )
    affinity = Affinity.of(batch.tables)
    for ties, wanted in (("order", 0), ("measures", 2)):
        winner, tied = choose(affinity, "similarity", ties=ties)
        assert (winner.tolist(), tied.tolist()) == ([wanted], [True])
    winner, tied = choose(affinity, "distance")
    assert (winner.tolist(), tied.tolist()) == ([2], [False])


def test_equal_trees_are_no_tie() -> None:
    batch = of_texts(anna="(S (NN a))", ben="(S (NN a))", cleo="")
    _, tied = choose(Affinity.of(batch.tables), "similarity")
    assert tied.tolist() == [False]
