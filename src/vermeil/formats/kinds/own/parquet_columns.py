"""Parquet straight into columns and back: its columns are ours, and no span is made on the way.

A batch of rows becomes blocks (``columns.held``). Whatever has a null where a value is wanted, does
not fit its text or is not in order is left to ``parquet``, which is the definition.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import msgspec
import numpy as np

from vermeil.arrays import Floats, Ints, numbered
from vermeil.columns.further import AskedLists, FurtherSpans, Items, RowLists, SpanColumns
from vermeil.columns.held import BlockMapping, GrownMapping, SpanBlock, held_document
from vermeil.columns.held_centroids import BlockEdges, CentroidBlock
from vermeil.columns.joined import joined_centroids, joined_spans
from vermeil.document import Document
from vermeil.errors import VermeilError
from vermeil.formats.kinds.own.arrow_arrays import (
    integers,
    list_sizes,
    numbers,
    offsets,
    plain,
    reals,
    strings,
)
from vermeil.formats.kinds.own.jsonl import parsed_trees

FURTHER = ("fragments", "ids", "attributes")
LABEL = 2
"""The place of the label among the fields of spans and centroids."""

Listed = Callable[[Any], Sequence[tuple[Any, ...]]]
"""What makes tuples of a column of lists."""


class _NullError(ValueError):
    """There is a null where a value is wanted."""


def documents(batch: Any, listed: Listed, arrow: Any) -> list[Document | None] | None:
    """Make the documents of a batch in our schema; None for those to be read otherwise, or all.

    Columns of names may hold codes.
    """
    try:
        ids = _whole(batch.column("id")).to_pylist()
        texts = _whole(batch.column("text")).to_pylist()
        layers, standards = _Nested(batch.column("layers")), _Nested(batch.column("standards"))
        spans = _span_block(layers)
        hearts = _centroid_block(standards, listed)
        trees, metas = _trees(batch.column("trees")), _metas(batch.column("meta"))
    except (ValueError, TypeError, AttributeError):
        return None
    length = np.fromiter(map(len, texts), np.int64, len(texts))
    fits = spans.fits(layers.document, length)
    held: list[Mapping[str, Any]] = [{} for _ in texts]
    if standards.annotators:
        fits &= hearts.fits(standards.document, length)
        held = [BlockMapping(hearts, own) if own else {} for own in standards.bounds()]
    rows = zip(fits.tolist(), ids, texts, layers.bounds(), held, trees, metas, strict=True)
    return [
        held_document(id, text, BlockMapping(spans, own), standard, tree, meta)
        if is_fit and id and tree is not None and meta is not None
        else None
        for is_fit, id, text, own, standard, tree, meta in rows
    ]


def _trees(column: Any) -> list[Mapping[str, Any] | None]:
    """Parse the trees of each row, of which most have none; None where one cannot be parsed."""
    if not len(column.flatten()):
        return [{} for _ in range(len(column))]
    return [
        _parsed(lambda: parsed_trees({one["annotator"]: one["trees"] for one in each or ()}))
        for each in column.to_pylist()
    ]


def _metas(column: Any) -> list[Mapping[str, Any] | None]:
    """Decode what else is known of each row, of which most have nothing; None where none can."""
    if column.null_count == len(column):
        return [{} for _ in range(len(column))]
    return [
        _parsed(lambda: msgspec.json.decode(each, type=dict[str, Any])) if each else {}
        for each in column.to_pylist()
    ]


def _parsed(parse: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any] | None:
    try:
        return parse()
    except (ValueError, TypeError, VermeilError, msgspec.MsgspecError, RecursionError):
        return None


def are_coded(batch: Any) -> bool:
    """Tell whether names are codes, and there is one for each of them."""
    for said in ("layers", "standards"):
        pairs = batch.column(said).flatten()
        for column in (pairs.field(0), pairs.field(1).flatten().field(LABEL)):
            if not hasattr(column, "dictionary"):
                return False
            codes = numbers(column.indices, np.int32)
            if len(codes) and not 0 <= codes.min() <= codes.max() < len(column.dictionary):
                return False
    return True


class _Nested:
    """A column of layers or standards: annotators, and the items of each."""

    def __init__(self, column: Any) -> None:
        pairs = _whole(column.flatten())
        self.items = _whole(pairs.field(1).flatten())
        self.annotators = _names(_whole(pairs.field(0)))
        self.first = _firsts(pairs.field(1))
        self._bounds = _firsts(column)
        self.document: Ints = np.repeat(np.arange(len(column)), np.diff(self._bounds))

    def bounds(self) -> list[range]:
        """List the groups of each document."""
        ends = self._bounds.tolist()
        return list(map(range, ends, ends[1:]))

    def field(self, name: str) -> Any:
        """Return a field of all items."""
        return self.items.field(self.items.type.get_field_index(name))

    def ints(self, name: str) -> Ints:
        """Return a field that is a whole number."""
        return _integers(self.field(name))

    def labels(self) -> tuple[Ints, list[str]]:
        """Number the labels in alphabetical order."""
        code, names = _coded(_whole(self.field("label")))
        labels = sorted(set(names))
        place = np.array([labels.index(name) for name in names], dtype=np.int64)
        return place[code], labels

    def confidences(self) -> Floats:
        """Return the confidences, NaN for those that are null."""
        column = self.field("confidence")
        found: Floats = numbers(column, np.float64)
        if np.isnan(found).sum() != column.null_count:
            raise _NullError("a confidence is no number")
        return found

    def strings(self, name: str) -> RowLists:
        """Return a field of lists of strings."""
        row, first, flat = self._lists(name)
        if not len(row):
            return RowLists()
        flat.validate(full=True)  # so that nothing is wrong with it when it is asked for
        return AskedLists(row, first, partial(_items, flat))

    def number_pairs(self, name: str) -> RowLists:
        """Return a field of lists of pairs of whole numbers."""
        row, first, flat = self._lists(name)
        if not len(row):
            return RowLists()
        return RowLists(row, first, np.stack([_integers(flat.field(n)) for n in (0, 1)], axis=1))

    def string_pairs(self, name: str) -> RowLists:
        """Return a field of lists of pairs of strings."""
        row, first, flat = self._lists(name)
        if not len(row):
            return RowLists()
        sides = [_whole(flat.field(n)).to_pylist() for n in (0, 1)]
        laid = RowLists.of_pairs([list(zip(*sides, strict=True))])
        return RowLists(row, first, laid.content, laid.names)

    def _lists(self, name: str) -> tuple[Ints, Ints, Any]:
        """Return the rows of lists that hold anything, where each begins, and all items."""
        column = self.field(name)
        first = _firsts(column)
        sizes = np.diff(first)
        row = np.flatnonzero(sizes)
        return row, np.append(first[row], first[-1]), _whole(column.flatten())

    def kept(self, name: str, listed: Listed) -> dict[int, tuple[Any, ...]]:
        """Return a field of lists by row, where there is anything."""
        column = self.field(name)
        rows = np.flatnonzero(np.diff(_firsts(column))).tolist()
        if not rows:
            return {}
        every = listed(column)
        return {row: every[row] for row in rows}


def _span_block(layers: _Nested) -> SpanBlock:
    label, labels = layers.labels()
    start, end, confidence = layers.ints("start"), layers.ints("end"), layers.confidences()
    further = FurtherSpans(
        layers.number_pairs("fragments"),
        layers.strings("ids"),
        layers.string_pairs("attributes"),
        SpanColumns(start, end, label, labels, confidence),
    )
    for row in further.fragments:
        further[row]  # which checks its fragments
    return SpanBlock(
        annotators=layers.annotators,
        first=layers.first,
        start=start,
        end=end,
        label=label,
        labels=labels,
        confidence=confidence,
        further=further,
    )


def _centroid_block(standards: _Nested, listed: Listed) -> CentroidBlock:
    if not standards.annotators:
        return CentroidBlock.none()
    label, labels = standards.labels()
    return CentroidBlock(
        annotators=standards.annotators,
        first=standards.first,
        start=standards.ints("start"),
        end=standards.ints("end"),
        label=label,
        labels=labels,
        votes=_reals(standards.field("votes")),
        confidence=standards.confidences(),
        left=_edges(standards.field("left")),
        right=_edges(standards.field("right")),
        shared=standards.kept("labels", listed),
        pairs=standards.kept("pairs", listed),
        ids=standards.strings("ids"),
    )


def _edges(column: Any) -> BlockEdges:
    both = _whole(column.flatten())
    return BlockEdges(
        _firsts(column),
        _integers(both.field(0)),
        _reals(both.field(1)),
    )


def _names(column: Any) -> list[str]:
    """List the names of a column, which may hold codes."""
    if not hasattr(column, "dictionary"):
        return list(column.to_pylist())
    code, names = _coded(column)
    return list(map(names.__getitem__, code.tolist()))


def _coded(column: Any) -> tuple[Ints, list[str]]:
    """Number the names of a column, which may hold codes already."""
    if hasattr(column, "dictionary"):
        return numbers(column.indices, np.int32), column.dictionary.to_pylist()
    names, code = numbered(column.to_pylist())
    return code, list(names)


def _items(column: Any) -> Items:
    """Number the strings of a column."""
    names, code = numbered(column.to_pylist())
    return code[:, None], names


def _integers(column: Any) -> Ints:
    found: Ints = numbers(_whole(column), np.int64)
    return found


def _reals(column: Any) -> Floats:
    found: Floats = numbers(_whole(column), np.float64)
    return found


def _whole(column: Any) -> Any:
    if column.null_count:
        raise _NullError("there is a null")
    return column


def _firsts(column: Any) -> Ints:
    """Find where each list begins in the flat column, and where the last ends."""
    if column.null_count or not len(column):
        return np.concatenate(([0], np.cumsum(list_sizes(column))))
    ends = numbers(column.offsets, np.int32).astype(np.int64)
    return ends - ends[0]


def layers_column(said: Sequence[Mapping[str, Any]], field: Any, arrow: Any) -> Any | None:
    """Make the column of layers or standards of documents held as columns; None where some are not.

    It has the values of the column that ``parquet`` makes of objects.
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
        _strings(block.label, block.labels, arrow),
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
        _strings(block.label, block.labels, arrow),
        reals(block.votes, arrow),
        side("left", block.left),
        side("right", block.right),
        reals(block.confidence, arrow),
        _sparse(block.shared, n, kind.field("labels").type, arrow),
        _sparse(block.pairs, n, kind.field("pairs").type, arrow),
        _lists_of_few(block.ids, n, kind.field("ids").type, arrow),
    ]


def _strings(codes: Ints, names: Sequence[str], arrow: Any) -> Any:
    return strings(names, arrow).take(integers(codes, arrow))


def _lists_of_few(lists: RowLists, n: int, kind: Any, arrow: Any) -> Any:
    """Make a column of lists of which most are empty."""
    size = np.zeros(n, dtype=np.int64)
    size[lists.row] = np.diff(lists.first)
    inner = kind.value_type

    def column(codes: Ints) -> Any:
        return (
            integers(codes, arrow) if lists.names is None else _strings(codes, lists.names, arrow)
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
