from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from tests.scoring.trees.same_words import (
    Pairs,
    Production,
    forests,
    naive_productions,
    parsed_tables,
    tables,
)
from vermeil import Tree
from vermeil.columns.trees.steps import prepare
from vermeil.columns.trees.table import TreeTable
from vermeil.scoring.trees.closest import META_RULES, closest_matches
from vermeil.scoring.trees.productions import judge

Weights = dict[str, Fraction]
Key = tuple[int, int, int, str, int, str]
"""Sentence, start, end, rule, outcome, what was written."""


def nearest(gold: Production, candidates: list[Production]) -> list[Production]:
    """The six steps' fourth and fifth keep only those closest in width."""

    def changes(each: Production) -> int:
        return abs(each.start - gold.start) + abs(each.end - gold.end)

    least = min(map(changes, candidates), default=0)
    return [each for each in candidates if changes(each) == least]


def naive_closest(gold: Production, wrong: list[Production]) -> tuple[int, Weights]:
    """The six steps of section 2.3, as they stand there."""
    same_place = [each for each in wrong if (each.start, each.end) == (gold.start, gold.end)]
    moved = [
        each
        for each in wrong
        if each not in same_place and each.start < gold.end and gold.start < each.end
    ]
    steps = [
        [each for each in same_place if each.parent == gold.parent],
        [each for each in same_place if each.daughters == gold.daughters],
        same_place,
        nearest(gold, [each for each in moved if each[2:] == gold[2:]]),
        nearest(gold, [each for each in moved if each.parent == gold.parent]),
    ]
    weights: Weights = defaultdict(Fraction)
    for number, matches in enumerate(steps, start=1):
        for match in matches:
            written = [match.rule] if number < 4 else meta_rules(gold, match, number)
            for name in written:
                weights[name] += Fraction(1, len(matches) * len(written))
        if matches:
            return number, dict(weights)
    return 6, {"nothing": Fraction(1)}


def meta_rules(gold: Production, match: Production, number: int) -> list[str]:
    kind = "ALLMATCH" if number == 4 else "PARENTMATCH"
    found = []
    if match.start < gold.start or match.end > gold.end:
        found.append(f"EXT_{kind}")
    if match.start > gold.start or match.end < gold.end:
        found.append(f"TRUNC_{kind}")
    return found


def naive(pairs: Pairs) -> dict[Key, Fraction]:
    total: dict[Key, Fraction] = defaultdict(Fraction)
    for sentence, (gold, parsed) in enumerate(pairs):
        wanted, predicted = Counter(naive_productions(gold)), Counter(naive_productions(parsed))
        wrong = list((predicted - wanted).elements())
        for each in (wanted - predicted).elements():
            outcome, weights = (6, {"no parse": Fraction(1)})
            if parsed is not None:
                outcome, weights = naive_closest(each, wrong)
            for written, weight in weights.items():
                total[sentence, each.start, each.end, each.rule, outcome, written] += weight
    return total


def found_in(gold: TreeTable, parsed: TreeTable) -> dict[Key, Fraction]:
    judged = judge(gold, parsed)
    matches = closest_matches(judged)
    names = judged.wanted.rules.names
    total: dict[Key, Fraction] = defaultdict(Fraction)
    for missed, outcome, written, share in zip(
        matches.missed.tolist(),
        matches.outcome.tolist(),
        matches.written.tolist(),
        matches.share.tolist(),
        strict=True,
    ):
        each = judged.wanted.keep(np.array([missed]))
        sentence, rule = int(each.sentence[0]), int(each.rule[0])
        origin = int(gold.first_word[sentence])
        name = META_RULES[written] if written < 0 else names[written]
        place = (sentence, int(each.start[0]) - origin, int(each.end[0]) - origin)
        total[*place, names[rule], outcome, name] += Fraction(1, share)
    return total


def instead(gold: str, parsed: str, rule: str) -> dict[str, Fraction]:
    found = found_in(*parsed_tables(gold, parsed))
    return {key[-1]: weight for key, weight in found.items() if key[3] == rule}


