import json
from pathlib import Path

import pytest

import vermeil as vm
from tests.acquisition.bed import GENES, abstracts
from tests.cli import command_line
from tests.cli.acquire.abstracts_here import GIVEN, files, run  # noqa: F401  (a fixture)
from vermeil.formats import read
from vermeil.review.importing import import_documents
from vermeil.review.store import Store

FEW = ("--threshold", "0.3")


def test_links_are_a_table_from_the_surest_down() -> None:
    head, *lines = run("links", *GIVEN, *FEW).splitlines()
    assert head.split("\t") == ["document", "id", "label", "confidence", "names"]
    rows = [line.split("\t") for line in lines]
    assert len(rows) > 50
    sure = [float(row[3]) for row in rows]
    assert sure == sorted(sure, reverse=True)
    assert min(sure) >= 0.3
    assert all(GENES[int(row[1])] == row[4] for row in rows)
    told = json.loads(run("links", *GIVEN, *FEW, "--json"))
    assert [each["id"] for each in told["links"]] == [row[1] for row in rows]
    run("links", *GIVEN, *FEW, "-o", "links.json")
    assert json.loads(Path("links.json").read_text()) == told["links"]


def test_the_texts_to_be_linked_go_to_the_review() -> None:
    run("links", *GIVEN, *FEW, "-o", "found.tsv", "--marked", "marked.jsonl")
    documents = list(read("marked.jsonl"))
    assert all(each.layers["links"] for each in documents)
    assert all(span.confidence for each in documents for span in each.layers["links"])
    linked = {line.split("\t")[0] for line in Path("found.tsv").read_text().splitlines()[1:]}
    assert {each.id for each in documents} == linked
    with Store("review.db") as store:
        assert import_documents(store, documents).n_new == len(documents)


@pytest.mark.parametrize("more", [(), ("--marked", "marked.jsonl"), ("--judge", "0.2")])
def test_shards_give_the_same_bytes(more: tuple[str, ...]) -> None:
    plain = run("links", *GIVEN, *FEW, *more)
    written = Path("marked.jsonl").read_bytes() if "--marked" in more else b""
    assert run("links", *GIVEN, *FEW, *more, "--shard-size", "0.01", "--resume", "kept") == plain
    assert len(list(Path("kept/write").glob("*.npz"))) > 2
    assert written == (Path("marked.jsonl").read_bytes() if "--marked" in more else b"")
    assert run("links", *GIVEN, *FEW, *more, "--shard-size", "0.01", "--resume", "kept") == plain


def test_hidden_links_judge_the_command_and_the_verb_alike() -> None:
    told = json.loads(run("links", *GIVEN, "--judge", "0.2", "--json"))["trial"]
    assert told["hidden"] == told["findable"] > 10
    assert told["average_precision"] > 0.2
    shown = run("links", *GIVEN, "--judge", "0.2", "--seed", "0")
    assert "count as wrong" in shown
    made = vm.acquire.links(abstracts(), "genes.zip", "links.tsv", judge=0.2)
    assert made.to_dict()["trial"] == told
    assert str(made).split() == shown.split()


def test_the_verb_proposes_what_the_command_does() -> None:
    run("links", *GIVEN, *FEW, "-o", "found.tsv", "--marked", "marked.jsonl")
    made = vm.acquire.links(vm.read("abstracts.jsonl"), "genes.zip", "links.tsv", threshold=0.3)
    made.to_tsv("again.tsv")
    assert Path("again.tsv").read_bytes() == Path("found.tsv").read_bytes()
    assert list(made.documents) == list(read("marked.jsonl"))
    assert made.trial is None
    assert len(made.to_pandas()) == len(made) == len(made.links)
    assert "more" in str(made)


def test_what_cannot_be_done_is_said_before_anything_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for more, said in (
        (("--judge", "1.5"), "between 0 and 1, got 1.5"),
        (("--judge", "0.2", "-o", "x.tsv"), "--judge proposes no links"),
        (("--judge", "0.2", "--learned", "x.zip"), "has seen the links that --judge would hide"),
        (("--judge", "0.000001"), "none is hidden"),
        (("--references", "none.tsv"), "none.tsv: no such file"),
        (("-o", "no/such/folder.tsv"), "there is no folder"),
    ):
        assert said in command_line.fail(capsys, "acquire", "links", *GIVEN, *more)


def test_thresholds_may_differ_by_length(capsys: pytest.CaptureFixture[str]) -> None:
    given = (*GIVEN, "-o", "out.jsonl", "--gold", "gold", "--json")
    told = json.loads(run("label", *given, "--by-length"))["layers"]["consensus"]
    assert told["precision"] > 0.9
    assert run("label", *given, "--by-length", "--shard-size", "0.01")
    labelled = vm.acquire.label(
        abstracts(), "genes.zip", references="links.tsv", by_length=True, gold="gold"
    )
    assert labelled.to_dict()["layers"]["consensus"] == told
    said = command_line.fail(
        capsys, "acquire", "label", *given, "--by-length", "--layers", "dictionary"
    )
    assert "--by-length is about the layer consensus" in said
