"""Label Studio's exports, old and new, and what we write for it."""

import json
from pathlib import Path
from typing import Any

import pytest

from vermeil import Document, Span
from vermeil.errors import FormatError
from vermeil.formats import Ledger, guess_format, read, write


def region(start: int, end: int, *labels: str, text: str | None = None, **more: Any) -> Any:
    value = {"start": start, "end": end, "labels": list(labels)}
    if text is not None:
        value["text"] = text
    names = {"id": "x1", "from_name": "label", "to_name": "text", "type": "labels"}
    return {**names, "value": value, **more}


def load(tmp_path: Path, *tasks: Any, ledger: Ledger | None = None, **words: str) -> list[Document]:
    path = tmp_path / "file.json"
    path.write_text(json.dumps(tasks, indent=2))
    options = {name.replace("_", "-"): value for name, value in words.items()}
    return list(read(path, format="labelstudio", annotator="me", ledger=ledger, options=options))


def test_annotations_and_predictions_are_layers(tmp_path: Path) -> None:
    task = {
        "id": 12,
        "data": {"text": "IL-2 binds p53", "pmid": "99"},
        "annotations": [
            {"id": 1, "completed_by": 4, "result": [region(0, 4, "Gene", "Protein", text="IL-2")]},
            {"id": 2, "completed_by": {"id": 5, "email": "ben@x.org"}, "result": []},
            {"id": 3, "completed_by": "anna", "result": [region(11, 14, "Gene")]},
        ],
        "predictions": [
            {"model_version": "bert", "score": 0.9, "result": [region(11, 14, "Gene", score=0.75)]},
            17,
        ],
        "drafts": [],
        "created_at": "2024-01-01T00:00:00Z",
    }
    (document,) = load(tmp_path, task)
    assert document.id == "12"
    assert document.meta == {"pmid": "99"}
    assert document.layers == {
        "4": (Span(0, 4, "Gene"), Span(0, 4, "Protein")),
        "ben@x.org": (),
        "anna": (Span(11, 14, "Gene"),),
        "bert": (Span(11, 14, "Gene", 0.75),),
    }


def test_a_cancelled_annotation_means_that_nobody_looked(tmp_path: Path) -> None:
    ledger = Ledger()
    task = {
        "data": {"text": "x"},
        "annotations": [{"completed_by": 4, "was_cancelled": True, "result": []}],
    }
    (document,) = load(tmp_path, task, ledger=ledger)
    assert document.layers == {}
    assert ledger.counts["passed over", "cancelled annotations"] == 1


def test_the_oldest_exports_call_annotations_completions(tmp_path: Path) -> None:
    task = {"data": {"text": "p53"}, "completions": [{"id": 1, "result": [region(0, 3, "Gene")]}]}
    assert load(tmp_path, task)[0].layers == {"me": (Span(0, 3, "Gene"),)}


def test_two_annotations_of_one_annotator_are_kept_apart(tmp_path: Path) -> None:
    annotations = [{"completed_by": 4, "result": []}, {"completed_by": 4, "result": []}]
    (document,) = load(tmp_path, {"data": {"text": "x"}, "annotations": annotations})
    assert list(document.layers) == ["4", "4#2"]


def test_relations_and_choices_are_counted_as_dropped(tmp_path: Path) -> None:
    results = [
        {"type": "relation", "from_id": "a", "to_id": "b", "direction": "right"},
        {"type": "choices", "value": {"choices": ["yes"]}},
        region(0, 1),
    ]
    ledger = Ledger()
    load(tmp_path, {"data": {"text": "x"}, "annotations": [{"result": results}]}, ledger=ledger)
    assert ledger.counts["dropped", "results of the type 'relation'"] == 1
    assert ledger.counts["dropped", "results of the type 'choices'"] == 1
    assert ledger.counts["dropped", "regions without a label"] == 1


def test_scores_of_whole_predictions_and_scores_above_one_are_dropped(tmp_path: Path) -> None:
    ledger = Ledger()
    results = [region(0, 3, "Gene", score=7.5), region(0, 3, "DNA")]
    predictions = [{"model_version": "m", "score": 0.5, "result": results}]
    (document,) = load(
        tmp_path, {"data": {"text": "p53"}, "predictions": predictions}, ledger=ledger
    )
    assert document.layers == {"m": (Span(0, 3, "DNA"), Span(0, 3, "Gene"))}
    assert ledger.counts["dropped", "scores that are no probabilities"] == 1
    assert ledger.counts["dropped", "scores of whole predictions"] == 1


def test_json_min_rows_of_one_task_make_one_document(tmp_path: Path) -> None:
    row = {"id": 3, "text": "p53 binds", "annotation_id": 8, "lead_time": 2.5, "created_at": "…"}
    marks = [{"start": 0, "end": 3, "text": "p53", "labels": ["Gene"]}]
    (document,) = load(
        tmp_path,
        {**row, "ner": marks, "annotator": 1, "pmid": 9},
        {**row, "annotator": 2, "pmid": 9},
    )
    assert document.id == "3"
    assert document.layers == {"1": (Span(0, 3, "Gene"),), "2": ()}
    assert document.meta == {"pmid": 9}
    assert guess_format(tmp_path / "file.json") == "labelstudio"


