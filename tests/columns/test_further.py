"""Lists that few rows have: what is laid out comes back, also when rows move."""

import random
from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vermeil import Span
from vermeil.columns.further import AskedLists, FurtherSpans, RowLists, SpanColumns

LISTS = st.lists(st.lists(st.sampled_from(("7157", "22059", "β")), max_size=3), max_size=5)
PAIRS = st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=3), max_size=5)


@given(LISTS, PAIRS)
def test_lists_come_back(strings: list[list[str]], pairs: list[list[tuple[int, int]]]) -> None:
    _comes_back(strings, RowLists.of_strings(strings))
    _comes_back(pairs, RowLists.of_pairs(pairs))


def _comes_back(lists: Sequence[Sequence[object]], laid: RowLists) -> None:
    wanted = {row: tuple(each) for row, each in enumerate(lists) if each}
    assert dict(laid) == wanted
    assert laid.each(len(lists)) == [tuple(each) for each in lists]
    assert laid.within(1, 3) == {row: each for row, each in wanted.items() if 1 <= row < 3}


@given(LISTS, LISTS, st.randoms(use_true_random=False))
def test_rows_of_several_tables_move_or_go(
    one: list[list[str]], other: list[list[str]], chance: random.Random
) -> None:
    both = [*one, *other]
    kept = chance.sample(range(len(both)), chance.randint(0, len(both)))
    place = np.full(len(both), -1)
    place[kept] = np.arange(len(kept))
    parts = [RowLists.of_strings(one), RowLists.of_strings(other)]
    moved = RowLists.moved(parts, [0, len(one)], place)
    assert moved.each(len(kept)) == [tuple(both[row]) for row in kept]


def test_items_are_read_when_they_are_asked_for_and_once() -> None:
    made = RowLists.of_strings([("7157",), (), ("672", "7157")])
    asked = []

    def read() -> tuple[object, object]:
        asked.append(1)
        return made.content, made.names

    lists = AskedLists(made.row, made.first, read)  # type: ignore[arg-type]
    moved = RowLists.moved([lists], [0], np.array([1, -1, 0]))
    assert (len(lists), len(moved), list(moved)) == (2, 2, [0, 1])
    assert not asked
    assert dict(lists) == dict(made)
    assert moved.each(2) == [("672", "7157"), ("7157",)]
    assert len(asked) == 1


def test_spans_of_columns_are_those_that_were_made() -> None:
    spans = {
        0: Span(0, 9, "Gene", 0.5, fragments=((0, 2), (5, 9))),
        2: Span(3, 6, "Drug", ids=("7157", "22059"), attributes=(("negated", "no"),)),
    }
    made = FurtherSpans.of(spans)
    columns = SpanColumns(
        np.array([0, 1, 3]),
        np.array([9, 2, 6]),
        np.array([1, 0, 0]),
        ("Drug", "Gene"),
        np.array([0.5, np.nan, np.nan]),
    )
    moved = FurtherSpans.moved([made], [0], np.arange(3), columns)
    assert dict(moved) == dict(made) == dict(moved.every()) == spans
    assert moved.get(1) is None
    assert not FurtherSpans.of({})
