"""``vermeil annotate``: against a program and an endpoint, and killed in the middle."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.annotators.endpoints import Reply, completion, names, serving
from tests.cli.command_line import fail, run
from vermeil import Document
from vermeil.formats import read, write

N = 6


@pytest.fixture(autouse=True)
def _corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("VERMEIL_API_KEY", raising=False)
    write([Document(id=str(n), text=f"p{n} binds MDM2") for n in range(1, N + 1)], "texts.jsonl")


def asking(url: str, *more: str) -> list[str]:
    given = ["--api", url, "--model", "small", "--labels", "Gene", "-o", "out.jsonl"]
    return ["annotate", "texts.jsonl", *given, *more]


def test_a_model_is_asked_and_what_it_cost_is_shown() -> None:
    with serving(lambda text, n: names(text.split()[0])) as served:
        assert run(*asking(served.url)) == (
            "6 documents, 6 answered, 60 tokens read and 12 written\n"
        )
        assert run(*asking(served.url)) == "6 documents, 6 answered, 6 of them before\n"
        told = json.loads(run(*asking(served.url, "--json", "--name", "other")))
    assert told["answered_before"] == N
    assert told["answers"] == "out.jsonl.answers.jsonl"
    assert served.asked.total() == N
    assert served.keys == [None] * N
    assert [len(each.layers["other"]) for each in read("out.jsonl")] == [1] * N
    assert next(iter(read("out.jsonl"))).meta["scope"] == {"other": ["Gene"]}


def test_a_folder_of_texts_is_annotated_into_itself() -> None:
    Path("texts").mkdir()
    for n in range(40):
        Path(f"texts/{n}.txt").write_text(f"p{n} binds MDM2")
    given = ["--model", "small", "--labels", "Gene", "-o", "texts/out.jsonl", "--jobs", "1"]
    with serving(lambda text, n: names(text.split()[0])) as served:
        first = run("annotate", "texts", "--api", served.url, *given)
        again = run("annotate", "texts", "--api", served.url, *given)
    assert first.startswith("40 documents, 40 answered, ")
    assert again == "40 documents, 40 answered, 40 of them before\n"


def test_a_prompt_of_ones_own_is_used_and_the_text_is_not_filled_in() -> None:
    Path("prompt.txt").write_text("Find {labels}. Text:\n{text}")
    write([Document(id="1", text="a {labels} b")], "texts.jsonl")
    with serving(lambda text, n: completion("[]")) as served:
        run(*asking(served.url, "--prompt", "prompt.txt", "--no-schema", "--temperature", "0"))
    [body] = served.bodies
    assert body["messages"][0]["content"] == "Find Gene. Text:\na {labels} b"
    assert body["temperature"] == 0
    assert "response_format" not in body


def test_where_nothing_is_answered_the_command_fails(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(lambda text, n: (500, {}, "down")) as served:
        said = fail(capsys, *asking(served.url, "--retries", "0", "--jobs", "1"))
    assert said == "vermeil: no document has an answer; 1: status 500: down (asked 1 times)"


def test_a_missing_package_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)
    said = fail(capsys, *asking("http://127.0.0.1:9/v1"))
    assert "asking a language model needs httpx2, which is not installed: pip install" in said


def test_a_run_that_is_killed_goes_on_and_asks_nothing_twice(tmp_path: Path) -> None:
    running: list[subprocess.Popen[bytes]] = []

    def deadly(text: str, n: int) -> Reply:
        if text.startswith("p4") and n == 1:
            os.kill(running[0].pid, signal.SIGKILL)
        return names(text.split()[0])

    with serving(deadly) as served:
        script = "from vermeil.cli import main; main()"
        arguments = asking(served.url, "--jobs", "1")
        running.append(subprocess.Popen([sys.executable, "-c", script, *arguments]))
        assert running[0].wait() == -signal.SIGKILL
        kept = Path("out.jsonl.answers.jsonl").read_text().splitlines()
        assert [json.loads(line)["id"] for line in kept] == ["1", "2", "3"]
        assert not Path("out.jsonl").exists()
        run(*asking(served.url, "--jobs", "1"))
    assert served.asked == {f"p{n} binds MDM2": 1 + (n == 4) for n in range(1, N + 1)}
    assert [len(each.layers["small"]) for each in read("out.jsonl")] == [1] * N


def test_answers_can_be_read_like_any_file_of_answers() -> None:
    with serving(lambda text, n: names("MDM2")) as served:
        run(*asking(served.url))
    run("convert", "--text", "texts.jsonl", "llm=out.jsonl.answers.jsonl", "-o", "again.jsonl")
    assert [len(each.layers["llm"]) for each in read("again.jsonl")] == [1] * N


def test_on_standard_output_somebody_must_say_where_answers_are_kept(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = fail(capsys, "annotate", "texts.jsonl", "--cmd", "cat", "-o", "-")
    assert "where are answers to be kept?" in said
