"""JSON Lines of documents as other tools write them, and what no line of a document is."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from vermeil import Centroid, Document, Span, Tree
from vermeil.errors import FormatError
from vermeil.formats import read, write

TEXT = "We gave aspirin and zinc."
SPAN = {"start": 8, "end": 15, "label": "Drug"}


def read_line(path: Path, *, in_columns: bool = False, **fields: Any) -> Document:
    """Read a file of one document with these fields."""
    path.write_bytes(msgspec.json.encode({"id": "1", "text": TEXT, **fields}))
    [document] = read(path, in_columns=in_columns)
    return document


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "one.jsonl"


@pytest.mark.parametrize("in_columns", [False, True])
@pytest.mark.parametrize(
    "said",
    [
        {"layers": {"a": [SPAN], "b": None}},
        {"layers": {"a": [SPAN]}, "standards": None, "trees": None, "meta": None},
        {"layers": {"a": [{**SPAN, "ids": None, "fragments": None}]}},
        {"layers": {"a": [{**SPAN, "attributes": None, "confidence": None}]}},
        {"layers": [{"annotator": "a", "spans": [SPAN]}, {"annotator": "b", "spans": None}]},
        {"layers": [{"annotator": "a", "spans": [SPAN]}], "meta": "{}", "trees": []},
    ],
)
def test_null_is_what_is_not_said_and_layers_may_be_a_list(
    said: dict[str, Any], in_columns: bool, path: Path
) -> None:
    document = read_line(path, in_columns=in_columns, **said)
    assert dict(document.layers) == {"a": (Span(8, 15, "Drug"),)}
    assert document.meta == {}


def test_whole_numbers_may_be_written_with_a_point(path: Path) -> None:
    path.write_text(
        '{"id": "1", "text": "We gave aspirin.", "layers": {"a": [{"start": 8.0, "end": 15.0, '
        '"label": "Drug", "fragments": [[8.0, 10.0], [11.0, 15.0]]}]}}'
    )
    [document] = read(path)
    assert document.layers["a"] == (Span(8, 15, "Drug", fragments=((8, 10), (11, 15))),)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"layers": {"a": [{**SPAN, "start": 8.5}]}}, "Expected `int`, got `float`"),
        ({"layers": {"a": [{**SPAN, "start": None}]}}, "Expected `int`, got `null`"),
        ({"layers": {"a": [{**SPAN, "sure": None}]}}, "unknown field `sure`"),
        ({"layers": [{"annotator": "a", "spans": []}] * 2}, "Expected `object`, got `array`"),
        ({"layers": [{"annotator": 7, "spans": []}]}, "Expected `object`, got `array`"),
        ({"layers": {"a": [{**SPAN, "end": 99.0}]}}, "Expected `int`, got `float`"),
    ],
)
def test_what_cannot_be_brought_to_a_document_is_the_error_of_the_line(
    fields: dict[str, Any], reason: str, path: Path
) -> None:
    with pytest.raises(FormatError, match=reason):
        read_line(path, **fields)


def test_our_parquet_as_pandas_writes_it_to_json_is_read(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    held = [
        Document(
            id="1",
            text=TEXT,
            layers={
                "a": (
                    Span(
                        *(8, 24, "Drug", 0.5),
                        fragments=((8, 15), (20, 24)),
                        ids=("7",),
                        attributes=(("x", "y"),),
                    ),
                    Span(20, 24, "Drug"),
                ),
                "b": (),
            },
            standards={
                "gold": (
                    Centroid(
                        *(8, 15, "Drug", 2.0),
                        left=((8, 2.0),),
                        right=((15, 1.0), (24, 1.0)),
                        confidence=0.5,
                        labels=(("Drug", 0.5), ("Metal", 0.5)),
                        pairs=((8, 15, 1.0), (8, 24, 1.0)),
                        ids=("7",),
                    ),
                )
            },
            trees={"p": (Tree.parse("(S (NN aspirin))"), None)},
            meta={"year": 2007},
        ),
        Document(id="2", text="No."),
    ]
    write(held, tmp_path / "x.parquet")
    frame = pandas.read_parquet(tmp_path / "x.parquet")
    frame.to_json(tmp_path / "x.jsonl", orient="records", lines=True)
    assert list(read(tmp_path / "x.jsonl")) == held


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ('{\n "id": "1",\n "text": "p53"\n}\n', r"one.jsonl:1: .*one document a line is wanted"),
        ('[{"id": "1", "text": "p53"}]', r"one.jsonl:1: .*one document a line .*jq -c '\.\[\]'"),
        ('[\n {"id": "1", "text": "p53"}\n]\n', r"one.jsonl:1: .*one document a line is wanted"),
        ('{"id": "1", "text": "p5', r"one.jsonl:1: not a document: Input data was truncated$"),
    ],
)
def test_what_is_laid_out_otherwise_is_told_how_to_become_lines(
    said: str, reason: str, path: Path
) -> None:
    path.write_text(said)
    with pytest.raises(FormatError, match=reason):
        list(read(path, format="jsonl"))
