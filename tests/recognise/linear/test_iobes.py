from itertools import pairwise

import hypothesis.strategies as st
import numpy as np
from hypothesis import given

from vermeil.recognise.linear.iobes import Iobes
from vermeil.sequences.tokens.tag_set import TagSet
from vermeil.text.tags import Name, decode, encode, find_repairs

LABELS = ("Gene", "Cell")


@st.composite
def sentence(draw: st.DrawFn) -> tuple[int, list[Name]]:
    """A number of tokens, and names on them."""
    cuts = sorted(draw(st.sets(st.integers(0, 9), max_size=8)))
    pairs = pairwise(cuts)
    labels = st.sampled_from([*LABELS, ""])
    names = [(start, end, draw(labels)) for start, end in pairs]
    return 9, [name for name in names if name[2]]


@given(sentence())
def test_names_are_the_same_in_both_tag_sets(given: tuple[int, list[Name]]) -> None:
    n, names = given
    tags = Iobes(LABELS)
    plain = TagSet(LABELS).codes(encode(n, names, "iob2"))
    assert tags.of_begin_and_inner(plain).tolist() == tags.codes(encode(n, names, "iobes")).tolist()


@given(st.lists(st.lists(st.integers(0, 8), max_size=6), max_size=4))
def test_names_are_what_is_whole_in_each_sentence(sentences: list[list[int]]) -> None:
    tags = Iobes(LABELS)
    first_token = np.cumsum([0, *map(len, sentences)])
    tag = np.array([code for each in sentences for code in each], dtype=np.int64)
    found = zip(*(column.tolist() for column in tags.spans(tag, first_token)), strict=True)
    wanted = [
        (first + start, first + end, LABELS.index(label))
        for first, codes in zip(first_token.tolist()[:-1], sentences, strict=True)
        for start, end, label in decode(
            [tags.names[code] for code in codes], "iobes", repair="drop"
        )
    ]
    assert list(found) == wanted


@given(st.lists(st.integers(0, 8), min_size=1, max_size=5))
def test_a_sequence_is_allowed_if_the_scheme_has_nothing_to_repair(codes: list[int]) -> None:
    tags = Iobes(LABELS)
    steps = pairwise(codes)
    allowed = tags.allowed_first[codes[0]] and tags.allowed_last[codes[-1]]
    allowed = allowed and all(tags.allowed[one, two] for one, two in steps)
    assert allowed == (not find_repairs([tags.names[code] for code in codes], "iobes"))


def test_no_tokens_hold_no_names() -> None:
    none = np.zeros(0, dtype=np.int64)
    tags = Iobes(LABELS)
    assert [len(column) for column in tags.spans(none, np.array([0]))] == [0, 0, 0]
    assert len(tags.of_begin_and_inner(none)) == 0
