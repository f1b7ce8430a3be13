from collections import defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vermeil.consensus.tally import changes, distinct, tally

ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)), max_size=12)


@given(ROWS)
def test_equal_rows_are_brought_together_with_all_who_have_them(
    rows: list[tuple[int, int, int]],
) -> None:
    first, second, voter = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    chosen, voted, number = tally([first, second], voter, 3)
    voters = defaultdict(set)
    for one, other, who in rows:
        voters[one, other].add(who)
    distinct = [(int(first[row]), int(second[row])) for row in chosen]
    assert distinct == sorted(voters)
    assert [set(np.flatnonzero(row).tolist()) for row in voted] == [voters[key] for key in distinct]
    assert [distinct[each] for each in number] == [row[:2] for row in rows]


def test_a_row_changes_where_any_column_does() -> None:
    assert changes(np.array([1, 1, 1]), np.array([2, 2, 3])).tolist() == [True, False, True]
    assert changes(np.array([], dtype=np.int64)).tolist() == []


@given(
    st.integers(1, 9).flatmap(
        lambda width: st.lists(
            st.tuples(*[st.sampled_from([-1, 0, 1, 2, 120])] * width), min_size=1, max_size=12
        )
    )
)
def test_distinct_rows_come_in_lexical_order_with_minus_one_last(
    rows: list[tuple[int, ...]],
) -> None:
    found, number = distinct(np.array(rows, dtype=np.int8))
    wanted = sorted(set(rows), key=lambda row: [each % 256 for each in row])
    assert found.tolist() == [list(row) for row in wanted]
    assert [wanted[each] for each in number] == rows


def test_no_rows_and_rows_without_columns_are_distinct_too() -> None:
    for shape, n_distinct in (((0, 3), 0), ((4, 0), 1)):
        rows, number = distinct(np.zeros(shape, dtype=np.int8))
        assert (len(rows), len(number)) == (n_distinct, shape[0])


def test_more_rows_than_a_number_can_tell_apart_are_still_distinct() -> None:
    rows = np.random.default_rng(0).integers(-1, 12, (50, 40)).astype(np.int8)
    rows = np.concatenate((rows, rows[::-1]))
    found, number = distinct(rows)
    assert (found[number] == rows).all()
    assert len(found) == 50
