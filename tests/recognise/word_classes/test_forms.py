import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import TEXTS
from vermeil import Document
from vermeil.arrays import numbered
from vermeil.recognise.word_classes.forms import chunks_of, forms_of, gaps, runs_of, trimmed
from vermeil.sequences.tokens.axis import TokenAxis

WORDS = st.sampled_from(["a", "a-b", "(a-b),", "(a),", "NaCl", "-", "a.", "b", "p53"])
DOCUMENTS = st.lists(TEXTS | st.lists(WORDS, max_size=9).map(" ".join), max_size=3)


@given(DOCUMENTS, st.sampled_from(["fine", "words"]))
def test_chunks_and_runs_are_numbered_as_they_come(texts: list[str], tokeniser: str) -> None:
    documents = [Document(id=str(n), text=text) for n, text in enumerate(texts)]
    axis = TokenAxis.of(documents, tokeniser=tokeniser)
    first = np.flatnonzero(gaps(axis))
    ends = np.append(first, len(axis.words))[1:]
    bounds = list(zip(first.tolist(), ends.tolist(), strict=True))
    strings = ["".join(axis.words[begin:end]) for begin, end in bounds]
    chunks, number = numbered(strings)
    found = chunks_of(axis)
    assert (tuple(found.words), found.number.tolist()) == (chunks, number.tolist())
    assert found.first.tolist() == first.tolist()
    runs, of_run, _ = runs_of(axis)
    pairs = zip(strings, bounds, strict=True)
    wanted = [each if end == begin + 1 else trimmed(each) for each, (begin, end) in pairs]
    assert [runs[one] for one in of_run.tolist()] == wanted


@given(st.lists(st.text()))
def test_digits_are_alike_in_forms(words: list[str]) -> None:
    zeros = str.maketrans("123456789", "0" * 9)
    wanted = [(each if each.isupper() else each.lower()).translate(zeros) for each in words]
    assert forms_of(words) == wanted
