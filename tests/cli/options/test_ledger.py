from pathlib import Path

import pytest
from typer.testing import CliRunner

from vermeil import Document, Span
from vermeil.cli import app
from vermeil.errors import UsageError
from vermeil.formats import write

SURE = Document(
    id="1",
    text="p53",
    meta={"year": 1},
    layers={"a": (Span(0, 3, "Gene", confidence=0.5, ids=("1", "2")),)},
)


def test_what_was_lost_is_said_in_the_last_line(tmp_path: Path) -> None:
    write([SURE], tmp_path / "in.jsonl")
    convert = ["convert", str(tmp_path / "in.jsonl"), "-o", str(tmp_path / "out.pubtator")]
    said = CliRunner().invoke(app, convert, catch_exceptions=False).stderr.splitlines()
    assert len(said) > 2
    assert said[-1].startswith("vermeil: not all of the input is in the output: dropped 1 ")


def test_with_strict_a_loss_is_an_error_and_nothing_is_written(tmp_path: Path) -> None:
    write([SURE], tmp_path / "in.jsonl")
    convert = ["convert", str(tmp_path / "in.jsonl"), "--strict", "-o"]
    with pytest.raises(UsageError, match="not all of the input is in the output: dropped 1 conf"):
        CliRunner().invoke(app, [*convert, str(tmp_path / "out.pubtator")], catch_exceptions=False)
    assert not (tmp_path / "out.pubtator").exists()
    done = CliRunner().invoke(app, [*convert, str(tmp_path / "o.jsonl")], catch_exceptions=False)
    assert (done.exit_code, done.stderr) == (0, "")
