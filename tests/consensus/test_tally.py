from collections import defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vermeil.consensus.tally import changes, tally

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
