from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.recognise.tiny import tiny_cascade, unseen
from tests.strategies import TEXTS
from vermeil import Document
from vermeil.recognise.found import tag
from vermeil.recognise.tagging import tag_with_standard
from vermeil.recognise.tokens.pieces import batches, stretches


@given(TEXTS, st.integers(1, 12))
def test_stretches_cover_the_text_and_none_is_too_long(text: str, longest: int) -> None:
    found = list(stretches(text, longest=longest))
    assert "".join(text[start:end] for start, end in found) == text
    assert all(end - start <= longest for start, end in found)
    assert all(start < end for start, end in found) or found == [(0, 0)]


@given(st.lists(TEXTS, max_size=6), st.integers(1, 150))
def test_pieces_put_together_are_the_documents(texts: list[str], longest: int) -> None:
    documents = [Document(id=str(number), text=text) for number, text in enumerate(texts)]
    again: list[str] = []
    text = ""
    for piece in (piece for batch in batches(documents, longest=longest) for piece in batch):
        assert piece.start == len(text)
        assert piece.document.id == str(len(again))
        text += piece.own.text
        if piece.is_last:
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


def test_names_of_a_document_in_pieces_are_where_the_text_has_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    documents = unseen()
    text = "\n\n".join(document.text for document in documents)
    whole = Document(id="all", text=text)
    for module in ("found", "tagging"):
        short = partial(batches, longest=1500)
        monkeypatch.setattr(f"vermeil.recognise.{module}.batches", short)
    [tagged] = tag(tiny_cascade(), [whole], name="m")
    [with_standard] = tag_with_standard(tiny_cascade(), [whole], name="m")
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
