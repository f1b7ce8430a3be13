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
