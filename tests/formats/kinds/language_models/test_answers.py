"""Answers of language models as they come: what is read, what is set aside, and who looked."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from vermeil import Document
from vermeil.errors import FormatError
from vermeil.formats import Ledger, guess_format, read, write
from vermeil.formats.arranging import arranged
from vermeil.formats.corpus import read_corpus
from vermeil.formats.inputs import Input

TEXT = "Loss of p53 and MDM2 <10% with aspirin; p53 is lost."
GENES = [(8, "p53", "Gene"), (16, "MDM2", "Gene")]
GOOD = '{"mentions": [{"text": "p53", "label": "Gene"}, {"text": "MDM2", "label": "Gene"}]}'


def looked(
    record: Any, ledger: Ledger | None = None, *, text: str = TEXT, **options: str
) -> list[tuple[int, str, str]] | None:
    """Read one answer: start, string and label of names; None where nobody looked."""
    path = Path("gpt.jsonl")
    said = record if isinstance(record, str) else json.dumps(record)
    path.write_text(said + "\n", encoding="utf-8")
    options = {"locate": "in-order", **options}
    texts = [Document(id="1", text=text)]
    [document] = read(path, format="answers", documents=texts, ledger=ledger, options=options)
    if "gpt" not in document.layers:
        return None
    return [(s.start, s.marked(text), s.label) for s in document.layers["gpt"]]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def chat(content: Any, ending: str = "stop", **message: Any) -> dict[str, Any]:
    """A chat completion."""
    turn = {"role": "assistant", "content": content, **message}
    choice = {"index": 0, "message": turn, "finish_reason": ending}
    return {"id": "chatcmpl-7", "object": "chat.completion", "choices": [choice]}


def openai(body: Any, error: Any = None, status: int = 200) -> dict[str, Any]:
    """A line of an OpenAI batch."""
    response = {"status_code": status, "request_id": "r", "body": body}
    return {"id": "batch_req_1", "custom_id": "1", "response": response, "error": error}


def anthropic(content: Any, ending: str = "end_turn", kind: str = "succeeded") -> dict[str, Any]:
    """A line of an Anthropic batch."""
    message = {"id": "msg_1", "role": "assistant", "content": content, "stop_reason": ending}
    return {"custom_id": "1", "result": {"type": kind, "message": message}}


def gemini(text: str, ending: str = "STOP") -> dict[str, Any]:
    content = {"role": "model", "parts": [{"text": text}]}
    return {"key": "1", "response": {"candidates": [{"content": content, "finishReason": ending}]}}


RESPONSES = {
    "object": "response",
    "status": "completed",
    "output": [
        {"type": "reasoning", "summary": []},
        {"type": "message", "content": [{"type": "output_text", "text": GOOD}]},
    ],
}
TOOL = {"type": "tool_use", "name": "names", "input": json.loads(GOOD)}


@pytest.mark.parametrize(
    "record",
    [
        {"id": "1", "response": GOOD},
        {"id": 1, "answer": f"Sure! Here you are:\n```json\n{GOOD}\n```\nShall I go on [1]?"},
        {"pmid": "1", "generated_text": f"```\n{GOOD}\n```"},
        {"id": "1", "completion": f"The names are {GOOD} as asked."},
        {"id": "1", "response": f"<think>p53 {{maybe</think>\n{GOOD}"},
        {"id": "1", "response": "Draft: []. Final: " + GOOD},
        {"id": "1", "response": GOOD.replace("}]", "},]")},
        {"id": "1", "response": GOOD.replace('"', "'")},
        {"id": "1", "response": json.loads(GOOD)},
        {"id": "1", "response": json.loads(GOOD)["mentions"]},
        {"id": "1", "response": '{"Gene": ["p53", "MDM2"], "Disease": []}'},
        {"id": "1", "response": '{"why": "I read it", "Gene": ["p53", "MDM2"]}'},
        {"id": "1", "response": '{"result": {"entities": [["p53", "Gene"], ["MDM2", "Gene"]]}}'},
        {"id": "1", "reply": '{"name": "p53", "type": "Gene"}\n{"text": "MDM2", "label": "Gene"}'},
        openai(chat(GOOD)),
        openai(chat([{"type": "text", "text": GOOD}])),
        openai(chat(None, "tool_calls", tool_calls=[{"function": {"arguments": GOOD}}])),
        openai(chat(GOOD, "length")),
        openai(RESPONSES),
        anthropic([{"type": "thinking", "thinking": "[]"}, {"type": "text", "text": GOOD}]),
        anthropic([{"type": "text", "text": "I call a tool."}, TOOL], "tool_use"),
        gemini(GOOD),
        {"id": "1", "response": {"model": "m", "message": {"content": GOOD}, "done": True}},
        {"id": "1", "response": {"model": "m", "response": GOOD, "done_reason": "stop"}},
    ],
)  # fmt: skip
def test_an_answer_is_found_in_whatever_it_comes_in(record: Any) -> None:
    ledger = Ledger()
    assert looked(record, ledger) == GENES
    assert {deed for deed, _ in ledger.counts} <= {"guessed"}


@pytest.mark.parametrize(
    "reply",
    [
        "Loss of <Gene>p53</Gene> and <Gene>MDM2</Gene> <10% with aspirin; p53 is lost.",
        "Loss of [p53](Gene) and [MDM2](Gene) <10% with aspirin; p53 is lost.",
        "Here:\n\nLoss of  <e type='Gene'>p53</e> and\n<Gene>MDM2</Gene> <10% with aspirin; "
        "p53 is lost.\n\nI marked two names.",
    ],
)
def test_names_are_where_they_were_marked_in_the_text_repeated(reply: str) -> None:
    ledger = Ledger()
    assert looked({"id": "1", "response": reply}, ledger) == GENES
    assert not ledger.counts


def test_the_second_of_two_equal_names_can_be_the_one_that_is_marked() -> None:
    reply = TEXT[:40] + "[p53](Gene)" + TEXT[43:]
    assert looked({"id": "1", "response": reply}) == [(40, "p53", "Gene")]


def test_in_a_text_repeated_in_other_words_names_are_looked_up_and_that_is_said() -> None:
    ledger = Ledger()
    reply = "A loss of <Gene>p53</Gene> and of <Gene>MDM2</Gene>."
    assert looked({"id": "1", "response": reply}, ledger) == GENES
    what = "texts repeated in other words; their names are looked up in order"
    assert ledger.counts["changed", what] == 1


@pytest.mark.parametrize(
    "reply", ["[]", "{}", '{"mentions": []}', '{"Gene": []}', "None.", "No entities found.", TEXT]
)
def test_who_answers_that_there_is_nothing_has_looked(reply: str) -> None:
    ledger = Ledger()
    assert looked({"id": "1", "response": reply}, ledger) == []
    assert not ledger.counts


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"id": "1", "response": "I'm sorry, I can't help with that."}, "no names in it"),
        ({"id": "1", "response": ""}, "no names in it"),
        ({"id": "1", "response": "<think>p53 is"}, "cut off while it was thinking"),
        ({"id": "1", "response": '{"mentions": [7]}'}, "not a list of names"),
        ({"id": "1", "response": '{"mentions": "p53"}'}, "not a list of names"),
        ({"id": "1", "response": [1, 2]}, "not a list of names"),
        ({"id": "1", "error": "timed out", "response": None}, "timed out"),
        (openai(chat(None, refusal="No.")), "refused"),
        (openai(chat("", "content_filter")), "refused"),
        (openai(chat(None, "length")), "cut off before it began"),
        (openai(None, error={"message": "bad\nrequest"}), "bad request"),
        (openai({"error": {"message": "rate limit"}}, status=429), "rate limit"),
        (openai({"choices": []}), "no answer in it"),
        (anthropic([], "refusal"), "refused"),
        (anthropic([], kind="expired"), "expired"),
        (gemini("", "SAFETY"), "refused"),
    ],
)
def test_what_is_no_answer_is_set_aside_and_nobody_looked(record: Any, reason: str) -> None:
    ledger = Ledger()
    assert looked(record, ledger) is None
    what = "answers that cannot be used; their documents were not looked at"
    assert dict(ledger.counts) == {("set aside", what): 1}
    assert reason in ledger.summary()[0]


@pytest.mark.parametrize(
    "record",
    [
        {"id": "1", "response": GOOD[:-25]},
        {"id": "1", "response": "```json\n" + GOOD[:-4]},
        openai(chat(GOOD[:-25], "length")),
        anthropic([{"type": "text", "text": GOOD[:-10]}], "max_tokens"),
        json.dumps({"id": "1", "response": json.loads(GOOD)})[:-20],
        {"id": "1", "response": "Loss of <Gene>p53</Gene> and MDM2 <10% wi"},
    ],
)
def test_of_an_answer_that_ends_too_soon_whole_names_are_kept_but_nobody_looked(
    record: Any, tmp_path: Path
) -> None:
    assert looked(record) is None
    [document] = read(
        tmp_path / "gpt.jsonl", format="answers", documents=[Document(id="1", text=TEXT)]
    )
    named = {"start": 8, "end": 11, "label": "Gene"}
    assert document.meta["unfinished"]["gpt"][0] == named
    kept = looked(record, unfinished="keep")
    assert kept is not None
    assert kept[0] == GENES[0]


def test_a_later_answer_replaces_an_earlier_one(tmp_path: Path) -> None:
    ledger = Ledger()
    first, second = openai(chat(None, refusal="No.")), openai(chat(GOOD))
    assert looked(json.dumps(first) + "\n" + json.dumps(second), ledger) == GENES
    what = "earlier answers by later ones about the same document"
    assert ledger.counts["replaced", what] == 1


def test_confidences_in_words_are_attributes() -> None:
    said = '[{"text": "p53", "label": "Gene", "confidence": "high"}]'
    Path("gpt.jsonl").write_text(json.dumps({"id": "1", "response": said}))
    [document] = read("gpt.jsonl", format="answers", documents=[Document(id="1", text=TEXT)])
    [span, _] = document.layers["gpt"]
    assert (span.confidence, span.attributes) == (None, (("confidence", "high"),))


def test_answers_are_told_from_other_files_by_their_content(tmp_path: Path) -> None:
    path = tmp_path / "batch.jsonl"
    for record in (openai(chat(GOOD)), anthropic([]), {"id": "1", "response": "…"}):
        path.write_text(json.dumps(record))
        assert guess_format(path) == "answers"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"response": "[]"}', "there is no id; wanted one of custom_id"),
        ('{"id": "1"}', "there is no answer; wanted one of response"),
        ('{"id": "2", "response": "[]"}', "the id '2' is not among the texts"),
        ("I am sorry", "not a JSON object"),
    ],
)
def test_what_is_wrong_with_the_file_is_an_error_that_names_its_line(
    line: str, reason: str
) -> None:
    with pytest.raises(FormatError, match=reason) as raised:
        looked(line)
    assert str(raised.value).startswith("gpt.jsonl:1: ")


def folder_of(answers: dict[str, Any], ledger: Ledger | None = None) -> dict[str, Any]:
    """Read a folder with a file for each answer: what was found in each document."""
    for name, said in answers.items():
        path = Path("gpt") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(said if isinstance(said, str) else json.dumps(said), encoding="utf-8")
    ids = ["PMID-1", "train/2", "a/b", "4.v2"]
    write([Document(id=id, text=TEXT) for id in ids], "texts.jsonl")
    documents = read_corpus(
        [Input(Path("gpt"), format="answers")],
        text=Input(Path("texts.jsonl")),
        ledger=ledger,
        options={"locate": "in-order"},
    )
    return {
        each.id: [s.marked(TEXT) for s in each.layers["gpt"]] if "gpt" in each.layers else None
        for each in documents
    }


def test_a_folder_has_a_file_for_each_answer_called_like_the_document() -> None:
    found = folder_of(
        {
            "PMID-1.txt": f"Here you are:\n```json\n{GOOD}\n```",
            "train/2.json": json.dumps(chat(GOOD), indent=1),
            "a%2Fb.md": "None.",
            "4.v2.answers.json": GOOD,
        }
    )
    assert found == {
        "PMID-1": ["p53", "MDM2"],
        "train/2": ["p53", "MDM2"],
        "a/b": [],
        "4.v2": ["p53", "MDM2"],
    }


def test_a_file_that_names_its_document_is_about_that() -> None:
    found = folder_of(
        {
            "x.json": {**anthropic([{"type": "text", "text": GOOD}]), "custom_id": "PMID-1"},
            "y.json": {"id": "a/b", "response": '["p53"]'},
        }
    )
    assert found == {"PMID-1": ["p53", "MDM2"], "train/2": None, "a/b": ["p53"], "4.v2": None}


def test_what_is_no_answer_in_a_folder_is_set_aside_by_the_name_of_its_file() -> None:
    ledger = Ledger()
    found = folder_of({"PMID-1.txt": "", "a%2Fb.json": chat(None, refusal="No.")}, ledger)
    assert found["PMID-1"] is found["a/b"] is None
    [said] = [each for each in ledger.summary() if each.startswith("set aside")]
    assert "gpt/PMID-1.txt: empty answer" in said
    assert "gpt/a%2Fb.json: refused" in said


def test_an_answer_about_no_text_names_its_file() -> None:
    with pytest.raises(FormatError, match=r"gpt/other\.txt: the id 'other' is not among the texts"):
        folder_of({"other.txt": GOOD})


@pytest.mark.parametrize("n", [1, 2])
def test_files_about_the_same_documents_in_a_folder_are_annotators(n: int) -> None:
    texts = [Document(id=id, text=TEXT) for id in "12"[:n]]
    write(texts, "texts.jsonl")
    Path("models").mkdir()
    for name in ("gpt", "mistral"):
        lines = [json.dumps({"id": each.id, "response": GOOD}) for each in texts]
        Path(f"models/{name}.answers.jsonl").write_text("\n".join(lines))
    text = Input(Path("texts.jsonl"))
    inputs = arranged([Input(Path("models"), format="answers")], text)
    first, *_ = read_corpus(inputs, text=text)
    assert sorted(first.layers) == ["gpt", "mistral"]


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_answers_stand_in_a_column_of_a_table(ending: str, tmp_path: Path) -> None:
    with Path(f"gpt.{ending}").open("w", newline="") as stream:
        writer = csv.writer(stream, delimiter="," if ending == "csv" else "\t")
        writer.writerow(["model", "PMID", "Answer"])
        writer.writerows([["gpt-4", "1", f"Sure:\n{GOOD}"], ["gpt-4", "2", ""]])
    texts = [Document(id=id, text=TEXT) for id in "12"]
    ledger, options = Ledger(), {"locate": "in-order"}
    first, second = read(
        f"gpt.{ending}", format="answers", documents=texts, ledger=ledger, options=options
    )
    assert [span.marked(TEXT) for span in first.layers["gpt"]] == ["p53", "MDM2"]
    assert not second.layers
    assert ledger.counts[
        "set aside", "answers that cannot be used; their documents were not looked at"
    ]
