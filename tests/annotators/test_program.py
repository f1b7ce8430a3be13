"""Any program as an annotator."""

import sys
from pathlib import Path

import pytest

import vermeil as vm
from vermeil import Document, Span
from vermeil.errors import UsageError

SCRIPT = r"""
import json, os, signal, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    text, spans = asked["text"], []
    if "DIE" in text: sys.exit("out of memory")
    if "HANG" in text: time.sleep(60)
    if "PROSE" in text: print("I found nothing.", flush=True); continue
    if "OTHER" in text: asked["id"] = "another"
    if "ECHO" in text: print(line, end="", flush=True); continue
    at = text.find("p53")
    while at >= 0:
        spans.append({"start": at, "end": at + 3, "label": (asked.get("labels") or ["Gene"])[0]})
        at = text.find("p53", at + 1)
    print(json.dumps({"id": asked["id"], "spans": spans}), flush=True)
"""
COMMAND = (sys.executable, "-S", "-c", SCRIPT)
GOOD = Document(id="good", text="p53 and p53")


def test_a_program_is_asked_and_its_answers_are_a_layer(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    texts = [GOOD, Document(id="none", text="nothing")]
    found = vm.annotate(texts, cmd=COMMAND, name="prog", labels="DNA", answers=answers)
    assert [each.layers["prog"] for each in found.documents] == [
        (Span(0, 3, "DNA"), Span(8, 11, "DNA")),
        (),
    ]
    assert found.documents[0].meta["scope"] == {"prog": ["DNA"]}
    assert repr(found) == "<Annotated: prog, 2 documents, 2 answered>"
    more = [*texts, Document(id="more", text="p53")]
    again = vm.annotate(more, cmd=COMMAND, name="prog", labels="DNA", answers=answers)
    assert (again.asked.n_before, again.asked.n_new) == (2, 1)
    assert len(vm.read({"prog": answers}, text=write_texts(more, tmp_path))[0].layers["prog"]) == 2


def write_texts(documents: list[Document], folder: Path) -> Path:
    vm.write(documents, folder / "texts.jsonl")
    return folder / "texts.jsonl"


def test_what_a_program_cannot_do_is_told_and_the_others_are_answered(tmp_path: Path) -> None:
    bad = [Document(id=word, text=word) for word in ("DIE", "PROSE", "OTHER", "ECHO")]
    found = vm.annotate([GOOD, *bad, GOOD.replace(id="last")], cmd=COMMAND, name="p", jobs=2)
    assert [each.id for each in found.documents if "p" in each.layers] == ["good", "last"]
    reasons = dict(found.asked.failures)
    assert reasons["DIE"] == "crashed: exit status 1: out of memory"
    assert reasons["PROSE"].startswith("not JSON: ")
    assert reasons["OTHER"] == "another document: 'another', not 'OTHER'"
    assert reasons["ECHO"] == "no names: the document came back as it was"
    assert "No answer" in str(found)


def test_a_program_that_hangs_is_given_up() -> None:
    texts = [GOOD, Document(id="HANG", text="HANG")]
    found = vm.annotate(texts, cmd=COMMAND, name="p", timeout=0.5)
    assert dict(found.asked.failures)["HANG"].startswith("timed out: no answer in 0.5 s")
    assert "p" in found.documents[0].layers


def test_a_program_that_never_answers_ends_the_run() -> None:
    with pytest.raises(UsageError, match="the program gives no JSON, not even for"):
        vm.annotate([GOOD], cmd=("cat", "/dev/null"), name="p")
    with pytest.raises(UsageError, match="there is no command 'nowhere-to-be-found'"):
        vm.annotate([GOOD], cmd="nowhere-to-be-found --now")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "say whom to ask"),
        ({"cmd": "cat", "api": "http://a/v1"}, "say whom to ask"),
        ({"api": "http://a/v1"}, "say which model to ask, with model=NAME"),
        ({"api": "http://a/v1", "model": "m"}, "say which names to look for, as in labels="),
        ({"api": "http://a/v1", "model": "m", "prompt": "nowhere.txt"}, "prompt cannot be read"),
        ({"cmd": "cat", "name": "there"}, "has a layer 'there' already"),
        ({"cmd": "cat", "jobs": 0}, "jobs are 1 to 256, not 0"),
        ({"cmd": "cat 'a"}, "No closing quotation"),
    ],
)
def test_what_cannot_be_asked_is_refused(arguments: dict[str, object], reason: str) -> None:
    document = GOOD.with_layer("there", [])
    with pytest.raises(UsageError) as raised:
        vm.annotate([document], **arguments)  # type: ignore[arg-type]
    assert reason in str(raised.value)
