import json
from functools import partial
from pathlib import Path

import pytest

from tests.cli import command_line
from vermeil import samples
from vermeil.formats import read, write

pytest.importorskip("sklearn")

run = partial(command_line.run, "acquire")

STEPS = [
    "dictionary",
    "svm",
    "svm, same documents",
    "+ reference",
    "+ coordination",
    "words hidden",
    "+ self-training",
]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The samples: their database, and passages to learn from and to be scored on."""
    monkeypatch.chdir(tmp_path)
    run("lexicon", str(samples.FOLDER / "genes.tsv"), "-o", "genes.zip", "--spelling", "exact")
    passages = list(read(samples.FOLDER / "gold.jsonl"))
    write(passages[:60], "texts.jsonl")
    write(passages[60:], "judges.jsonl")


LADDER = (
    "ladder", "texts.jsonl", "--lexicon", "genes.zip", "--references",
    str(samples.FOLDER / "references.tsv"), "--development", "judges.jsonl", "--label", "Gene",
    "--rounds", "2",
)  # fmt: skip


@pytest.mark.parametrize("way", [(), ("--like-paper",)])
def test_table_3_and_its_figures_are_made_by_one_command(way: tuple[str, ...]) -> None:
    shown = run(*LADDER, *way, "-o", "steps", "--page", "page.html")
    lines = [line.strip() for line in shown.splitlines()]
    assert [name for name in STEPS if any(line.startswith(name) for line in lines)] == STEPS
    assert "Figure 9" in Path("page.html").read_text()
    told = json.loads(run(*LADDER, *way, "-o", "steps", "--json"))
    rows = {row["step"]: row for row in told["rows"]}
    assert list(rows) == STEPS
    assert rows["+ reference"]["precision"] > 0.5
    assert all(0.5 < row["accuracy"] < 1 for row in rows.values())
    hidden = "words hidden" if way else "+ coordination"
    assert rows["+ self-training"]["against"] == hidden
    first = next(iter(read("steps/same.jsonl.gz")))
    assert set(first.layers) == {"exact" if way else "dictionary", "reference", "coordination"}
    model = command_line.run(
        "tag", "--model", "steps/self-training.zip", "judges.jsonl", "-o", "tagged.jsonl"
    )
    assert "names in layer" in model


def test_what_is_not_asked_in_the_same_way_does_not_go_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(*LADDER, "-o", "steps", "--tokens", "2000")
    command = ("acquire", *LADDER, "-o", "steps", "--tokens", "3000")
    assert "an option has changed (n_tokens: 2000, now 3000)" in command_line.fail(capsys, *command)
    line = command_line.fail(capsys, "acquire", *LADDER, "-o", "new", "--gold", "silver")
    assert "no document to score on has a layer 'silver'; choose one with --gold" in line


def test_parts_of_speech_and_chunks_are_features_of_all_steps(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command_line.run("trees", "tagger", str(samples.FOLDER / "treebank.mrg"), "-o", "tags.zip")
    few = (*LADDER, "--tokens", "2000", "-o", "steps")
    with_tags = json.loads(run(*few, "--tags", "tags.zip", "--json"))
    assert "an option has changed" in command_line.fail(capsys, "acquire", *few)
    plain = json.loads(run(*LADDER, "--tokens", "2000", "-o", "plain", "--json"))
    assert with_tags["rows"][0] == plain["rows"][0]
    assert with_tags["rounds"][0]["f1"] != plain["rounds"][0]["f1"]


def test_figure_8_is_made_by_one_command() -> None:
    command = ("worth", "texts.jsonl", "--model", "gene", "--development", "judges.jsonl")
    more = ("--pieces", "3", "--label", "Gene", "--like-paper", "--page", "page.html")
    shown = run(*command, *more)
    assert shown.startswith("gene: F1 0.")
    assert "annotated documents" in shown
    told = json.loads(run(*command, *more, "--json"))
    assert [each["documents"] for each in told["pieces"]] == [20, 40, 60]
    assert "Figure 8" in Path("page.html").read_text()
