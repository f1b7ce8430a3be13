from fractions import Fraction
from functools import reduce
from operator import add
from pathlib import Path

import pytest
from hypothesis import given

from tests.scoring.trees.same_words import Pairs, forests, parsed_tables, tables
from vermeil.columns.trees.steps import prepare
from vermeil.columns.trees.table import TreeTable
from vermeil.scoring.counts import Counts
from vermeil.scoring.trees.diagnosis import N_EXAMPLES, Diagnosis, Substitution, diagnose

GOLD = "(S (NP (NN T) (NN cells)) (VP (VBP divide)))"
PARSED = "(S (NP (JJ T) (NN cells)) (VP (VBP divide)))"


@given(forests())
def test_sentences_diagnosed_one_by_one_add_up_in_any_order(pairs: Pairs) -> None:
    whole = diagnose(*tables(pairs))
    parts = [diagnose(*tables([pair]), first=n) for n, pair in enumerate(pairs, start=1)]
    assert reduce(add, parts, Diagnosis()) == whole
    assert reduce(add, reversed(parts), Diagnosis()) == whole


@given(forests())
def test_what_is_written_instead_adds_up_to_what_was_missed(pairs: Pairs) -> None:
    found = diagnose(*tables(pairs))
    assert found.outcomes.total() == found.counts.missed
    for rule, counts in found.by_rule.items():
        assert sum(each.n for each in found.instead_of(rule)) == counts.missed
        assert (rule in found.most_missed) == (counts.missed > 0)


def test_it_says_what_was_written_and_where() -> None:
    gold = TreeTable.parse([GOLD, GOLD, GOLD])
    parsed = TreeTable.parse([PARSED, GOLD, "()"], gold.names)
    found = diagnose(gold, parsed, first=11)
    assert (found.n_sentences, found.n_failed, found.n_left_out) == (3, 1, 0)
    assert found.by_rule["NP → NN NN"] == Counts(1, 1, 1, 3)
    assert found.instead_of("NP → NN NN") == [
        Substitution("NP → JJ NN", 1, Fraction(1), (11,)),
        Substitution("no parse", 6, Fraction(1), (13,)),
    ]
    assert found.instead_of("NP → JJ NN") == []


def test_failures_can_be_left_out() -> None:
    gold, failed = parsed_tables(GOLD, "")
    found = diagnose(gold, failed, parsed_only=True)
    assert (found.n_sentences, found.n_failed, found.n_left_out) == (0, 0, 1)
    assert found.by_rule == {}


def test_the_first_few_sentences_are_remembered_once_each() -> None:
    lines = ["(S (NP (NN a) (NN b)) (NP (NN c) (NN d)))"] * 9
    gold = TreeTable.parse(lines)
    parsed = TreeTable.parse([line.replace("(NN b", "(JJ b") for line in lines], gold.names)
    [each] = diagnose(gold, parsed).instead_of("NP → NN NN")
    assert each.n == 9
    assert each.sentences == tuple(range(1, N_EXAMPLES + 1))


@pytest.mark.corpus
def test_charniak_takes_nouns_for_names_and_adjectives_as_in_the_paper(corpora: Path) -> None:
    """Section 6.2, on half of another version of GENIA: the same errors, in other proportions."""
    gold, parsed = (
        (corpora / "genia-trees" / f"{name}.mrg").read_text().split("\n")[:912]
        for name in ("gold", "charniak")
    )
    raw = TreeTable.parse(gold)
    found = diagnose(
        prepare(raw, ["clegg"]), prepare(TreeTable.parse(parsed, raw.names), ["clegg"])
    )
    assert found.counts == Counts(10229, 17922, 10229, 19748)
    assert found.by_rule["NP → NN NN"].recall == pytest.approx(0.096, abs=0.001)
    wider, adjective, *_ = found.instead_of("NP → NN NN")
    assert (wider.written, wider.n) == ("EXT_PARENTMATCH", Fraction(244))
    assert (adjective.written, adjective.n) == ("NP → JJ NN", Fraction(87))
    assert [each.written for each in found.instead_of("NP → NN")[:3]] == [
        "EXT_PARENTMATCH",
        "NP → NNP",
        "NP → NNS",
    ]
