import json
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.cli import command_line
from vermeil import Centroid, Document, Span
from vermeil.cli import app
from vermeil.formats import write

DATA = Path(__file__).parent.parent / "data"
TEXTS = ["BRCA1 causes breast cancer.", "p53 and BRCA1 in mice", "no names here"]
GOLD = [
    (Span(0, 5, "Gene"), Span(13, 26, "Disease")),
    (Span(0, 3, "Gene"), Span(8, 13, "Gene")),
    (),
]
ANNA = [
    (Span(0, 5, "Gene", 0.9), Span(20, 26, "Disease", 0.8)),
    (Span(0, 3, "Disease", 0.4), Span(17, 21, "Species", 0.3)),
    (),
]
BEN = [(Span(0, 5, "Gene"), Span(13, 26, "Disease")), (Span(8, 13, "Gene"),)]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, layers in (("gold", GOLD), ("anna", ANNA), ("ben", BEN)):
        write(
            [
                Document(id=str(n), text=TEXTS[n], layers={name: layer})
                for n, layer in enumerate(layers)
            ],
            f"{name}.jsonl",
        )
    Path("text.in").write_text("S1 alpha beta gamma delta\nS2 epsilon\n")
    Path("gold.eval").write_text("S1|0 8|alpha beta\nS2|0 6|epsilon\n")
    Path("other.eval").write_text("S1|0 4|alpha\n")
    Path("s1.eval").write_text("S1|0 4|alpha\nS1|9 13|gamma\n")


run = partial(command_line.run, "score")


