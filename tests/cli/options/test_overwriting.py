"""What a command writes beside its output lands on nothing that it reads or writes otherwise."""

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vermeil import Document, Span
from vermeil.cli import app
from vermeil.errors import UsageError
from vermeil.formats import write

SURE = Document(id="1", text="p53", layers={"a": (Span(0, 3, "Gene", confidence=0.5),)})


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write([SURE.replace(layers={"a": SURE.layers["a"], "b": ()})], "in.jsonl")
    write([SURE.replace(layers={})], "texts.jsonl")
    Path("many").mkdir()
    write([SURE], "many/a.jsonl")
    os.link("in.jsonl", "linked.jsonl")
    Path("link.jsonl").symlink_to("in.jsonl")
    Path("sub").mkdir()
    write([SURE], "sub/deep.jsonl")
    Path("brat").mkdir()
    Path("brat", "1.txt").write_text("p53")
    Path("brat", "1.ann").write_text("T1\tGene 0 3\tp53\n")
    Path("new").mkdir()


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stderr


def held() -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "command",
    [
        "convert in.jsonl -o o.jsonl --log in.jsonl",
        "convert in.jsonl -o o.jsonl --log sub/../in.jsonl",
        "convert in.jsonl -o o.jsonl --log link.jsonl",
        "convert in.jsonl -o o.jsonl --log linked.jsonl",
        "convert link.jsonl -o o.jsonl --log in.jsonl",
        "convert x=in.jsonl -o o.jsonl --log in.jsonl",
        "convert many/*.jsonl -o o.conll --log many/a.jsonl",
        "convert in.jsonl -o o.jsonl --log o.jsonl",
        "convert in.jsonl -o o.jsonl --log ./o.jsonl --engine process",
        "convert in.jsonl -o {layer}.jsonl --log a.jsonl",
        "convert in.jsonl -o - --log -",
        "convert in.jsonl -o o.jsonl --skip-bad --log o.jsonl.bad.jsonl",
        "convert in.jsonl -o new --to brat --log new/1.ann",
        "convert in.jsonl -o new/ --engine process --log new/part-000000.jsonl",
        "info in.jsonl --log in.jsonl",
        "info sub --log sub/deep.jsonl",
        "info brat --log brat/1.ann",
        "info man* --log many/a.jsonl",
        "info sub/deep.jsonl --text texts.jsonl --log texts.jsonl",
        "consensus in.jsonl -o o.jsonl --log in.jsonl",
        "agree in.jsonl --log in.jsonl",
        "score in.jsonl --standard a --log in.jsonl",
        "tag --model gene in.jsonl -o o.jsonl --log in.jsonl",
        "report in.jsonl -o o.html --log o.html",
    ],
)
def test_notes_are_not_written_over_what_a_command_reads_or_writes(command: str) -> None:
    before = held()
    with pytest.raises(UsageError, match=r"--log|is being written"):
        run(*command.split())
    assert held() == before


def test_bad_records_are_not_written_over_an_input() -> None:
    Path("in.jsonl").rename("vermeil.bad.jsonl")
    before = held()
    with pytest.raises(UsageError, match=r"vermeil\.bad\.jsonl: --skip-bad would write over"):
        run("info", "vermeil.bad.jsonl", "--skip-bad")
    assert held() == before


@pytest.mark.parametrize(
    "command",
    [
        "convert brat -o o.conll --log brat/log.jsonl",
        "convert brat -o brat/o.conll --log brat/log.jsonl",
        "convert in.jsonl -o {layer}.conll --log notes.jsonl",
        "convert in.jsonl -o /dev/null --log /dev/null",
        "convert in.jsonl -o in.jsonl --log notes.jsonl",
    ],
)
def test_a_command_with_notes_of_its_own_can_be_repeated(command: str) -> None:
    assert run(*command.split()) == run(*command.split())
