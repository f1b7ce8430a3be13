"""Vermeil's own format for scale: Parquet, one row a document, nothing left out.

The columns mirror our JSON Lines: ``layers`` and ``standards`` are lists of structs by annotator,
``trees`` holds Penn brackets, ``meta`` is JSON. Both ways go through flat columns, so no
dictionary is made for a span. Batches of N_ROWS documents bound the memory.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any, cast

import msgspec

from vermeil.document import Checked, Document
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

N_ROWS, N_CHARACTERS = 1024, 32 << 20
"""Rows of a group that is written, or as many as have texts of so many characters."""

N_READ, N_BYTES = 256, 16 << 20
"""Rows that are read at a time, or as many as have so many bytes by what the file says of itself.

Of whole groups, much more of the memory is never used again.
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
            for batch in _bounded(
                _batches(file, seekable, groups, source, (arrow, parquet)), source
            ):
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
) -> Iterator[Any]:
    """Yield the rows of a file in our schema, where columns are wanted with codes (``CODED``).

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
                yield batch
                del batch
            else:
                return
        except _errors(arrow):
            pass
        except KeyError:  # there may be other names inside than the schema says
            pass
    for batch in file.iter_batches(n_rows, row_groups=groups, use_threads=False):
        if n < len(batch):
            yield brought(batch.slice(n), source, arrow)
        n = max(0, n - len(batch))
        del batch


def _rows_at_a_time(metadata: Any) -> int:
    """Tell how many rows are read at once: few where they are long."""
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    longest = max((group.total_byte_size // max(1, group.num_rows) for group in groups), default=0)
    return max(1, min(N_READ, N_BYTES // max(1, longest)))


def _bounded(batches: Iterator[Any], source: Source) -> Iterator[Any]:
    """Pass batches on; refuse a file that holds far more than its size can be."""
    size = LEAST_LIMIT if is_stream(source.path) else source.path.stat().st_size
    most, n_bytes = most_unpacked(size), 0
    for batch in batches:
        n_bytes += batch.nbytes
        if n_bytes > most:
            raise source.error(None, too_big(most))
        yield batch
        del batch


def _errors(arrow: Any) -> tuple[type[Exception], ...]:
    return arrow.ArrowException, OSError, ValueError, IndexError


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write a row group for every N_ROWS documents."""
    arrow, parquet = _pyarrow()
    if sink.path.suffix in COMPRESSED:
        raise UsageError(f"{sink.path}: Parquet is compressed inside; leave the last suffix off")
    schema = schema_of(arrow)
    with parquet.ParquetWriter(
        sink.binary, schema, compression="zstd", write_page_checksum=True
    ) as writer:
        for batch in _groups(documents):
            rows = _batch(batch, schema, arrow)
            batch.clear()  # to write a group takes as much again as its documents do
            writer.write_batch(rows)
            del rows


def _groups(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Take documents together that are to be a group of rows."""
    group: list[Document] = []
    n_characters = 0
    for document in documents:
        group.append(document)
        n_characters += len(document.text)
        if len(group) == N_ROWS or n_characters >= N_CHARACTERS:
            yield group
            group, n_characters = [], 0
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


def _batch(documents: Sequence[Document], schema: Any, arrow: Any) -> Any:
    from vermeil.formats.kinds.own.arrow_arrays import strings

    metas = [
        msgspec.json.encode(document.meta).decode() if document.meta else None
        for document in documents
    ]
    layers = [document.layers for document in documents]
    standards = [document.standards for document in documents]
    return arrow.record_batch(
        [
            strings([document.id for document in documents], arrow),
            strings([document.text for document in documents], arrow),
            _by_annotator(layers, schema.field("layers"), arrow),
            _by_annotator(standards, schema.field("standards"), arrow),
            _trees(documents, schema.field("trees").type, arrow),
            strings(metas, arrow),
        ],
        schema=schema,
    )


def _trees(documents: Sequence[Document], kind: Any, arrow: Any) -> Any:
    if not any(document.trees for document in documents):
        return _lists([0] * len(documents), arrow.nulls(0, kind.value_type), kind, arrow)
    trees = [
        [
            {"annotator": name, "trees": [tree and str(tree) for tree in trees]}
            for name, trees in document.trees.items()
        ]
        for document in documents
    ]
    return arrow.array(trees, kind)


def _by_annotator(rows: Sequence[Any], field: Any, arrow: Any) -> Any:
    """Make the nested column of layers or standards from one mapping a document."""
    if any(isinstance(row, Checked) for row in rows) or not any(rows):
        from vermeil.formats.kinds.own.parquet_groups import layers_column

        column = layers_column(rows, field, arrow)
        if column is not None:
            return column
    from vermeil.formats.kinds.own.arrow_arrays import plain

    outer = field.type.value_type
    names = list(chain.from_iterable(rows))
    groups = [group for row in rows for group in row.values()]
    items = list(chain.from_iterable(groups))
    item = outer.field(1).type.value_type
    columns = [_column(map(attrgetter(part.name), items), part.type, arrow) for part in item]
    structs = arrow.StructArray.from_arrays(columns, fields=list(item))
    lists = _lists(map(len, groups), structs, outer.field(1).type, arrow)
    pairs = arrow.StructArray.from_arrays(
        [plain(names, arrow.string(), arrow), lists], fields=list(outer)
    )
    return _lists(map(len, rows), pairs, field.type, arrow)


def _column(values: Iterable[Any], kind: Any, arrow: Any) -> Any:
    from vermeil.formats.kinds.own.arrow_arrays import plain

    if not arrow.types.is_list(kind):
        return plain(list(values), kind, arrow)
    groups = list(values)
    flat = list(chain.from_iterable(groups))
    if arrow.types.is_struct(kind.value_type):
        fields = list(kind.value_type)
        parts = [
            plain([one[place] for one in flat], field.type, arrow)
            for place, field in enumerate(fields)
        ]
        inner = arrow.StructArray.from_arrays(parts, fields=fields)
    else:
        inner = plain(flat, kind.value_type, arrow)
    return _lists(map(len, groups), inner, kind, arrow)


def _lists(lengths: Iterable[int], values: Any, kind: Any, arrow: Any) -> Any:
    import numpy as np

    from vermeil.formats.kinds.own.arrow_arrays import offsets

    first = np.concatenate(([0], np.cumsum(np.fromiter(lengths, dtype=np.int64))))
    return arrow.ListArray.from_arrays(offsets(first, arrow), values, type=kind)


def _found(batch: Any, source: Source) -> Sequence[Document | None]:
    """Make the documents of a batch that can be held as columns; None for each other."""
    found: Sequence[Document | None] | None = None
    if source.in_columns:
        from vermeil.formats.kinds.own import parquet_columns

        found = parquet_columns.documents(batch)
    return [None] * len(batch) if found is None else found
