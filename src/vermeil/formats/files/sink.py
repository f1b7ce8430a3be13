"""Where documents go: a file, a folder, or standard output, opened for a writer."""

import io
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, TextIO
from urllib.parse import quote, unquote

from vermeil.errors import UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.replacement import (
    LONGEST_NAME,
    is_written_through,
    replacing,
    replacing_folder,
)
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, repr=False)
class Sink(Brief):
    """A target being written. ``options`` holds the writer's options, filled in and checked.

    A file format writes to ``binary`` or ``text``; a folder format makes files in ``folder``.
    """

    path: Path
    ledger: Ledger
    options: Mapping[str, str]
    stream: BinaryIO | None = None
    folder: Path = field(default_factory=Path)

    @property
    def binary(self) -> BinaryIO:
        """The open file."""
        assert self.stream is not None, "a folder format has no stream"
        return self.stream

    @contextmanager
    def text(self) -> Iterator[TextIO]:
        """Open the file as UTF-8 text in which line ends are written as they are."""
        wrapped = io.TextIOWrapper(self.binary, encoding="utf-8", newline="", write_through=False)
        yield wrapped
        wrapped.flush()
        wrapped.detach()

    def file(self, id: str, suffix: str) -> Path:
        """Name the file of a document in this folder; refuse a second one for the same id."""
        path = self.folder / (file_name(id) + suffix)
        n_bytes = len(os.fsencode(path.name))
        if n_bytes > LONGEST_NAME:
            raise UsageError(
                f"{self.path}: the document {id!r:.60} needs a file of its own, whose name would "
                f"have {n_bytes} bytes, and {LONGEST_NAME} are possible; give it a shorter id"
            )
        if path.exists():
            raise UsageError(
                f"{self.path}: two documents are called {id!r}, and each needs its own file; "
                "rename one of them"
            )
        return path


@contextmanager
def open_sink(
    path: Path, *, folder: bool, ledger: Ledger, options: Mapping[str, str]
) -> Iterator[Sink]:
    """Open ``path`` for writing; it appears when the block ends well, and only then."""
    if is_written_through(path):
        if folder:
            raise UsageError(f"{path}: a folder cannot be written there; give -o FOLDER")
        with replacing(path) as stream:
            yield Sink(path, ledger, options, stream)
        return
    try:
        parent = Path(os.path.realpath(path)).parent if path.is_symlink() else path.parent
        is_there, is_folder = parent.is_dir(), path.is_dir()
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
    if not is_there:
        raise UsageError(f"{path}: there is no folder {str(parent)!r}; make it first")
    if folder:
        with replacing_folder(path) as temporary:
            yield Sink(path, ledger, options, folder=temporary)
    elif is_folder:
        raise UsageError(f"{path}: is a folder, and this format writes one file")
    else:
        with replacing(path) as stream:
            yield Sink(path, ledger, options, stream)


def file_name(id: str) -> str:
    """Spell a document id as a file name; ``document_id`` undoes it.

    >>> file_name("PMC/12 a"), file_name("..")
    ('PMC%2F12 a', '%2E%2E')
    """
    name = quote(id, safe=" !#$&'()+,;=@[]{}~^`")
    return name.replace(".", "%2E") if name.startswith(".") else name


def document_id(name: str) -> str:
    """Undo ``file_name``."""
    return unquote(name)
