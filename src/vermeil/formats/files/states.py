"""What can be told of files without reading them, to notice when one changes under its reader.

The time of the last change of a file's status counts as well as that of its content: no program
can set it back.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeAlias, TypeVar

from vermeil.errors import FormatError, VermeilError

T = TypeVar("T")

State: TypeAlias = tuple[str, int, int, int]
"""Path, size in bytes, times of the last change of content and of status (ns).

Of a folder the sum and the latest of all that it holds.
"""


def unchanged(items: Iterator[T], before: Iterable[State]) -> Iterator[T]:
    """Pass on what is read from files; at the end, raise FormatError where one has changed."""
    try:
        yield from items
    except VermeilError:
        refuse_changed(before)  # which may be all that is wrong
        raise
    refuse_changed(before)


def refuse_changed(before: Iterable[State]) -> None:
    """Raise FormatError where a file is no longer what it was."""
    for state in before:
        if state_of(state[0]) != state:
            raise FormatError(
                state[0], None, "was changed while it was read; repeat the command when it is still"
            )


def states_of(paths: Iterable[Path]) -> list[State]:
    """Look at the files and folders among ``paths``; a pipe has no state."""
    return [state_of(str(path)) for path in paths if path.is_file() or path.is_dir()]


def state_of(path: str) -> State:
    """Look at a file or folder without reading it."""
    try:
        states = [each.stat() for each in files_in(Path(path))]
        own = Path(path).stat()
    except OSError as error:
        raise FormatError(path, None, f"cannot be read: {error.strerror}") from error
    return (
        path,
        sum(each.st_size for each in states),
        max(each.st_mtime_ns for each in [own, *states]),
        max(each.st_ctime_ns for each in [own, *states]),
    )


def files_in(path: Path) -> list[Path]:
    """List the files of a folder; a file is its own."""
    if not path.is_dir():
        return [path]
    return sorted(each for each in path.rglob("*") if each.is_file())
