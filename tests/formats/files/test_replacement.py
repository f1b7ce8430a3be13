import errno
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from vermeil.errors import UsageError
from vermeil.formats.files.replacement import (
    at_once,
    clear_left_behind,
    discard_unfinished,
    replacing,
    replacing_folder,
    together,
    unfinished,
)


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_a_pipe_is_written_through_and_stays_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with replacing(path) as stream:
        stream.write(b"names\n")
    assert os.read(reader, 99) == b"names\n"
    os.close(reader)
    assert path.is_fifo()
    assert names(tmp_path) == ["pipe"]


def test_a_device_is_written_through_and_stays_a_device(tmp_path: Path) -> None:
    path = tmp_path / "null"
    path.symlink_to("/dev/null")
    with replacing(path) as stream:
        stream.write(b"names\n")
    assert path.readlink() == Path("/dev/null")
    assert Path("/dev/null").is_char_device()


def test_an_open_file_is_written_under_its_number(tmp_path: Path) -> None:
    held = (tmp_path / "a").open("ab")
    held.write(b"before\n")
    held.flush()
    with replacing(Path(f"/dev/fd/{held.fileno()}")) as stream:
        stream.write(b"names\n")
    held.close()
    assert (tmp_path / "a").read_bytes() == b"before\nnames\n"


def test_a_descriptor_that_is_not_open_is_an_error() -> None:
    with (
        pytest.raises(UsageError, match="/dev/fd/987: cannot be written"),
        replacing(Path("/dev/fd/987")),
    ):
        pass


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_and_its_target_is_written(tmp_path: Path, *, there: bool) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "a.txt", tmp_path / "link"
    if there:
        target.write_bytes(b"old")
    link.symlink_to("far/a.txt")
    with replacing(link) as stream:
        stream.write(b"new")
    assert link.readlink() == Path("far/a.txt")
    assert target.read_bytes() == b"new"
    assert names(tmp_path / "far") == ["a.txt"]


