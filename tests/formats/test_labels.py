"""Labels that differ: mapped, folded, and shown."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import vermeil as vm
from vermeil import Centroid, Document, Span
from vermeil.cli import app
from vermeil.errors import UsageError
from vermeil.formats import Ledger, write
from vermeil.formats.labels import Labels, alike

TEXT = "aspirin binds"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, label in (("a", "CHEMICAL"), ("b", "chemical"), ("c", "Chemical")):
        write([Document(id="1", text=TEXT, layers={name: (Span(0, 7, label),)})], f"{name}.jsonl")


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, [*arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_label_is_read_as_another() -> None:
    documents = vm.read(["a.jsonl", "b.jsonl"], map={"CHEMICAL": "Drug"})
    assert [span.label for layer in documents[0].layers.values() for span in layer] == [
        "Drug",
        "chemical",
    ]
    assert documents.hold().notes == ["renamed 1 labels CHEMICAL to Drug (1)"]


def test_what_was_renamed_is_counted() -> None:
    ledger = Ledger()
    centroid = Centroid(0, 7, "A", 1, ((0, 1),), ((7, 1),))
    document = Document(
        id="1",
        text=TEXT,
        layers={"x": (Span(0, 7, "A"),)},
        standards={"x": (centroid,)},
        meta={"scope": {"x": ["A", "B"]}},
    )
    [read] = Labels({"A": "B"}).apply([document], ledger)
    assert (read.layers["x"][0].label, read.standards["x"][0].label) == ("B", "B")
    assert read.meta["scope"] == {"x": ["B"]}
    assert ledger.summary() == ["renamed 2 labels A to B (1)"]


@pytest.mark.parametrize("content", ["CHEMICAL=Drug\nchemical=Drug\n", "# ours\nCHEMICAL\tDrug\n"])
def test_a_file_says_what_is_what(content: str) -> None:
    Path("map.txt").write_text(content)
    assert "Drug" in run("info", "a.jsonl", "--map-file", "map.txt")


def test_folded_labels_agree_in_every_command() -> None:
    inputs = ["a.jsonl", "b.jsonl", "c.jsonl", "--fold-labels", "--map", "chemical=Chemical"]
    run("consensus", *inputs, "-o", "silver.jsonl")
    [silver] = vm.read("silver.jsonl")
    assert [span.label for span in silver.layers["consensus"]] == ["Chemical"]
    run("convert", *inputs, "-o", "all.jsonl")
    assert json.loads(run("agree", *inputs, "--json")) == json.loads(
        run("agree", "all.jsonl", "--json")
    )


def test_info_lists_labels_that_differ_by_case_or_punctuation() -> None:
    shown = " ".join(run("info", "a.jsonl", "b.jsonl", "c.jsonl").split())
    assert "CHEMICAL, Chemical, chemical: did you mean one?" in shown
    assert alike(["Gene", "DNA"]) == []


@pytest.mark.parametrize("pair", ["A", "=B", "A="])
def test_what_is_no_pair_is_refused(pair: str) -> None:
    with pytest.raises(UsageError, match=r"--map takes OLD=NEW"):
        Labels.given([pair])


def test_a_label_that_nobody_uses_is_told() -> None:
    arguments = ["info", "a.jsonl", "--map", "CHEMICAL=Drug", "--map", "Chemcal=Drug"]
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert "never met 1 labels that were to be renamed (Chemcal)" in result.stderr
    assert "labels CHEMICAL to Drug" in result.stderr
