from collections import Counter
from functools import reduce
from math import isnan
from operator import add
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.scoring.trees.same_words import Pairs, forests, naive_productions, tables
from vermeil.columns.trees.steps import prepare
from vermeil.columns.trees.table import TreeTable
from vermeil.scoring.trees.usage import Failures, Usage, binned, describe, failures, median


@given(forests())
def test_usage_is_what_counting_one_by_one_gives(pairs: Pairs) -> None:
    usage = describe(tables(pairs)[0])
    trees = [tree for tree, _ in pairs if tree is not None]
    found = [naive_productions(tree) for tree in trees]
    assert usage.n_failed == len(pairs) - len(trees)
    assert usage.lengths == Counter(len(tree.words) for tree in trees)
    assert usage.complexities == Counter(map(len, found))
    assert usage.labels == Counter(each.parent for every in found for each in every)
    assert usage.rules == Counter(each.rule for every in found for each in every)
    assert usage.n_rule_uses == sum(len({each.rule for each in every}) for every in found)
    assert usage.n_label_uses == sum(len({each.parent for each in every}) for every in found)
    assert usage.n_sentences == len(trees)
    assert usage.n_words == sum(len(tree.words) for tree in trees)


@given(forests())
def test_batches_add_up(pairs: Pairs) -> None:
    gold, parsed = tables(pairs)
    parts = [tables([pair]) for pair in pairs]
    assert reduce(add, (describe(part) for part, _ in parts), Usage()) == describe(gold)
    assert reduce(add, (failures(*part) for part in parts), Failures()) == failures(gold, parsed)


def test_nothing_a_sentence_is_undefined_without_sentences() -> None:
    usage = describe(TreeTable.parse(["", "()"]))
    assert (usage.n_failed, usage.n_sentences, usage.n_productions) == (2, 0, 0)
    assert isnan(usage.rules_per_sentence)
    assert isnan(median(usage.lengths))


def test_failures_are_as_long_and_complex_as_the_standard_says() -> None:
    gold = TreeTable.parse(["(NP (NP (NN a)) (NN b))", "(NP (NN c))", ""])
    parsed = TreeTable.parse(["", "(NP (NN c))", ""], gold.names)
    found = failures(gold, parsed)
    assert (found.lengths, found.failed_lengths) == (Counter({2: 1, 1: 1}), Counter({2: 1}))
    assert (found.complexities, found.failed_complexities) == (
        Counter({2: 1, 1: 1}),
        Counter({2: 1}),
    )
    assert found.n_failed == 1


@given(st.lists(st.dictionaries(st.integers(0, 50), st.integers(1, 9)), min_size=1, max_size=3))
def test_bins_hold_every_count_once_and_leave_no_gap(counts: list[dict[int, int]]) -> None:
    bins = binned(counts, width=5)
    for place, each in enumerate(counts):
        assert sum(found.n[place] for found in bins) == sum(each.values())
        for value, n in each.items():
            [home] = [found for found in bins if found.low <= value <= found.high]
            assert home.n[place] >= n
    assert [each.low for each in bins[1:]] == [each.high + 1 for each in bins[:-1]]


@pytest.mark.corpus
def test_the_tables_of_the_paper_count_parts_of_speech_as_productions(corpora: Path) -> None:
    """Tables 1 and 2: 44.87 productions and 5.47 rules a sentence, 6.36% PP → IN NP.

    The same treebank in another version: close by is what can be wanted.
    """
    lines = (corpora / "genia-trees" / "gold.mrg").read_text().split("\n")[:912]
    usage = describe(prepare(TreeTable.parse(lines), ["clegg"]))
    assert usage.n_productions == 19748
    assert usage.per_sentence(usage.n_nodes) == pytest.approx(44.87, rel=0.03)
    assert usage.labels_per_sentence == pytest.approx(5.47, rel=0.03)
    assert usage.rules_per_sentence == pytest.approx(15.87, abs=0.005)
    for rule, percent in (("PP → IN NP", 6.36), ("NP → NP PP", 3.13), ("S → NP VP", 2.17)):
        assert 100 * usage.rules[rule] / usage.n_nodes == pytest.approx(percent, rel=0.03)
