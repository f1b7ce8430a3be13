import json
from functools import partial
from pathlib import Path

import pytest

import vermeil as vm
from tests.cli import command_line
from tests.recognise.word_classes.made_up import texts
from vermeil.formats import write
from vermeil.recognise.word_classes.learned_words import LearnedWords


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(texts()[:30], "some.jsonl")
    Path("more").mkdir()
    for each in texts()[30:]:
        Path("more", f"{each.id}.txt").write_text(each.text)


run = partial(command_line.run, "learn-words")


def test_words_are_learned_from_any_files_as_in_python() -> None:
    shown = run("some.jsonl", "more", "-o", "words.zip")
    assert shown.startswith("60 documents, ")
    assert "words.zip: " in shown
    assert not Path("words.zip.run").exists()
    vm.learn_words(vm.read("some.jsonl").listed() + vm.read("more").listed()).save("again.zip")
    assert Path("words.zip").read_bytes() == Path("again.zip").read_bytes()


def test_an_interrupted_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from vermeil.recognise.word_classes import learning

    told = run("some.jsonl", "-o", "whole.zip", "--json")
    with monkeypatch.context() as patch:
        patch.setattr(learning, "table_of", _stop)
        with pytest.raises(RuntimeError, match="stopped"):
            run("some.jsonl", "-o", "words.zip")
    done = {each: each.stat().st_mtime_ns for each in Path("words.zip.run").rglob("*.npz")}
    assert {each.parts[1] for each in done} >= {"count-0", "company-0"}
    again = run("some.jsonl", "-o", "words.zip", "--json", "--resume", "words.zip.run")
    assert {each: each.stat().st_mtime_ns for each in done} == done
    assert json.loads(again) == {**json.loads(told), "output": "words.zip"}
    assert Path("words.zip").read_bytes() == Path("whole.zip").read_bytes()


def _stop(*given: object, **options: object) -> None:
    raise RuntimeError("stopped")


def test_of_many_words_the_commonest_are_learned() -> None:
    run("some.jsonl", "-o", "words.zip", "--min-count", "20")
    few = LearnedWords.load(Path("words.zip"))
    assert len(few.tokens) < json.loads(run("some.jsonl", "-o", "all.zip", "--json"))["tokens"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["some.jsonl", "-o", "-"], "words cannot be written to standard output; give -o FILE"),
        (["some.jsonl", "-o", "w.zip.gz"], "w.zip.gz: a model is compressed already"),
        (["some.jsonl", "-o", "w.zip", "--tokeniser", "fin"], "did you mean 'fine'"),
        (["some.jsonl", "-o", "w.zip", "--min-count", "9999"], "there is too little to learn from"),
        (["-", "-o", "w.zip"], "standard input (-) and pipes cannot be cut into shards"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert said in command_line.fail(capsys, "learn-words", *arguments)


def test_one_string_is_no_texts() -> None:
    with pytest.raises(vm.VermeilError, match="takes many texts, and this is one string"):
        vm.learn_words("One text.")
