"""Folders, patterns, standard input and pipes, at the command line."""

import json
import os
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vermeil.cli import app
from vermeil.document import Document, Span
from vermeil.formats import read, write

LAYERS = ("a", "b", "c")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ann").mkdir()
    for name in LAYERS:
        some = [
            Document(id=f"d{n}", text="p53 binds DNA", layers={name: (Span(0, 3, "Gene"),)})
            for n in range(6)
        ]
        write(some, f"ann/{name}.jsonl")
    write([d.replace(layers={"gold": (Span(0, 3, "Gene"),)}) for d in some], "gold.jsonl")


def run(*arguments: str, given: bytes | None = None) -> str:
    result = CliRunner().invoke(app, list(arguments), input=given, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("given", ["ann", "ann/*.jsonl"])
def test_a_folder_and_a_pattern_are_the_files_a_shell_would_list(given: str) -> None:
    listed = [f"ann/{name}.jsonl" for name in LAYERS]
    run("consensus", *listed, "-o", "listed.jsonl")
    run("consensus", given, "-o", "given.jsonl")
    assert Path("given.jsonl").read_bytes() == Path("listed.jsonl").read_bytes()
    assert all(each.layers["consensus"] for each in read("given.jsonl"))
    assert run("info", given, "--json") == run("info", *listed, "--json")
    assert run("agree", given, "--json") == run("agree", *listed, "--json")
    assert run("score", "gold.jsonl", given, "--json") == run(
        "score", "gold.jsonl", *listed, "--json"
    )
    run("report", given, "-o", "report.html")
    page = Path("report.html").read_text()
    assert all(name in page for name in LAYERS)


def test_consensus_reads_standard_input_and_writes_json_lines() -> None:
    run("convert", "ann", "-o", "all.jsonl")
    piped = run("consensus", "-", "-o", "-", given=Path("all.jsonl").read_bytes())
    run("consensus", "all.jsonl", "-o", "silver.jsonl")
    assert piped == Path("silver.jsonl").read_text()


def test_the_format_of_a_pipe_is_told_without_losing_its_beginning() -> None:
    fifos = [Path(f"{name}.fifo") for name in LAYERS]
    for fifo, name in zip(fifos, LAYERS, strict=True):
        os.mkfifo(fifo)
        content = Path(f"ann/{name}.jsonl").read_bytes()
        threading.Thread(target=fifo.write_bytes, args=(content,), daemon=True).start()
    run("consensus", *map(str, fifos), "-o", "piped.jsonl")
    run("consensus", "ann", "-o", "silver.jsonl")
    assert Path("piped.jsonl").read_bytes() == Path("silver.jsonl").read_bytes()


def test_a_folder_of_shards_that_a_command_wrote_can_be_looked_at() -> None:
    many = [Document(id=f"d{n}", text="p53 binds DNA") for n in range(60)]
    write(many, "all.jsonl")
    run("convert", "all.jsonl", "-o", "out/", "--shard-size", "0.001", "--engine", "process")
    assert len(list(Path("out").iterdir())) > 1
    assert json.loads(run("info", "out", "--json"))["n_documents"] == 60
