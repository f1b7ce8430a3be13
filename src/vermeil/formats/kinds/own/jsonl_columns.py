"""Lines of JSON read straight into columns, some dozens of documents at a time.

A line is decoded into records without checks of their own, and the columns of all of them are
checked at once. Whatever does not pass, or is not in order, is read again by ``document_in`` of
``jsonl``, which is the definition: documents, errors and their order are the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import astuple

from vermeil.arrays import Floats, Ints
from vermeil.columns.further import FurtherSpans, RowLists, SpanColumns
from vermeil.columns.held import BlockMapping, SpanBlock, SpanRecord
from vermeil.columns.held_centroids import BlockEdges, CentroidBlock, CentroidRecord
from vermeil.document import Document, Span
from vermeil.formats.files.source import Source
from vermeil.formats.kinds.own.jsonl import ERRORS, document_in, parsed_trees

N_LINES = 64
N_BYTES = 4 << 20
"""How much is laid out at a time: so many lines (their records stay in the cache), or bytes."""


class Record(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A document as JSON holds it, unchecked."""

    id: str
    text: str
    layers: dict[str, tuple[SpanRecord, ...]] = {}
    standards: dict[str, tuple[CentroidRecord, ...]] = {}
    trees: dict[str, tuple[str | None, ...]] = {}
    meta: dict[str, Any] = {}


def documents(source: Source) -> Iterator[Document]:
    """Yield the documents of ``jsonl.read``, their layers and standards held as columns."""
    decode = msgspec.json.Decoder(Record).decode
    for lines, error in _taken(source.raw_lines()):
        records: list[Record | None] = []
        for _, raw in lines:
            try:
                records.append(decode(raw))
            except ERRORS:
                records.append(None)
        for (number, raw), document in zip(lines, _documents(records), strict=True):
            found = document or document_in(number, raw, source)
            if found is not None:
                yield found
        if error is not None:
            raise error


def _taken(
    lines: Iterator[tuple[int, bytes]],
) -> Iterator[tuple[list[tuple[int, bytes]], Exception | None]]:
    """Take lines that are not blank, many at a time, with the error that ended them, if any."""
    taken: list[tuple[int, bytes]] = []
    size = 0
    while True:
        try:
            number, raw = next(lines)
        except StopIteration:
            break
        except Exception as error:  # to be raised after what was read before it
            yield taken, error
            return
        if not raw.isspace():
            taken.append((number, raw))
            size += len(raw)
        if len(taken) >= N_LINES or size >= N_BYTES:
            yield taken, None
            taken, size = [], 0
    yield taken, None


