"""Prodigy's JSON Lines, as db-out writes them and as we do."""

import json
from functools import partial
from pathlib import Path
from typing import ClassVar

import pytest

from tests.formats.rows import load_rows
from vermeil import Document, Span
from vermeil.errors import FormatError
from vermeil.formats import Ledger, guess_format, read, write

ROW = {
    "text": "IL-2 binds p53",
    "_input_hash": 1886699658,
    "_task_hash": -1952856502,
    "_is_binary": False,
    "tokens": [{"text": "IL-2", "start": 0, "end": 4, "id": 0, "ws": True}],
    "_view_id": "ner_manual",
    "spans": [{"start": 0, "end": 4, "token_start": 0, "token_end": 0, "label": "Gene"}],
    "answer": "accept",
    "_timestamp": 1698052163,
    "_annotator_id": "genes-anna",
    "_session_id": "genes-anna",
}


load = partial(load_rows, format="prodigy", annotator="me")


def test_a_row_is_what_one_annotator_said_of_one_text(tmp_path: Path) -> None:
    (document,) = load(tmp_path, {**ROW, "pmid": "99", "meta": {"source": "PubMed"}})
    assert document == Document(
        id="1",
        text="IL-2 binds p53",
        layers={"genes-anna": (Span(0, 4, "Gene"),)},
        meta={"pmid": "99", "source": "PubMed"},
    )
    assert guess_format(tmp_path / "file.jsonl") == "prodigy"


def test_the_annotator_may_be_the_session_or_the_file(tmp_path: Path) -> None:
    session = {**ROW, "_annotator_id": None}
    bare = {**session, "_session_id": None}
    assert list(load(tmp_path, session)[0].layers) == ["genes-anna"]
    assert list(load(tmp_path, bare)[0].layers) == ["me"]


def test_neighbouring_rows_of_several_annotators_make_one_document(tmp_path: Path) -> None:
    other = {**ROW, "_annotator_id": "genes-ben", "spans": []}
    (document,) = load(tmp_path, ROW, other)
    assert document.layers == {"genes-anna": (Span(0, 4, "Gene"),), "genes-ben": ()}


def test_a_text_that_one_annotator_saw_twice_is_two_documents_unless_an_id_says_otherwise(
    tmp_path: Path,
) -> None:
    again = {**ROW, "spans": [{"start": 11, "end": 14, "label": "Gene"}]}
    assert len(load(tmp_path, ROW, again)) == 2
    ledger = Ledger()
    (document,) = load(tmp_path, {**ROW, "id": 5}, {**again, "id": 5}, ledger=ledger)
    assert document.id == "5"
    assert document.layers == {"genes-anna": (Span(0, 4, "Gene"), Span(11, 14, "Gene"))}
    assert ledger.counts["joined", "rows of one annotator on one text"] == 1


def test_rows_that_stand_apart_are_joined_on_request(tmp_path: Path) -> None:
    between = {"text": "no", "answer": "accept", "_annotator_id": "genes-anna"}
    other = {**ROW, "_annotator_id": "genes-ben", "spans": []}
    ledger = Ledger()
    assert len(load(tmp_path, ROW, between, other, ledger=ledger)) == 3
    assert ledger.counts["left apart", "texts that come again later (merge=all joins them)"] == 1
    first, second = load(tmp_path, ROW, between, other, merge="all")
    assert list(first.layers) == ["genes-anna", "genes-ben"]
    assert second.text == "no"


@pytest.mark.parametrize("answer", ["reject", "ignore"])
def test_a_rejected_or_ignored_row_means_that_the_annotator_did_not_look(
    tmp_path: Path, answer: str
) -> None:
    ledger = Ledger()
    (document,) = load(tmp_path, {**ROW, "answer": answer}, ledger=ledger)
    assert document.layers == {}
    assert ledger.counts["passed over", f"answers {answer!r}"] == 1


def test_spans_without_an_answer_are_a_layer_and_no_spans_are_none(tmp_path: Path) -> None:
    first, second = load(tmp_path, {"text": "p53", "spans": []}, {"text": "p53 again"})
    assert first.layers == {"me": ()}
    assert second.layers == {}


