"""PubAnnotation JSON in the shapes its users keep it in."""

import json
from pathlib import Path
from typing import Any

import pytest

from vermeil import Document, Span, VermeilError
from vermeil.formats import Ledger, guess_format, read, write

TEXT = "ES and somatic cells"
PAPER: dict[str, Any] = {
    "target": "https://pubannotation.org/docs/sourcedb/PubMed/sourceid/123",
    "sourcedb": "PubMed",
    "sourceid": "123",
    "text": TEXT,
    "project": "cells",
    "denotations": [
        {
            "id": "T1",
            "span": [{"begin": 0, "end": 2}, {"begin": 15, "end": 20}],
            "obj": "CL:0002322",
        },
        {"id": "T2", "span": {"begin": 7, "end": 20}, "obj": "Cell"},
    ],
    "attributes": [
        {"id": "A1", "subj": "T2", "pred": "identifier", "obj": "CL:0002371"},
        {"id": "A2", "subj": "T2", "pred": "confidence", "obj": 0.5},
        {"id": "A3", "subj": "T2", "pred": "negated", "obj": True},
        {"id": "A4", "subj": "R1", "pred": "negated", "obj": True},
    ],
    "relations": [{"id": "R1", "subj": "T1", "pred": "near", "obj": "T2"}],
}
LAYER = (
    Span(0, 20, "CL:0002322", fragments=((0, 2), (15, 20))),
    Span(7, 20, "Cell", 0.5, ids=("CL:0002371",), attributes=(("negated", "true"),)),
)


def read_value(tmp_path: Path, value: object, ledger: Ledger | None = None) -> list[Document]:
    path = tmp_path / "a.pubannotation.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return list(read(path, annotator="anna", ledger=ledger))


def test_denotations_attributes_and_relations_are_read(tmp_path: Path) -> None:
    ledger = Ledger()
    (document,) = read_value(tmp_path, PAPER, ledger)
    assert (document.id, document.text) == ("PubMed:123", TEXT)
    assert document.layers == {"cells": LAYER}
    assert document.meta == {"target": PAPER["target"]}
    assert {what: n for (deed, what), n in ledger.counts.items() if deed == "dropped"} == {
        "relations": 1,
        "attributes of something other than a denotation": 1,
    }


def test_an_object_an_array_lines_and_a_folder_say_the_same(tmp_path: Path) -> None:
    wanted = read_value(tmp_path, PAPER)
    assert read_value(tmp_path, json.dumps(PAPER, indent=2)) == wanted
    other = PAPER | {"sourceid": "8"}
    both = read_value(tmp_path, [PAPER, other])
    assert both[:1] == wanted
    assert read_value(tmp_path, f"{json.dumps(PAPER)}\n\n{json.dumps(other)}\n") == both
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.json").write_text(json.dumps(PAPER, indent=2))
    assert guess_format(folder) == "pubannotation"
    assert list(read(folder)) == wanted


def test_the_format_is_known_by_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(PAPER, indent=2))
    assert guess_format(path) == "pubannotation"


def test_tracks_are_layers_and_no_denotations_mean_nobody_looked(tmp_path: Path) -> None:
    tracks = [
        {"project": "one", "denotations": PAPER["denotations"][1:]},
        {"project": "two", "denotations": []},
    ]
    (document,) = read_value(tmp_path, {"sourceid": "1", "text": TEXT, "tracks": tracks})
    assert document.layers == {"one": (Span(7, 20, "Cell"),), "two": ()}
    (document,) = read_value(tmp_path, {"sourceid": "1", "text": TEXT})
    assert document.layers == {}
    (document,) = read_value(tmp_path, {"sourceid": "1", "text": TEXT, "denotations": []})
    assert document.layers == {"anna": ()}


def test_divisions_are_sections(tmp_path: Path) -> None:
    divisions = [{"span": {"begin": 0, "end": 2}, "label": "title"}]
    (document,) = read_value(tmp_path, PAPER | {"divisions": divisions})
    assert document.meta["sections"] == [{"start": 0, "end": 2, "kind": "title"}]


@pytest.mark.parametrize(
    ("fields", "id"),
    [
        ({"sourcedb": "PMC", "sourceid": 12, "divid": 3}, "PMC:12:3"),
        ({"sourceid": "x/y z"}, "x/y z"),
        ({"target": "http://pubannotation.org/docs/sourcedb/PMC/sourceid/12/divs/0"}, "PMC:12:0"),
        ({}, "a.pubannotation"),
    ],
)
def test_an_id_is_made_of_what_there_is(tmp_path: Path, fields: dict[str, Any], id: str) -> None:
    (document,) = read_value(tmp_path, {"text": TEXT} | fields)
    assert document.id == id


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"text": 3}, r":1: Expected `str`, got `int` - at `\$\.text`"),
        ({"denotations": [{"obj": "x"}]}, r":1: .*missing required field `span`"),
        (
            {"denotations": [{"span": {"begin": 0, "end": 99}, "obj": "x"}]},
            r":1: offsets 0-99 do not lie inside the text of 20 characters",
        ),
        ({"denotations": [{"span": [], "obj": "x"}]}, r":1: denotation None has no span"),
        ({"denotations": [PAPER["denotations"][1]] * 2}, r":1: 2 denotations are called 'T2'"),
        ({"divisions": [{"span": {"begin": 5, "end": 99}}]}, r":1: division 5-99 is outside"),
    ],
)
def test_what_breaks_the_format_is_named_with_its_line(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(VermeilError, match=r"a\.pubannotation\.json" + message):
        read_value(tmp_path, PAPER | changes)


def test_a_folder_without_json_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("")
    with pytest.raises(VermeilError, match=r"there is no \.json file in this folder"):
        list(read(tmp_path, format="pubannotation"))


@pytest.mark.parametrize(("layout", "first"), [("array", "["), ("lines", "{")])
def test_documents_are_written_as_an_array_or_as_lines(
    tmp_path: Path, layout: str, first: str
) -> None:
    path = tmp_path / "o.pubannotation.json"
    documents = read_value(tmp_path, [PAPER, PAPER | {"sourceid": "8"}])
    write(documents, path, options={"layout": layout})
    assert path.read_text()[0] == first
    assert list(read(path)) == documents


def test_what_is_written_is_what_pubannotation_reads(tmp_path: Path) -> None:
    path = tmp_path / "o.pubannotation.json"
    write(read_value(tmp_path, PAPER), path)
    (written,) = json.loads(path.read_text())
    assert written["sourcedb"] == "PubMed"
    assert written["denotations"] == PAPER["denotations"]
    assert written["attributes"] == [
        {"subj": "T2", "pred": "identifier", "obj": "CL:0002371"},
        {"subj": "T2", "pred": "confidence", "obj": 0.5},
        {"subj": "T2", "pred": "negated", "obj": "true"},
    ]


def test_metadata_called_like_a_field_are_counted_as_dropped(tmp_path: Path) -> None:
    ledger = Ledger()
    document = Document(id="1", text=TEXT, meta={"project": "x", "year": 1999})
    write([document], tmp_path / "o.pubannotation.json", ledger=ledger)
    assert ledger.counts["dropped", "metadata called like a field"] == 1
    (back,) = read(tmp_path / "o.pubannotation.json")
    assert back.meta == {"year": 1999}
