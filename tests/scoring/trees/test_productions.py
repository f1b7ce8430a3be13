from collections import Counter
from dataclasses import astuple

import hypothesis.strategies as st
from hypothesis import given

from tests.scoring.trees.same_words import (
    Pairs,
    Production,
    forests,
    naive_productions,
    parsed_tables,
    tables,
)
from vermeil import Tree
from vermeil.columns.trees.productions import Productions, productions
from vermeil.columns.trees.steps import prepare
from vermeil.columns.trees.table import TreeTable
from vermeil.scoring.counts import Counts
from vermeil.scoring.trees.productions import judge


def spelt(found: Productions) -> list[str]:
    return [found.rules.names[rule] for rule in found.rule]


def naive_counts(pairs: Pairs, *, parsed_only: bool) -> dict[str, Counts]:
    total: dict[str, Counts] = {}
    for gold, parsed in pairs:
        if gold is None or (parsed_only and parsed is None):
            continue
        wanted, predicted = Counter(naive_productions(gold)), Counter(naive_productions(parsed))
        for each in wanted | predicted:
            n = min(wanted[each], predicted[each])
            counts = Counts(n, predicted[each], n, wanted[each])
            total[each.rule] = total.get(each.rule, Counts()) + counts
    return total


@given(forests())
def test_productions_are_those_read_off_the_trees_one_by_one(pairs: Pairs) -> None:
    table, _ = tables(pairs)
    found = productions(table)
    origin = table.first_word[found.sentence]
    places = zip(found.sentence, found.start - origin, found.end - origin, strict=True)
    assert [(*map(int, place), rule) for place, rule in zip(places, spelt(found), strict=True)] == [
        (sentence, each.start, each.end, each.rule)
        for sentence, (tree, _) in enumerate(pairs)
        for each in naive_productions(tree)
    ]
    assert found.row.tolist() == list(range(len(table.label)))


@given(forests(), st.booleans())
def test_counts_are_those_of_multisets(pairs: Pairs, parsed_only: bool) -> None:
    judged = judge(*tables(pairs), parsed_only=parsed_only)
    assert judged.by_rule == naive_counts(pairs, parsed_only=parsed_only)
    assert judged.counts == sum(judged.by_rule.values(), start=Counts())


@given(forests())
def test_a_parser_that_is_the_standard_is_perfect(pairs: Pairs) -> None:
    gold, _ = tables(pairs)
    judged = judge(gold, gold)
    assert judged.found.all()
    assert judged.right.all()


@given(forests())
def test_swapping_sides_swaps_precision_and_recall(pairs: Pairs) -> None:
    gold, parsed = tables(pairs)
    one, other = judge(gold, parsed, parsed_only=True), judge(parsed, gold, parsed_only=True)
    right, predicted, found, wanted = astuple(one.counts)
    assert astuple(other.counts) == (found, wanted, right, predicted)


def test_a_daughter_stands_where_it_begins_whether_word_or_constituent() -> None:
    [table] = parsed_tables(
        "(NP (DT the) (NP (JJ T) (NN cell)) (NN line) (PP (IN in) (NP (NN G0))))"
    )
    assert spelt(productions(table))[:2] == ["NP → DT NP NN PP", "NP → JJ NN"]


def test_constituents_without_words_are_no_daughters() -> None:
    line = "(S (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB bind) (NP (NN DNA)))))"
    table = TreeTable.parse([line])
    assert spelt(productions(prepare(table, ["traces"]))) == [
        "S → VP",
        "VP → TO VP",
        "VP → VB NP",
        "NP → NN",
    ]
    assert productions(prepare(table, ["traces"])).row.tolist() == [0, 2, 3, 4]
    assert spelt(productions(table))[:2] == ["S → NP-SBJ VP", "NP-SBJ → -NONE-"]


def test_words_under_a_dropped_root_belong_to_no_production() -> None:
    table = TreeTable.parse(["(TOP (NP (NN p53)) (NN gene))", "(TOP (NN gene))"])
    assert spelt(productions(prepare(table, ["root"]))) == ["NP → NN"]


def test_of_two_equal_productions_one_found_leaves_the_other_missed() -> None:
    gold, parsed = parsed_tables("(NP (NP (NP (NN p53))))", "(NP (NP (NN p53)))")
    judged = judge(gold, parsed)
    assert judged.by_rule["NP → NP"] == Counts(1, 1, 1, 2)
    assert judged.found.tolist() == [True, False, True]


def test_widths_of_daughters_do_not_matter() -> None:
    gold, parsed = parsed_tables(
        "(S (NP (NN a) (NN b)) (VP (VB c)))", "(S (NP (NN a)) (VP (NN b) (VB c)))"
    )
    assert judge(gold, parsed).by_rule["S → NP VP"] == Counts(1, 1, 1, 1)


def test_a_failure_misses_everything_or_is_left_out() -> None:
    gold, parsed = parsed_tables("(NP (NN p53))", "")
    assert judge(gold, parsed).counts == Counts(wanted=1)
    assert judge(gold, parsed, parsed_only=True).counts == Counts()
    assert judge(parsed, gold).counts == Counts()


def test_sentences_that_lost_different_words_are_left_out() -> None:
    gold, parsed = parsed_tables("(NP (NN p53) (: -))", "(NP (NN p53) (NN -))")
    judged = judge(prepare(gold, ["evalb"]), prepare(parsed, ["evalb"]))
    assert judged.counts == Counts()
    assert judged.scored.tolist() == [False]


def test_sentences_after_a_failure_are_compared_at_their_own_places() -> None:
    lines = ["(NP (NN a))", "(NP (NN b) (NN c))"]
    gold = TreeTable.parse(lines)
    parsed = TreeTable.parse(["", lines[1]], gold.names)
    assert judge(gold, parsed).found.tolist() == [False, True]
    assert naive_productions(Tree.parse(lines[1])) == [Production(0, 2, "NP", ("NN", "NN"))]
