"""Parquet straight into columns: its columns are ours, and no span is made on the way.

A batch of rows becomes blocks (``columns.held``). Whatever has a null where a value is wanted, does
not fit its text or is not in order is left to ``parquet_rows``, which is the definition.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
import numpy as np

from vermeil.arrays import Flags, Floats, Ints, numbered
from vermeil.columns.further import AskedLists, FurtherSpans, Items, RowLists, SpanColumns
from vermeil.columns.held import BlockMapping, SpanBlock, held_document
from vermeil.columns.held_centroids import BlockEdges, CentroidBlock
from vermeil.document import Document
from vermeil.errors import VermeilError
from vermeil.formats.kinds.own.arrow_arrays import (
    items_in,
    list_sizes,
    numbers,
)
from vermeil.formats.kinds.own.jsonl import parsed_trees

LABEL = 2
"""The place of the label among the fields of spans and centroids."""


_decode_meta = msgspec.json.Decoder(dict[str, Any]).decode


class _NullError(ValueError):
    """There is a null where a value is wanted."""


def documents(batch: Any) -> list[Document | None] | None:
    """Make the documents of a batch in our schema; None for those to be read otherwise, or all.

    Columns of names may hold codes.
    """
    try:
        ids = _whole(batch.column("id")).to_pylist()
        texts = _whole(batch.column("text")).to_pylist()
        layers, standards = _Nested(batch.column("layers")), _Nested(batch.column("standards"))
        spans = _span_block(layers)
        hearts = _centroid_block(standards)
        trees, metas = _trees(batch.column("trees")), _metas(batch.column("meta"))
    except (ValueError, TypeError, AttributeError):
        return None
    length = np.fromiter(map(len, texts), np.int64, len(texts))
    fits = spans.fits(layers.document, length) & layers.once(len(texts))
    held: list[Mapping[str, Any]] = [{} for _ in texts]
    if standards.annotators:
        fits &= hearts.fits(standards.document, length) & standards.once(len(texts))
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
    if not len(items_in(column)):
        return [{} for _ in range(len(column))]
    return [_parsed(_trees_in, each) for each in column.to_pylist()]


def _metas(column: Any) -> list[Mapping[str, Any] | None]:
    """Decode what else is known of each row, of which most have nothing; None where none can."""
    if column.null_count == len(column):
        return [{} for _ in range(len(column))]
    return [_parsed(_decode_meta, each) if each else {} for each in column.to_pylist()]


def _trees_in(row: Sequence[Mapping[str, Any]] | None) -> Mapping[str, Any]:
    trees = {each["annotator"]: each["trees"] for each in row or ()}
    if None in trees:
        raise _NullError("the name of an annotator is null")
    return parsed_trees(trees)


def _parsed(parse: Callable[[Any], Mapping[str, Any]], value: Any) -> Mapping[str, Any] | None:
    try:
        return parse(value)
    except (ValueError, TypeError, VermeilError, msgspec.MsgspecError, RecursionError):
        return None


def are_coded(batch: Any) -> bool:
    """Tell whether names are codes, and there is one for each of them."""
    for said in ("layers", "standards"):
        pairs = items_in(batch.column(said))
        for column in (pairs.field(0), items_in(pairs.field(1)).field(LABEL)):
            if not hasattr(column, "dictionary"):
                return False
            codes = numbers(column.indices, np.int32)
            if len(codes) and not 0 <= codes.min() <= codes.max() < len(column.dictionary):
                return False
    return True


class _Nested:
    """A column of layers or standards: annotators, and the items of each."""

    def __init__(self, column: Any) -> None:
        pairs = _whole(items_in(column))
        self.items = _whole(items_in(pairs.field(1)))
        self._code, self._names = _coded(_whole(pairs.field(0)))
        self.annotators = list(map(self._names.__getitem__, self._code.tolist()))
        self.first = _firsts(pairs.field(1))
        self._bounds = _firsts(column)
        self.document: Ints = np.repeat(np.arange(len(column)), np.diff(self._bounds))

    def bounds(self) -> list[range]:
        """List the groups of each document."""
        ends = self._bounds.tolist()
        return list(map(range, ends, ends[1:]))

    def once(self, n: int) -> Flags:
        """Tell on which of ``n`` documents nobody is twice: objects would keep the last."""
        both = np.sort(self.document * len(self._names) + self._code)
        are_alone = np.ones(n, dtype=bool)
        are_alone[both[1:][both[1:] == both[:-1]] // max(1, len(self._names))] = False
        return are_alone

    def field(self, name: str) -> Any:
        """Return a field of all items."""
        return self.items.field(self.items.type.get_field_index(name))

    def ints(self, name: str) -> Ints:
        """Return a field that is a whole number."""
        return _integers(self.field(name))

    def labels(self) -> tuple[Ints, list[str]]:
        """Number the labels in alphabetical order."""
        code, names = _coded(_whole(self.field("label")))
        # The names are those of a whole group of rows, of which these are a few.
        used = np.flatnonzero(np.bincount(code, minlength=len(names))).tolist()
        ordered = sorted(used, key=names.__getitem__)
        place = np.zeros(len(names), dtype=np.int64)
        place[ordered] = np.arange(len(ordered))
        return place[code], [names[number] for number in ordered]

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
        return row, np.append(first[row], first[-1]), _whole(items_in(column))

    def kept(self, name: str) -> dict[int, tuple[Any, ...]]:
        """Return a field of lists of tuples by row, where there is anything."""
        column = self.field(name)
        first = _firsts(column)
        rows = np.flatnonzero(np.diff(first))
        if not len(rows):
            return {}
        parts = [_whole(part).to_pylist() for part in _whole(items_in(column)).flatten()]
        items = list(zip(*parts, strict=True))
        bounds = zip(first[rows].tolist(), first[rows + 1].tolist(), strict=True)
        return {
            row: tuple(items[one:end])
            for row, (one, end) in zip(rows.tolist(), bounds, strict=True)
        }


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


def _centroid_block(standards: _Nested) -> CentroidBlock:
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
        shared=standards.kept("labels"),
        pairs=standards.kept("pairs"),
        ids=standards.strings("ids"),
    )


def _edges(column: Any) -> BlockEdges:
    both = _whole(items_in(column))
    return BlockEdges(
        _firsts(column),
        _integers(both.field(0)),
        _reals(both.field(1)),
    )


def _coded(column: Any) -> tuple[Ints, list[str]]:
    """Number the names of a column, which may hold codes already."""
    if hasattr(column, "dictionary"):
        known: list[str] = column.dictionary.to_pylist()
        if len(set(known)) == len(known):
            return numbers(column.indices, np.int32), known
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
    first: Ints = ends - ends[0]
    return first
