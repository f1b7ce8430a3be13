"""Input that flows by once: standard input, pipes, process substitution.

What has passed is kept, in memory while it is little and then in a temporary file, so that a
stream can be read from its beginning any number of times: to tell its format, to learn from it,
to decide.
"""

import io
import sys
from pathlib import Path
from typing import IO, BinaryIO, cast
from weakref import WeakKeyDictionary, finalize

IN_MEMORY = 32 << 20
"""Bytes of a stream that are kept in memory; more go to a temporary file."""

CHUNK = 1 << 16


def is_stream(path: Path) -> bool:
    """Tell whether a path is standard input, a pipe or another file that can be read but once."""
    if str(path) == "-":
        return True
    try:
        return path.exists() and not path.is_file() and not path.is_dir()
    except OSError:
        return False


def open_again(path: Path) -> BinaryIO:
    """Open a stream at its beginning, however much of it was read before."""
    return cast(BinaryIO, io.BufferedReader(_Again(_passing(path)), CHUNK))


def forget(path: Path) -> None:
    """Let go of what was kept of a pipe: whoever opens it next reads what is then in it."""
    _BY_PATH.pop(str(path), None)


class _Passing:
    """A stream, and all that has been read of it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        import tempfile  # files are opened without it

        self._kept: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
        self._length, self._is_over = 0, False
        finalize(self, self._kept.close)

    def at(self, place: int, n: int) -> bytes:
        """Return up to ``n`` bytes from ``place`` on; none where the stream ends there."""
        if place == self._length and not self._is_over:
            read = getattr(self._stream, "read1", self._stream.read)
            chunk = read(CHUNK)
            self._is_over = not chunk
            self._kept.seek(self._length)
            self._kept.write(chunk)
            self._length += len(chunk)
            return bytes(chunk) if len(chunk) <= n else self.at(place, n)
        self._kept.seek(place)
        return self._kept.read(n)


class _Again(io.RawIOBase):
    """One reading of a stream from its beginning."""

    def __init__(self, passing: _Passing) -> None:
        self._passing, self._place = passing, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview | bytearray") -> int:  # type: ignore[override]
        found = self._passing.at(self._place, len(buffer))
        buffer[: len(found)] = found
        self._place += len(found)
        return len(found)


# Standard input is known by its object, for whoever runs commands in one process may change it.
_OF_STDIN: WeakKeyDictionary[object, _Passing] = WeakKeyDictionary()
_BY_PATH: dict[str, _Passing] = {}


def _passing(path: Path) -> _Passing:
    if str(path) == "-":
        stream = sys.stdin.buffer
        if stream not in _OF_STDIN:
            _OF_STDIN[stream] = _Passing(stream)
        return _OF_STDIN[stream]
    if str(path) not in _BY_PATH:
        stream = path.open("rb", buffering=CHUNK)
        _BY_PATH[str(path)] = _Passing(stream)
        finalize(_BY_PATH[str(path)], stream.close)
    return _BY_PATH[str(path)]
