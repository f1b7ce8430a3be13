import hypothesis.strategies as st
import pytest
from hypothesis import given

from vermeil.recognise.word_classes import word_memory
from vermeil.recognise.word_classes.word_memory import WordMemory


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=5), max_size=6))
def test_what_is_remembered_is_what_would_be_found_out(asked: list[list[str]]) -> None:
    codes = WordMemory[int]()

    def find_out(words: list[str]) -> list[int]:
        return [ord(word) for word in words]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(word_memory, "MOST_WORDS", 4)
        for words in asked:
            assert codes.of(words, find_out) == [ord(word) for word in words]


def test_no_word_is_found_out_twice() -> None:
    lengths, found_out = WordMemory[int](), list[str]()

    def find_out(words: list[str]) -> list[int]:
        found_out.extend(words)
        return list(map(len, words))

    for words in (["a", "bc", "a"], ["bc", "def"]):
        lengths.of(words, find_out)
    assert found_out == ["a", "bc", "def"]


def test_long_words_are_told_and_not_kept() -> None:
    lengths, long = WordMemory[int](), "a" * 1000
    for _ in range(2):
        assert lengths.of([long, "b"], lambda new: map(len, new)) == [1000, 1]
    assert list(lengths._known) == ["b"]