def fail(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    return command_line.fail(capsys, "score", *arguments, is_silent=False)


def test_the_tables_are_as_they_should_be() -> None:
    shown = run("gold.jsonl", "anna.jsonl", "ben.jsonl", "--per-label", "--show", "3")
    assert shown == (DATA / "score.txt").read_text()


@pytest.mark.parametrize("view", ["exact", "biocreative", "partial", "centroid"])
def test_the_table_of_each_view_is_as_it_should_be(view: str) -> None:
    shown = run("gold.jsonl", "anna.jsonl", "ben.jsonl", "--by", view)
    assert shown == (DATA / f"score-{view}.txt").read_text()


def test_confidences_are_ranked() -> None:
    assert (
        run("gold.jsonl", "anna.jsonl", "--by", "ranked") == (DATA / "score-ranked.txt").read_text()
    )


def test_alternatives_and_texts_come_from_files_of_their_own() -> None:
    arguments = ["--text", "text.in", "--by", "biocreative", "gold.eval"]
    arguments += ["--alternatives", "other.eval", "a=s1.eval", "s1.eval", "--json"]
    scores = json.loads(run(*arguments))
    assert scores["standard"] == "gold"
    assert list(scores["systems"]) == ["a", "s1"]
    found = scores["systems"]["a"]["views"]["biocreative"]
    assert (found["tp"], found["fp"], found["fn"]) == (1, 1, 1)


def test_all_other_layers_of_one_file_are_scored() -> None:
    layers = {"gold": GOLD[0], "gold.alternatives": (), "anna": ANNA[0], "ben": BEN[0]}
    write([Document(id="0", text=TEXTS[0], layers=layers)], "all.jsonl")
    scores = json.loads(run("all.jsonl", "--standard", "gold", "--json"))
    assert list(scores["systems"]) == ["anna", "ben"]


def test_json_has_every_view_label_and_document() -> None:
    scores = json.loads(run("gold.jsonl", "anna.jsonl", "--json", "--show", "2"))
    anna = scores["systems"]["anna"]
    assert list(anna["views"]) == [
        "exact",
        "boundaries",
        "partial",
        "type",
        "biocreative",
        "centroid",
    ]
    assert anna["views"]["partial"]["right"] == 2.5
    assert anna["views"]["exact"]["labels"]["Disease"]["predicted"] == 2
    assert anna["views"]["exact"]["by_document"][1] == ["1", 0, 2, 0, 2]
    assert {"wanted": "Gene", "predicted": "Disease", "n": 1} in anna["confusion"]
    assert anna["ranked"]["average_precision"] == 0.25
    assert anna["mistakes"][1]["compared"] == {"start": 13, "end": 26, "label": "Disease"}


def test_undefined_is_null() -> None:
    write([Document(id="0", text=TEXTS[0], layers={"none": ()})], "none.jsonl")
    scores = json.loads(run("gold.jsonl", "none.jsonl", "--json"))
    assert scores["systems"]["none"]["views"]["exact"]["precision"] is None


def test_intervals_and_tests_are_given_on_demand() -> None:
    arguments = ["gold.jsonl", "anna.jsonl", "ben.jsonl", "--bootstrap", "50", "--against", "ben"]
    shown = run(*arguments)
    assert "95% intervals of F from 50 resamples" in shown
    assert "exact F against ben, permutation test" in shown
    exact = json.loads(run(*arguments, "--json"))["systems"]["anna"]["views"]["exact"]
    assert exact["f1_interval"]["low"] <= exact["f1"] <= exact["f1_interval"]["high"]
    assert exact["against"]["ben"]["p_value"] <= 1


def test_a_standard_of_centroids_is_used() -> None:
    heart = Centroid(20, 26, "Disease", 2.0, ((20, 1.0), (13, 1.0)), ((26, 2.0),))
    document = Document(id="0", text=TEXTS[0], standards={"silver": (heart,)})
    write([document], "silver.jsonl")
    scores = json.loads(run("silver.jsonl", "anna.jsonl", "--by", "centroid", "--json"))
    found = scores["systems"]["anna"]["views"]["centroid"]
    assert (found["found"], found["left_boundary"]) == (1, 1)


def test_a_system_that_did_not_look_is_named() -> None:
    result = CliRunner().invoke(app, ["score", "gold.jsonl", "ben.jsonl"], catch_exceptions=False)
    assert result.stderr == (
        "vermeil: ben has no layer on 1 of 3 documents, which count as empty\n"
    )


def test_the_order_of_systems_changes_nothing() -> None:
    arguments = ["--json", "--show", "5", "--bootstrap", "20"]
    there = run("gold.jsonl", "anna.jsonl", "ben.jsonl", *arguments)
    assert run("gold.jsonl", "ben.jsonl", "anna.jsonl", *arguments) == there


def test_several_layers_need_a_choice(capsys: pytest.CaptureFixture[str]) -> None:
    layers = {"gold": (), "anna": ()}
    write([Document(id="0", text=TEXTS[0], layers=layers)], "all.jsonl")
    assert fail(capsys, "all.jsonl") == (
        "vermeil: all.jsonl: holds several layers (anna, gold); say which is the standard with "
        "--standard LAYER"
    )


def test_a_standard_alone_is_not_enough(capsys: pytest.CaptureFixture[str]) -> None:
    assert fail(capsys, "gold.jsonl") == (
        "vermeil: there is no layer but 'gold'; give the file of a system as well"
    )


def test_unknown_names_are_answered_with_a_guess(capsys: pytest.CaptureFixture[str]) -> None:
    line = fail(capsys, "gold.jsonl", "anna.jsonl", "--by", "exactly")
    assert line == "vermeil: no view named 'exactly'; did you mean 'exact'?"
    line = fail(capsys, "gold.jsonl", "anna.jsonl", "--against", "ana")
    assert line == "vermeil: no system named 'ana'; did you mean 'anna'?"


def test_ranking_needs_confidences(capsys: pytest.CaptureFixture[str]) -> None:
    line = fail(capsys, "anna.jsonl", "gold.jsonl", "--by", "ranked")
    assert line.startswith("vermeil: gold has predictions without confidence")


def test_offsets_decide_where_names_contradict_them_as_the_official_scorer_has_it() -> None:
    Path("text.in").write_text("P1 BRCA1 causes breast cancer\n")
    Path("core.eval").write_text("P1|0 4|BRCA1\n")
    Path("ann.eval").write_text("P1|0 4|x\n")
    arguments = ["score", "--text", "text.in", "--by", "biocreative", "core.eval", "ann.eval"]
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert "ann     1.000  1.000  1.000   1   0   0" in result.stdout
    assert "repaired 1 names by their offsets" in result.stderr
