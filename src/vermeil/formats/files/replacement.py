"""Files and folders that are there whole or not at all.

What is written has a temporary name beside its target, ``.NAME.xxxxxxxx.partial``, until it is
complete, and is then renamed: whoever is interrupted leaves what was there before (a digest stands
for a NAME that leaves no room for the rest). A temporary file
is locked while somebody writes it. One that nobody holds was left by a process that was killed, and
the next to write the same target removes it.

A link is followed and stays. What is neither file nor folder (a pipe, a terminal, a device) cannot
be replaced and is written straight through.
"""

import errno
import fcntl
import gzip
import os
import re
import shutil
import signal
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

from vermeil.errors import UsageError

BUFFER = 1 << 17
LONGEST_NAME = 255
"""Bytes that the name of a file may have, on nearly every system."""

N_LINKS = 40
"""Links that are followed before a path is given up."""

_SUFFIX = ".partial"
_SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a binary file that takes the place of ``path`` when the block ends well.

    The suffixes .gz and .zst compress; ``-`` is standard output.
    """
    if is_written_through(path):
        with _straight_through(path) as raw, ExitStack() as stack:
            yield _compressing(path, raw, stack)
        return
    with (
        _appearing(path, is_folder=False) as temporary,
        temporary.open("wb", buffering=BUFFER) as raw,
    ):
        with ExitStack() as stack:
            yield _compressing(path, raw, stack)
        raw.flush()
        os.fsync(raw.fileno())


@contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """Make a folder that takes the place of ``path``, empty or not there, at the end."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise UsageError(f"{path}: is there already; choose a new folder or empty this one")
    with _appearing(path, is_folder=True) as temporary:
        yield temporary


@contextmanager
def together() -> Iterator[None]:
    """Let all that is written in the block appear when it ends well, or nothing of it."""
    if _WAITING.get() is not None:
        yield
        return
    waiting: list[_Unfinished] = []
    token = _WAITING.set(waiting)
    try:
        yield
        with _undisturbed():
            for each in waiting:
                each.appear()
    finally:
        _WAITING.reset(token)
        for each in waiting:
            each.discard()


@contextmanager
def at_once() -> Iterator[None]:
    """Let each file appear when it is complete, although the block is part of a ``together``."""
    token = _WAITING.set(None)
    try:
        yield
    finally:
        _WAITING.reset(token)


def unfinished() -> list[Path]:
    """List the targets that this process is writing."""
    return [each.given for each in _UNFINISHED]


def discard_unfinished() -> None:
    """Remove what this process has begun to write, wherever it was interrupted."""
    for each in list(_UNFINISHED):
        each.discard()


def clear_left_behind(folder: Path, name: str) -> None:
    """Remove what processes that were killed have left of files whose names match ``name``."""
    pattern = re.compile(rf"\.{name}\.\w{{8}}{re.escape(_SUFFIX)}")
    with suppress(OSError):
        for path in [each for each in folder.iterdir() if pattern.fullmatch(each.name)]:
            with suppress(OSError), _held(path) as is_free:
                if is_free:
                    _remove(path)


def is_written_through(path: Path) -> bool:
    """Tell whether a target can be written but not replaced."""
    if str(path) == "-" or _descriptor(path) is not None:
        return True
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


@dataclass(slots=True, eq=False)
class _Unfinished:
    """A target, as it was given and as it is, and what is written to take its place."""

    given: Path
    target: Path
    temporary: Path
    holding: ExitStack = field(default_factory=ExitStack)

    @staticmethod
    def beside(given: Path, target: Path, *, is_folder: bool) -> "_Unfinished":
        while True:
            name = f".{_short(target)}.{os.urandom(4).hex()}{_SUFFIX}"
            made = _Unfinished(given, target, target.parent / name)
            # Known before it is there, so that no interruption can fall between the two.
            _UNFINISHED.append(made)
            try:
                if is_folder:
                    made.temporary.mkdir(mode=0o700)
                else:
                    made.temporary.touch(mode=0o600, exist_ok=False)
                # Another who writes the same target may take it for left behind before it is held.
                with suppress(FileNotFoundError):
                    is_ours = made.holding.enter_context(_held(made.temporary))
                    if is_ours and made.temporary.exists():
                        return made
            except FileExistsError:
                pass
            except BaseException:
                made.discard()
                raise
            made.forget()

    def complete(self) -> None:
        mode = 0o777 if self.temporary.is_dir() else 0o666
        try:
            kept = stat.S_IMODE(self.target.stat().st_mode)
        except OSError:
            kept = mode & ~_umask()
        self.temporary.chmod(kept)

    def appear(self) -> None:
        try:
            if self.temporary.is_dir() and self.target.exists():
                self.target.rmdir()
            self.temporary.replace(self.target)
        except OSError as error:
            raise UsageError(f"{self.given}: cannot be written: {error.strerror}") from error
        self.forget()

    def discard(self) -> None:
        if self in _UNFINISHED:
            _remove(self.temporary)
            self.forget()

    def is_part(self, name: object) -> bool:
        """Tell whether a file is what is made here, or lies in it."""
        own = Path(os.fsdecode(name)) if isinstance(name, (str, bytes)) else self.temporary
        return own.is_relative_to(self.temporary) or own.is_relative_to(self.target)

    def forget(self) -> None:
        self.holding.close()
        with suppress(ValueError):
            _UNFINISHED.remove(self)


