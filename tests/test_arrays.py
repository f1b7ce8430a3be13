from dataclasses import dataclass

import hypothesis.strategies as st
import numpy as np
from hypothesis import given

from vermeil.arrays import ColumnTable, Floats, Ints, distinct


@dataclass(frozen=True, slots=True, eq=False)
class Places(ColumnTable):
    start: Ints
    end: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Names(ColumnTable):
    labels: tuple[str, ...]
    places: Places
    confidence: Floats


NAMES = Names(
    ("Gene", "Cell", "Chemical"),
    Places(np.array([0, 4]), np.array([3, 9])),
    np.array([0.9, 0.2]),
)


def test_columns_have_as_many_rows_as_their_arrays() -> None:
    assert len(NAMES) == len(NAMES.places) == 2


def test_rows_are_kept_in_all_columns_and_what_is_none_stays() -> None:
    for rows in (np.array([1]), np.array([False, True]), slice(1, 2)):
        kept = NAMES.keep(rows)
        assert kept.labels == NAMES.labels
        assert kept.places.end.tolist() == [9]
        assert kept.confidence.tolist() == [0.2]


@given(st.lists(st.integers(-3, 3) | st.integers(-(2**63), 2**63 - 1)))
def test_distinct_numbers_are_those_of_numpy(numbers: list[int]) -> None:
    values = np.array(numbers, dtype=np.int64)
    wanted = np.unique(values).tolist()
    assert distinct(values).tolist() == wanted
    assert distinct(np.sort(values), rising=True).tolist() == wanted
