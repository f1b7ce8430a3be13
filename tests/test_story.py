"""The five minutes of somebody with language models: raw answers in, a recogniser out.

Three models answered about the sample passages, each in its own way: a batch of fenced JSON that
lists each name once, a batch that repeats the text with tags, and plain replies with lists of
mentions, of which some are refused, cut off, malformed or missing. What they found is what sample
annotators marked, so the story can be scored.
"""

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import vermeil as vm
from tests.cli.command_line import run
from vermeil import Document, Span
from vermeil.cli import app
from vermeil.formats import read, write
from vermeil.review.decisions import WHOLE, Answer, Change, Name
from vermeil.review.questions import SentDecision, decide, document_for
from vermeil.review.store import Store
from vermeil.samples import FOLDER

N = 40
REFUSED, CUT, MALFORMED, MISSING = "sample-003", "sample-004", "sample-005", "sample-006"
SYSTEMS = ("ada", "bea", "cai")


def passages() -> list[Document]:
    """Sample passages with gold and three annotators, as documents."""
    gold, *others = (
        {each.id: each for each in read(FOLDER / name, annotator=annotator)}
        for name, annotator in (
            ("gold.jsonl", "gold"),
            ("anna.xml", "anna"),
            ("tagger.jsonl", "tagger"),
            ("ben.pubtator", "ben"),
        )
    )
    made = []
    for document in islice(gold.values(), N):
        layers = {"gold": document.layers["gold"]}
        for other in others:
            if document.id in other:
                layers |= other[document.id].layers
        made.append(document.replace(layers=layers))
    return made


def unique_names(document: Document, layer: tuple[Span, ...]) -> str:
    found = dict.fromkeys((span.marked(document.text), span.label) for span in layer)
    listed = [{"text": text, "label": label} for text, label in found]
    return f"Here is what I found:\n```json\n{json.dumps({'entities': listed}, indent=1)}\n```"


def tagged_text(document: Document, layer: tuple[Span, ...]) -> str:
    """Repeat a text with tags around names, the first of those that overlap."""
    said, at = "", 0
    for span in layer:
        if span.start >= at and not span.fragments:
            said += document.text[at : span.start]
            said += f"<{span.label}>{document.text[span.start : span.end]}</{span.label}>"
            at = span.end
    return said + document.text[at:]


def write_answers(documents: list[Document]) -> None:
    batches: dict[str, list[Any]] = {name: [] for name in SYSTEMS}
    for document in documents:
        layers, id = document.layers, document.id
        choice = {"message": {"content": unique_names(document, layers["anna"])}}
        body = {"choices": [{**choice, "finish_reason": "stop"}]}
        batches["ada"].append({"custom_id": id, "response": {"status_code": 200, "body": body}})
        content = [{"type": "text", "text": tagged_text(document, layers["tagger"])}]
        message = {"content": content, "stop_reason": "end_turn"}
        result = {"type": "succeeded", "message": message}
        batches["bea"].append({"custom_id": id, "result": result})
        spans = layers.get("ben", ())
        listed = [{"text": span.marked(document.text), "label": span.label} for span in spans]
        reply = json.dumps({"mentions": listed})
        reply = {
            REFUSED: "I'm sorry, but I can't help with that.",
            CUT: reply[: len(reply) // 2],
            MALFORMED: '{"mentions": 7}',
        }.get(id, reply)
        if id != MISSING and "ben" in layers:
            batches["cai"].append({"id": id, "response": reply})
    for name, rows in batches.items():
        Path(f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture(autouse=True)
def _answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    documents = passages()
    write([each.replace(layers={}) for each in documents], "texts.jsonl")
    gold = [each.replace(layers={"gold": each.layers["gold"]}) for each in documents]
    write(gold, "gold.jsonl")
    write_answers(documents)


def settle(store: Store, gold: dict[str, Document], n: int) -> None:
    """Settle the first documents as somebody does who knows what is right."""
    for number in range(1, n + 1):
        desk = document_for(store, "cleo", number, "review")
        right = gold[desk["id"]].layers["gold"]
        changes = [Change(WHOLE, None, Answer(WHOLE, "looked"))]
        for heart in desk["hearts"]:
            place = (heart.start, heart.end, heart.label)
            meant = [each for each in right if meets(each, place)]
            answer = Answer(place, "rejected")
            if meant:
                name = Name(meant[0].start, meant[0].end, meant[0].label)
                answer = Answer(place, "accepted", name)
            changes.append(Change(place, None, answer))
        decision = SentDecision(f"key-{number}", "review", "accept", number, tuple(changes))
        decide(store, "cleo", decision)


def meets(span: Span, place: tuple[int, int, str]) -> bool:
    start, end, label = place
    return span.start < end and start < span.end and span.label == label


@pytest.mark.parametrize(("way", "f1"), [("by-content", 0.865), ("in-order", 0.753)])
def test_of_names_that_are_listed_once_every_place_is_meant(way: str, f1: float) -> None:
    corpus = vm.read({"gold": "gold.jsonl", "ada": "ada.jsonl"}, options={"ada:locate": way})
    assert round(vm.score(corpus)["ada"].counts("exact").f1, 3) == f1


def test_from_raw_answers_to_a_recogniser() -> None:
    inputs = [f"{name}={name}.jsonl" for name in SYSTEMS]
    together = CliRunner().invoke(
        app, ["convert", *inputs, "--text", "texts.jsonl", "-o", "all.jsonl"]
    )
    assert together.exit_code == 0
    assert "set aside 2 answers that cannot be used" in together.stderr
    assert "set aside 1 answers that end too soon" in together.stderr
    looked = {each.id: set(each.layers) for each in read("all.jsonl")}
    for id in (REFUSED, CUT, MALFORMED, MISSING):
        assert looked[id] == {"ada", "bea"}

    run("consensus", "all.jsonl", "-o", "silver.jsonl")
    shown = run("score", "gold.jsonl", "silver.jsonl", "--looked")
    assert "only documents that a system looked at count: cai" in shown
    scores = json.loads(run("score", "gold.jsonl", "silver.jsonl", "--looked", "--json"))
    exact = {name: each["views"]["exact"]["f1"] for name, each in scores["systems"].items()}
    assert exact["consensus"] > min(exact[name] for name in SYSTEMS)
    assert exact["ada"] > 0.8

    run("review", "review.db", "all.jsonl", "--no-serve")
    gold = {each.id: each for each in read("gold.jsonl")}
    with Store("review.db") as store:
        settle(store, gold, N // 2)
    run("review", "review.db", "--export", "settled.jsonl")
    settled = list(read("settled.jsonl"))
    assert len(settled) == N // 2

    run("train", "settled.jsonl", "--by", "hmm", "-o", "mine.zip")
    Path("new.txt").write_text("Loss of BRCA1 sensitises cells to olaparib.")
    run("tag", "new.txt", "--model", "mine.zip", "-o", "tagged.jsonl")
    [tagged] = read("tagged.jsonl")
    assert {span.marked(tagged.text) for span in tagged.layers["mine"]} >= {"BRCA1", "olaparib"}
