import json
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

import vermeil as vm
from tests.cli import command_line
from vermeil import samples
from vermeil.formats import write
from vermeil.formats.corpus import read_corpus

run = partial(command_line.run, "silver")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(list(read_corpus([samples.GOLD, *samples.ANNOTATORS]))[:30], "all.jsonl")


def test_figures_7_and_8_are_one_table_of_eighty_columns() -> None:
    lines = run("all.jsonl", "--thresholds", "1-3").splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "gold is gold; 30 documents; scored by biocreative"
    heads = [line.split() for line in lines if line.startswith(("system", "silver"))]
    assert heads == [
        ["system", "P", "R", "F"],
        ["silver", "t", "P", "R", "F", "beats", "rho", "p"],
    ]
    rows = [line.split()[:3] for line in lines if line.startswith("centroids")]
    assert rows == [
        ["centroids,", emit, votes] for emit in ("heart", "modal") for votes in ("1", "2", "3")
    ]


def test_like_paper_on_the_samples_emits_hearts_of_the_papers_centroids() -> None:
    report = json.loads(run("all.jsonl", "--like-paper", "--thresholds", "2", "--json"))
    [row] = report["silver"]
    assert (row["method"], row["emit"], row["votes"]) == ("centroids", "heart", 2)
    made = "hearts.jsonl"
    arguments = ["all.jsonl", "--like-paper", "--min-votes", "2", "--without", "gold", "-o", made]
    command_line.run("consensus", *arguments, "--no-alternatives")
    scored = json.loads(command_line.run("score", made, "--standard", "gold", "--json"))
    assert scored["systems"]["consensus"]["views"]["biocreative"]["f1"] == row["f1"]


def test_method_and_view_can_be_chosen() -> None:
    arguments = ["--by", "majority,hearts", "--emit", "modal", "--thresholds", "3", "--json"]
    exact = json.loads(run("all.jsonl", *arguments, "--view", "exact", "--silver-view", "exact"))
    assert [(row["method"], row["votes"]) for row in exact["silver"]] == [
        ("majority", 3),
        ("hearts", None),
    ]
    assert (exact["view"], exact["silver_view"]) == ("exact", "exact")
    assert all(-1 <= row["rho"] <= 1 for row in exact["silver"])


def test_who_saw_nothing_of_gold_is_left_out_with_a_note() -> None:
    documents = list(vm.read("all.jsonl"))
    names = dict.fromkeys(("xena", "zoe"), ())
    write([*documents, documents[0].replace(id="beyond", layers=names)], "more.jsonl")
    lines = run("more.jsonl", "--thresholds", "1").splitlines()
    assert lines[1] == "left out, for they looked at no document of gold: xena, zoe"
    report = json.loads(run("more.jsonl", "--thresholds", "1", "--json"))
    assert report["unjudged"] == ["xena", "zoe"]


def test_the_picture_shows_every_system_and_threshold() -> None:
    run("all.jsonl", "--thresholds", "1,2", "--svg", "figure.svg")
    picture = ElementTree.parse("figure.svg")  # what we wrote ourselves
    said = [each.text for each in picture.iter("{http://www.w3.org/2000/svg}text")]
    for word in ("anna", "ben", "centroids, heart", "centroids, modal", "t=1", "t=2", "recall"):
        assert word in said


def test_the_verb_gives_what_the_command_prints() -> None:
    found = vm.silver(vm.read("all.jsonl"), thresholds=[2], emit="modal")
    assert found.to_dict() == json.loads(
        run("all.jsonl", "--thresholds", "2", "--emit", "modal", "--json")
    )
    assert [row["kind"] for row in found.rows()] == [*["system"] * 5, "silver"]


@pytest.mark.parametrize("given", ["x", "3-1", "1-", "-1", ""])
def test_thresholds_that_are_none_are_refused(
    given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = command_line.fail(capsys, "silver", "all.jsonl", f"--thresholds={given}")
    assert "thresholds are numbers of votes, such as 1-6" in line
