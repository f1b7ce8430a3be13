"""Parquet straight into columns and back: its columns are ours, and no span is made on the way.

A batch of rows becomes blocks (``columns.held``). Whatever has a null where a value is wanted, does
not fit its text or is not in order is left to ``parquet``, which is the definition.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import Any

import msgspec
import numpy as np

from vermeil.arrays import Floats, Ints
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
Listed = Callable[[Any], Sequence[tuple[Any, ...]]]
"""What makes tuples of a column of lists."""


class _NullError(ValueError):
    """There is a null where a value is wanted."""


def documents(batch: Any, listed: Listed, arrow: Any) -> list[Document | None] | None:
    """Make the documents of a batch in our schema; None for those to be read otherwise, or all."""
    try:
        ids, texts = (
            _whole(batch.column("id")).to_pylist(),
            _whole(batch.column("text")).to_pylist(),
        )
        layers, standards = _Nested(batch.column("layers")), _Nested(batch.column("standards"))
        spans = _span_block(layers, listed, arrow)
        hearts = _centroid_block(standards, listed, arrow)
    except (ValueError, TypeError, AttributeError):
        return None
    length = np.array([len(text) for text in texts], dtype=np.int64)
    fits = spans.fits(layers.document, length) & hearts.fits(standards.document, length)
    rows = zip(
        ids,
        texts,
        fits.tolist(),
        layers.bounds(),
        standards.bounds(),
        _few(batch.column("trees"), len(batch.column("trees").flatten())),
        _few(batch.column("meta"), len(batch) - batch.column("meta").null_count),
        strict=True,
    )
    return [
        _document(id, text, BlockMapping(spans, own), hearts, standard, trees, meta)
        if is_fit
        else None
        for id, text, is_fit, own, standard, trees, meta in rows
    ]


def _few(column: Any, n: int) -> list[Any]:
    """List the values of a column that holds ``n`` things, mostly none."""
    return list(column.to_pylist()) if n else [None] * len(column)


def _document(
    id: str,
    text: str,
    layers: BlockMapping[Any],
    hearts: CentroidBlock,
    standards: range,
    trees: Sequence[Mapping[str, Any]] | None,
    meta: str | None,
) -> Document | None:
    if not id:
        return None
    try:
        parsed = parsed_trees({each["annotator"]: each["trees"] for each in trees or ()})
        known = msgspec.json.decode(meta, type=dict[str, Any]) if meta else {}
    except (ValueError, TypeError, VermeilError, msgspec.MsgspecError, RecursionError):
        return None
    held = BlockMapping(hearts, standards) if standards else {}
    return held_document(id, text, layers, held, parsed, known)


class _Nested:
    """A column of layers or standards: annotators, and the items of each."""

    def __init__(self, column: Any) -> None:
        pairs = _whole(column.flatten())
        self.items = _whole(pairs.field(1).flatten())
        self.annotators: list[str] = _whole(pairs.field(0)).to_pylist()
        self.first = _firsts(pairs.field(1))
        self._bounds = _firsts(column)
        self.document: Ints = np.repeat(np.arange(len(column)), np.diff(self._bounds))

    def bounds(self) -> list[range]:
        """List the groups of each document."""
        ends = self._bounds.tolist()
        return [range(first, last) for first, last in pairwise(ends)]

    def field(self, name: str) -> Any:
        """Return a field of all items."""
        return self.items.field(self.items.type.get_field_index(name))

    def ints(self, name: str) -> Ints:
        """Return a field that is a whole number."""
        return _integers(self.field(name))

    def labels(self) -> tuple[Ints, list[str]]:
        """Number the labels in alphabetical order."""
        coded = _whole(self.field("label")).dictionary_encode()
        names: list[str] = coded.dictionary.to_pylist()
        labels = sorted(names)
        code = np.array([labels.index(name) for name in names], dtype=np.int64)
        return code[numbers(coded.indices, np.int32)], labels

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
        return AskedLists(row, first, partial(_coded, flat))

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

    def kept(self, name: str, listed: Listed, arrow: Any) -> dict[int, tuple[Any, ...]]:
        """Return a field of lists by row, where there is anything."""
        column = self.field(name)
        rows = np.flatnonzero(np.diff(_firsts(column)))
        return (
            dict(zip(rows.tolist(), listed(column.take(integers(rows, arrow))), strict=True))
            if len(rows)
            else {}
        )


def _span_block(layers: _Nested, listed: Listed, arrow: Any) -> SpanBlock:
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


def _centroid_block(standards: _Nested, listed: Listed, arrow: Any) -> CentroidBlock:
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
        shared=standards.kept("labels", listed, arrow),
        pairs=standards.kept("pairs", listed, arrow),
        ids=standards.strings("ids"),
    )


def _edges(column: Any) -> BlockEdges:
    both = _whole(column.flatten())
    return BlockEdges(
        _firsts(column),
        _integers(both.field(0)),
        _reals(both.field(1)),
    )


def _coded(column: Any) -> Items:
    """Number the strings of a column."""
    coded = column.dictionary_encode()
    code = numbers(coded.indices, np.int32).astype(np.int64)
    return code[:, None], tuple(coded.dictionary.to_pylist())


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
    return np.concatenate(([0], np.cumsum(list_sizes(column))))


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
