"""Documents laid out as the columns of our Parquet.

No dictionary is made for a span, and of layers and standards that are held as columns
(``columns.held``) no span; both give the same column.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

import msgspec
import numpy as np

from vermeil.arrays import Ints
from vermeil.columns.further import RowLists
from vermeil.columns.held import BlockMapping, GrownMapping, SpanBlock
from vermeil.columns.held_centroids import BlockEdges, CentroidBlock
from vermeil.columns.joined import joined_centroids, joined_spans
from vermeil.document import Checked, Document
from vermeil.formats.kinds.own.arrow_arrays import (
    coded_strings,
    integers,
    offsets,
    plain,
    reals,
    strings,
)

FURTHER = ("fragments", "ids", "attributes")


def record_batch(documents: Sequence[Document], schema: Any, arrow: Any) -> Any:
    """Lay out some documents, to be a group of rows."""
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
        column = _held_column(rows, field, arrow)
        if column is not None:
            return column
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
    first = np.concatenate(([0], np.cumsum(np.fromiter(lengths, dtype=np.int64))))
    return arrow.ListArray.from_arrays(offsets(first, arrow), values, type=kind)


def _held_column(said: Sequence[Mapping[str, Any]], field: Any, arrow: Any) -> Any | None:
    """Make the column of layers or standards of documents held as columns; None where some are not.

    It has the values of the column that is made of objects.
    """
    if not all(isinstance(each, BlockMapping | GrownMapping) or not each for each in said):
        return None
    if not any(said):
        return _nothing(len(said), field, arrow)
    places = [each.places() for each in said if isinstance(each, BlockMapping | GrownMapping)]
    flat = list(chain.from_iterable(places))
    pairs = field.type.value_type
    kind = pairs.field(1).type
    if isinstance(flat[0][0], SpanBlock):
        first, columns = _span_columns(joined_spans(flat), kind.value_type, arrow)
    else:
        first, columns = _centroid_columns(joined_centroids(flat), kind.value_type, arrow)
    items = arrow.StructArray.from_arrays(columns, fields=list(kind.value_type))
    names = plain([block.annotators[group] for block, group in flat], arrow.string(), arrow)
    lists = arrow.ListArray.from_arrays(offsets(first, arrow), items, type=kind)
    structs = arrow.StructArray.from_arrays([names, lists], fields=list(pairs))
    ends = np.concatenate(([0], np.cumsum([len(each) for each in said], dtype=np.int64)))
    return arrow.ListArray.from_arrays(offsets(ends, arrow), structs, type=field.type)


def _nothing(n: int, field: Any, arrow: Any) -> Any:
    """Make a column of which every list is empty."""
    first = np.zeros(n + 1, dtype=np.int64)
    items = arrow.nulls(0, field.type.value_type)
    return arrow.ListArray.from_arrays(offsets(first, arrow), items, type=field.type)


def _span_columns(block: SpanBlock, kind: Any, arrow: Any) -> tuple[Ints, list[Any]]:
    lists = (
        _lists_of_few(each, len(block.start), kind.field(name).type, arrow)
        for name, each in zip(FURTHER, block.further.lists, strict=True)
    )
    return block.first, [
        integers(block.start, arrow),
        integers(block.end, arrow),
        coded_strings(block.label, block.labels, arrow),
        reals(block.confidence, arrow),
        *lists,
    ]


def _centroid_columns(block: CentroidBlock, kind: Any, arrow: Any) -> tuple[Ints, list[Any]]:
    n = len(block.start)

    def side(name: str, edges: BlockEdges) -> Any:
        inner = kind.field(name).type.value_type
        columns = [integers(edges.offset, arrow), reals(edges.value, arrow)]
        return arrow.ListArray.from_arrays(
            offsets(edges.first, arrow),
            arrow.StructArray.from_arrays(columns, fields=list(inner)),
            type=kind.field(name).type,
        )

    return block.first, [
        integers(block.start, arrow),
        integers(block.end, arrow),
        coded_strings(block.label, block.labels, arrow),
        reals(block.votes, arrow),
        side("left", block.left),
        side("right", block.right),
        reals(block.confidence, arrow),
        _sparse(block.shared, n, kind.field("labels").type, arrow),
        _sparse(block.pairs, n, kind.field("pairs").type, arrow),
        _lists_of_few(block.ids, n, kind.field("ids").type, arrow),
    ]


def _lists_of_few(lists: RowLists, n: int, kind: Any, arrow: Any) -> Any:
    """Make a column of lists of which most are empty."""
    size = np.zeros(n, dtype=np.int64)
    size[lists.row] = np.diff(lists.first)
    inner = kind.value_type

    def column(codes: Ints) -> Any:
        return (
            integers(codes, arrow)
            if lists.names is None
            else coded_strings(codes, lists.names, arrow)
        )

    if not len(lists):
        items = arrow.nulls(0, inner)
    elif arrow.types.is_struct(inner):
        items = arrow.StructArray.from_arrays(
            [column(side) for side in lists.content.T], fields=list(inner)
        )
    else:
        items = column(lists.content[:, 0])
    first = np.concatenate(([0], np.cumsum(size)))
    return arrow.ListArray.from_arrays(offsets(first, arrow), items, type=kind)


def _sparse(values: Mapping[int, tuple[Any, ...]], n: int, kind: Any, arrow: Any) -> Any:
    """Make a column of lists of which most are empty."""
    rows = sorted(values)
    size = np.zeros(n, dtype=np.int64)
    size[rows] = [len(values[row]) for row in rows]
    flat = list(chain.from_iterable(values[row] for row in rows))
    inner = kind.value_type
    if arrow.types.is_struct(inner):
        columns = [
            plain([each[place] for each in flat], part.type, arrow)
            for place, part in enumerate(inner)
        ]
        items = arrow.StructArray.from_arrays(columns, fields=list(inner))
    else:
        items = plain(flat, inner, arrow)
    first = np.concatenate(([0], np.cumsum(size)))
    return arrow.ListArray.from_arrays(offsets(first, arrow), items, type=kind)
