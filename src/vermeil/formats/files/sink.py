"""Where documents go: a file or folder that is there whole or not at all.

Everything is written under a temporary name beside its target and renamed when it is complete, so
an interrupted run leaves what was there before.
"""

import gzip
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, TextIO, cast
from urllib.parse import quote, unquote

import zstandard

from vermeil.errors import UsageError
from vermeil.formats.files.ledger import Ledger
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
    if str(path) == "-":
        if folder:
            raise UsageError("a folder cannot be written to standard output; give -o FOLDER")
        yield Sink(path, ledger, options, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    parent = path.parent
    try:
        is_there, is_folder = parent.is_dir(), path.is_dir()
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
    if not is_there:
        raise UsageError(f"{path}: there is no folder {str(parent)!r}; make it first")
    if folder:
        with _temporary_folder(path) as temporary:
            yield Sink(path, ledger, options, folder=temporary)
    elif is_folder:
        raise UsageError(f"{path}: is a folder, and this format writes one file")
    else:
        with replacing(path) as stream:
            yield Sink(path, ledger, options, stream)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a binary file that takes the place of ``path`` when the block ends well.

    The suffixes .gz and .zst compress.
    """
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".partial", dir=path.parent)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb", buffering=1 << 17) as raw:
            with ExitStack() as stack:
                yield _compressing(path, raw, stack)
            raw.flush()
            os.fsync(raw.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


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


def _compressing(path: Path, raw: BinaryIO, stack: ExitStack) -> BinaryIO:
    if path.suffix == ".gz":
        # No name and time in the header: the same documents make the same bytes.
        packed = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0)
        return cast(BinaryIO, stack.enter_context(packed))
    if path.suffix == ".zst":
        writer = zstandard.ZstdCompressor(level=3).stream_writer(raw, closefd=False)
        return cast(BinaryIO, stack.enter_context(writer))
    return raw


@contextmanager
def _temporary_folder(path: Path) -> Iterator[Path]:
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise UsageError(f"{path}: is there already; choose a new folder or empty this one")
    temporary = Path(tempfile.mkdtemp(prefix=f".{path.name}.", suffix=".partial", dir=path.parent))
    try:
        yield temporary
        temporary.chmod(0o777 & ~_umask())
        if path.exists():
            path.rmdir()
        temporary.replace(path)
    except OSError as error:
        shutil.rmtree(temporary, ignore_errors=True)
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
