import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from vermeil.arrays import Floats
from vermeil.sequences.features import word_memory
from vermeil.sequences.features.word_memory import RowMemory


def test_no_key_is_found_out_twice() -> None:
    lengths, found_out = RowMemory[np.float64](), list[str]()

    def find_out(keys: list[str]) -> Floats:
        found_out.extend(keys)
        return np.array([len(key) for key in keys], dtype=np.float64)

    for keys in (["a", "bc", "a"], ["bc", "def"]):
        assert lengths.of(keys, find_out).tolist() == list(map(len, keys))
    assert found_out == ["a", "bc", "def"]


@given(st.lists(st.tuples(st.lists(st.sampled_from("abcdef"), max_size=5), st.booleans())))
def test_rows_remembered_are_those_that_the_model_would_give(
    asked: list[tuple[list[str], bool]],
) -> None:
    rows, models = RowMemory[np.float64](), (np.ones(1), np.full(1, 2.0))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(word_memory, "MOST_WORDS", 4)
        for keys, which in asked:
            factor = models[which][0]
            wanted = [[ord(key) * factor, factor] for key in keys]

            def find_out(new: list[str], factor: float = factor) -> Floats:
                return np.array([[ord(key) * factor, factor] for key in new]).reshape(-1, 2)

            assert rows.of(keys, find_out, models[which]).tolist() == wanted


def test_rows_of_long_keys_are_told_and_not_kept() -> None:
    rows, model, asked = RowMemory[np.float64](), np.ones(1), list[str]()

    def find_out(keys: list[str]) -> Floats:
        asked.extend(keys)
        return np.array([[len(key)] for key in keys], dtype=np.float64)

    for _ in range(2):
        assert rows.of(["a" * 1000, "b"], find_out, model).tolist() == [[1000], [1]]
    assert asked == ["a" * 1000, "b", "a" * 1000]
