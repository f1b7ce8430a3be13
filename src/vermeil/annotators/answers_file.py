"""Answers kept in a file, so that nothing is asked, or paid for, twice.

A line an answer, only ever added to and on the disk before the next is asked for. A line that was
cut off when a process was killed is dropped; all others count. The file is in the format
``answers``, so it can be read like one that somebody else made.
"""

import fcntl
import hashlib
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from vermeil.errors import FormatError, UsageError

MODE = 0o600
BEGINNING = b'{"id":"'
"""How every line begins."""


class KeptAnswer(msgspec.Struct):
    """A line: the document, what was asked (see ``question``), who answered what."""

    id: str
    asked: str
    annotator: str
    response: Any


class AnswersFile:
    """The answers at ``path``, held by this process alone; a context manager."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._places: dict[str, tuple[int, int]] = {}
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, MODE)
        except OSError as error:
            raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
        try:
            self._claim()
            self._end = self._read()
        except BaseException:
            os.close(self._handle)
            raise

    def __enter__(self) -> "AnswersFile":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)

    def __contains__(self, asked: str) -> bool:
        return asked in self._places

    def get(self, asked: str) -> tuple[bytes, Mapping[str, Any]]:
        """Return what was answered, as it stands in the file and as fields."""
        start, size = self._places[asked]
        raw = os.pread(self._handle, size, start)
        fields: dict[str, Any] = msgspec.json.decode(raw)
        return raw, fields

    def put(self, answer: KeptAnswer) -> None:
        """Add an answer; when this returns it is on the disk. Safe from any thread."""
        raw = msgspec.json.encode(answer)
        with self._lock:
            line = raw + b"\n"
            while line:
                line = line[os.write(self._handle, line) :]
            os.fsync(self._handle)
            self._places[answer.asked] = self._end, len(raw)
            self._end += len(raw) + 1

    def _claim(self) -> None:
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(
                f"{self.path}: another process adds answers to it; wait for it or stop it"
            ) from None

    def _read(self) -> int:
        """Note where each answer stands; return where the last one ends."""
        end = 0
        with os.fdopen(os.dup(self._handle), "rb") as stream:
            stream.seek(0)
            for number, line in enumerate(stream, start=1):
                if not line.endswith(b"\n"):
                    if _is_cut_off(line):
                        os.ftruncate(self._handle, end)
                        return end
                    self._note(line + b"\n", number, end)
                    os.write(self._handle, b"\n")
                    return end + len(line) + 1
                self._note(line, number, end)
                end += len(line)
        return end

    def _note(self, line: bytes, number: int, start: int) -> None:
        """Note an answer; what is none belongs to somebody else, and is left as it is."""
        if not line.strip():
            return
        try:
            answer = msgspec.json.decode(line, type=KeptAnswer)
        except (msgspec.MsgspecError, ValueError) as error:
            raise FormatError(
                self.path, number, f"no answer of an earlier run ({error}); name another file"
            ) from error
        self._places[answer.asked] = start, len(line) - 1


def _is_cut_off(line: bytes) -> bool:
    """Tell whether this is the beginning of a line of ours, and no more than that."""
    if not (line.startswith(BEGINNING) or BEGINNING.startswith(line)):
        return False
    try:
        msgspec.json.decode(line)
    except (msgspec.MsgspecError, ValueError):
        return True
    return False


def question(*asked: Any) -> str:
    """Sum up what is asked of an annotator, so that the same is asked once.

    >>> question("model", "text") == question("model", "text") != question("model", "other")
    True
    """
    whole = msgspec.json.encode(asked, order="deterministic")
    return hashlib.sha256(whole).hexdigest()[:40]
