"""Folders, patterns, standard input and pipes, at the command line."""

import json
import os
import subprocess
import sys
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


def shell(command: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell, where ``$V`` is vermeil."""
    return subprocess.run(
        command.replace("$V", f"{sys.executable} -c 'import vermeil.cli; vermeil.cli.main()'"),
        shell=True,
        capture_output=True,
        text=True,
        env={**os.environ, **more},
        timeout=120,
    )


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("$V info ann/a.jsonl >&-", "vermeil: standard output: cannot be written: Bad file desc"),
        ("$V info ann/a.jsonl --json >&-", "vermeil: standard output: cannot be written: Bad"),
        ("$V convert ann/a.jsonl -o - >&-", "vermeil: standard output: cannot be written: Bad"),
        ("$V info - <&-", "vermeil: -: cannot be read: Bad file descriptor"),
        (
            "mkdir gone; F=$PWD/ann/a.jsonl && cd gone && rmdir ../gone; $V convert $F -o z.jsonl",
            "vermeil: z.jsonl: cannot be written: No such file or directory",
        ),
    ],
)
def test_what_is_closed_or_gone_is_said_in_one_line(command: str, said: str) -> None:
    ended = shell(command)
    assert ended.returncode == 1
    [line] = ended.stderr.splitlines()
    assert line.startswith(said)


def test_a_closed_stream_that_is_not_needed_makes_no_difference() -> None:
    assert shell("$V convert ann/a.jsonl -o out.jsonl <&- >&- 2>&-").returncode == 0
    assert Path("out.jsonl").read_bytes() == Path("ann/a.jsonl").read_bytes()


def test_any_terminal_shows_any_text() -> None:
    layers = {"\u03b1nna": (Span(0, 1, "\u03b2…"),)}
    write([Document(id="1", text="x", layers=layers)], "greek.jsonl")
    helped = shell("$V consensus --help", PYTHONIOENCODING="latin-1")
    assert (helped.returncode, helped.stderr) == (0, "")
    assert "{IN...}" in helped.stdout
    shown = shell("$V info greek.jsonl", PYTHONIOENCODING="latin-1")
    assert r"\u03b1nna" in shown.stdout
    told = shell("$V info greek.jsonl --json", PYTHONIOENCODING="latin-1")
    assert json.loads(told.stdout)["layers"]["\u03b1nna"]["labels"] == {"\u03b2…": 1}


@pytest.mark.parametrize("coding", ["ascii", "latin-1"])
def test_any_terminal_shows_trees(coding: str) -> None:
    Path("a.mrg").write_text("(S (NP (NN p53)) (VP (VBZ binds)))\n")
    shown = shell("$V trees show a.mrg", PYTHONIOENCODING=coding)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "`- VP  binds" in shown.stdout
