import os
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
