"""Pooled brackets: who has each, twice counted twice, in an order that makes a tree."""

from collections import Counter

import pytest
from hypothesis import given

from tests.consensus.trees.voices import of_texts, reordered, voices
from vermeil.columns.trees.steps import drop_traces
from vermeil.consensus.trees.pool import Pool
from vermeil.consensus.trees.word_axis import WordAxis
from vermeil.errors import UsageError
from vermeil.formats.forests import Forests
from vermeil.tree import assemble


@given(voices())
def test_every_bracket_is_pooled_as_often_as_the_member_that_has_it_most(batch: Forests) -> None:
    pool = Pool.of(batch.prepared(["clegg"]))
    counts = {}
    for name, table in batch.prepared(["clegg"]).items():
        labels = table.names.labels.names
        rows = zip(
            *(column.tolist() for column in (table.sentence, table.start, table.end, table.label)),
            strict=True,
        )
        origin = table.first_word
        counts[name] = Counter(
            (s, start - origin[s], end - origin[s], labels[label]) for s, start, end, label in rows
        )
    wanted: Counter[tuple[int, int, int, str]] = Counter()
    for each in counts.values():
        wanted |= each
    found = Counter(zip(pool.sentence.tolist(), *spelt(pool), strict=True))
    assert found == wanted
    assert pool.have.sum() == sum(each.total() for each in counts.values())


@given(voices())
def test_the_order_of_members_does_not_change_what_is_pooled(batch: Forests) -> None:
    one = Pool.of(batch.prepared(["clegg"]))
    other = Pool.of(reordered(batch, list(batch.tables)[::-1]).prepared(["clegg"]))
    assert spelt(one) == spelt(other)
    assert one.have.tolist() == other.have[:, ::-1].tolist()


def test_chains_over_the_same_words_are_ordered_as_members_have_them() -> None:
    batch = of_texts(anna="(S (VP (VB a)))", ben="(S (VP (VB a)))", cleo="(VP (S (VB a)))")
    pool = Pool.of(batch.tables)
    assert [each.label for each in pool.brackets(slice(None))] == ["S", "VP"]
    made = assemble([("VB", "a")], pool.brackets(slice(None)))
    assert str(made) == "(TOP (S (VP (VB a))))"


def test_shares_are_of_the_weight_that_parsed() -> None:
    batch = of_texts(anna="(S (NN a))", ben="(NP (NN a))", cleo="")
    pool = Pool.of(batch.tables)
    assert [each.label for each in pool.brackets(slice(None))] == ["NP", "S"]
    assert pool.shares([3, 1, 5]).tolist() == [0.25, 0.75]


def test_members_without_weight_count_alike_where_nobody_else_parsed() -> None:
    batch = of_texts(anna="(S (NN a))", ben="(S (NN a))", cleo="")
    assert Pool.of(batch.tables).shares([0, 0, 5]).tolist() == [1.0]


def test_members_that_keep_other_words_are_refused() -> None:
    batch = of_texts(anna="(S (NN a) (. .))", ben="(S (NN a) (NN .))")
    with pytest.raises(UsageError, match="sentence 1 of the batch has other words in one parser"):
        Pool.of(batch.prepared(["evalb"]))


def test_a_word_has_the_tag_most_members_give_it_and_of_equals_the_first_in_the_alphabet() -> None:
    batch = of_texts(
        anna="(S (NN a) (VB b))", ben="(S (JJ a) (VB b))", cleo="(S (JJ a) (NP (NN b)))"
    )
    tables = [drop_traces(table) for table in batch.tables.values()]
    names = tables[0].names.labels.names
    assert [names[code] for code in WordAxis.of(tables).tag] == ["JJ", "VB"]
    assert [names[code] for code in WordAxis.of(tables[:2]).tag] == ["JJ", "VB"]
    assert [names[code] for code in WordAxis.of(tables, [3, 1, 1]).tag] == ["NN", "VB"]


def spelt(pool: Pool) -> tuple[list[int], list[int], list[str]]:
    labels = [pool.labels[code] for code in pool.label]
    return pool.start.tolist(), pool.end.tolist(), labels
