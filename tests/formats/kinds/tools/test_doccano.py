"""doccano's JSON Lines in the spellings its versions have had."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.formats.rows import load_rows
from vermeil import Document, Span
from vermeil.errors import FormatError, UsageError
from vermeil.formats import Ledger, guess_format, read, write

SPAN = {"me": (Span(0, 3, "Gene"),)}


load = partial(load_rows, format="doccano", annotator="me")


@pytest.mark.parametrize(
    "row",
    [
        {"id": 3, "text": "p53 binds", "label": [[0, 3, "Gene"]]},
        {"id": 3, "text": "p53 binds", "labels": [[0, 3, "Gene"]]},
        {"id": 3, "data": "p53 binds", "label": [[0, 3, "Gene"]]},
        {
            "id": 3,
            "text": "p53 binds",
            "entities": [{"id": 1, "label": "Gene", "start_offset": 0, "end_offset": 3}],
            "relations": [],
            "Comments": [],
        },
    ],
)
def test_every_version_is_read_alike(tmp_path: Path, row: dict[str, Any]) -> None:
    assert load(tmp_path, row) == [Document(id="3", text="p53 binds", layers=SPAN)]
    assert guess_format(tmp_path / "file.jsonl") == "doccano"


def test_the_oldest_exports_name_the_user(tmp_path: Path) -> None:
    marks = [
        {"label": 4, "start_offset": 0, "end_offset": 3, "user": 1},
        {"label": 4, "start_offset": 4, "end_offset": 9, "user": 2},
    ]
    row = {"id": 1, "text": "p53 binds", "annotations": marks, "meta": {}}
    (document,) = load(tmp_path, {**row, "annotation_approver": None})
    assert document.layers == {"1": (Span(0, 3, "4"),), "2": (Span(4, 9, "4"),)}
    assert guess_format(tmp_path / "file.jsonl") == "doccano"


def test_other_columns_are_metadata(tmp_path: Path) -> None:
    row = {"id": 1, "text": "p53", "label": [], "pmid": 99, "meta": {"year": 2004}}
    (document,) = load(tmp_path, row)
    assert document.meta == {"pmid": 99, "year": 2004}
    assert document.layers == {"me": ()}


def test_a_row_without_labels_is_a_text_nobody_looked_at(tmp_path: Path) -> None:
    first, second = load(tmp_path, {"text": "p53"}, {"text": "p53", "label": None})
    assert (first.id, first.layers) == ("1", {})
    assert (second.id, second.layers) == ("2", {})


def test_relations_and_comments_are_counted_as_dropped(tmp_path: Path) -> None:
    ledger = Ledger()
    row = {"text": "p53", "entities": [], "relations": [{}, {}], "Comments": ["why?"]}
    load(tmp_path, row, ledger=ledger)
    assert ledger.counts["dropped", "relations"] == 2
    assert ledger.counts["dropped", "Comments"] == 1


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("p53", "not a JSON object"),
        ({"id": 1, "label": []}, "no 'text' among 'id', 'label'"),
        ({"text": "p53", "label": ["positive"]}, r"Expected `array`, got `str` - at `\$.label"),
        ({"text": "p53", "label": [[0, 9, "G"]]}, "offsets 0-9 do not lie inside the text"),
        ({"text": "p53", "label": [[2, 2, "G"]]}, "offsets 2-2 do not lie inside the text"),
        ({"text": "p53", "label": [[0, 1, ""]]}, "the span 0-1 has an empty label"),
    ],
)
def test_what_breaks_the_format_is_named_with_its_line(
    tmp_path: Path, row: object, message: str
) -> None:
    with pytest.raises(FormatError, match=rf"file.jsonl:2: .*{message}"):
        load(tmp_path, {"text": "p53"}, row)


def test_metadata_are_written_as_columns_where_doccano_leaves_room(tmp_path: Path) -> None:
    path = tmp_path / "out.doccano.jsonl"
    unseen = Document(id="d1", text="no")
    seen = Document(id="d2", text="p53 binds", layers=SPAN, meta={"pmid": 9, "label": "x"})
    write([unseen, seen], path)
    assert list(map(json.loads, path.read_text().splitlines())) == [
        {"id": "d1", "text": "no", "label": None},
        {
            "id": "d2",
            "text": "p53 binds",
            "label": [[0, 3, "Gene"]],
            "pmid": 9,
            "meta": {"label": "x"},
        },
    ]
    assert guess_format(path) == "doccano"
    assert list(read(path, annotator="me")) == [unseen, seen]


def test_two_layers_are_refused(tmp_path: Path) -> None:
    document = Document(id="1", text="p53", layers={"anna": (), "ben": ()})
    with pytest.raises(UsageError, match="doccano holds one layer"):
        write([document], tmp_path / "out.doccano.jsonl")


def test_formats_that_share_a_suffix_are_told_apart_by_their_keys(tmp_path: Path) -> None:
    document = Document(id="1", text="p53 binds", layers=SPAN)
    path = tmp_path / "file.jsonl"
    for name in ("jsonl", "hf", "prodigy", "doccano", "labelstudio"):
        paper = Document(id="1", text='a "b" ' * 20_000, layers=SPAN)
        for each in (document, Document(id="1", text=""), paper):
            write([each], path, format=name)
            assert guess_format(path) == name
