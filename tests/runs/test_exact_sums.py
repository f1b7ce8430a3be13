from math import fsum, isnan, nan

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vermeil.runs.exact_sums import Histogram, Mean

numbers = st.lists(st.one_of(st.just(nan), st.floats(0, 1)), max_size=30)


@given(values=numbers, cut=st.integers(0, 30))
def test_a_mean_of_parts_is_the_mean_of_all_to_the_last_bit(values: list[float], cut: int) -> None:
    found = (Mean.of(values[:cut]) + Mean.of(values[cut:])).value
    defined = [value for value in values if not isnan(value)]
    if not defined:
        assert isnan(found)
    else:
        assert found == fsum(defined) / len(defined)


@given(
    rows=st.lists(st.tuples(*[st.integers(0, 3)] * 2), min_size=1, max_size=30),
    cut=st.integers(0, 30),
)
def test_a_histogram_of_parts_holds_every_row(rows: list[tuple[int, int]], cut: int) -> None:
    every = np.array(rows, dtype=float)
    found = Histogram.of(every[:cut].reshape(-1, 2)) + Histogram.of(every[cut:].reshape(-1, 2))
    assert found.expanded.tolist() == sorted(map(list, every.tolist()))
    assert found.total.tolist() == every.sum(axis=0).tolist()
    assert (found.count > 0).all()
