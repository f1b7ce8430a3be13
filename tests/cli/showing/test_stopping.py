"""Commands that a signal stops, run as a user runs them."""

import signal
import subprocess
from pathlib import Path
from time import sleep

import pytest
from typer.testing import CliRunner

from tests.runs.faulty_runs import command
from vermeil.cli import app
from vermeil.errors import UsageError

DOCUMENT = b'{"id": "1", "text": "p53", "layers": {"a": [], "b": []}}\n'
COMMANDS = {
    "convert": ["convert", "-", "--from", "jsonl", "-o", "out.jsonl", "--log", "out.log"],
    "packed": ["convert", "-", "--from", "jsonl", "-o", "out.jsonl.gz", "--skip-bad"],
    "tag": ["tag", "-", "--from", "jsonl", "--model", "gene", "-o", "out.jsonl"],
    "folder": ["convert", "-", "--from", "jsonl", "--to", "brat", "--layer", "a", "-o", "out"],
}


@pytest.mark.parametrize(
    ("name", "number"),
    [
        *((name, signal.SIGTERM) for name in COMMANDS),
        ("convert", signal.SIGINT),
        ("convert", signal.SIGHUP),
    ],
)
def test_a_command_that_is_stopped_leaves_nothing_and_says_so(
    name: str, number: signal.Signals, tmp_path: Path
) -> None:
    process = subprocess.Popen(
        command(*COMMANDS[name]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    )
    assert process.stdin is not None
    process.stdin.write(DOCUMENT)
    process.stdin.flush()
    while process.poll() is None and not list(tmp_path.glob(".out*.partial")):
        sleep(0.01)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    [line] = said.decode().splitlines()
    assert line.startswith(f"vermeil: stopped by {number.name}; ")
    assert line.endswith(" not written")
    assert list(tmp_path.iterdir()) == []


def test_standard_output_has_two_names(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(DOCUMENT)
    convert = ["convert", str(tmp_path / "in.jsonl"), "-o", "/dev/stdout"]
    made = subprocess.run(command(*convert, "--to", "lines"), capture_output=True, check=True)
    assert made.stdout == b"p53\n"
    with pytest.raises(UsageError, match="--json and -o - both write to standard output"):
        CliRunner().invoke(app, [*convert, "--to", "jsonl", "--json"], catch_exceptions=False)
