"""The folder of a run that somebody has edited before it is resumed."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from benchmarks.generated import documents
from vermeil.cli import app
from vermeil.errors import VermeilError
from vermeil.formats import write


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(documents(12), "in.jsonl")
    assert run() == 0
    return tmp_path / "kept"


def run() -> int:
    command = "consensus in.jsonl -o out.jsonl --engine process"
    kept = ["--shard-size", "0.001", "--resume", "kept"]
    return CliRunner().invoke(app, [*command.split(), *kept], catch_exceptions=False).exit_code


@pytest.mark.parametrize("step", ["observe", "write"])
def test_a_result_with_other_arrays_ends_the_run_in_one_line(begun: Path, step: str) -> None:
    (begun / "learned.npz").unlink()
    path = begun / step / "000000.npz"
    with np.load(path) as stored:
        held = {name: one if name == "facts.json" else one[None] for name, one in stored.items()}
    np.savez_compressed(path, **held)
    with pytest.raises(VermeilError, match=rf"{step}/000000\.npz: is no result of a shard"):
        run()
    path.unlink()
    assert run() == 0


@pytest.mark.parametrize("content", [b"", None])
def test_documents_of_a_shard_that_are_not_what_was_written_end_the_run(
    begun: Path, content: bytes | None
) -> None:
    before = Path("out.jsonl").read_bytes()
    path = begun / "write" / "000000.jsonl"
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(VermeilError, match=r"000000\.jsonl: is not what this run has written"):
        run()
    assert Path("out.jsonl").read_bytes() == before
    path.with_suffix(".npz").unlink()
    assert run() == 0
    assert Path("out.jsonl").read_bytes() == before