@settings(max_examples=150)
@given(forests())
def test_matches_are_those_of_the_six_steps(pairs: Pairs) -> None:
    assert found_in(*tables(pairs)) == naive(pairs)


@given(forests())
def test_what_stands_for_a_missed_production_adds_up_to_one(pairs: Pairs) -> None:
    judged = judge(*tables(pairs))
    matches = closest_matches(judged)
    totals: dict[int, Fraction] = defaultdict(Fraction)
    for missed, share in zip(matches.missed.tolist(), matches.share.tolist(), strict=True):
        totals[missed] += Fraction(1, share)
    assert set(totals) == set((~judged.found).nonzero()[0].tolist())
    assert set(totals.values()) <= {Fraction(1)}


def test_first_come_other_daughters_at_the_same_place() -> None:
    gold, parsed = "(NP (NN a) (NN b))", "(NP (JJ a) (NN b))"
    assert instead(gold, parsed, "NP → NN NN") == {"NP → JJ NN": 1}


def test_then_another_parent_of_the_same_daughters() -> None:
    gold, parsed = "(S (VP (NN a) (NN b)) (NN c))", "(S (NP (NN a) (NN b)) (NN c))"
    assert instead(gold, parsed, "VP → NN NN") == {"NP → NN NN": 1}


def test_then_anything_at_the_same_place() -> None:
    gold, parsed = "(S (VP (NN a) (NN b)) (NN c))", "(S (NP (JJ a) (NN b)) (NN c))"
    assert instead(gold, parsed, "VP → NN NN") == {"NP → JJ NN": 1}


def test_then_the_same_rule_wider_or_narrower() -> None:
    short = "(S (NP (NN a) (PP (IN b) (NN c))) (NN d) (NN e))"
    long = "(S (NP (NN a) (PP (IN b) (NP (NN c) (NN d)))) (NN e))"
    assert instead(short, long, "NP → NN PP") == {"EXT_ALLMATCH": 1}
    assert instead(long, short, "NP → NN PP") == {"TRUNC_ALLMATCH": 1}


def test_then_the_same_parent_wider_or_narrower() -> None:
    short, long = "(S (NP (NN a)) (NN b) (NN c))", "(S (NP (NN a) (JJ b)) (NN c))"
    assert instead(short, long, "NP → NN") == {"EXT_PARENTMATCH": 1}
    assert instead(long, short, "NP → NN JJ") == {"TRUNC_PARENTMATCH": 1}


def test_the_left_end_counts_as_the_right_end_does() -> None:
    short, long = "(S (NN a) (NN b) (NP (NN c)))", "(S (NN a) (NP (JJ b) (NN c)))"
    assert instead(short, long, "NP → NN") == {"EXT_PARENTMATCH": 1}
    assert instead(long, short, "NP → JJ NN") == {"TRUNC_PARENTMATCH": 1}


def test_else_nothing() -> None:
    assert instead("(S (NP (NN a)) (NN b))", "(S (NN a) (VP (NN b)))", "NP → NN") == {"nothing": 1}


def test_a_failure_is_told_apart_from_nothing() -> None:
    assert instead("(S (NP (NN a)) (NN b))", "", "NP → NN") == {"no parse": 1}


def test_what_is_right_itself_stands_for_nothing_else() -> None:
    gold, parsed = "(S (NP (NP (NN a)) (NN b)) (NN c))", "(S (NP (NP (NN a)) (JJ b)) (NN c))"
    # The inner NP is right, so it is no truncation of the outer one.
    assert instead(gold, parsed, "NP → NP NN") == {"NP → NP JJ": 1}
    gold, parsed = "(S (NP (NP (NN a)) (NN b)) (NN c))", "(S (VP (NP (NN a)) (JJ c) (NN c)))"
    assert instead(gold, parsed, "NP → NP NN") == {"nothing": 1}


