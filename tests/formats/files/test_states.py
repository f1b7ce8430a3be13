import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from vermeil.errors import FormatError
from vermeil.formats.files.states import files_in, refuse_changed, states_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    (folder / "below").mkdir(parents=True)
    for name in ("a.txt", "a.ann", "below/b.txt"):
        (folder / name).write_text(name)
    (folder / "empty.ann").touch()
    return folder


def make(path: Path, content: str = "x") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: make(folder / "a.txt", "A.txt"),
        lambda folder: make(folder / "c.txt"),
        lambda folder: make(folder / "below" / "empty.ann", ""),
        lambda folder: (folder / "empty.ann").unlink(),
        lambda folder: (folder / "a.ann").rename(folder / "b.ann"),
        lambda folder: (folder / "below").rename(folder / "above"),
        lambda folder: os.utime(folder / "a.txt", ns=(1, 1)),
    ],
)
def test_a_change_in_a_folder_is_noticed(folder: Path, change: Callable[[Path], None]) -> None:
    before = states_of([folder])
    change(folder)
    with pytest.raises(FormatError, match="was changed while it was read"):
        refuse_changed(before)


@pytest.mark.parametrize(
    "name",
    [
        ".out.jsonl.0123abcd.partial",
        ".out.0123abcd.partial/1.txt",
        "out.jsonl.run/lock",
        ".DS_Store",
    ],
)
def test_what_is_written_into_a_folder_while_it_is_read_is_none_of_it(
    folder: Path, name: str
) -> None:
    before, held = states_of([folder]), files_in(folder)
    make(folder / name)
    refuse_changed(before)
    assert files_in(folder) == held


def test_the_folder_of_a_run_is_none_of_it_wherever_it_is(folder: Path) -> None:
    before = states_of([folder])
    make(folder / "kept" / "manifest.json")
    make(folder / "kept" / "lock")
    make(folder / "kept" / "write" / "000000.jsonl")
    refuse_changed(before)


DENYING = """
import os, sys
def denying(call):
    def asked(path, *given, **further):
        said = os.fspath(path) if not isinstance(path, int) else ""
        if said.startswith("in/sub/") or (said == "in/sub" and call is not stat and may_not_list):
            raise PermissionError(13, "Permission denied", said)
        return call(path, *given, **further)
    return asked
may_not_list, stat = sys.argv.pop(1) == "000", os.stat
os.stat, os.scandir = denying(os.stat), denying(os.scandir)
import vermeil.cli
vermeil.cli.main()
"""
"""The command line for somebody who may not look into a folder, as root may into every one."""


@pytest.mark.parametrize(
    ("mode", "given", "said"),
    [
        ("000", "in", "in/sub: cannot be read: Permission denied; move it away, or name the other"),
        ("444", "in", "in/sub/f.jsonl: cannot be read: Permission denied; move it away, or name"),
        ("000", "in/sub/f.jsonl", "in/sub/f.jsonl: cannot be read: Permission denied"),
        ("000", "in/sub/*", "in/sub/*: cannot be read: Permission denied"),
    ],
)
def test_what_may_not_be_looked_into_is_told_as_what_cannot_be_read(
    mode: str, given: str, said: str, tmp_path: Path
) -> None:
    make(tmp_path / "in" / "f.jsonl", '{"id": "1", "text": "p53", "layers": {}}')
    make(tmp_path / "in" / "sub" / "f.jsonl", "")
    run = [sys.executable, "-c", DENYING, mode, "info", given]
    ended = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (1, "")
    [line] = ended.stderr.splitlines()
    assert line.startswith(f"vermeil: {said}")


def test_a_folder_that_goes_while_it_is_listed_is_no_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = os.scandir

    def listed(path: Path) -> object:
        if Path(path).name == "below":
            raise FileNotFoundError(2, "No such file or directory", str(path))
        return whole(path)

    monkeypatch.setattr(os, "scandir", listed)
    assert [each.name for each in files_in(folder)] == ["a.ann", "a.txt", "empty.ann"]


@pytest.mark.parametrize("output", ["in/sub/out.jsonl", "in/sub/"])
@pytest.mark.parametrize("engine", [[], ["--engine", "process"]])
def test_what_is_to_be_written_there_cannot_be_written(
    output: str, engine: list[str], tmp_path: Path
) -> None:
    make(tmp_path / "f.jsonl", '{"id": "1", "text": "p53", "layers": {}}')
    (tmp_path / "in" / "sub").mkdir(parents=True)
    given = ["convert", "f.jsonl", "--to", "jsonl", "-o", output, *engine]
    run = [sys.executable, "-c", DENYING, "000", *given]
    ended = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path)
    [line] = ended.stderr.splitlines()
    assert line == f"vermeil: {output}: cannot be written: Permission denied"
