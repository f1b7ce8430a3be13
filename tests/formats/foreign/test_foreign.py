"""Files in the shapes people have, written by us: read span by span, and written back."""

from pathlib import Path

import pytest

from vermeil.formats import FORMATS, guess_format, read, write

FILES = Path(__file__).parent / "files"
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
    "webanno.tsv": ("webanno", [DRUG, GENE, ("Hodgkin's disease", "Disease")]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_foreign_file_is_known_and_read_span_by_span(name: str) -> None:
    format, spans = SHAPES[name]
    assert guess_format(FILES / name) == format
    first, *_ = read(FILES / name)
    [layer] = first.layers.values()
    assert [(span.marked(first.text), span.label) for span in layer] == spans


@pytest.mark.parametrize("name", SHAPES)
def test_it_is_written_back_as_it_was_understood(name: str, tmp_path: Path) -> None:
    format, _ = SHAPES[name]
    documents = list(read(FILES / name, annotator="anna"))
    again = documents
    if not FORMATS[format].folder:
        write(documents, tmp_path / "again", format=format)
        again = list(read(tmp_path / "again", format=format, annotator="anna"))
    assert [each.text for each in again] == [each.text for each in documents]
    assert [each.layers for each in again] == [each.layers for each in documents]


def test_every_file_is_in_the_table() -> None:
    assert {each.name for each in FILES.iterdir()} == set(SHAPES)


def test_the_scores_of_a_pipeline_are_confidences() -> None:
    [document] = read(FILES / "pipeline.json")
    assert [span.confidence for span in document.layers["pipeline"]] == [0.97, 0.81]
