import json
from pathlib import Path

import pytest

import vermeil as vm
from tests.acquisition.bed import UNLISTED, WORDS, abstracts
from tests.cli import command_line
from tests.cli.acquire.abstracts_here import GIVEN, files, run  # noqa: F401  (a fixture)
from vermeil.formats import read
from vermeil.review.importing import import_documents
from vermeil.review.store import Store


def test_findings_are_shown_told_and_written() -> None:
    shown = run("audit", *GIVEN, "--layer", "gold")
    assert "3 names of the database that no reference supports" in shown
    assert "6 names of the texts that the database lacks" in shown
    told = json.loads(run("audit", *GIVEN, "--layer", "gold", "--json"))["findings"]
    assert {name for each in told for name in each["names"]} == {*WORDS, *UNLISTED}
    run("audit", *GIVEN, "--layer", "gold", "-o", "found.tsv")
    head, *lines = Path("found.tsv").read_text().splitlines()
    assert head.split("\t")[:5] == ["kind", "names", "label", "ids", "documents"]
    assert [line.split("\t")[1] for line in lines] == [" | ".join(each["names"]) for each in told]


def test_findings_go_to_the_review() -> None:
    run("audit", *GIVEN, "--layer", "gold", "-o", "found.json", "--marked", "marked.jsonl")
    documents = list(read("marked.jsonl"))
    assert {"unsupported", "unlisted"} <= set(documents[0].layers)
    with Store("review.db") as store:
        assert import_documents(store, documents).n_new == len(documents)


def test_the_verb_finds_what_the_command_does() -> None:
    run("audit", *GIVEN, "--layer", "gold", "-o", "found.tsv", "--marked", "marked.jsonl")
    made = vm.acquire.audit(abstracts(), "genes.zip", "links.tsv", layer="gold")
    made.to_tsv("again.tsv")
    assert Path("again.tsv").read_bytes() == Path("found.tsv").read_bytes()
    assert list(made.documents) == list(read("marked.jsonl"))
    assert str(made).split() == run("audit", *GIVEN, "--layer", "gold").split()
    assert len(made.to_pandas()) == len(made) == 9


def test_what_cannot_be_done_is_said_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    for more, said in (
        (("--layer", "none"), "no document has a layer 'none'"),
        (("-o", "-"), "findings go to a file"),
        (("--references", "none.tsv"), "none.tsv: no such file"),
    ):
        assert said in command_line.fail(capsys, "acquire", "audit", *GIVEN, *more)
