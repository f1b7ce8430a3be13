import json
from functools import partial
from pathlib import Path

import pytest

from tests.cli import command_line
from vermeil import Document, Span, samples
from vermeil.formats import read, write

TEXT = "GGTP is Gamma glutamyl transpeptidase (GGTP)"
CORE, OTHER = Span(8, 37, "Gene"), Span(39, 43, "Gene")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.in").write_text(f"P1T0 {TEXT}\n")
    Path("GENE.eval").write_text("P1T0|6 32|Gamma glutamyl transpeptidase\n")
    Path("ALTGENE.eval").write_text("P1T0|34 37|GGTP\n")
    layers = {"gold": (CORE,), "gold.alternatives": (OTHER,), "ann": (CORE,)}
    write([Document(id="P1T0", text=TEXT, layers=layers)], "both.jsonl")


run = partial(command_line.run, "audit")


def fail(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    return command_line.fail(capsys, "audit", *arguments)


BIOCREATIVE = ("--text", "train.in", "GENE.eval", "--alternatives", "ALTGENE.eval")


def test_core_names_and_alternatives_may_come_from_two_files() -> None:
    report = json.loads(run(*BIOCREATIVE, "--json"))
    assert (report["layer"], report["n_cores"], report["n_alternatives"]) == ("GENE", 1, 1)
    assert report["partitioned"] is None
    assert report["counts"]["alternative without a core"] == 1
    [lonely, repeat] = report["findings"]
    assert lonely == {
        "kind": "alternative without a core",
        "document": "P1T0",
        "spans": [{"start": 39, "end": 43, "label": "Gene"}],
        "text": "GGTP",
        "detail": "overlaps no core name",
    }
    assert repeat["spans"] == [{"start": 0, "end": 4, "label": "Gene"}]
    assert report["strings"] == [
        {"text": "GGTP", "n_annotated": 1, "n_unannotated": 1, "n_inside": 0}
    ]


def test_or_from_one() -> None:
    split, whole = run(*BIOCREATIVE, "--json"), run("both.jsonl", "--layer", "gold", "--json")
    assert json.loads(whole) == {**json.loads(split), "layer": "gold"}


def test_the_table_counts_every_kind() -> None:
    lines = run(*BIOCREATIVE).splitlines()
    assert lines[0] == "GENE: 1 documents, 1 core names, 1 alternatives, 2 hearts"
    assert ["alternative", "without", "a", "core", "1", "GGTP", "P1T0"] in map(str.split, lines)
    assert ["duplicate", "0"] in map(str.split, lines)


def test_findings_are_shown_on_demand() -> None:
    assert "overlaps no core name" not in run(*BIOCREATIVE)
    shown = [line.split() for line in run(*BIOCREATIVE, "--show", "1").splitlines()]
    assert ["P1T0", "GGTP", "overlaps", "no", "core", "name"] in shown
    assert ["GGTP", "1", "1", "0"] in shown


def test_a_flat_list_is_parted_into_core_names_and_alternatives() -> None:
    flat = (Span(0, 4, "Gene"), Span(0, 7, "Gene"), Span(2, 4, "Gene"))
    write([Document(id="1", text=TEXT, layers={"flat": flat})], "flat.jsonl")
    first, modal = (
        json.loads(run("flat.jsonl", "--core", core, "--json")) for core in ("first", "modal")
    )
    assert (first["n_cores"], first["n_alternatives"], first["partitioned"]) == (1, 2, "first")
    assert modal["partitioned"] == "modal"
    assert "of overlapping names the first is core" in run("flat.jsonl")


def test_the_layer_has_to_be_chosen_from_several(capsys: pytest.CaptureFixture[str]) -> None:
    assert fail(capsys, "both.jsonl") == (
        "vermeil: both.jsonl: holds several layers ('ann', 'gold'); choose one with --layer"
    )
    assert fail(capsys, "both.jsonl", "--layer", "glod") == (
        "vermeil: no layer named 'glod'; did you mean 'gold'?"
    )


def test_a_standard_without_layers_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert fail(capsys, "train.in") == "vermeil: train.in: no document has a layer to audit"


def test_an_unknown_choice_of_core_names_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    line = fail(capsys, "both.jsonl", "--core", "longest")
    assert line == "vermeil: no choice of core names named 'longest'; known: first, modal"


POLYPS = "multiple adenomatous polyps of the colon and rectum"
FLAT = (Span(0, 27, "Disease"), Span(9, 40, "Disease"), Span(9, 51, "Disease"))


def write_polyps() -> None:
    said = {"gold": FLAT, "one": FLAT[1:2], "heart": (Span(9, 27, "Disease"),)}
    write([Document(id="1", text=POLYPS, layers=said)], "polyps.jsonl")


def test_a_flat_list_is_scored_by_the_same_rule() -> None:
    write_polyps()
    alone = run("polyps.jsonl", "--layer", "gold")
    assert "(--overlaps names keeps each)" in alone
    scored = json.loads(command_line.run("score", "polyps.jsonl", "--standard", "gold", "--json"))
    assert scored["names_taken_for_alternatives"] == 2
    views = scored["systems"]["one"]["views"]
    assert (views["biocreative"]["recall"], views["centroid"]["recall"]) == (1, 1)
    assert views["exact"]["recall"] == pytest.approx(1 / 3)  # every name that is listed
    told = command_line.run("score", "polyps.jsonl", "--standard", "gold")
    line = "2 names of gold that overlap others are taken for alternatives (--overlaps names"
    assert line in " ".join(told.split())


def test_each_of_overlapping_names_can_be_kept() -> None:
    write_polyps()
    report = json.loads(run("polyps.jsonl", "--layer", "gold", "--overlaps", "names", "--json"))
    assert (report["n_cores"], report["partitioned"]) == (3, None)
    arguments = ("polyps.jsonl", "--standard", "gold", "--overlaps", "names", "--json")
    scored = json.loads(command_line.run("score", *arguments))
    assert scored["names_taken_for_alternatives"] == 0
    assert scored["systems"]["one"]["views"]["biocreative"]["recall"] == pytest.approx(1 / 3)


def test_core_names_and_alternatives_are_written_as_layers() -> None:
    write_polyps()
    run("polyps.jsonl", "--layer", "gold", "-o", "parted.jsonl")
    [document] = read("parted.jsonl")
    assert document.layers["gold"] == FLAT[:1]
    assert set(document.layers["gold.alternatives"]) == set(FLAT[1:])
    assert document.layers["one"] == FLAT[1:2]
    again = json.loads(run("parted.jsonl", "--layer", "gold", "--json"))
    assert (again["n_cores"], again["n_alternatives"], again["partitioned"]) == (1, 2, None)


def test_hearts_are_scored_against_the_standard() -> None:
    report = json.loads(run(*BIOCREATIVE, "--json"))["centroids"]
    assert report == {
        "n_centroids": 2,
        "tp": 1,
        "fp": 0,
        "fn": 0,
        "precision": 1,
        "recall": 1,
        "f1": 1,
    }


def test_like_paper_finds_the_hearts_of_the_samples_as_consensus_does() -> None:
    found = json.loads(run(str(samples.GOLD.path), "--like-paper", "--json"))
    arguments = [str(samples.GOLD.path), "--like-paper", "-o", "hearts.jsonl", "--json"]
    made = json.loads(command_line.run("consensus", *arguments))
    assert found["centroids"]["n_centroids"] == made["centroids"]
    scored = json.loads(
        command_line.run("score", "hearts.jsonl", "--standard", "gold", "--json", "--no-documents")
    )
    counts = scored["systems"]["consensus"]["views"]["biocreative"]
    assert {key: found["centroids"][key] for key in ("tp", "fp", "fn")} == {
        key: counts[key] for key in ("tp", "fp", "fn")
    }
    plain = json.loads(run(str(samples.GOLD.path), "--json"))["centroids"]
    assert plain["n_centroids"] >= found["centroids"]["n_centroids"]