def _documents(records: Sequence[Record | None]) -> Iterator[Document | None]:
    """Make a document of each record; None where it has to be read otherwise."""
    found = [record for record in records if record is not None]
    length = np.array([len(record.text) for record in found], dtype=np.int64)
    try:
        spans = _Laid.of([record.layers for record in found])
        centroids = _Laid.of([record.standards for record in found])
        span_block = _span_block(spans)
        centroid_block = _centroid_block(centroids)
    except (OverflowError, ValueError):  # a number beyond 64 bits, a name in impossible pieces
        yield from [None] * len(records)
        return
    fits = span_block.fits(spans.document, length)
    fits &= centroid_block.fits(centroids.document, length)
    rest = iter(zip(found, fits.tolist(), spans.bounds, centroids.bounds, strict=True))
    for record in records:
        if record is None:
            yield None
            continue
        _, is_fit, layers, standards = next(rest)
        if not is_fit:
            yield None
            continue
        try:
            document = Document(
                id=record.id,
                text=record.text,
                layers=BlockMapping(span_block, layers),
                standards=BlockMapping(centroid_block, standards) if standards else {},
                trees=parsed_trees(record.trees),
                meta=record.meta,
            )
        except ERRORS:
            yield None
        else:
            yield document


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """What annotators said of documents, one after the other, in groups."""

    annotators: list[str]
    groups: list[tuple[Any, ...]]
    items: list[Any]
    first: Ints
    document: Ints
    bounds: list[range]

    @staticmethod
    def of(said: Sequence[Mapping[str, tuple[Any, ...]]]) -> "_Laid":
        groups = [group for each in said for group in each.values()]
        n_groups = [len(each) for each in said]
        ends = np.cumsum(n_groups, dtype=np.int64).tolist()
        return _Laid(
            annotators=list(chain.from_iterable(said)),
            groups=groups,
            items=list(chain.from_iterable(groups)),
            first=_firsts(map(len, groups)),
            document=np.repeat(np.arange(len(said)), n_groups),
            bounds=[range(end - n, end) for end, n in zip(ends, n_groups, strict=True)],
        )

    def ints(self, name: str) -> Ints:
        """Make the column of a field that is a whole number."""
        return np.fromiter(map(attrgetter(name), self.items), np.int64, len(self.items))

    def codes(self) -> tuple[Ints, list[str]]:
        """Number the labels in alphabetical order."""
        met = _Met()
        names = map(attrgetter("label"), self.items)
        code = np.fromiter(map(met.__getitem__, names), np.int64, len(self.items))
        labels = sorted(met)
        place = {label: number for number, label in enumerate(labels)}
        return np.array([place[label] for label in met], dtype=np.int64)[code], labels

    def confidences(self) -> Floats:
        """Make the column of confidences; what is None becomes NaN."""
        given = list(map(attrgetter("confidence"), self.items))
        if given.count(None) == len(given):
            return np.full(len(given), np.nan)
        return np.array(given, dtype=np.float64)

    def values(self, name: str) -> list[Any]:
        """List a field of all items; none where it is empty everywhere."""
        values = list(map(attrgetter(name), self.items))
        return values if any(values) else []

    def kept(self, name: str) -> dict[int, Any]:
        """Return a field by row, where there is anything."""
        found = enumerate(map(attrgetter(name), self.items))
        return {row: value for row, value in found if value}


class _Met(dict[str, int]):
    """Numbers of strings, in the order in which they are met."""

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self)
        return number


def _span_block(laid: _Laid) -> SpanBlock:
    label, labels = laid.codes()
    start, end, sure = laid.ints("start"), laid.ints("end"), laid.confidences()
    fragments = RowLists.of_pairs(laid.values("fragments"))
    for row in fragments:
        Span(*astuple(laid.items[row]))  # it checks them
    further = FurtherSpans(
        fragments,
        RowLists.of_strings(laid.values("ids")),
        RowLists.of_pairs(laid.values("attributes")),
        SpanColumns(start, end, label, labels, sure),
    )
    return SpanBlock(
        annotators=laid.annotators,
        first=laid.first,
        start=start,
        end=end,
        label=label,
        labels=labels,
        confidence=sure,
        further=further,
        read=laid.groups,
    )


def _centroid_block(laid: _Laid) -> CentroidBlock:
    label, labels = laid.codes()
    votes = map(attrgetter("votes"), laid.items)
    return CentroidBlock(
        annotators=laid.annotators,
        first=laid.first,
        start=laid.ints("start"),
        end=laid.ints("end"),
        label=label,
        labels=labels,
        votes=np.fromiter(votes, np.float64, len(laid.items)),
        confidence=laid.confidences(),
        left=_edges(map(attrgetter("left"), laid.items)),
        right=_edges(map(attrgetter("right"), laid.items)),
        shared=laid.kept("labels"),
        pairs=laid.kept("pairs"),
        ids=RowLists.of_strings(laid.values("ids")),
        read=laid.groups,
    )


def _edges(sides: Iterable[tuple[tuple[int, float], ...]]) -> BlockEdges:
    groups = list(sides)
    flat = list(chain.from_iterable(groups))
    return BlockEdges(
        _firsts(map(len, groups)),
        np.array([offset for offset, _ in flat], dtype=np.int64),
        np.array([value for _, value in flat], dtype=np.float64),
    )


def _firsts(sizes: Iterable[int]) -> Ints:
    """Find where each group begins, and where the last ends."""
    return np.concatenate(([0], np.cumsum(np.fromiter(sizes, np.int64)))).astype(np.int64)
