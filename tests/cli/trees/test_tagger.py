import json
from pathlib import Path

import pytest

import vermeil as vm
from tests.acquisition.bed import abstracts
from tests.cli import command_line
from tests.recognise.linear.syntax.treebank import treebank
from vermeil.formats import write


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.mrg").write_text("\n".join(map(str, treebank()[::3])) + "\n")


def test_a_treebank_teaches_tags_and_train_takes_them() -> None:
    pytest.importorskip("sklearn")
    shown = command_line.run("trees", "tagger", "gold.mrg", "-o", "tags.zip", "--folds", "2")
    assert "right parts of speech" in shown
    write(abstracts()[:60], "some.jsonl")
    given = ["some.jsonl", "-o", "model.zip", "--by", "linear", "--layer", "gold"]
    command_line.run("train", *given, "--tags", "tags.zip", "--json")
    assert vm.load("model.zip").labels
    assert vm.load("model.zip").tag("Loss of KIN1 was seen.").layers


def test_the_verb_learns_what_the_command_does() -> None:
    given = ["gold.mrg", "-o", "tags.zip", "--folds", "2", "--rounds", "2", "--json"]
    told = json.loads(command_line.run("trees", "tagger", *given))
    assert told["accuracy"] > 0.95
    assert told["trees"] == len(treebank()[::3])
    made = vm.trees.tagger("gold.mrg", "again.zip", folds=2, rounds=2)
    assert made.to_dict() | {"output": "tags.zip"} == told
    assert Path("again.zip").read_bytes() == Path("tags.zip").read_bytes()
    assert "F1 of chunks" in str(made)


def test_what_cannot_be_done_is_said_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, said in (
        (("trees", "tagger", "gold.mrg", "-o", "tags.zip", "--folds", "1"), "--folds 2 or more"),
        (("trees", "tagger", "gold.mrg", "-o", "no/tags.zip"), "there is no folder"),
        (("train", "x.jsonl", "-o", "m.zip", "--tags", "t.zip"), "--tags are for --by linear"),
    ):
        assert said in command_line.fail(capsys, *arguments)
