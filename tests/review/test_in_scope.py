"""Who does not look for a label is no party to a dispute about it."""

import csv
import sqlite3
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given

from tests.batches import batches
from vermeil import Document, Span
from vermeil.columns.span_table import SpanTable
from vermeil.errors import UnknownNameError
from vermeil.review.desk import on_desk
from vermeil.review.exporting import export
from vermeil.review.importing import import_documents, scope_of
from vermeil.review.queue import listed
from vermeil.review.store import Store
from vermeil.review.voices import Voices
from vermeil.scope import Scope

TEXT = "aspirin in asthma"
DRUG, ILLNESS = Span(0, 7, "Chemical"), Span(11, 17, "Disease")


def document(id: str = "1", **meta: object) -> Document:
    layers = {"anna": (DRUG, ILLNESS), "ben": (DRUG, ILLNESS), "chem": (DRUG,)}
    return Document(id=id, text=TEXT, layers=layers, meta=meta)


def table(store: Store, folder: Path) -> list[dict[str, str]]:
    [path] = export(store, folder / "table.tsv", what="disagreements")
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, dialect="excel-tab"))


def support(store: Store, number: int = 1) -> list[tuple[int, int]]:
    """How many have each heart, and of how many who look for it."""
    desk = on_desk(store, "cleo", number)
    return [
        (len(heart.annotators), looked)
        for heart, looked in zip(desk["hearts"], desk["looked"], strict=True)
    ]


def test_a_tagger_of_chemicals_is_no_witness_against_a_disease(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        import_documents(store, [document()])
        assert table(store, tmp_path) == []
        assert support(store) == [(3, 3), (2, 2)]
        drug, illness = on_desk(store, "cleo", 1)["hearts"]
        assert illness.confidence == pytest.approx(drug.confidence, abs=0.1)
        [agreed] = listed(store, "cleo")
    with Store(tmp_path / "b.db") as store:
        import_documents(store, [document()], {"chem": frozenset({"*"})})
        [row] = table(store, tmp_path)
        assert (row["label"], row["anna"], row["chem"]) == ("Disease", "asthma (11-17)", "")
        assert support(store) == [(3, 3), (2, 3)]
        [disputed] = listed(store, "cleo")
    assert agreed.contested < disputed.contested


def test_the_document_has_the_last_word(tmp_path: Path) -> None:
    said = document("2", scope={"chem": ["Chemical", "Disease"], "ben": ["Chemical"]})
    with Store(tmp_path / "a.db") as store:
        import_documents(store, [document(), said])
        [row] = table(store, tmp_path)
        assert (row["document"], row["chem"]) == ("2", "")
        first, second = listed(store, "cleo", show="all")
        assert (first.id, second.id) == ("2", "1")


def test_what_is_told_later_changes_the_order_and_is_kept(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        import_documents(store, [document()])
        [before] = listed(store, "cleo")
        import_documents(store, (), {"chem": frozenset({"Chemical", "Disease"})})
        [after] = listed(store, "cleo")
        assert after.contested > before.contested
        with pytest.raises(UnknownNameError, match="did you mean 'chem'"):
            import_documents(store, (), {"chm": frozenset({"*"})})
    with Store(tmp_path / "a.db", read_only=True) as store:
        assert scope_of(store).looks_for("chem", "Disease")


def test_reviews_made_before_labels_were_kept_are_heard_again(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Store(path) as store:
        import_documents(store, [document()])
        [before] = listed(store, "cleo")
    connection = sqlite3.connect(path)
    connection.execute("UPDATE ranks SET hearts = NULL")
    connection.execute("DELETE FROM settings WHERE name = 'scope'")
    connection.commit()
    connection.close()
    with Store(path) as store:
        import_documents(store, [])
        [after] = listed(store, "cleo")
        assert msgspec.to_builtins(after) == msgspec.to_builtins(before)
        assert not scope_of(store).looks_for("chem", "Disease")


@given(batches(annotators=("anna", "ben", "llm")))
def test_voices_in_scope_are_those_of_a_plain_loop(batch: list[Document]) -> None:
    voices = Voices.of(SpanTable.from_documents(batch))
    told = Scope.of(batch, {"anna": frozenset({"Gene"})})
    other = told.within({"ben": frozenset({"Disease"})})
    scopes = [told if number % 2 else other for number in range(len(batch))]
    found = voices.within(scopes).looked
    for heart, label in enumerate(voices.labels):
        for column, name in enumerate(voices.annotators):
            looks = scopes[voices.document[heart]].looks_for(name, label)
            wanted = voices.voted[heart, column] or (voices.looked[heart, column] and looks)
            assert found[heart, column] == wanted
    assert np.array_equal(voices.within([Scope()] * len(batch)).looked, voices.looked)