def test_a_word_longer_and_a_word_shorter_share_the_miss() -> None:
    gold = "(S (NP (NN a) (NN b)) (NN c))"
    parsed = "(S (NP (NP (JJ a)) (NN b) (NN c)))"
    assert instead(gold, parsed, "NP → NN NN") == {
        "EXT_PARENTMATCH": Fraction(1, 2),
        "TRUNC_PARENTMATCH": Fraction(1, 2),
    }


def test_longer_at_one_end_and_shorter_at_the_other_is_half_of_each() -> None:
    gold = "(S (NN a) (NP (NN b) (NN c) (NN d)) (NN e))"
    parsed = "(S (NN a) (NN b) (NP (NN c) (NN d) (NN e)))"
    assert instead(gold, parsed, "NP → NN NN NN") == {
        "EXT_ALLMATCH": Fraction(1, 2),
        "TRUNC_ALLMATCH": Fraction(1, 2),
    }


def test_one_common_word_is_enough_and_none_is_not() -> None:
    gold = "(S (NP (NN a) (NN b)) (NN c) (NN d))"
    assert instead(gold, "(S (NN a) (NP (JJ b) (NN c)) (NN d))", "NP → NN NN") == {
        "EXT_PARENTMATCH": Fraction(1, 2),
        "TRUNC_PARENTMATCH": Fraction(1, 2),
    }
    assert instead(gold, "(S (NN a) (NN b) (NP (NN c) (NN d)))", "NP → NN NN") == {"nothing": 1}


def test_the_nearest_boundaries_win_whatever_the_others_are() -> None:
    gold = "(S (NP (NN a) (NN b)) (NN c) (NN d) (NN e))"
    parsed = "(S (NP (NP (JJ a) (NN b) (NN c)) (NN d) (NN e)))"
    assert instead(gold, parsed, "NP → NN NN") == {"EXT_PARENTMATCH": 1}
    parsed = "(S (NP (NP (JJ a)) (NN b) (NN c) (NN d)) (NN e))"
    assert instead(gold, parsed, "NP → NN NN") == {"TRUNC_PARENTMATCH": 1}


def test_the_same_rule_far_off_comes_before_the_same_parent_nearby() -> None:
    gold = "(S (NP (NN a) (NP (NN b))) (NN c) (NN d))"
    parsed = "(S (NP (NN a) (NP (NP (JJ b)) (JJ c) (JJ d))))"
    assert instead(gold, parsed, "NP → NN NP") == {"EXT_ALLMATCH": 1}


def test_several_unaries_at_one_place_share_the_miss() -> None:
    gold = "(S (NP (NN a)) (NN b))"
    parsed = "(S (NP (NP (NP (JJ a)))) (NN b))"
    assert instead(gold, parsed, "NP → NN") == {
        "NP → NP": Fraction(2, 3),
        "NP → JJ": Fraction(1, 3),
    }


@pytest.mark.corpus
@pytest.mark.parametrize("parser", ["charniak", "stansmall-max40"])
def test_real_parsers_are_diagnosed_as_by_the_six_steps(corpora: Path, parser: str) -> None:
    folder = corpora / "genia-trees"
    lines = [(folder / f"{name}.mrg").read_text().split("\n")[:300] for name in ("gold", parser)]
    gold = TreeTable.parse(lines[0])
    parsed = TreeTable.parse(lines[1], gold.names)
    steps = ["traces", "prune", "functions"]
    pairs = [(stripped(one), stripped(other)) for one, other in zip(*lines, strict=True)]
    assert found_in(prepare(gold, steps), prepare(parsed, steps)) == naive(pairs)


def stripped(line: str) -> Tree | None:
    """The tree of a line without traces, empty branches and function suffixes."""

    def visit(tree: Tree) -> Tree | None:
        if tree.is_tag:
            return None if tree.label == "-NONE-" else tree
        inner = [visit(child) for child in tree.children if isinstance(child, Tree)]
        kept = tuple(child for child in inner if child is not None)
        label = tree.label[0] + tree.label[1:].split("-")[0].split("=")[0]
        return Tree(label, kept) if kept else None

    return visit(Tree.parse(line)) if line.strip("() ") else None
