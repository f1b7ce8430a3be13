import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from vermeil.recognise.words.name_list import LONGEST, NameList, find_in_all
from vermeil.sequences.tokens.alphabet import hash_words

WORDS = st.sampled_from(["acetic", "acid", "Acid", "2", "-", "ethanol", "the"])
SENTENCES = st.lists(st.lists(WORDS, max_size=8), max_size=4)
NAMES = st.lists(st.lists(WORDS, min_size=1, max_size=4), max_size=5)


def list_of(names: list[list[str]]) -> NameList:
    hashes = hash_words(
        [word.lower() if len(word) > 1 else word for name in names for word in name]
    )
    return NameList.of_tokens(hashes, np.array([len(name) for name in names], dtype=np.int64))


def naive(sentences: list[list[str]], names: list[list[str]]) -> list[tuple[int, int]]:
    known = {tuple(word.lower() for word in name) for name in names}
    found, origin = [], 0
    for sentence in sentences:
        lower = [word.lower() for word in sentence]
        at = 0
        while at < len(lower):
            ends = [e for e in range(len(lower), at, -1) if tuple(lower[at:e]) in known]
            if ends:
                found.append((origin + at, origin + ends[0]))
            at = ends[0] if ends else at + 1
        origin += len(sentence)
    return found


@given(SENTENCES, NAMES)
@example([["acetic"], ["acid", "2"]], [["acetic", "acid"], ["acetic", "acid", "2"]])
def test_the_longest_names_from_left_to_right_are_found(
    sentences: list[list[str]], names: list[list[str]]
) -> None:
    words = [word for sentence in sentences for word in sentence]
    first = np.cumsum([0, *map(len, sentences)])
    start, end = list_of(names).find(words, first)
    assert list(zip(start.tolist(), end.tolist(), strict=True)) == naive(sentences, names)


@given(SENTENCES, NAMES, NAMES)
def test_lists_are_found_together_as_alone(
    sentences: list[list[str]], some: list[list[str]], others: list[list[str]]
) -> None:
    hashes = hash_words([word for sentence in sentences for word in sentence])
    first = np.cumsum([0, *map(len, sentences)])
    lists = [list_of(some), list_of(others)]
    together = find_in_all(lists, hashes, first)
    for (start, end), names in zip(together, lists, strict=True):
        alone = names.find_hashed(hashes, first)
        assert (start.tolist(), end.tolist()) == (alone[0].tolist(), alone[1].tolist())


def test_names_that_are_too_long_are_left_out() -> None:
    assert len(NameList.of(["a-" * LONGEST + "b", "ethanol"]).hashes) == 1


def test_a_whole_string_is_looked_up() -> None:
    names = NameList.of(["acetic acid"])
    assert "Acetic  acid" in names
    assert "acetic" not in names


def test_a_list_comes_back_from_its_arrays() -> None:
    names = NameList.of(["acetic acid", "ethanol"])
    assert (NameList.from_arrays(names.arrays()).hashes == names.hashes).all()
