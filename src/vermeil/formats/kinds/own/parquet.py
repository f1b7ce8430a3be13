"""Vermeil's own format for scale: Parquet, one row a document, nothing left out.

The columns mirror our JSON Lines: ``layers`` and ``standards`` are lists of structs by annotator,
``trees`` holds Penn brackets, ``meta`` is JSON. Both ways go through flat columns, so no
dictionary is made for a span (``parquet_writing``, ``parquet_columns``, ``parquet_rows``). Batches
of N_ROWS documents bound the memory.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from vermeil.columns.held import n_spans
from vermeil.document import Document
from vermeil.errors import MissingExtraError, UsageError
from vermeil.formats.files.features import EVERYTHING
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import (
    COMPRESSED,
    LEAST_LIMIT,
    Source,
    most_unpacked,
    too_big,
)
from vermeil.formats.files.streams import is_stream
from vermeil.formats.kinds.own.parquet_rows import ParquetRows
from vermeil.formats.kinds.own.parquet_schema import brought, check_columns, schema_of

CARRIES = EVERYTHING

_LAYER, _STANDARD = "layers.list.element", "standards.list.element"
CODED = [
    f"{_LAYER}.annotator",
    f"{_LAYER}.spans.list.element.label",
    f"{_STANDARD}.annotator",
    f"{_STANDARD}.centroids.list.element.label",
]
"""Columns of few names, which the file holds as codes."""

N_ROWS, N_CHARACTERS, N_SPANS = 1024, 32 << 20, 1 << 20
"""Rows of a group that is written, or as many as have so many characters, or spans."""

N_READ, N_BYTES = 256, 16 << 20
"""Rows that are read at a time, or as many as have so many bytes by what the file says of itself.

Of whole groups, much more of the memory is never used again.
"""

MOST_REPEATED = 1 << 28
"""So many bytes a batch may have if all its rows repeat the longest string that the file can hold.

