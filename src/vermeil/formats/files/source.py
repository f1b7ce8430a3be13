"""Where documents come from: one file or folder, opened, decompressed, decoded and numbered.

Text is UTF-8, with or without a byte order mark. Lines end at ``\\n`` only, because the other
characters that Python takes for line ends do occur inside biomedical text; a ``\\r`` before the
``\\n`` is part of the line end. A file that has none but ``\\r`` has its lines by these.
"""

import codecs
import gzip
import io
import os
import re
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO, Protocol, cast

import msgspec
import zstandard

from vermeil.errors import FormatError, UsageError, VermeilError
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.open_files import why
from vermeil.formats.files.streams import is_stream, open_again
from vermeil.shown import Brief

BOM = b"\xef\xbb\xbf"
COMPRESSED = (".gz", ".zst")
MAX_SIZE = "VERMEIL_MAX_SIZE"
"""The variable in which the limit of ``most_unpacked`` reaches all processes of a command."""

LEAST_LIMIT = 10**9
PACKED = 1 << 12
"""Bytes that are unpacked at a time: of Zstandard, they make 128 MB at most."""

_GZIP, _ZSTANDARD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

_LONGEST_ITEM = 1 << 16
_JSON_PIECE = re.compile(r'"((?:[^"\\]|\\.)*+)(?:"(\s*:)?|\Z)|[{}\[\]]', re.DOTALL)


@dataclass(frozen=True, slots=True, repr=False)
class Source(Brief):
    """A path to read, the annotator its layer belongs to, and the ledger to note things in.

    ``options`` holds the reader's options, filled in and checked (see ``Format.options``). With
    ``in_columns``, a reader that can lays layers out as columns (see ``columns.held``).
    """

    path: Path
    annotator: str
    ledger: Ledger = field(default_factory=Ledger)
    options: Mapping[str, str] = field(default_factory=dict)
    in_columns: bool = False

    @contextmanager
    def binary(self) -> Iterator[BinaryIO]:
        """Open for reading, decompressed; what cannot be read is a FormatError."""
        try:
            with _open(self.path) as stream:
                yield stream
        except IsADirectoryError:
            raise FormatError(self.path, None, "is a folder, and a file was wanted") from None
        except (EOFError, gzip.BadGzipFile, zlib.error, zstandard.ZstdError) as error:
            raise FormatError(self.path, None, f"broken compression: {error}") from error
        except OSError as error:
            raise FormatError(self.path, None, f"cannot be read: {why(error)}") from error

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield the lines, numbered from 1, without their ends."""
        for number, raw in self.raw_lines():
            line = self.decoded(raw, number).removesuffix("\n").removesuffix("\r")
            if number == 1 and "\r" in line and not raw.endswith(b"\n"):
                yield from self._lines_of_old(line)
            else:
                yield number, line

    def _lines_of_old(self, content: str) -> Iterator[tuple[int, str]]:
        """Yield the lines of a file without a line feed, as old programs write it, and say so."""
        lines = content.split("\r")
        what = "lines that end with a lone carriage return"
        self.ledger.note("repaired", what, self.where(), n=len(lines))
        yield from enumerate(lines, start=1)

    def raw_lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield the lines as bytes, numbered from 1, with their ends but without a BOM."""
        with self.binary() as stream:
            for number, raw in enumerate(stream, start=1):
                yield number, raw.removeprefix(BOM) if number == 1 else raw

    def blocks(self) -> Iterator[list[tuple[int, str]]]:
        """Yield runs of numbered lines between blank lines."""
        block: list[tuple[int, str]] = []
        for number, line in self.lines():
            if line.strip():
                block.append((number, line))
            elif block:
                yield block
                block = []
        if block:
            yield block

    def text(self) -> str:
        """Read the whole file as text, line ends untouched."""
        with self.binary() as stream:
            return self.decoded(stream.read().removeprefix(BOM), None)

    def decoded(self, raw: bytes, line: int | None) -> str:
        """Decode UTF-8 or say where it is none."""
        try:
            return raw.decode()
        except UnicodeDecodeError as error:
            reason = (
                f"not UTF-8: byte 0x{raw[error.start]:02x} at column {error.start + 1}; "
                "convert the file first, for example with iconv -f latin1 -t utf8"
            )
            raise FormatError(self.path, line, reason) from None

    def member(self, path: Path) -> "Source":
        """Make the source for a file of this folder."""
        return replace(self, path=path)

    def where(self, line: int | None = None) -> str:
        """Name the place for a note in the ledger."""
        return f"{self.path}:{line}" if line else str(self.path)

    def error(self, line: int | None, reason: str) -> FormatError:
        """Make the error that names this file and the line."""
        return FormatError(self.path, line, reason)

    def bad(self, line: int | None, record: str | bytes, error: Exception | str) -> None:
        """Deal with a record that breaks the format: end the run, or set the record aside."""
        reason = error.reason if isinstance(error, FormatError) else str(error)
        place = error.line if isinstance(error, FormatError) and error.line else line
        path = Path(error.path) if isinstance(error, FormatError) else self.path
        if not self.ledger.skip_bad:
            raise FormatError(path, place, reason) from (
                error if isinstance(error, Exception) else None
            )
        text = record.decode(errors="replace") if isinstance(record, bytes) else record
        self.ledger.skip(path, place, reason, text)

    @contextmanager
    def guard(self, line: int | None, record: str | bytes) -> Iterator[None]:
        """Run a block that makes something of one record; deal with what breaks the format.

        The block must not go on using what it did not make: put the ``yield`` inside.
        """
        try:
            yield
        except (VermeilError, ValueError, msgspec.MsgspecError, RecursionError) as error:
            self.bad(line, record, error)


