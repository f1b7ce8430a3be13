"""spaCy's DocBin, as we write it and as spaCy users make it."""

import sys
from pathlib import Path
from typing import Any

import pytest

from vermeil import Document, Span
from vermeil.errors import FormatError, MissingExtraError, UsageError
from vermeil.formats import Ledger, guess_format, read, write

spacy_tokens = pytest.importorskip("spacy.tokens")
spacy_vocab = pytest.importorskip("spacy.vocab")

TEXT = " IL-2  gene\n(p53) binds. "


def packed(path: Path, *docs: Any) -> Path:
    path.write_bytes(spacy_tokens.DocBin(store_user_data=True, docs=docs).to_bytes())
    return path


def unpacked(path: Path) -> list[Any]:
    binder = spacy_tokens.DocBin().from_bytes(path.read_bytes())
    return list(binder.get_docs(spacy_vocab.Vocab()))


def doc(*words: str) -> Any:
    return spacy_tokens.Doc(spacy_vocab.Vocab(), words=list(words))


def test_spacy_sees_the_exact_text_and_a_span_group_for_each_layer(tmp_path: Path) -> None:
    path = tmp_path / "out.spacy"
    spans = (Span(1, 11, "DNA", 0.5, ids=("X:1",)), Span(1, 5, "Protein"))
    write([Document(id="7", text=TEXT, layers={"anna": spans, "ben": ()})], path)
    (found,) = unpacked(path)
    assert found.text == TEXT
    assert [(span.text, span.label_, span.kb_id_) for span in found.spans["anna"]] == [
        ("IL-2  gene", "DNA", "X:1"),
        ("IL-2", "Protein", ""),
    ]
    assert found.spans["anna"].attrs == {"scores": [0.5, None]}
    assert len(found.spans["ben"]) == 0
    assert found.user_data == {"id": "7"}
    assert not found.ents


@pytest.mark.parametrize("start", range(len(TEXT)))
def test_a_span_may_begin_and_end_with_white_space(tmp_path: Path, start: int) -> None:
    path = tmp_path / "out.spacy"
    ends = range(start + 1, len(TEXT) + 1)
    documents = [
        Document(id=str(end), text=TEXT, layers={"anna": (Span(start, end, "x"),)}) for end in ends
    ]
    write(documents, path)
    assert list(read(path)) == documents


def test_what_no_spacy_span_can_hold_comes_back_too(tmp_path: Path) -> None:
    path = tmp_path / "out.spacy"
    span = Span(1, 11, "DNA", 0.25, ((1, 5), (7, 11)), ("a", "b|c"), (("k", "v"), ("k", "w")))
    meta = {"year": 2004, "list": [1, [2, {"x": None}]]}
    document = Document(id="1", text=TEXT, layers={"anna": (span, Span(1, 5, "G"))}, meta=meta)
    write([document], path)
    assert list(read(path)) == [document]


def test_entities_of_other_people_are_a_layer(tmp_path: Path) -> None:
    theirs = doc("IL-2", "binds")
    theirs.ents = [spacy_tokens.Span(theirs, 0, 1, label="Gene")]
    nothing = doc("yes")
    nothing.set_ents([], default="outside")
    unseen = doc("no")
    path = packed(tmp_path / "train.spacy", theirs, nothing, unseen)
    first, second, third = read(path)
    assert (first.id, first.text) == ("1", "IL-2 binds ")
    assert first.layers == {"train": (Span(0, 4, "Gene"),)}
    assert second.layers == {"train": ()}
    assert third.layers == {}


def test_groups_and_entities_are_layers_side_by_side(tmp_path: Path) -> None:
    import numpy as np

    theirs = doc("IL-2", "binds")
    span = spacy_tokens.Span(theirs, 0, 1, label="Gene")
    theirs.ents = [span]
    scores = np.array([0.5], dtype="float32")
    theirs.spans["sc"] = spacy_tokens.SpanGroup(theirs, spans=[span], attrs={"scores": scores})
    theirs.user_data["mine"] = 1
    ledger = Ledger()
    (found,) = read(packed(tmp_path / "sc.spacy", theirs), ledger=ledger)
    assert found.layers == {"sc": (Span(0, 4, "Gene", 0.5),), "ents": (Span(0, 4, "Gene"),)}
    assert ledger.counts["dropped", "entries of user_data"] == 1


def test_attrs_for_another_number_of_spans_are_not_believed(tmp_path: Path) -> None:
    theirs = doc("IL-2", "binds")
    span = spacy_tokens.Span(theirs, 0, 1, label="Gene")
    attrs = {"scores": [0.5, 0.6]}
    theirs.spans["sc"] = spacy_tokens.SpanGroup(theirs, spans=[span], attrs=attrs)
    ledger = Ledger()
    (found,) = read(packed(tmp_path / "a.spacy", theirs), ledger=ledger)
    assert found.layers == {"sc": (Span(0, 4, "Gene"),)}
    assert ledger.counts["dropped", "scores that fit no span"] == 2


def test_the_only_layer_can_be_written_as_entities_for_training(tmp_path: Path) -> None:
    path = tmp_path / "out.spacy"
    spans = (Span(1, 11, "DNA"), Span(1, 5, "Protein"))
    documents = [
        Document(id="1", text=TEXT, layers={"anna": spans}),
        Document(id="2", text="x", layers={"anna": ()}),
        Document(id="3", text="y"),
    ]
    ledger = Ledger()
    write(documents, path, options={"ents": "yes"}, ledger=ledger)
    first, second, third = unpacked(path)
    assert [entity.text for entity in first.ents] == ["IL-2  gene"]
    assert second.has_annotation("ENT_IOB")
    assert not third.has_annotation("ENT_IOB")
    assert ledger.counts["left out of doc.ents", "overlapping spans"] == 1
    assert list(read(path)) == documents
    both = Document(id="4", text="x", layers={"anna": (), "ben": ()})
    with pytest.raises(UsageError, match=r"room for one layer, and '4' has 'anna', 'ben'"):
        write([both], path, options={"ents": "yes"})


@pytest.mark.parametrize("content", [b"", b"x\x9cnonsense", b"{}"])
def test_a_damaged_file_is_one_clear_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.spacy"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=r"a.spacy: not a DocBin, or a damaged one"):
        list(read(path))


def test_a_span_without_a_label_is_named(tmp_path: Path) -> None:
    theirs = doc("IL-2", "binds")
    theirs.spans["sc"] = [spacy_tokens.Span(theirs, 0, 1)]
    with pytest.raises(FormatError, match=r"a.spacy: the span 0-4 has an empty label"):
        list(read(packed(tmp_path / "a.spacy", theirs)))


def test_without_spacy_the_message_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"spaCy DocBin needs spacy, .* 'spacy>="):
        write([], tmp_path / "a.spacy")


def test_numbers_too_large_for_the_file_are_refused(tmp_path: Path) -> None:
    document = Document(id="1", text="x", meta={"n": 1 << 70})
    with pytest.raises(UsageError, match="the metadata of '1' do not fit"):
        write([document], tmp_path / "a.spacy")


def test_the_format_is_known_without_its_suffix(tmp_path: Path) -> None:
    write([Document(id="1", text="x")], tmp_path / "file", format="docbin")
    assert guess_format(tmp_path / "file") == "docbin"
