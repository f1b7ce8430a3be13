"""What can be told of files without reading them, to notice when one changes under its reader.

The time of the last change of a file's status counts as well as that of its content: no program
can set it back. What is written into a folder while it is read is none of what it holds: hidden
files, among which are our own until they are complete, and folders in which a run keeps its work.
"""

import os
import zlib
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias, TypeVar

from vermeil.errors import FormatError, VermeilError

MANIFEST, LOCK, RUN = "manifest.json", "lock", ".run"
"""Files by which the folder of a run is known, and how it is called if nobody named it."""

T = TypeVar("T")

State: TypeAlias = tuple[str, int, int, int, int]
"""Path, size in bytes, times of the last change of content and of status (ns), and a checksum.

Of a folder the sum and the latest of all that it holds, and the checksum of the same for each file
by name; that of a file is 0.
"""


def unchanged(
    items: Iterator[T], before: Iterable[State], besides: Collection[Path] = ()
) -> Iterator[T]:
    """Pass on what is read from files; at the end, raise FormatError where one has changed."""
    try:
        yield from items
    except VermeilError:
        refuse_changed(before, besides)  # which may be all that is wrong
        raise
    refuse_changed(before, besides)


def refuse_changed(before: Iterable[State], besides: Collection[Path] = ()) -> None:
    """Raise FormatError where a file is no longer what it was."""
    for state in before:
        if state_of(state[0], besides) != state:
            raise FormatError(
                state[0], None, "was changed while it was read; repeat the command when it is still"
            )


def states_of(paths: Iterable[Path], besides: Collection[Path] = ()) -> list[State]:
    """Look at the files and folders among ``paths``; a pipe has no state."""
    return [state_of(str(path), besides) for path in paths if path.is_file() or path.is_dir()]


def state_of(path: str, besides: Collection[Path] = ()) -> State:
    """Look at a file or folder without reading it.

    What lies in a folder ``besides``, as it is called when links are followed, does not count.
    """
    top = Path(path)
    try:
        if not top.is_dir():
            own = top.stat()
            return path, own.st_size, own.st_mtime_ns, own.st_ctime_ns, 0
        names = {each.name for each in besides}
        states = [
            (each, each.stat())
            for each in files_in(top)
            if each.name not in names or each.resolve() not in besides
        ]
    except OSError as error:
        raise FormatError(path, None, f"cannot be read: {error.strerror}") from error
    listed = [
        f"{each.relative_to(top)} {one.st_size} {one.st_mtime_ns} {one.st_ctime_ns}"
        for each, one in states
    ]
    return (
        path,
        sum(one.st_size for _, one in states),
        max((one.st_mtime_ns for _, one in states), default=0),
        max((one.st_ctime_ns for _, one in states), default=0),
        zlib.crc32("\n".join(listed).encode(errors="surrogateescape")),
    )


def files_in(path: Path) -> list[Path]:
    """List the files of a folder and of those below it; a file is its own.

    Raise FormatError where one may not be looked into: nobody would miss what it holds.
    """
    if not path.is_dir():
        return [path]
    found = []
    try:
        for folder, inner, names in os.walk(path, onerror=_refuse_denied):
            here = Path(folder)
            inner[:] = [each for each in inner if each[0] != "." and not is_of_run(here / each)]
            found += [here / each for each in names if each[0] != "." and (here / each).is_file()]
    except PermissionError as error:
        raise FormatError(
            os.fsdecode(error.filename),
            None,
            f"cannot be read: {error.strerror}; move it away, or name the others by a pattern",
        ) from error
    return sorted(found)


def is_of_run(folder: Path) -> bool:
    """Tell whether a folder is where a run keeps what it has done so far."""
    # Of a folder that may not be looked into, this says no instead of raising.
    if not os.path.isfile(folder / LOCK):  # noqa: PTH113
        return False
    return folder.suffix == RUN or (folder / MANIFEST).is_file()


def _refuse_denied(error: OSError) -> None:
    """Pass over a folder that is gone, but none that may not be listed."""
    if isinstance(error, PermissionError):
        raise error