def most_unpacked(packed: int, *, times: int = 100, least: int = LEAST_LIMIT) -> int:
    """Return how many bytes a compressed file of this size may unpack to.

    It is what ``vermeil --max-size`` said, or so many times the size and at least a gigabyte: texts
    shrink to a twentieth at best. A stream counts as a gigabyte.
    """
    said = os.environ.get(MAX_SIZE, "")
    if not said:
        return max(least, times * packed)
    try:
        limit = float(said)
    except ValueError:
        limit = -1.0
    if not 0 < limit < float("inf"):
        raise UsageError(f"{MAX_SIZE} (--max-size) is a number of gigabytes, not {said!r}")
    return int(limit * 1e9)


def too_big(most: int, kind: str = "text") -> str:
    """Say that a file unpacks to more than it may."""
    return (
        f"unpacks to more than {most / 1e9:g} GB, which no {kind} does that is meant to be read; "
        "if this one is, allow it with vermeil --max-size GB"
    )


def stem(path: Path) -> str:
    """Return the file name without compression and format suffixes; ``.`` is what it stands for.

    >>> stem(Path("runs/anna.jsonl.gz"))
    'anna'
    """
    name = path.name if path.name not in ("", "..") else path.resolve().name
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    return Path(name).stem if name != "-" else "stdin"


@contextmanager
def _open(path: Path) -> Iterator[BinaryIO]:
    """Open a file or stream; what it begins with says whether it is compressed, not its suffix."""
    with open_again(path) if is_stream(path) else path.open("rb", buffering=1 << 17) as raw:
        start = cast(io.BufferedReader, raw).peek(4)[:4]
        if start.startswith(_GZIP):
            with gzip.open(raw, "rb") as packed:
                yield _bounded(path, packed)
        elif start == _ZSTANDARD:
            yield _bounded(path, _Zstandard(raw))
        elif start.startswith(_UTF16) and b"<" not in start:  # XML says so, and is understood
            reason = "is UTF-16, not UTF-8; convert it first, with iconv -f utf-16 -t utf-8"
            raise FormatError(path, None, reason)
        else:
            yield raw


def _bounded(path: Path, unpacked: "_Unpacked") -> BinaryIO:
    most = most_unpacked(LEAST_LIMIT if is_stream(path) else path.stat().st_size)
    return cast(BinaryIO, io.BufferedReader(_Bounded(path, unpacked, most), 1 << 17))


class _Unpacked(Protocol):
    def readinto(self, buffer: memoryview, /) -> int: ...


class _Bounded(io.RawIOBase):
    """The content of a compressed file, up to what it may unpack to."""

    def __init__(self, path: Path, unpacked: _Unpacked, most: int) -> None:
        self._path, self._unpacked, self._most, self._n = path, unpacked, most, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        n = self._unpacked.readinto(buffer)
        self._n += n
        if self._n > self._most:
            raise FormatError(self._path, None, too_big(self._most))
        return n


