"""One writer for a review file: a lock on a file beside it, which dies with its process.

The lock is not on the database itself, because closing any handle on that would drop SQLite's own.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from vermeil.errors import UsageError


@contextmanager
def sole_writer(path: Path | str) -> Iterator[Callable[[str], None]]:
    """Hold the review at ``path`` for this process, or refuse if another one has it.

    Gives a function by which to tell others what is going on here, such as the page's address.
    """
    target = Path(path).resolve()
    beside = target.with_name(target.name + ".lock")
    try:
        handle = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.pread(handle, 300, 0).decode(errors="replace").strip()
            raise UsageError(
                f"{path}: is in use already{f' by {holder}' if holder else ''}; use that page, or "
                "stop that process first"
            ) from None

        def tell(what: str) -> None:
            os.ftruncate(handle, 0)
            os.pwrite(handle, f"process {os.getpid()}, {what}\n".encode(), 0)

        tell("starting")
        yield tell
    finally:
        os.close(handle)
