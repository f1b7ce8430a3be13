"""All scores of a parser: undefined cases, sums, the oracle, and the recorded figures."""

from dataclasses import fields
from math import isnan
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.genia_trees import PARSERS, figures, genia_forests, reference, scored
from tests.scoring.trees.same_words import Pairs, forests, parsed_tables, tables, trees
from vermeil import Tree
from vermeil.columns.trees.lineages import Costs
from vermeil.columns.trees.names import TreeNames
from vermeil.columns.trees.table import TreeTable
from vermeil.consensus.trees.ensembles import Ensemble
from vermeil.scoring.trees.differences import differences
from vermeil.scoring.trees.scores import Sentences, TreeScores, oracle, score_trees

CASCADE = {"cascade": ("bikelnew", "bikelold", "charniak")}
THREE = ("cascade", "charniak", "stansmall")
METHODS = {
    "majority vote of cascade,charniak,stansmall": "vote",
    "sim switching (same members)": "similarity",
    "dist switching (same members)": "distance",
    "lev switching (same members)": "levenshtein",
}


@given(st.lists(st.integers(1, 6).flatmap(trees), min_size=1, max_size=3))
def test_a_parser_that_says_the_same_is_perfect(said: list[Tree]) -> None:
    sentences = score_trees(*tables([(tree, tree) for tree in said])).all
    found = sentences.counts
    assert (found.precision, found.recall, found.f1) == (1, 1, 1)
    assert (sentences.leaf_ancestor, sentences.tagging, sentences.share_perfect) == (1, 1, 1)
    assert (sentences.mean_crossing, sentences.share_crossing_at_most(0)) == (0, 1)
    assert set(sentences.mean_over_sentences.values()) == {1}


@given(forests())
def test_swapping_the_sides_swaps_precision_and_recall(pairs: Pairs) -> None:
    there = score_trees(*tables(pairs)).parsed
    back = score_trees(*tables([(other, one) for one, other in pairs])).parsed
    assert same(there.counts.precision, back.counts.recall)
    assert same(there.counts.f1, back.counts.f1)
    assert same(there.leaf_ancestor, back.leaf_ancestor)
    assert same(there.unlabelled_counts.f1, back.unlabelled_counts.f1)


@given(forests(), st.integers(0, 4))
def test_scores_of_two_parts_add_up_to_those_of_the_whole(pairs: Pairs, cut: int) -> None:
    cut = min(cut, len(pairs))
    whole = score_trees(*tables(pairs))
    added = score_trees(*tables(pairs[:cut])) + score_trees(*tables(pairs[cut:]), first=cut + 1)
    assert contents(added.all) == contents(whole.all)
    assert added.n_without_gold == whole.n_without_gold
    assert added.labels == whole.labels
    assert {word: n for word, (n, _) in added.words.items()} == {
        word: n for word, (n, _) in whole.words.items()
    }
    assert sum(la for _, la in added.words.values()) == pytest.approx(whole.all.la.sum())


@given(forests(), st.randoms())
def test_the_order_of_sentences_changes_no_figure(pairs: Pairs, chance: Random) -> None:
    shuffled = sorted(pairs, key=lambda _: chance.random())
    one, other = score_trees(*tables(pairs)), score_trees(*tables(shuffled))
    assert one.all.counts == other.all.counts
    assert same(one.all.leaf_ancestor, other.all.leaf_ancestor)
    assert one.labels == other.labels


@given(forests())
def test_labels_and_words_add_up_to_what_is_scored(pairs: Pairs) -> None:
    scores = score_trees(*tables(pairs))
    for column in ("right", "predicted", "wanted"):
        total = sum(getattr(counts, column) for counts in scores.labels.values())
        assert total == getattr(scores.all.counts, column)
    assert sum(n for n, _ in scores.words.values()) == scores.all.n_words.sum()
    assert sum(la for _, la in scores.words.values()) == pytest.approx(scores.all.la.sum())


def test_a_failure_is_all_wrong_or_left_out_and_a_lost_standard_is_not_scored() -> None:
    names = TreeNames()
    gold = TreeTable.parse(["(S (NP (NN a)))", "(S (NP (NN b)))", ""], names)
    parsed = TreeTable.parse(["", "(S (NP (NN b)))", "(S (NN c))"], names)
    scores = score_trees(gold, parsed)
    assert (len(scores.all), len(scores.parsed)) == (2, 1)
    assert (scores.n_failed, scores.n_without_gold) == (1, 1)
    assert (scores.all.leaf_ancestor, scores.parsed.leaf_ancestor) == (0.5, 1)
    assert (scores.all.counts.recall, scores.all.counts.precision) == (0.5, 1)
    assert (scores.all.tagging, scores.all.mean_crossing, scores.all.share_perfect) == (1, 0, 0.5)
    assert scores.all.number.tolist() == [1, 2]


