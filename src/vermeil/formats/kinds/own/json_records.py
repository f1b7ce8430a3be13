"""Lines of JSON decoded into records, and these into columns before the next line is decoded.

Records that are kept until many are there cost five times as much as those that make room at once.
They have no checks of their own: columns are checked together. Who writes a document again gets its
records from its line.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from operator import attrgetter, itemgetter
from typing import Any

import msgspec
import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.columns.further import FurtherSpans, RowLists, SpanColumns
from vermeil.columns.held import BlockMapping, SpanBlock, SpanRecord
from vermeil.columns.held_centroids import BlockEdges, CentroidBlock, CentroidRecord
from vermeil.document import Document
from vermeil.formats.kinds.own.jsonl import ERRORS, parsed_trees


class Record(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A document as JSON holds it, unchecked."""

    id: str
    text: str
    layers: dict[str, tuple[SpanRecord, ...]] = {}
    standards: dict[str, tuple[CentroidRecord, ...]] = {}
    trees: dict[str, tuple[str | None, ...]] = {}
    meta: dict[str, Any] = {}


_decode = msgspec.json.Decoder(Record).decode


def recorded(lines: Sequence[bytes]) -> Iterator[Document | None]:
    """Make a document of each line; None where it has to be read otherwise."""
    spans, centroids = _SpanColumns(), _CentroidColumns()
    rest: list[tuple[str, str, Any, Any] | None] = []
    try:
        for raw in lines:
            try:
                record = _decode(raw)
            except ERRORS:
                rest.append(None)
                continue
            spans.add(record.layers)
            centroids.add(record.standards)
            rest.append((record.id, record.text, record.trees, record.meta))
        found = [raw for raw, each in zip(lines, rest, strict=True) if each is not None]
        again = _Lines(found)
        span_block = spans.block(_Again(again, "layers", spans.bounds()))
        centroid_block = centroids.block(_Again(again, "standards", centroids.bounds()))
    except (OverflowError, ValueError):  # a number beyond 64 bits, a name in impossible pieces
        yield from [None] * len(lines)
        return
    length = np.array([len(each[1]) for each in rest if each is not None], dtype=np.int64)
    fits = span_block.fits(spans.document(), length)
    fits &= centroid_block.fits(centroids.document(), length)
    held = iter(zip(fits.tolist(), spans.bounds(), centroids.bounds(), strict=True))
    for each in rest:
        if each is None:
            yield None
            continue
        is_fit, layers, standards = next(held)
        if not is_fit:
            yield None
            continue
        id, text, trees, meta = each
        try:
            document = Document(
                id=id,
                text=text,
                layers=BlockMapping(span_block, layers),
                standards=BlockMapping(centroid_block, standards) if standards else {},
                trees=parsed_trees(trees),
                meta=meta,
            )
        except ERRORS:
            yield None
        else:
            yield document


