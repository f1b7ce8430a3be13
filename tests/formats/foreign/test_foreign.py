"""Files in the shapes people have, written by us: read span by span, and written back."""

import json
from pathlib import Path
from typing import Any

import pytest

from vermeil import Document, Span
from vermeil.formats import FORMATS, guess_format, read, write

FILES = Path(__file__).parent / "files"
TEXTS = [Document(id="PMID-1", text="Aspirin inhibits cyclooxygenase in Hodgkin's disease.")]
DRUG, GENE = ("Aspirin", "Chemical"), ("cyclooxygenase", "Gene")
SHAPES = {
    "pipeline.json": ("entities", [DRUG, GENE]),
    "groups.jsonl": ("entities", [DRUG, GENE]),
    "gliner.json": ("entities", [DRUG, GENE]),
    "spacy.json": ("entities", [DRUG, GENE]),
    "spacy.jsonl": ("entities", [DRUG, GENE]),
    "json-min.json": ("labelstudio", [DRUG, GENE]),
    "full-text.txt": ("pubtator", [DRUG, GENE]),
    "numbered.txt": ("conll", [DRUG, GENE]),
    "spans.csv": ("csv", [DRUG, GENE]),
    "standoff.tsv": ("csv-standoff", [DRUG, GENE]),
    "webanno.tsv": ("webanno", [DRUG, GENE, ("Hodgkin's disease", "Disease")]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_foreign_file_is_known_and_read_span_by_span(name: str) -> None:
    format, spans = SHAPES[name]
    assert guess_format(FILES / name) == format
    first, *_ = read(FILES / name, documents=TEXTS)
    [layer] = first.layers.values()
    assert [(span.marked(first.text), span.label) for span in layer] == spans


@pytest.mark.parametrize("name", SHAPES)
def test_it_is_written_back_as_it_was_understood(name: str, tmp_path: Path) -> None:
    format, _ = SHAPES[name]
    documents = list(read(FILES / name, annotator="anna", documents=TEXTS))
    again = documents
    if not FORMATS[format].folder:
        write(documents, tmp_path / "again", format=format)
        again = list(read(tmp_path / "again", format=format, annotator="anna", documents=TEXTS))
    assert [each.text for each in again] == [each.text for each in documents]
    assert [each.layers for each in again] == [each.layers for each in documents]


def test_every_file_is_in_the_table() -> None:
    assert {each.name for each in FILES.iterdir()} == set(SHAPES)


def test_the_scores_of_a_pipeline_are_confidences() -> None:
    [document] = read(FILES / "pipeline.json")
    assert [span.confidence for span in document.layers["pipeline"]] == [0.97, 0.81]


FEATURES = {
    "tokens": {"feature": {"dtype": "string", "_type": "Value"}, "_type": "Sequence"},
    "ner_tags": {
        "feature": {"names": ["O", "B-Gene", "I-Gene"], "_type": "ClassLabel"},
        "_type": "Sequence",
    },
}


def table(*tokens: str) -> object:
    arrow = pytest.importorskip("pyarrow")
    tags = [[1] + [0] * (len(tokens) - 1)]
    told = {"huggingface": json.dumps({"info": {"features": FEATURES}})}
    return arrow.table({"tokens": [list(tokens)], "ner_tags": tags}).replace_schema_metadata(told)


def store(data: Any, path: Path) -> None:
    import pyarrow

    if path.suffix == ".parquet":
        import pyarrow.parquet

        pyarrow.parquet.write_table(data, path)
        return
    with pyarrow.OSFile(str(path), "wb") as sink, pyarrow.ipc.new_stream(sink, data.schema) as out:
        out.write_table(data)


@pytest.mark.parametrize("suffix", [".arrow", ".parquet"])
def test_a_dataset_on_disk_has_splits_and_names_of_classes(suffix: str, tmp_path: Path) -> None:
    for split in ("train", "test"):
        (tmp_path / split).mkdir()
        store(table("p53", "binds", split), tmp_path / split / f"data-00000-of-00001{suffix}")
    assert guess_format(tmp_path) == "hf-dataset"
    found = list(read(tmp_path, annotator="anna"))
    assert [(each.id, each.text) for each in found] == [
        ("test/1", "p53 binds test"),
        ("train/1", "p53 binds train"),
    ]
    assert all(each.layers == {"anna": (Span(0, 3, "Gene"),)} for each in found)
    one = tmp_path / "train" / f"data-00000-of-00001{suffix}"
    assert guess_format(one) == "hf-dataset"
    assert [each.id for each in read(one)] == ["1"]


def test_pairs_of_tokens_and_labels_are_annotators(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "17.tokens").write_text("Sixty\nmen\ngot\naspirin\n")
    (tmp_path / "documents" / "17.text").write_text("Sixty men  got aspirin.")
    folder = tmp_path / "annotations" / "participants"
    folder.mkdir(parents=True)
    (folder / "17.A1.ann").write_text("1\n1\n0\n0\n")
    (folder / "17.A2.ann").write_text("0\n2\n0\n0\n")
    other = tmp_path / "annotations" / "interventions"
    other.mkdir()
    (other / "17.A1.ann").write_text("0\n0\n0\n1\n")
    assert guess_format(tmp_path) == "ebm-nlp"
    [document] = read(tmp_path)
    assert document.text == "Sixty men  got aspirin."
    assert document.layers == {
        "A1": (Span(0, 9, "participants"), Span(15, 22, "interventions")),
        "A2": (Span(6, 9, "participants-2"),),
    }