def test_sentences_with_other_words_are_left_out_of_every_figure() -> None:
    """Also of the tables of labels and words, which once had them as all wrong."""
    names = TreeNames()
    gold = TreeTable.parse(["(S (NP (NN a)))", "(S (NP (NN b)) (NN c))"], names)
    parsed = TreeTable.parse(["(S (NP (NN a)))", "(S (NP (NN b)))"], names)
    scores = score_trees(gold, parsed, first=5)
    assert (scores.unequal.tolist(), scores.all.number.tolist()) == ([6], [5])
    assert {label: counts.wanted for label, counts in scores.labels.items()} == {"S": 1, "NP": 1}
    assert scores.words == {"a": (1, 1.0)}


def test_nothing_to_score_is_undefined() -> None:
    names = TreeNames()
    nothing = score_trees(TreeTable.parse([""], names), TreeTable.parse([""], names)).all
    found = [nothing.leaf_ancestor, nothing.tagging, nothing.mean_crossing, nothing.share_perfect]
    assert all(map(isnan, [*found, nothing.share_crossing_at_most(0), nothing.counts.f1]))


def test_costs_reach_the_scores() -> None:
    gold, parsed = parsed_tables("(NP (NN a))", "(VP (NN a))")
    usual = score_trees(gold, parsed).all.leaf_ancestor
    dear = score_trees(gold, parsed, costs=Costs(2.0)).all.leaf_ancestor
    assert (usual, dear) == (1 - 1 / 6, 1 - 2 / 6)


def test_the_hardest_words_are_those_that_lose_most_in_all() -> None:
    scores = TreeScores(
        empty(), 0, np.array([]), {}, {"a": (10, 9.0), "of": (5, 2.5), "b": (4, 0.0), "c": (5, 2.5)}
    )
    assert scores.hardest_words(2) == [("c", 5, 0.5), ("of", 5, 0.5)]
    assert scores.hardest_words(1, at_least=4) == [("b", 4, 0.0)]


def test_the_oracle_takes_the_best_of_each_sentence_and_of_equals_the_first() -> None:
    names = TreeNames()
    gold = TreeTable.parse(["(S (NP (NN a)))", "(S (NN b))", "(S (NN c))"], names)
    one = TreeTable.parse(["(S (NP (NN a)))", "", "(S (NN c))"], names)
    other = TreeTable.parse(["(S (NN a))", "(S (NN b))", "(S (JJ c))"], names)
    best = oracle([score_trees(gold, each).all for each in (one, other)])
    assert best.leaf_ancestor == 1
    assert best.right_tags.tolist() == [1, 1, 1]


def test_two_parsers_are_compared_on_the_sentences_both_were_scored_on() -> None:
    names = TreeNames()
    gold = TreeTable.parse(["(S (NP (NN a)) (NN b))"] * 3 + ["(S (NN a))"], names)
    good = TreeTable.parse(["(S (NP (NN a)) (NN b))"] * 4, names)
    poor = TreeTable.parse(["(S (NN a) (NN b))", "", "(S (VP (NN a)) (NN b))", "(S (NN a))"], names)
    found = differences(score_trees(gold, good).all, score_trees(gold, poor).all, n_resamples=50)
    assert list(found) == ["la", "precision", "recall", "f1"]
    assert found["recall"].interval.value == 1 - 2 / 6
    assert found["precision"].interval.value == 1 - 2 / 3
    assert found["la"].interval.low <= found["la"].interval.value <= found["la"].interval.high


@pytest.mark.corpus
@pytest.mark.parametrize("parser", [*PARSERS, "stansmall-max40"])
def test_parsers_have_the_recorded_figures(corpora: Path, parser: str) -> None:
    batch = genia_forests(corpora)
    found = figures(scored(batch, batch.tables[parser], "clegg").all)
    assert found == reference(corpora)[parser]


@pytest.mark.corpus
@pytest.mark.parametrize("system", METHODS)
def test_ensembles_have_the_recorded_figures(corpora: Path, system: str) -> None:
    batch = genia_forests(corpora)
    combined = Ensemble(METHODS[system], THREE, CASCADE).combine(batch, None)
    assert figures(scored(batch, combined.trees, "clegg").all) == reference(corpora)[system]


@pytest.mark.corpus
def test_the_cascade_and_the_oracle_have_the_recorded_figures(corpora: Path) -> None:
    batch = genia_forests(corpora)
    members = Ensemble("fallback", THREE, CASCADE).gather(batch).tables
    scores = {name: scored(batch, table, "clegg").all for name, table in members.items()}
    wanted = reference(corpora)
    assert figures(scores["cascade"]) == wanted.pop("cascade bikelnew>bikelold>charniak")
    assert figures(oracle(list(scores.values()))) == wanted.pop("oracle by LA")
    assert set(wanted) == {*PARSERS, "stansmall-max40", *METHODS}, "a system has no test"


def same(one: float, other: float) -> bool:
    return (isnan(one) and isnan(other)) or one == pytest.approx(other)


def contents(sentences: Sentences) -> dict[str, list[float]]:
    return {each.name: getattr(sentences, each.name).tolist() for each in fields(sentences)}


def empty() -> Sentences:
    return score_trees(TreeTable.parse([]), TreeTable.parse([])).all