class _Zstandard(io.RawIOBase):
    """The content of a .zst file; unlike the library's reader it notices a file cut off short."""

    def __init__(self, packed: BinaryIO) -> None:
        self._packed, self._ready = packed, b""
        self._frame: zstandard.ZstdDecompressionObj | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview | bytearray") -> int:  # type: ignore[override]
        while not self._ready and self._fill():
            pass
        taken, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(taken)] = taken
        return len(taken)

    def _fill(self) -> bool:
        """Unpack some more; tell whether there may be more after it."""
        left = self._frame.unused_data if self._frame and self._frame.eof else b""
        chunk = left or self._packed.read(PACKED)
        if not chunk:
            if self._frame and not self._frame.eof:
                raise EOFError("the file ends in the middle of a frame")
            return False
        if self._frame is None or self._frame.eof:
            self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._ready = self._frame.decompress(chunk)
        return True


def head(path: Path, n_bytes: int = 1 << 16) -> str:
    """Read the beginning of a file as text, for guessing its format; never raises on bad bytes.

    Of Parquet, which says at its end what it holds, that is read. A long first line is read whole,
    up to 4 MB: it may be a full paper with its keys at the end.
    """
    with Source(path, "").binary() as stream:
        start = stream.read(n_bytes)
        if start.startswith(b"PAR1"):
            if not is_stream(path) and stream.seekable():
                stream.seek(max(0, stream.seek(0, io.SEEK_END) - n_bytes))
                start = b""
            return (b"PAR1" + _end_of(stream, start, n_bytes)).decode(errors="replace")
        if b"\n" not in start:
            start += stream.readline(1 << 22)
        coding = "utf-16" if start.startswith(_UTF16) else "utf-8-sig"
        return start.decode(coding, errors="replace")


def _end_of(stream: BinaryIO, start: bytes, n_bytes: int) -> bytes:
    """Read the end of a file, where Parquet names its columns."""
    end = start
    while chunk := stream.read(1 << 20):
        end = (end + chunk)[-n_bytes:]
    return end


def json_keys(head: str) -> set[str]:
    """Find the keys of the first JSON object of a file that begins like this.

    They are read off one line or a whole small file, or found in a beginning that is cut off.

    >>> sorted(json_keys('{"id": 1, "text": "a"}\\n{"id": 2'))
    ['id', 'text']
    >>> sorted(json_keys('[{"id": 1, "layers": {"anna": []}, "text": "a'))
    ['id', 'layers', 'text']
    """
    value = _decoded(head)
    if value is not None:
        first = value[0] if isinstance(value, list) and value else value
        return set(first) if isinstance(first, dict) else set()
    return _first_keys(head) if head.lstrip()[:1] in ("{", "[") else set()


def first_value(head: str) -> object:
    """Find the first record of a JSON file that begins like this; None where it is cut off.

    >>> first_value('["p53", {}]\\n["p21", {}]'), first_value('[["p53", {}], ["p21", {}]')
    (['p53', {}], ['p53', {}])
    """
    value = _decoded(head)
    if value is None and head.lstrip().startswith("["):
        # Of an array that goes on, the first item may be whole.
        inner = head.lstrip()[1:].lstrip()
        for found in re.finditer(r"[}\]]", inner[:_LONGEST_ITEM]):
            try:
                return msgspec.json.decode(inner[: found.end()])
            except (msgspec.MsgspecError, RecursionError):
                continue
    if isinstance(value, list) and value and not isinstance(value[0], str):
        return value[0]
    return value


def _decoded(head: str) -> object:
    """Decode one line or a whole small file."""
    for candidate in (head.lstrip().split("\n", 1)[0], head):
        try:
            value: object = msgspec.json.decode(candidate)
        except (msgspec.MsgspecError, RecursionError):
            continue
        return value
    return None


def _first_keys(head: str) -> set[str]:
    """Collect the keys of the first object, wherever the text is cut off."""
    keys: set[str] = set()
    depth = level = 0
    for piece in _JSON_PIECE.finditer(head):
        if piece[0] in ("{", "["):
            depth += 1
            level = level or (depth if piece[0] == "{" else 0)
        elif piece[0] in ("}", "]"):
            depth -= 1
            if level and depth < level:
                break
        elif level and depth == level and piece[2]:
            keys.add(piece[1])
    return keys