_UNFINISHED: list[_Unfinished] = []
_WAITING: ContextVar[list[_Unfinished] | None] = ContextVar("waiting", default=None)


@contextmanager
def _appearing(path: Path, *, is_folder: bool) -> Iterator[Path]:
    try:
        target = Path(os.path.realpath(path))
        if target.is_symlink():
            raise UsageError(f"{path}: cannot be written: a link that leads back to itself")
        if _is_open(target):
            raise UsageError(f"{path}: is being written already; give each output its own file")
        clear_left_behind(target.parent, re.escape(_short(target)))
        made = _Unfinished.beside(path, target, is_folder=is_folder)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
    try:
        yield made.temporary
        made.complete()
        waiting = _WAITING.get()
        if waiting is None:
            made.appear()
        else:
            waiting.append(made)
    except OSError as error:
        made.discard()
        if error.filename is not None and not made.is_part(error.filename):
            raise  # what is written is read elsewhere
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
    except BaseException:
        made.discard()
        raise


def _is_open(target: Path) -> bool:
    """Tell whether a target of the same ``together`` is not complete yet."""
    waiting = _WAITING.get()
    if waiting is None:
        return False
    return any(each.target == target and each not in waiting for each in _UNFINISHED)


def _short(target: Path) -> str:
    """Name a target in the names of what is written to take its place, which are longer.

    Where they would be too long, a digest stands for it.
    """
    n_bytes = len(os.fsencode(target.name))
    if n_bytes > LONGEST_NAME:
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
    if n_bytes + len(f"..12345678{_SUFFIX}") <= LONGEST_NAME:
        return target.name
    import hashlib  # loads a library of ciphers, which most commands do without

    return hashlib.sha256(os.fsencode(target.name)).hexdigest()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Keep signals waiting while the block lasts."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _held(path: Path) -> Iterator[bool]:
    """Lock a file or folder as long as the block lasts; tell whether nobody else holds it.

    Where a file system cannot lock, it is held by whoever made it and never free for another.
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        except OSError:
            yield any(path == each.temporary for each in _UNFINISHED)
        else:
            yield True
    finally:
        os.close(descriptor)


def _remove(path: Path) -> None:
    """Remove what is there; a file system that lets nothing be written has nothing to remove."""
    with suppress(OSError):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


@contextmanager
def _straight_through(path: Path) -> Iterator[BinaryIO]:
    descriptor = _descriptor(path)
    if str(path) == "-" or descriptor == 1:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        # A pipe that the shell made is there under its number only.
        opened = os.dup(descriptor) if descriptor is not None else os.open(path, os.O_WRONLY)
        with os.fdopen(opened, "wb", buffering=BUFFER) as raw:
            yield raw
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error


def _descriptor(path: Path) -> int | None:
    """Return the number of an open file that goes by a name such as /dev/stdout or /dev/fd/63."""
    with suppress(OSError, ValueError):
        for _ in range(N_LINKS):
            folder = os.path.realpath(path.parent)
            if path.name.isdecimal() and folder in ("/dev/fd", f"/proc/{os.getpid()}/fd"):
                return int(path.name)
            if not path.is_symlink():
                return None
            path = path.parent / path.readlink()
    return None


def _compressing(path: Path, raw: BinaryIO, stack: ExitStack) -> BinaryIO:
    if path.suffix == ".gz":
        # No name and time in the header: the same documents make the same bytes.
        packed = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0)
        return cast(BinaryIO, stack.enter_context(packed))
    if path.suffix == ".zst":
        writer = zstandard.ZstdCompressor(level=3).stream_writer(raw, closefd=False)
        return cast(BinaryIO, stack.enter_context(writer))
    return raw


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
