"""How far to trust a combined tree: agreement by word, doubtful stretches, correlation."""

from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.trees import naive
from tests.scoring.trees.same_words import trees
from vermeil import Tree
from vermeil.columns.trees.names import TreeNames
from vermeil.columns.trees.table import TreeTable
from vermeil.consensus.trees.doubt import DoubtfulRegion, doubtful_regions, word_agreement
from vermeil.scoring.trees.trust import correlation


@st.composite
def voices(draw: st.DrawFn) -> tuple[Tree, list[Tree | None]]:
    """A tree, and what others say about the same words."""
    n = draw(st.integers(1, 5))
    return draw(trees(n)), draw(st.lists(st.none() | trees(n), max_size=3))


@given(voices())
def test_agreement_is_the_mean_score_over_members_that_parsed(
    said: tuple[Tree, list[Tree | None]],
) -> None:
    combined, members = said
    names = TreeNames()
    table = TreeTable.of([combined], names)
    found = word_agreement(table, [TreeTable.of([member], names) for member in members])
    scores = [naive.leaf_ancestor(combined, member) for member in members if member is not None]
    if scores:
        assert found.tolist() == pytest.approx(np.mean(scores, axis=0).tolist())
    else:
        assert np.isnan(found).all()


def test_doubtful_regions_are_the_longest_stretches_below_and_stay_in_their_sentence() -> None:
    table = TreeTable.parse(["(S (NN a) (NN b) (NN c) (NN d))", "", "(S (NN e) (NN f))"])
    agreement = np.array([0.25, 0.5, 0.75, 0.5, 0.25, np.nan])
    assert list(doubtful_regions(agreement, table, below=0.75, first=11)) == [
        DoubtfulRegion(11, 0, 2, 0.375),
        DoubtfulRegion(11, 3, 4, 0.5),
        DoubtfulRegion(13, 0, 1, 0.25),
    ]
    assert list(doubtful_regions(agreement, table, below=0.25)) == []


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=8))
def test_correlation_is_symmetric_and_ignores_what_is_unknown(
    pairs: list[tuple[float, float]],
) -> None:
    one, other = np.array(pairs).round(3).T
    found = correlation(one, other)
    with_unknown = correlation(np.append(one, np.nan), np.append(other, 0.5))
    for again in (correlation(other, one), with_unknown):
        assert again == pytest.approx(found, nan_ok=True)
    assert isnan(found) or -1 <= found <= 1


def test_correlation_of_what_does_not_vary_is_undefined() -> None:
    assert isnan(correlation(np.array([0.5, 0.5]), np.array([0.1, 0.9])))
    assert isnan(correlation(np.array([0.5]), np.array([0.1])))
    assert correlation(np.array([0.1, 0.9]), np.array([1.0, 0.0])) == -1
