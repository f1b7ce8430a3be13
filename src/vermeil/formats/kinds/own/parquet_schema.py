"""The columns of our Parquet, and how those that others wrote are brought to them.

Tables that pandas makes of our JSON Lines hold the annotators as fields of a struct. Columns of
other names are metadata, as they are in a table of texts.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any

import msgspec
import numpy as np

from vermeil.formats.files.source import Source
from vermeil.formats.kinds.own.arrow_arrays import integers, offsets, strings
from vermeil.shown import cut

ALIKE = 0.8
"""A column that is missing, and one that there is: so much alike, and it is misspelt."""

_UNFIT = (TypeError, ValueError, ArithmeticError, LookupError)
"""What dates of the year 40,000, or of a time zone that nobody knows, end in."""

_decode = msgspec.json.Decoder(dict[str, Any]).decode

INDEX = "__index_level_"
"""How the columns begin in which pandas keeps the numbers of rows."""


@cache
def schema_of(arrow: Any) -> Any:
    """Return our schema."""
    string, integer, real = arrow.string(), arrow.int64(), arrow.float64()

    def by_annotator(item: str, fields: list[tuple[str, Any]]) -> Any:
        row = [("annotator", string), (item, arrow.list_(arrow.struct(fields)))]
        return arrow.list_(arrow.struct(row))

    boundary = arrow.list_(arrow.struct([("offset", integer), ("value", real)]))
    span = [
        ("start", integer),
        ("end", integer),
        ("label", string),
        ("confidence", real),
        ("fragments", arrow.list_(arrow.struct([("start", integer), ("end", integer)]))),
        ("ids", arrow.list_(string)),
        ("attributes", arrow.list_(arrow.struct([("name", string), ("value", string)]))),
    ]
    centroid = [
        ("start", integer),
        ("end", integer),
        ("label", string),
        ("votes", real),
        ("left", boundary),
        ("right", boundary),
        ("confidence", real),
        ("labels", arrow.list_(arrow.struct([("label", string), ("value", real)]))),
        (
            "pairs",
            arrow.list_(arrow.struct([("start", integer), ("end", integer), ("value", real)])),
        ),
        ("ids", arrow.list_(string)),
    ]
    tree = arrow.struct([("annotator", string), ("trees", arrow.list_(string))])
    return arrow.schema(
        [
            ("id", string),
            ("text", string),
            ("layers", by_annotator("spans", span)),
            ("standards", by_annotator("centroids", centroid)),
            ("trees", arrow.list_(tree)),
            ("meta", string),
        ]
    )


def check_columns(found: Any, source: Source, arrow: Any, *, is_first: bool) -> None:
    """Refuse what holds no corpus or misspells a column; note once a file what is left out."""
    known = schema_of(arrow).names
    for name, n in Counter(found.names).items():
        if n > 1:
            raise source.error(None, f"{n} columns are called {name!r}; leave one of them")
    missing = [name for name in known if name not in found.names]
    for name in missing:
        if name in ("id", "text"):
            raise source.error(None, f"not a corpus: no column {name!r}")
    for name in _others(found, arrow):
        if close := get_close_matches(name, missing, n=1, cutoff=ALIKE):
            raise source.error(None, f"no column is called {name!r}; did you mean {close[0]!r}?")
    if is_first:
        others = _others(found, arrow)
        lost = [name for name in others if not _is_plain(found.field(name).type, arrow)]
        lost += _lost_fields(found, arrow)
        if lost:
            what = "columns of other names"
            source.ledger.note("dropped", what, source.where(), n=len(lost), detail=", ".join(lost))


def brought(batch: Any, source: Source, arrow: Any) -> Any:
    """Bring a batch to our schema; columns that are not there are null."""
    schema = schema_of(arrow)
    if batch.schema.equals(schema):
        return batch
    columns = [_column(batch, field, source, arrow) for field in schema]
    return arrow.record_batch(columns, schema=schema)


def _column(batch: Any, field: Any, source: Source, arrow: Any) -> Any:
    """Return a column of a batch as our schema has it."""
    is_there = field.name in batch.schema.names
    column = batch.column(field.name) if is_there else arrow.nulls(len(batch), field.type)
    try:
        if field.name == "meta":
            others = _others(batch.schema, arrow)
            plain = [name for name in others if _is_plain(batch.schema.field(name).type, arrow)]
            if plain or arrow.types.is_struct(column.type):
                columns = [_values(batch, name, source, arrow) for name in plain]
                rows = zip(*columns, strict=True) if plain else [()] * len(batch)
                further = [dict(zip(plain, row, strict=True)) for row in rows]
                return arrow.array(_metas(column.to_pylist(), further), field.type)
        if arrow.types.is_struct(column.type) and _is_list(field.type, arrow):
            return _pairs(column, field.type, arrow)
        return column.cast(field.type)
    except (arrow.ArrowException, msgspec.MsgspecError, *_UNFIT) as error:
        reason = cut(f"the column {field.name!r} is not as docs/formats.md says: {error}")
        raise source.error(None, reason) from error


def _values(batch: Any, name: str, source: Source, arrow: Any) -> list[Any]:
    """Return the values of a column of another name; what is finer than microseconds is cut."""
    column = batch.column(name)
    kind = column.type
    try:
        if arrow.types.is_timestamp(kind) and kind.unit == "ns":
            column = column.cast(arrow.timestamp("us", kind.tz), safe=False)
        return list(column.to_pylist())
    except (arrow.ArrowException, *_UNFIT) as error:
        reason = cut(f"the column {name!r} holds what cannot be metadata: {error}")
        raise source.error(None, f"{reason}; leave it out, or make it strings") from error


def _others(found: Any, arrow: Any) -> list[str]:
    """Name the columns that are none of ours."""
    known = schema_of(arrow).names
    return [name for name in found.names if name not in known and not name.startswith(INDEX)]


def _lost_fields(found: Any, arrow: Any) -> list[str]:
    """Name the fields of spans and centroids that are none of ours."""
    lost = []
    for name in ("layers", "standards"):
        [ours] = _items(schema_of(arrow).field(name).type, arrow)
        known = {field.name for field in ours}
        said = _items(found.field(name).type, arrow) if name in found.names else ()
        fields = dict.fromkeys(field.name for each in said for field in each)
        lost += [f"{name}.{field}" for field in fields if field not in known]
    return lost


def _items(kind: Any, arrow: Any) -> list[Any]:
    """List the types of what annotators said of a document, one or one of each annotator."""
    groups: Sequence[Any] = ()
    if arrow.types.is_struct(kind):
        groups = [field.type for field in kind]
    elif _is_list(kind, arrow) and arrow.types.is_struct(kind.value_type):
        groups = [field.type for field in kind.value_type]
    said = [each.value_type for each in groups if _is_list(each, arrow)]
    return [each for each in said if arrow.types.is_struct(each)]


def _pairs(column: Any, kind: Any, arrow: Any) -> Any:
    """Make lists of annotators of a struct with a field for each; who is null did not look."""
    said = [part.cast(kind.value_type.field(1).type) for part in column.flatten()]
    looked = np.stack([each.is_valid().to_numpy(zero_copy_only=False) for each in said], axis=1)
    document, annotator = np.nonzero(looked)
    names = strings([field.name for field in column.type], arrow)
    columns = [
        names.take(integers(annotator, arrow)),
        arrow.concat_arrays(said).take(integers(annotator * len(column) + document, arrow)),
    ]
    structs = arrow.StructArray.from_arrays(columns, fields=list(kind.value_type))
    first = np.concatenate(([0], np.cumsum(looked.sum(axis=1))))
    return arrow.ListArray.from_arrays(offsets(first, arrow), structs, type=kind)


def _metas(held: Sequence[Any], further: Sequence[Mapping[str, Any]]) -> list[str | None]:
    """Spell the metadata of rows: columns of other names, and what their own column holds."""
    metas: list[str | None] = []
    for own, others in zip(held, further, strict=True):
        meta = {key: value for key, value in others.items() if value is not None}
        try:
            known = _decode(own) if isinstance(own, str) else own or {}
        except msgspec.MsgspecError:
            metas.append(own)  # to be refused where documents are made
            continue
        meta.update({key: value for key, value in known.items() if value is not None})
        metas.append(msgspec.json.encode(meta).decode() if meta else None)
    return metas


def _is_plain(kind: Any, arrow: Any) -> bool:
    """Tell whether a column holds strings, numbers and the like, which metadata can be."""
    types = arrow.types
    if types.is_dictionary(kind):
        return _is_plain(kind.value_type, arrow)
    is_text = types.is_string(kind) or types.is_large_string(kind) or types.is_boolean(kind)
    is_number = types.is_integer(kind) or types.is_floating(kind)
    return bool(is_text or is_number or types.is_timestamp(kind) or types.is_date(kind))


def _is_list(kind: Any, arrow: Any) -> bool:
    return bool(arrow.types.is_list(kind) or arrow.types.is_large_list(kind))
