"""Stretches of files, read as if they were files of their own.

A file of JSON Lines is cut after a line, a Parquet file between row groups; every other format is
read whole. What is said about a place (a line, a row) counts from the beginning of the whole file.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import msgspec

from vermeil.document import Document
from vermeil.errors import FormatError, MissingExtraError
from vermeil.formats.corpus import renamed
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.open_files import why
from vermeil.formats.files.seen_ids import unlike
from vermeil.formats.files.source import BOM, COMPRESSED, Source, stem
from vermeil.formats.inputs import Input
from vermeil.formats.kinds.own import jsonl, parquet

WHOLE = -1
CHUNK = 1 << 20


class Part(msgspec.Struct, frozen=True):
    """An input, or the stretch of it from ``start`` to ``end``: bytes, or row groups of Parquet.

    A whole file has ``end`` WHOLE. ``first`` is the number of its first line or row, ``size`` what
    it weighs in bytes.
    """

    path: str
    format: str | None
    annotator: str | None = None
    within: str | None = None
    start: int = 0
    end: int = WHOLE
    first: int = 1
    size: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether this is all of the file."""
        return self.end == WHOLE

    @property
    def input(self) -> Input:
        """The file this is taken from."""
        return Input(Path(self.path), self.annotator, self.format, self.within)


def split(part: Part, size: int) -> list[Part]:
    """Cut a whole file into stretches of about ``size`` bytes; one where it cannot be cut."""
    path = Path(part.path)
    if path.suffix in COMPRESSED or not path.is_file() or part.size <= size:
        return [part]
    if part.format == "jsonl":
        return _split_lines(part, size)
    if part.format == "parquet":
        return _split_row_groups(part, size)
    return [part]


def read_part(part: Part, ledger: Ledger, *, in_columns: bool = False) -> Iterator[Document]:
    """Yield the documents of a stretch."""
    path = Path(part.path)
    name = part.annotator or stem(path)
    if part.format == "jsonl":
        place = (part.start, part.end, part.first)
        source: Source = _Lines(path, name, ledger, {}, in_columns, *place)
        stream = jsonl.read(source)
    else:
        source = _RowGroups(path, name, ledger, {}, in_columns, first=part.first)
        stream = parquet.read(source, range(part.start, part.end))
    return renamed(unlike(stream, source, jsonl.spelt), part.input)


def _split_lines(part: Part, size: int) -> list[Part]:
    parts: list[Part] = []
    with opened(Path(part.path)) as stream:
        start, first = 0, 1
        while start < part.size:
            n_lines, end = _pass_lines(stream, start, min(size, part.size - start))
            stretch = msgspec.structs.replace(
                part, start=start, end=end, first=first, size=end - start
            )
            parts.append(stretch)
            start, first = end, first + n_lines
    return parts


def _pass_lines(stream: BinaryIO, start: int, size: int) -> tuple[int, int]:
    """Read on to the end of the line ``size`` bytes further; give the lines and the place."""
    stream.seek(start)
    n_lines, left = 0, size
    while left > 0 and (chunk := stream.read(min(CHUNK, left))):
        n_lines += chunk.count(b"\n")
        left -= len(chunk)
    if not chunk.endswith(b"\n"):
        n_lines += bool(stream.readline())
    return n_lines, stream.tell()


def _split_row_groups(part: Part, size: int) -> list[Part]:
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise MissingExtraError("Parquet", "pyarrow") from None
    try:
        meta = ParquetFile(part.path).metadata
    except (ArrowException, OSError) as error:
        raise FormatError(part.path, None, f"not readable as Parquet: {error}") from error
    groups = [meta.row_group(number) for number in range(meta.num_row_groups)]
    parts: list[Part] = []
    start, first, n_rows, weight = 0, 1, 0, 0
    for number, group in enumerate(groups, start=1):
        n_rows += group.num_rows
        weight += group.total_byte_size
        if weight >= size or number == len(groups):
            stretch = msgspec.structs.replace(
                part, start=start, end=number, first=first, size=weight
            )
            parts.append(stretch)
            start, first, n_rows, weight = number, first + n_rows, 0, 0
    return parts or [part]


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open for reading; what cannot be read is a FormatError."""
    try:
        with path.open("rb") as stream:
            yield stream
    except OSError as error:
        raise FormatError(path, None, f"cannot be read: {why(error)}") from error


@dataclass(frozen=True, slots=True)
class _Lines(Source):
    """Some lines of a file, numbered as in the whole."""

    start: int = 0
    end: int = 0
    first: int = 1

    def raw_lines(self) -> Iterator[tuple[int, bytes]]:
        with opened(self.path) as stream:
            stream.seek(self.start)
            left, number = self.end - self.start, self.first
            while left > 0 and (raw := stream.readline()):
                left -= len(raw)
                yield number, raw.removeprefix(BOM) if number == 1 else raw
                number += 1
            if left:
                raise self.error(None, "has become shorter since this run began")


@dataclass(frozen=True, slots=True)
class _RowGroups(Source):
    """Some row groups of a Parquet file, with rows numbered as in the whole."""

    first: int = 1

    def bad(self, line: int | None, record: str | bytes, error: Exception | str) -> None:
        Source.bad(self, line and line + self.first - 1, record, error)
