import json
import subprocess
import sys

import pytest
from hypothesis import given

import vermeil as vm
from tests.strategies import documents
from tests.verbs.samples import passages
from vermeil import Document, Span, VermeilError

TEXT = "p53 binds DNA"
DOCUMENT = Document(id="1", text=TEXT, layers={"anna": (Span(0, 3, "Gene"),), "ben": ()})


@given(documents())
def test_layers_come_back_from_rows(document: Document) -> None:
    [row] = vm.to_datasets_rows(document)
    [back] = vm.from_datasets_rows([json.loads(json.dumps(row))])
    assert back.layers == (document.layers or {"gold": ()})
    assert (back.id, back.text) == (document.id, document.text)


def test_rows_have_the_same_columns_of_the_same_types() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.Table.from_pylist(vm.to_datasets_rows(passages()))
    assert table.column_names == ["id", "text", "annotators", "spans"]
    back = vm.from_datasets_rows(table.to_pylist())
    assert [each.layers for each in back] == [each.layers for each in passages()]


def test_spans_in_columns_are_read_too() -> None:
    spans = {"start": [0], "end": [3], "label": ["Gene"], "confidence": [None]}
    [document] = vm.from_datasets_rows([{"text": TEXT, "spans": spans}], annotator="me")
    assert document.layers == {"me": (Span(0, 3, "Gene"),)}
    assert document.id == "1"


@pytest.mark.parametrize("scheme", ["iob2", "iobes"])
def test_tags_come_back(scheme: str) -> None:
    rows = vm.to_datasets_rows(passages(), tags=scheme, layer="tagger")
    back = vm.from_datasets_rows(rows, annotator="tagger")
    for before, after in zip(passages(), back, strict=True):
        assert [(s.start, s.end, s.label) for s in before.layers["tagger"]] == [
            (s.start, s.end, s.label) for s in after.layers["tagger"]
        ]


def test_documents_nobody_looked_at_have_no_tags() -> None:
    assert len(vm.to_datasets_rows(passages(), tags="iob2", layer="ben")) == 69


def test_overlapping_spans_cannot_be_tags() -> None:
    with pytest.raises(VermeilError, match="overlap, and a token has one tag"):
        vm.to_datasets_rows(passages(), tags="iob2", layer="gold")


class ClassLabel:
    names = ("O", "B-Gene", "I-Gene")


class Sequence:
    feature = ClassLabel()


class Rows(list[dict[str, object]]):
    features = {"ner_tags": Sequence()}  # noqa: RUF012


def test_numbers_are_named_by_the_features_of_a_dataset_or_by_classes() -> None:
    row: dict[str, object] = {"tokens": ["p53", "binds"], "ner_tags": [1, 0], "colour": "red"}
    want = {"gold": (Span(0, 3, "Gene"),)}
    assert vm.from_datasets_rows(Rows([row]))[0].layers == want
    assert vm.from_datasets_rows([row], classes=["O", "B-Gene"])[0].layers == want
    with pytest.raises(VermeilError, match="a number without a name"):
        vm.from_datasets_rows([row])
    with pytest.raises(VermeilError, match="has a comma"):
        vm.from_datasets_rows([row], classes=["O", "B-Gene,protein"])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"id": "1"}, "takes rows, not dict"),
        (None, "takes rows, not NoneType"),
        ([3], "row 1 is 3, and a mapping was wanted"),
        ([{"id": 1}], "row 1: has neither spans nor tokens; it has id"),
        ([{"spans": []}], "row 1: has no text"),
        ([{"text": TEXT, "spans": [{"start": 0}]}], "row 1: "),
        ([{"text": TEXT, "spans": [{"start": 0, "end": 99, "label": "G"}]}], "row 1: .*ends at 99"),
        ([{"text": TEXT, "spans": [{"start": "0", "end": 3, "label": "G"}]}], "row 1: Expected"),
        ([{"text": TEXT, "spans": 3}], "row 1: "),
        ([{"text": TEXT, "spans": []}, {"tokens": []}], "either all of spans or all of tokens"),
        ([{"tokens": ["a"], "ner_tags": ["B-G", "O"]}], "2 tags for 1 tokens"),
    ],
)
def test_what_is_no_row_is_named(rows: object, message: str) -> None:
    with pytest.raises(VermeilError, match=message):
        vm.from_datasets_rows(rows)  # type: ignore[arg-type]


def test_real_datasets_take_the_rows() -> None:
    pytest.importorskip("datasets")
    # In a process of its own: datasets takes the fingerprint of all that is imported.
    script = (
        "import datasets, vermeil as vm; from vermeil import samples;"
        "documents = vm.read([samples.GOLD, *samples.ANNOTATORS]).hold();"
        "made = datasets.Dataset.from_list(vm.to_datasets_rows(documents));"
        "back = vm.from_datasets_rows(made);"
        "print([each.layers for each in back] == [each.layers for each in documents])"
    )
    told = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    assert told.stdout.strip() == b"True"
