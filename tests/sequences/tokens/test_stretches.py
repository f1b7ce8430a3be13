from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.recognise.tiny import tiny_cascade, unseen
from tests.strategies import TEXTS
from vermeil import Document
from vermeil.recognise.tagging import tag
from vermeil.sequences.tokens.stretches import batches, stretches


@given(TEXTS, st.integers(1, 12))
def test_stretches_cover_the_text_and_none_is_too_long(text: str, longest: int) -> None:
    cut = list(stretches(text, longest=longest))
    assert "".join(text[start:end] for start, end in cut) == text
    assert all(end - start <= longest for start, end in cut)
    assert all(start < end for start, end in cut) or cut == [(0, 0)]


@given(st.lists(TEXTS, max_size=6), st.integers(1, 150))
def test_stretches_put_together_are_the_documents(texts: list[str], longest: int) -> None:
    documents = [Document(id=str(number), text=text) for number, text in enumerate(texts)]
    again: list[str] = []
    text = ""
    for stretch in (stretch for batch in batches(documents, longest=longest) for stretch in batch):
        assert stretch.start == len(text)
        assert stretch.document.id == str(len(again))
        text += stretch.own.text
        if stretch.is_last:
            again.append(text)
            text = ""
    assert again == texts


def test_batches_hold_many_short_documents_and_no_more_than_they_may() -> None:
    documents = [Document(id=str(number), text="x" * 900) for number in range(10)]
    assert [len(batch) for batch in batches(documents, longest=4000)] == [4, 4, 2]


def test_a_text_is_cut_before_a_sentence_else_before_a_word() -> None:
    assert next(stretches("We saw it. It was red. Then", longest=25)) == (0, 23)
    assert next(stretches("a very long sentence indeed", longest=24)) == (0, 21)
    assert list(stretches("x" * 30, longest=24)) == [(0, 24), (24, 30)]


def test_names_of_a_document_in_stretches_are_where_the_text_has_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    documents = unseen()
    text = "\n\n".join(document.text for document in documents)
    whole = Document(id="all", text=text)
    short = partial(batches, longest=1500)
    monkeypatch.setattr("vermeil.recognise.tagging.batches", short)
    [tagged] = tag(tiny_cascade(), [whole], name="m")
    [with_standard] = tag(tiny_cascade(), [whole], name="m", standard=True)
    assert tagged.layers["m"] == with_standard.layers["m"]
    found = {span.marked(text) for span in tagged.layers["m"]}
    alone = {
        span.marked(document.text)
        for document in tag(tiny_cascade(), documents, name="m")
        for span in document.layers["m"]
    }
    assert len(found & alone) > 0.8 * len(alone)
    starts = [span.start for span in tagged.layers["m"]]
    assert starts == sorted(starts)
    assert {centroid.start for centroid in with_standard.standards["m"]} >= set(starts[-2:])
