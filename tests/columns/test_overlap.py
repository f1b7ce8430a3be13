import hypothesis.strategies as st
import numpy as np
from hypothesis import given

from vermeil.columns.overlap import overlapping, touched

STRETCHES = st.lists(
    st.tuples(st.integers(0, 12), st.integers(1, 6)).map(lambda each: (each[0], sum(each)))
)


def columns(stretches: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    rows = np.array(stretches, dtype=np.int64).reshape(-1, 2)
    return rows[:, 0], rows[:, 1]


def naive(some: list[tuple[int, int]], others: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return [
        (one, other)
        for one, (start, end) in enumerate(some)
        for other, (first, last) in enumerate(others)
        if set(range(start, end)) & set(range(first, last))
    ]


@given(STRETCHES, STRETCHES)
def test_every_overlapping_pair_is_given_once(
    some: list[tuple[int, int]], others: list[tuple[int, int]]
) -> None:
    one, other = overlapping(*columns(some), *columns(others))
    assert sorted(zip(one.tolist(), other.tolist(), strict=True)) == naive(some, others)


@given(STRETCHES, STRETCHES)
def test_what_is_touched_is_in_an_overlapping_pair(
    some: list[tuple[int, int]], others: list[tuple[int, int]]
) -> None:
    found = np.flatnonzero(touched(*columns(some), *columns(others))).tolist()
    assert found == sorted({one for one, _ in naive(some, others)})


@given(STRETCHES, st.integers(0, 200))
def test_few_stretches_meet_those_of_many_that_they_overlap(
    some: list[tuple[int, int]], first: int
) -> None:
    moved = [(start + first, end + first) for start, end in some]
    many = [(start, start + 1 + start % 3) for start in range(0, 220, 2)]
    one, other = overlapping(*columns(moved), *columns(many))
    assert sorted(zip(one.tolist(), other.tolist(), strict=True)) == naive(moved, many)
    other, one = overlapping(*columns(many), *columns(moved))
    assert sorted(zip(one.tolist(), other.tolist(), strict=True)) == naive(moved, many)