def test_tasks_may_stand_one_a_line(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    task = json.dumps({"data": {"text": "p53"}, "annotations": []})
    path.write_text(f"{task}\n\n{task}")
    assert [document.id for document in read(path)] == ["1", "2"]


def test_offsets_in_utf_16_are_recognised_where_regions_repeat_their_text(tmp_path: Path) -> None:
    ledger = Ledger()
    task = {
        "data": {"text": "\U0001f9ec p53"},
        "annotations": [{"result": [region(3, 6, "Gene", text="p53")]}],
    }
    (document,) = load(tmp_path, task, ledger=ledger)
    assert document.layers == {"me": (Span(2, 5, "Gene"),)}
    assert ledger.counts["repaired", "offsets that count UTF-16 code units"] == 1


def test_the_unit_decides_where_regions_do_not_repeat_their_text(tmp_path: Path) -> None:
    task = {
        "data": {"text": "\U0001f9ec p53 p53"},
        "annotations": [{"result": [region(3, 6, "Gene")]}],
    }
    assert load(tmp_path, task)[0].layers == {"me": (Span(3, 6, "Gene"),)}
    assert load(tmp_path, task, unit="utf-16")[0].layers == {"me": (Span(2, 5, "Gene"),)}


def test_line_breaks_may_be_spelt_out_in_the_repeated_text(tmp_path: Path) -> None:
    task = {
        "data": {"text": "p53\ngene"},
        "annotations": [{"result": [region(0, 8, "DNA", text="p53\\ngene")]}],
    }
    assert load(tmp_path, task)[0].layers == {"me": (Span(0, 8, "DNA"),)}


def test_the_text_may_go_by_another_name(tmp_path: Path) -> None:
    task = {"data": {"abstract": "p53", "id": "PMID1"}, "annotations": []}
    (document,) = load(tmp_path, task, text_key="abstract")
    assert (document.id, document.text) == ("PMID1", "p53")
    with pytest.raises(FormatError, match=r"record 1: no text 'text' among 'abstract', 'id'; say"):
        load(tmp_path, task)


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (3, "record 1 is not a JSON object"),
        ({"data": 3}, "Expected `object`, got `int`"),
        (
            {"data": {"text": "p53"}, "annotations": [{"result": [region(0, 9, "Gene")]}]},
            "offsets 0-9 do not lie inside the text of 3 characters",
        ),
        (
            {"data": {"text": "p53"}, "annotations": [{"result": [region(0, 2, "G", text="x")]}]},
            "text at 0-2 is 'p5', not 'x'",
        ),
        (
            {"data": {"text": "p53"}, "annotations": [{"result": [region(0, 2, "")]}]},
            "the span 0-2 has an empty label",
        ),
        (
            {
                "data": {"text": "p53"},
                "annotations": [
                    {"result": [{"type": "labels", "value": {"start": "/p[1]", "end": "/p[1]"}}]}
                ],
            },
            "Expected `int`, got `str` - at `\\$.start`",
        ),
    ],
)
def test_what_breaks_the_format_is_named_with_its_task(
    tmp_path: Path, task: object, message: str
) -> None:
    with pytest.raises(FormatError, match=rf"file.json: .*{message}"):
        load(tmp_path, task)


def test_a_layer_with_confidences_is_written_as_a_prediction(tmp_path: Path) -> None:
    path = tmp_path / "out.labelstudio.json"
    document = Document(
        id="d1",
        text="\U0001f9ec p53",
        layers={"bert": (Span(2, 5, "Gene", 0.5),), "anna": (Span(2, 5, "Gene"),)},
        meta={"year": 2004},
    )
    write([document], path)
    (task,) = json.loads(path.read_text())
    assert task["data"] == {"text": document.text, "id": "d1"}
    assert task["meta"] == {"year": 2004}
    assert task["annotations"] == [
        {"result": [region(2, 5, "Gene", text="p53", id="1")], "completed_by": "anna"}
    ]
    assert task["predictions"][0]["model_version"] == "bert"
    assert task["predictions"][0]["result"][0]["score"] == 0.5
    assert list(read(path)) == [document]


def test_old_versions_can_be_written_for(tmp_path: Path) -> None:
    path = tmp_path / "out.labelstudio.json"
    document = Document(id="1", text="\U0001f9ec p53", layers={"anna": (Span(2, 5, "Gene"),)})
    write([document], path, options={"unit": "utf-16"})
    value = json.loads(path.read_text())[0]["annotations"][0]["result"][0]["value"]
    assert (value["start"], value["end"]) == (3, 6)
    ledger = Ledger()
    assert list(read(path, options={"unit": "utf-16"}, ledger=ledger)) == [document]
    assert not ledger.counts