A few kilobytes can name a string of megabytes in every row. How long it is only columns tell, and
of damaged ones Arrow cannot be asked: it ends the process. No string is longer than its group.
"""


def read(source: Source, groups: range | None = None) -> Iterator[Document]:
    """Yield one document a row, a batch at a time; of some row ``groups`` where they are given."""
    arrow, parquet = _pyarrow()
    if source.path.suffix in COMPRESSED:
        raise source.error(None, "Parquet is compressed inside; unpack the file around it first")
    with source.binary() as stream:
        seekable = io.BytesIO(stream.read()) if is_stream(source.path) else stream
        number = 0
        try:
            file = _opened(seekable, parquet)
            check_columns(file.schema_arrow, source, arrow, is_first=groups is None or 0 in groups)
            limits = _Limits(source)
            for batch, is_coded in _batches(file, seekable, groups, source, (arrow, parquet)):
                limits.check_held(batch)
                if not is_coded:
                    batch = brought(batch, source, arrow)
                    limits.check_held(batch)
                limits.add_texts(batch)
                found = _found(batch, source)
                if all(found):
                    number += len(found)
                    yield from cast(Sequence[Document], found)
                    del batch, found  # to make room for the next
                    continue
                rows = ParquetRows(brought(batch, source, arrow), arrow)  # without codes
                for place, document in enumerate(found):
                    number += 1
                    if document is not None:
                        yield document
                        continue
                    with source.guard(number, repr(rows.ids[place])):
                        yield rows.document(place)
        except _errors(arrow) as error:
            reason = f"not readable as Parquet after row {number}: {error}"
            raise source.error(None, reason) from error


def _opened(stream: Any, parquet: Any, **further: Any) -> Any:
    return parquet.ParquetFile(
        stream, page_checksum_verification=True, pre_buffer=False, buffer_size=1 << 16, **further
    )


def _batches(
    file: Any, stream: Any, groups: range | None, source: Source, pyarrow: tuple[Any, Any]
) -> Iterator[tuple[Any, bool]]:
    """Yield the rows of a file, where columns are wanted in our schema with codes (``CODED``).

    From where they cannot be read so, they are read as they are, with whatever error that makes.
    """
    from vermeil.formats.kinds.own.parquet_columns import are_coded

    arrow, parquet = pyarrow
    n, n_rows = 0, _rows_at_a_time(file.metadata)
    if source.in_columns and file.schema_arrow.equals(schema_of(arrow)):
        try:
            coded = _opened(stream, parquet, metadata=file.metadata, read_dictionary=CODED)
            for batch in coded.iter_batches(n_rows, row_groups=groups, use_threads=False):
                if not are_coded(batch):
                    break
                n += len(batch)
                yield batch, True
                del batch
            else:
                return
        except _errors(arrow):
            pass
        except KeyError:  # there may be other names inside than the schema says
            pass
    for batch in file.iter_batches(n_rows, row_groups=groups, use_threads=False):
        if n < len(batch):
            yield batch.slice(n), False
        n = max(0, n - len(batch))
        del batch


def _rows_at_a_time(metadata: Any) -> int:
    """Tell how many rows are read at once: few where they are long, or may be."""
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    longest = max((group.total_byte_size // max(1, group.num_rows) for group in groups), default=0)
    largest = max((group.total_byte_size for group in groups), default=0)
    most = min(N_BYTES // max(1, longest), MOST_REPEATED // max(1, largest))
    return max(1, min(N_READ, most))


class _Limits:
    """How much a file may hold: texts that are far more than it is, or rows, are refused.

    What many annotators say alike takes next to nothing in a file, so layers are bounded by what is
    held at a time alone.
    """

    def __init__(self, source: Source) -> None:
        size = LEAST_LIMIT if is_stream(source.path) else source.path.stat().st_size
        self._source = source
        self._most, self._at_once, self._n_bytes = most_unpacked(size), most_unpacked(0), 0

    def check_held(self, batch: Any) -> None:
        """Refuse rows that are more than may be held at a time."""
        if batch.nbytes > self._at_once:
            raise self._source.error(None, too_big(self._at_once, "document"))

    def add_texts(self, batch: Any) -> None:
        """Count the texts of rows; refuse what is more than the file can be meant to hold."""
        self._n_bytes += sum(batch.column(name).nbytes for name in ("id", "text", "meta"))
        if self._n_bytes > self._most:
            raise self._source.error(None, too_big(self._most))


def _errors(arrow: Any) -> tuple[type[Exception], ...]:
    return arrow.ArrowException, OSError, ValueError, IndexError


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write a row group for every N_ROWS documents."""
    from vermeil.formats.kinds.own.parquet_writing import record_batch

    arrow, parquet = _pyarrow()
    if sink.path.suffix in COMPRESSED:
        raise UsageError(f"{sink.path}: Parquet is compressed inside; leave the last suffix off")
    schema = schema_of(arrow)
    with parquet.ParquetWriter(
        sink.binary, schema, compression="zstd", write_page_checksum=True
    ) as writer:
        for batch in _groups(documents):
            rows = record_batch(batch, schema, arrow)
            batch.clear()  # to write a group takes as much again as its documents do
            writer.write_batch(rows)
            del rows


def _groups(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Take documents together that are to be a group of rows."""
    group: list[Document] = []
    n_characters = n_names = 0
    for document in documents:
        group.append(document)
        n_characters += len(document.text)
        n_names += n_spans(document.layers)
        if len(group) == N_ROWS or n_characters >= N_CHARACTERS or n_names >= N_SPANS:
            yield group
            group, n_characters, n_names = [], 0, 0
    if group:
        yield group


def sniff(head: str) -> bool:
    """Tell whether a file is Parquet, and not that of a dataset of tokens and tags."""
    if not head.startswith("PAR1"):
        return False
    from vermeil.formats.kinds.tokens.hf_dataset import sniff as is_of_tokens

    return "standards" in head or not is_of_tokens(head)


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("Parquet", "pyarrow") from None
    return pyarrow, pyarrow.parquet


def _found(batch: Any, source: Source) -> Sequence[Document | None]:
    """Make the documents of a batch that can be held as columns; None for each other."""
    found: Sequence[Document | None] | None = None
    if source.in_columns:
        from vermeil.formats.kinds.own import parquet_columns

        found = parquet_columns.documents(batch)
    return [None] * len(batch) if found is None else found