def test_a_score_is_a_confidence_and_a_repeated_text_is_checked(tmp_path: Path) -> None:
    span = {"start": 3, "end": 6, "label": "Gene", "text": "p53", "score": 0.5, "source": "m"}
    row = {"text": "\U0001f9ec p53", "spans": [span]}
    ledger = Ledger()
    (document,) = load(tmp_path, row, ledger=ledger)
    assert document.layers == {"me": (Span(2, 5, "Gene", 0.5),)}
    assert ledger.counts["repaired", "offsets that count UTF-16 code units"] == 1


def test_relations_and_choices_are_counted_as_dropped(tmp_path: Path) -> None:
    ledger = Ledger()
    load(tmp_path, {**ROW, "relations": [{}, {}], "accept": ["a"], "options": [{}]}, ledger=ledger)
    assert ledger.counts["dropped", "relations"] == 2
    assert ledger.counts["dropped", "accept"] == 1


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (["text"], "not a JSON object"),
        ({"spans": []}, "missing required field `text`"),
        ({"text": "p53", "spans": [{"start": 0, "end": 3}]}, "missing required field `label`"),
        (
            {"text": "p53", "spans": [{"start": 0, "end": 9, "label": "G"}]},
            "offsets 0-9 do not lie inside the text of 3 characters",
        ),
    ],
)
def test_what_breaks_the_format_is_named_with_its_line(
    tmp_path: Path, row: object, message: str
) -> None:
    with pytest.raises(FormatError, match=rf"file.jsonl:2: .*{message}"):
        load(tmp_path, ROW, row)


def test_a_row_is_written_for_each_layer(tmp_path: Path) -> None:
    path = tmp_path / "out.prodigy.jsonl"
    looked = Document(
        id="d1", text="p53", layers={"anna": (Span(0, 3, "Gene", 0.5),), "ben": ()}, meta={"y": 1}
    )
    unseen = Document(id="d2", text="no")
    write([unseen, looked], path)
    assert list(map(json.loads, path.read_text().splitlines())) == [
        {"id": "d2", "text": "no", "spans": [], "answer": "ignore"},
        {
            "id": "d1",
            "text": "p53",
            "spans": [{"start": 0, "end": 3, "label": "Gene", "score": 0.5}],
            "answer": "accept",
            "meta": {"y": 1},
            "_annotator_id": "anna",
        },
        {
            "id": "d1",
            "text": "p53",
            "spans": [],
            "answer": "accept",
            "meta": {"y": 1},
            "_annotator_id": "ben",
        },
    ]
    assert guess_format(path) == "prodigy"
    assert list(read(path)) == [unseen, looked]


class TestStaleNames:
    ROW: ClassVar[dict[str, object]] = {
        "text": "IL-2 binds DNA",
        "spans": [{"start": 0, "end": 4, "label": "Gene", "text": "IL2"}],
        "tokens": [{"start": 0, "end": 4, "text": "IL-2", "id": 0}],
        "answer": "accept",
    }

    def load(self, folder: Path, row: dict[str, object], **options: str) -> list[Document]:
        self.ledger = Ledger()
        return load_rows(
            folder, row, format="prodigy", annotator="anna", ledger=self.ledger, **options
        )

    def test_are_noted_where_offsets_agree_with_tokens(self, tmp_path: Path) -> None:
        [document] = self.load(tmp_path, self.ROW)
        assert document.layers["anna"] == (Span(0, 4, "Gene"),)
        [line] = self.ledger.summary()
        assert "names whose offsets mark something else" in line
        assert "'IL-2', not 'IL2'" in line

    def test_are_refused_where_they_do_not_or_when_asked(self, tmp_path: Path) -> None:
        for row, names in (({**self.ROW, "tokens": []}, "auto"), (self.ROW, "check")):
            with pytest.raises(FormatError, match="text at 0-4 is 'IL-2', not 'IL2'"):
                self.load(tmp_path, row, names=names)

    def test_are_not_looked_at_when_asked(self, tmp_path: Path) -> None:
        assert self.load(tmp_path, {**self.ROW, "tokens": []}, names="ignore")
        assert self.ledger.summary() == []
        assert self.load(tmp_path, {**self.ROW, "tokens": []}, names="note")
        assert len(self.ledger.summary()) == 1
