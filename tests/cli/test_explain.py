import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.recognise.tiny import (
    coarse_cascade,
    save_tiny,
    tiny_cascade,
    unseen,
    worded_cascade,
)
from vermeil.cli import app
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import write
from vermeil.recognise.committee import Committee, mean_confidence
from vermeil.recognise.recogniser import save

SENTENCE = "We gave acetic acid (AA) and EGFR rose."
ACID = ["--sentence", SENTENCE, "--name", "acetic acid"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_tiny(Path("tiny.zip"))
    write(unseen(), "texts.jsonl")


def run(*arguments: str, model: str = "tiny.zip") -> str:
    given = ["explain", "--model", model, *arguments]
    result = CliRunner().invoke(app, given, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_every_stage_has_its_say() -> None:
    shown = run(*ACID, "--label", "Chemical", "--show", "60")
    assert shown.startswith("'acetic acid' (8-19) as Chemical: confidence 0.")
    assert "B-Chemical" in shown
    assert "ends=tic" in shown
    assert "lattice: begins 0." in shown
    assert "rescorer: log odds " in shown
    assert "mean spelling" in shown


def test_a_model_that_knows_words_tells_of_their_company_and_of_other_uses() -> None:
    save(worded_cascade(), Path("words.zip"))
    text = "Olaparib and cisplatin were given. Then cisplatin was given; no cisplatin was left."
    shown = run("--sentence", text, "--name", "cisplatin", "--occurrence", "1", model="words.zip")
    assert "Words learned from texts (company: log odds to be part of a name)" in shown
    assert "pooled: decided first on this use 0." in shown
    assert "on 2 others in this document" in shown


def test_a_span_of_a_document_is_explained_as_its_name_is() -> None:
    document = unseen()[0]
    span = next(each for each in document.layers["gold"] if each.label == "Gene")
    place = ["texts.jsonl", "--document", document.id, "--label", "Gene", "--json"]
    found = json.loads(run(*place, "--span", f"{span.start}-{span.end}"))
    assert found["text"] == span.marked(document.text)
    assert json.loads(run(*place, "--name", found["text"]))["text"] == found["text"]


def test_a_name_that_occurs_often_is_told_and_can_be_chosen() -> None:
    text = ["--sentence", "EGFR of EGFRs binds EGFR.", "--name", "EGFR", "--label", "Gene"]
    given = ["explain", "--model", "tiny.zip", *text]
    first = CliRunner().invoke(app, given, catch_exceptions=False)
    assert first.stdout.startswith("'EGFR' (0-4) as Gene")
    assert first.stderr == (
        "vermeil: 'EGFR' occurs 2 times; this is the first, 0-4; choose with --occurrence N\n"
    )
    second = CliRunner().invoke(app, [*given, "--occurrence", "2"], catch_exceptions=False)
    assert second.stdout.startswith("'EGFR' (20-24) as Gene")
    assert second.stderr == ""


def test_a_name_inside_words_only_is_told_apart_from_one_that_is_missing() -> None:
    with pytest.raises(UsageError, match="does not begin and end where tokens do"):
        run("--sentence", "EGFRs bind.", "--name", "EGFR")


def test_the_confidence_is_the_one_tagging_gives() -> None:
    options = ["--threshold", "0", "--overlaps", "--from", "text", "--to", "jsonl", "-o", "-"]
    Path("one.txt").write_text(SENTENCE)
    tagged = CliRunner().invoke(app, ["tag", "--model", "tiny.zip", "one.txt", *options])
    [confidence] = [
        each["confidence"]
        for each in json.loads(tagged.stdout)["layers"]["tiny"]
        if (each["start"], each["end"], each["label"]) == (8, 19, "Chemical")
    ]
    found = json.loads(run(*ACID, "--label", "Chemical", "--json"))
    assert found["span"]["confidence"] == pytest.approx(confidence)


@pytest.mark.parametrize(
    ("arguments", "complaint", "error"),
    [
        ([], "give files, or a text", UsageError),
        (["texts.jsonl", *ACID], "--sentence takes the place of files; drop", UsageError),
        ([*ACID, "--occurrence", "2"], "occurs once, and --occurrence 2", UsageError),
        (
            ["--sentence", SENTENCE, "--span", "8-19", "--occurrence", "1"],
            "--occurrence goes with --name",
            UsageError,
        ),
        (["--sentence", SENTENCE], "give the span as", UsageError),
        (["--sentence", SENTENCE, "--span", "8:19"], "takes START-END", UsageError),
        (["--sentence", SENTENCE, "--span", "8-12"], "begin and end where tokens do", UsageError),
        (["--sentence", SENTENCE, "--name", "aspirin"], "does not occur", UsageError),
        ([*ACID, "--label", "Chemicals"], "did you mean 'Chemical'", UnknownNameError),
        (["texts.jsonl", "--span", "0-4"], "there are 20 documents; choose one", UsageError),
        (
            ["texts.jsonl", "--document", "x", "--span", "0-4"],
            "no document named 'x'",
            UnknownNameError,
        ),
    ],
)
def test_what_cannot_be_explained_is_said(
    arguments: list[str], complaint: str, error: type[Exception]
) -> None:
    with pytest.raises(error, match=complaint):
        run(*arguments)


def test_only_a_cascade_can_be_explained() -> None:
    Path("names.txt").write_text("acetic acid\n")
    options = ["--by", "dictionary", "--label", "Chemical", "--lexicon", "names.txt"]
    CliRunner().invoke(app, ["train", "texts.jsonl", "-o", "list.zip", *options])
    with pytest.raises(UsageError, match=r"list\.zip: only cascades can be explained"):
        run(*ACID, model="list.zip")


def test_each_member_of_a_committee_has_its_say() -> None:
    save(Committee((tiny_cascade(), coarse_cascade())), Path("committee.zip"))
    place = ["--sentence", "We gave acetic acid-rich diets.", "--label", "Chemical"]
    shown = run(*place, "--name", "acetic acid", model="committee.zip")
    assert shown.startswith("mean opinion of 2 cascades: 0.")
    assert shown.count("as Chemical: confidence") == 1
    assert "Over the tokens 'words':\nthe span does not begin and end where" in shown
    told = json.loads(run(*place, "--name", "diets", "--json", model="committee.zip"))
    each = [said["span"]["confidence"] for _, said in told["members"]]
    assert [tokens for tokens, _ in told["members"]] == ["fine", "words"]
    assert told["confidence"] == pytest.approx(mean_confidence(each))
    with pytest.raises(UsageError, match="does not begin and end where tokens do"):
        run(*place, "--span", "9-19", model="committee.zip")