class _Lines:
    """Lines that were decoded, to be decoded again one by one; the last is kept."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self._lines = lines
        self._last: tuple[int, Record | None] = (-1, None)

    def record(self, number: int) -> Record:
        """Decode a line."""
        at, record = self._last
        if at != number or record is None:
            record = _decode(self._lines[number])
            self._last = (number, record)
        return record


class _Again(Sequence[Sequence[Any]]):
    """The records of each group of a block, decoded when they are asked for."""

    def __init__(self, lines: _Lines, field: str, bounds: Sequence[range]) -> None:
        self._lines, self._field = lines, attrgetter(field)
        self._owner = [number for number, own in enumerate(bounds) for _ in own]
        self._first = [own.start for own in bounds]

    def __len__(self) -> int:
        return len(self._owner)

    def __getitem__(self, group: Any) -> Any:
        owner = self._owner[group]
        groups = list(self._field(self._lines.record(owner)).values())
        return groups[group - self._first[owner]]


class _Met(dict[str, int]):
    """Numbers of strings, in the order in which they are met."""

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self)
        return number


class _Columns:
    """What annotators said of documents, one after the other, in groups."""

    def __init__(self) -> None:
        self.annotators: list[str] = []
        self._n_groups = array("q")
        self._sizes = array("q")
        self._start, self._end, self._label = array("q"), array("q"), array("q")
        self._labels = _Met()
        self._confidence: list[float | None] = []
        self._ids: list[tuple[str, ...]] = []

    def add(self, said: Mapping[str, tuple[Any, ...]]) -> list[Any]:
        """Take in what was said of a document; list the items."""
        self.annotators += said
        self._n_groups.append(len(said))
        groups = said.values()
        self._sizes.extend(map(len, groups))
        items = list(chain.from_iterable(groups))
        self._start.extend(map(_START, items))
        self._end.extend(map(_END, items))
        self._label.extend(map(self._labels.__getitem__, map(_LABEL, items)))
        self._confidence += map(_CONFIDENCE, items)
        self._ids += map(_IDS, items)
        return items

    def bounds(self) -> list[range]:
        """List the groups of each document."""
        return [range(*both) for both in pairwise(accumulate(self._n_groups, initial=0))]

    def document(self) -> Ints:
        """Return the document of each group."""
        return np.repeat(np.arange(len(self._n_groups)), _ints(self._n_groups))

    def columns(self) -> SpanColumns:
        """Return what all items have; labels are numbered in alphabetical order."""
        labels = sorted(self._labels)
        place = {label: number for number, label in enumerate(labels)}
        code = np.array([place[label] for label in self._labels], dtype=np.int64)
        return SpanColumns(
            _ints(self._start), _ints(self._end), code[_ints(self._label)], labels, self._sure()
        )

    def first(self) -> Ints:
        """Find where each group begins, and where the last ends."""
        return _firsts(self._sizes)

    def ids(self) -> RowLists:
        """Return the ids of those that have any."""
        return RowLists.of_strings(self._ids) if any(self._ids) else RowLists()

    def _sure(self) -> Floats:
        """Make the column of confidences; what is None becomes NaN."""
        if self._confidence.count(None) == len(self._confidence):
            return np.full(len(self._confidence), np.nan)
        return np.array(self._confidence, dtype=np.float64)


class _SpanColumns(_Columns):
    def __init__(self) -> None:
        super().__init__()
        self._fragments: list[tuple[tuple[int, int], ...]] = []
        self._attributes: list[tuple[tuple[str, str], ...]] = []

    def add(self, said: Mapping[str, tuple[SpanRecord, ...]]) -> list[SpanRecord]:
        """Take in the layers of a document."""
        items = super().add(said)
        self._fragments += map(_FRAGMENTS, items)
        self._attributes += map(_ATTRIBUTES, items)
        return items

    def block(self, read: _Again) -> SpanBlock:
        """Put all layers together."""
        columns = self.columns()
        fragments, attributes = (
            RowLists.of_pairs(each) if any(each) else RowLists()
            for each in (self._fragments, self._attributes)
        )
        further = FurtherSpans(fragments, self.ids(), attributes, columns)
        for row in fragments:
            further[row]  # which checks them
        return SpanBlock(
            annotators=self.annotators,
            first=self.first(),
            start=columns.start,
            end=columns.end,
            label=columns.label.astype(np.int64),
            labels=columns.labels,
            confidence=columns.confidence,
            further=further,
            read=read,
        )


class _CentroidColumns(_Columns):
    def __init__(self) -> None:
        super().__init__()
        self._votes = array("d")
        self._left, self._right = _Edges(), _Edges()
        self._shared: dict[int, Any] = {}
        self._pairs: dict[int, Any] = {}

    def add(self, said: Mapping[str, tuple[CentroidRecord, ...]]) -> list[CentroidRecord]:
        """Take in the standards of a document."""
        if not said:
            self._n_groups.append(0)
            return []
        base = len(self._votes)
        items = super().add(said)
        self._votes.extend(map(_VOTES, items))
        self._left.add(list(map(_LEFT, items)))
        self._right.add(list(map(_RIGHT, items)))
        for kept, field in ((self._shared, _LABELS), (self._pairs, _PAIRS)):
            kept.update(
                (row, value) for row, value in enumerate(map(field, items), start=base) if value
            )
        return items

    def block(self, read: _Again) -> CentroidBlock:
        """Put all standards together."""
        columns = self.columns()
        return CentroidBlock(
            annotators=self.annotators,
            first=self.first(),
            start=columns.start,
            end=columns.end,
            label=columns.label.astype(np.int64),
            labels=columns.labels,
            votes=np.frombuffer(self._votes),
            confidence=columns.confidence,
            left=self._left.block(),
            right=self._right.block(),
            shared=self._shared,
            pairs=self._pairs,
            ids=self.ids(),
            read=read,
        )


class _Edges:
    """The boundaries on one side of centroids."""

    def __init__(self) -> None:
        self._sizes, self._offset, self._value = array("q"), array("q"), array("d")

    def add(self, sides: Sequence[tuple[tuple[int, float], ...]]) -> None:
        self._sizes.extend(map(len, sides))
        pairs = list(chain.from_iterable(sides))
        self._offset.extend(map(itemgetter(0), pairs))
        self._value.extend(map(itemgetter(1), pairs))

    def block(self) -> BlockEdges:
        return BlockEdges(_firsts(self._sizes), _ints(self._offset), np.frombuffer(self._value))


_START, _END, _LABEL = attrgetter("start"), attrgetter("end"), attrgetter("label")
_CONFIDENCE, _IDS, _VOTES = attrgetter("confidence"), attrgetter("ids"), attrgetter("votes")
_FRAGMENTS, _ATTRIBUTES = attrgetter("fragments"), attrgetter("attributes")
_LEFT, _RIGHT = attrgetter("left"), attrgetter("right")
_LABELS, _PAIRS = attrgetter("labels"), attrgetter("pairs")


def _ints(values: "array[int]") -> Ints:
    return np.frombuffer(values, dtype=np.int64)


def _firsts(sizes: "array[int]") -> Ints:
    """Find where each group begins, and where the last ends."""
    return np.concatenate(([0], np.cumsum(_ints(sizes)))).astype(np.int64)