def test_a_link_that_leads_back_to_itself_is_refused_and_stays(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    with (
        pytest.raises(UsageError, match="a link that leads back to itself"),
        replacing(tmp_path / "one"),
    ):
        pass
    assert (tmp_path / "one").is_symlink()
    assert names(tmp_path) == ["one", "two"]


def test_where_nothing_can_be_written_nothing_needs_to_be_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    for name in ("touch", "mkdir", "unlink"):
        monkeypatch.setattr(Path, name, refuse)
    for opened in (replacing, replacing_folder):
        with pytest.raises(UsageError, match="x: cannot be written: Read-only file system"):
            opened(tmp_path / "x").__enter__()
    assert unfinished() == []


def test_a_linked_folder_stays_linked(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "link").symlink_to("far")
    with replacing_folder(tmp_path / "link") as folder:
        (folder / "a.txt").touch()
    assert (tmp_path / "link").readlink() == Path("far")
    assert names(tmp_path / "far") == ["a.txt"]


def test_a_private_file_stays_private(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.touch(mode=0o600)
    with replacing(path):
        pass
    assert path.stat().st_mode & 0o777 == 0o600


KILLED = """
import os
from pathlib import Path
from typing import Any
from vermeil.formats.files.replacement import replacing, replacing_folder
with replacing(Path("a")) as stream, replacing_folder(Path("b")) as folder:
    (folder / "inside").touch()
    stream.write(b"half")
    os.kill(os.getpid(), 9)
"""


def test_what_a_killed_process_left_goes_when_its_target_is_written_again(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED], cwd=tmp_path, check=False)
    left = names(tmp_path)
    assert [each.rpartition(".")[2] for each in left] == ["partial", "partial"]
    with replacing(tmp_path / "other"):
        pass
    assert names(tmp_path) == sorted([*left, "other"])
    with replacing(tmp_path / "a"), replacing_folder(tmp_path / "b"):
        pass
    assert names(tmp_path) == ["a", "b", "other"]


def test_what_another_is_writing_is_left_alone(tmp_path: Path) -> None:
    with replacing(tmp_path / "a") as one:
        one.write(b"one")
        with replacing(tmp_path / "a") as other:
            other.write(b"other")
        clear_left_behind(tmp_path, "a")
        assert (tmp_path / "a").read_bytes() == b"other"
    assert (tmp_path / "a").read_bytes() == b"one"
    assert names(tmp_path) == ["a"]


def test_files_appear_together(tmp_path: Path) -> None:
    with together():
        with replacing(tmp_path / "a"), at_once(), replacing(tmp_path / "kept"):
            pass
        with replacing_folder(tmp_path / "b"):
            pass
        assert "a" not in names(tmp_path)
        assert "b" not in names(tmp_path)
        assert "kept" in names(tmp_path)
    assert names(tmp_path) == ["a", "b", "kept"]


def test_files_appear_together_or_not_at_all(tmp_path: Path) -> None:
    def interrupted() -> None:
        with together():
            with replacing(tmp_path / "a"):
                pass
            with replacing(tmp_path / "b"):
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert names(tmp_path) == []


def test_what_is_unfinished_is_known_and_can_be_discarded(tmp_path: Path) -> None:
    stack = ExitStack()
    stack.enter_context(replacing(tmp_path / "a"))
    assert unfinished() == [tmp_path / "a"]
    discard_unfinished()
    assert names(tmp_path) == []
    assert unfinished() == []
    with pytest.raises(UsageError, match="a: cannot be written"):
        stack.close()


def test_what_another_took_for_left_behind_is_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touch = Path.touch
    taken: list[Path] = []

    def touched(path: Path, *arguments: Any, **options: Any) -> None:
        touch(path, *arguments, **options)
        if not taken:  # the other is there between making the file and holding it
            taken.append(path)
            clear_left_behind(tmp_path, "a")
            assert not path.exists()

    monkeypatch.setattr(Path, "touch", touched)
    with replacing(tmp_path / "a") as stream:
        stream.write(b"whole")
    assert (tmp_path / "a").read_bytes() == b"whole"
    assert names(tmp_path) == ["a"]


@pytest.mark.parametrize("open_target", [replacing, replacing_folder])
def test_trouble_with_another_file_is_not_blamed_on_what_is_written(
    open_target: Any, tmp_path: Path
) -> None:
    with (
        pytest.raises(FileNotFoundError, match="texts"),
        open_target(tmp_path / "out"),
    ):
        (tmp_path / "texts.jsonl").read_text()
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_a_folder_that_cannot_be_written_is_trouble_with_the_folder(
    tmp_path: Path,
) -> None:
    with (
        pytest.raises(UsageError, match="cannot be written"),
        replacing_folder(tmp_path / "out") as folder,
    ):
        (folder / "not there" / "a.txt").write_text("")


def test_a_folder_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with (
        pytest.raises(UsageError, match="cannot be written: No such file"),
        replacing(tmp_path / "no" / "a"),
    ):
        pass


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc")
def test_where_no_file_can_be_made_this_is_said_and_not_tried_for_ever() -> None:
    with pytest.raises(UsageError, match=r"/proc/x\.jsonl: cannot be written"):  # noqa: SIM117
        with replacing(Path("/proc/x.jsonl")):
            pass


@pytest.mark.parametrize("n_bytes", [200, 237, 238, 246, 255])
def test_any_name_that_a_file_can_have_is_written(n_bytes: int, tmp_path: Path) -> None:
    path = tmp_path / ("\u03b1" * 20 + "a" * (n_bytes - 46) + ".jsonl")
    assert len(os.fsencode(path.name)) == n_bytes
    with replacing(path) as stream:
        stream.write(b"x")
        [left] = tmp_path.iterdir()
    assert names(tmp_path) == [path.name]
    left.touch()  # as a process that was killed does
    with replacing(path):
        assert not left.exists()
    assert names(tmp_path) == [path.name]


def test_a_name_that_no_file_can_have_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written: File name too long"):  # noqa: SIM117
        with replacing(tmp_path / ("a" * 256)):
            raise AssertionError("nothing should be done before")
