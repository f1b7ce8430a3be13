import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from tests.recognise.tiny import save_tiny, unseen
from vermeil.cli import app
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import read, write


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_tiny(Path("tiny.zip"))
    write(unseen(), "held-out.jsonl")


def run(*arguments: str) -> str:
    given = ["tune", "--model", "tiny.zip", *arguments]
    result = CliRunner().invoke(app, given, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_threshold_the_curve_and_the_reliability_are_shown() -> None:
    shown = run("held-out.jsonl")
    assert "20 documents with" in shown
    assert "\nthreshold 0" in shown
    assert shown.count("chosen") == 1
    assert "Can confidences be believed?" in shown
    assert "expected calibration error" in shown


def test_tagging_with_the_chosen_threshold_reaches_the_target() -> None:
    chosen = json.loads(run("held-out.jsonl", "--precision", "0.9", "--json"))["chosen"]
    assert chosen["precision"] >= 0.9
    arguments = ["--model", "tiny.zip", "held-out.jsonl", "-o", "out.jsonl"]
    options = ["--threshold", str(chosen["threshold"])]
    CliRunner().invoke(app, ["tag", *arguments, *options], catch_exceptions=False)
    found = [
        (each.id, span.start, span.end, span.label)
        for each in read("out.jsonl")
        for span in each.layers["tiny"]
    ]
    wanted = {
        (each.id, span.start, span.end, span.label)
        for each in unseen()
        for span in each.layers["gold"]
    }
    assert sum(each in wanted for each in found) / len(found) == pytest.approx(chosen["precision"])


def test_a_target_recall_costs_precision() -> None:
    best, wide = (
        json.loads(run("held-out.jsonl", "--json", *target))["chosen"]
        for target in (["--f"], ["--recall", "0.5"])
    )
    assert wide["recall"] >= 0.5
    assert best["f1"] >= wide["f1"]


def test_the_whole_curve_is_in_the_json() -> None:
    found = json.loads(run("held-out.jsonl", "--json"))
    curve = found["curve"]
    assert len(curve["threshold"]) == len(curve["recall"]) == len(curve["precision"])
    assert curve["threshold"] == sorted(curve["threshold"], reverse=True)
    assert curve["recall"] == sorted(curve["recall"])
    assert sum(each["n"] for each in found["calibration"]["bins"]) == found["candidates"]


def test_reliability_can_be_drawn() -> None:
    run("held-out.jsonl", "--svg", "curve.svg")
    assert ElementTree.parse("curve.svg").getroot().tag.endswith("svg")


def test_a_picture_in_a_missing_folder_is_refused_before_tagging() -> None:
    Path("broken.jsonl").write_text("{")
    with pytest.raises(UsageError, match=r"no/c\.svg: there is no folder 'no'; make it first"):
        run("broken.jsonl", "--svg", "no/c.svg")
    with pytest.raises(UsageError, match="a picture goes to a file"):
        run("broken.jsonl", "--svg", "-")


@pytest.mark.parametrize(
    ("arguments", "complaint", "error"),
    [
        (["--precision", "0.9", "--recall", "0.9"], "give one target", UsageError),
        (["--recall", "1"], "no threshold gives a recall of 1; the best is 0", UsageError),
        (["--layer", "god"], "no layer named 'god'; did you mean 'gold'", UnknownNameError),
    ],
)
def test_what_cannot_be_done_is_said(
    arguments: list[str], complaint: str, error: type[Exception]
) -> None:
    with pytest.raises(error, match=complaint):
        run("held-out.jsonl", *arguments)


def test_a_layer_without_the_labels_of_the_model_is_refused() -> None:
    diseases = [
        each.replace(
            layers={"gold": [span for span in each.layers["gold"] if span.label == "Disease"]}
        )
        for each in unseen()
    ]
    write(diseases, "diseases.jsonl")
    with pytest.raises(UsageError, match="'gold' has no names of Chemical, Gene, which"):
        run("diseases.jsonl")
