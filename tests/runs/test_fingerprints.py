import os
from pathlib import Path

import pytest

from vermeil.errors import FormatError
from vermeil.runs import fingerprints as module
from vermeil.runs.fingerprints import fingerprints


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.jsonl"
    path.write_text("p53")
    return path


def touch(path: Path) -> None:
    os.utime(path, ns=(1, path.stat().st_mtime_ns + 1_000_000))


def test_a_file_is_known_by_what_it_holds(path: Path) -> None:
    [before] = fingerprints([str(path)])
    touch(path)
    [touched] = fingerprints([str(path)])
    path.write_text("p54")
    [changed] = fingerprints([str(path)])
    assert touched.digest == before.digest != changed.digest
    assert touched.changed != before.changed
    assert changed.size == before.size


def test_what_has_not_changed_is_not_read_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = fingerprints([str(path)])
    monkeypatch.setattr(module, "_digest", lambda path: "read again")
    assert fingerprints([str(path)], known) == known
    touch(path)
    assert fingerprints([str(path)], known)[0].digest == "read again"


def test_a_folder_is_known_by_the_names_of_its_files_and_what_they_hold(path: Path) -> None:
    folder = path.parent
    (folder / "below").mkdir()
    (folder / "below" / "b.txt").write_text("x")
    seen = []
    for change in (
        lambda: None,
        lambda: path.write_text("p54"),
        lambda: path.rename(folder / "c.jsonl"),
        lambda: (folder / "below" / "b.txt").unlink(),
    ):
        change()
        seen.append(fingerprints([str(folder)])[0].digest)
    assert len(set(seen)) == len(seen)


def test_a_file_that_is_gone_is_named(path: Path) -> None:
    path.unlink()
    with pytest.raises(FormatError, match=r"a\.jsonl: cannot be read: No such file"):
        fingerprints([str(path)])
