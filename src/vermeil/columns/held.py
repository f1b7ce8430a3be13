"""Layers that are columns already: readers lay them out without making a span.

A ``SpanBlock`` has the spans of some documents as columns, a group for each layer. A document has a
``BlockMapping`` into it: whoever looks at a layer gets its spans, made then; whoever wants columns
(``SpanTable.from_documents``) takes them from the blocks. So a stage need not know how its
documents were read, and what changes a layer on the way makes objects of it by itself.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Floats, Ints, ranges
from vermeil.columns.further import FurtherSpans, SpanColumns, fields_of
from vermeil.document import Checked, Document, Layer, Span, Standard
from vermeil.shown import Brief
from vermeil.tree import Tree

Said = TypeVar("Said", covariant=True)


class Block(Protocol[Said]):
    """What annotators said of some documents, a group for each annotator on each of them."""

    @property
    def annotators(self) -> Sequence[str]:
        """Whose group each is."""

    def made(self, group: int) -> Said:
        """Make the objects of a group."""

    def records(self, group: int) -> Sequence[Any]:
        """Return what is encoded as the objects of a group are."""


class BlockMapping(Checked[Said], Generic[Said]):
    """The layers, or the standards, of one document: groups of a block, in this order."""

    __slots__ = ("block", "groups")

    def __init__(self, block: Block[Said], groups: Sequence[int]) -> None:
        self.block, self.groups = block, groups

    def __getitem__(self, annotator: str) -> Said:
        names = self.block.annotators
        for group in self.groups:
            if names[group] == annotator:
                return self.block.made(group)
        raise KeyError(annotator)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.groups)

    def __contains__(self, annotator: object) -> bool:
        return annotator in self.names

    @property
    def names(self) -> Sequence[str]:
        """Whose the groups are, in order."""
        groups, names = self.groups, self.block.annotators
        if type(groups) is range and groups.step == 1:
            return names[groups.start : groups.stop]
        return [names[group] for group in groups]

    def __repr__(self) -> str:
        return repr(dict(self))

    def places(self) -> list[tuple[Block[Said], int]]:
        """List where the groups are, in order."""
        return [(self.block, group) for group in self.groups]

    def only(self, annotators: Iterable[str]) -> "BlockMapping[Said]":
        """Keep some annotators."""
        kept, names = frozenset(annotators), self.names
        if kept.issuperset(names):
            return self
        chosen = [own for own, name in zip(self.groups, names, strict=True) if name in kept]
        return BlockMapping(self.block, chosen)

    def records(self) -> dict[str, Sequence[Any]]:
        """Return what is encoded as the objects are, by annotator."""
        return dict(zip(self.names, map(self.block.records, self.groups), strict=True))


class GrownMapping(Checked[Said], Generic[Said]):
    """What a document holds, and beside it, or instead, one group of another block."""

    __slots__ = ("base", "block", "group", "name")

    def __init__(self, base: BlockMapping[Said], name: str, block: Block[Said], group: int) -> None:
        self.base, self.name, self.block, self.group = base, name, block, group

    def __getitem__(self, annotator: str) -> Said:
        return self.block.made(self.group) if annotator == self.name else self.base[annotator]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self.base, self.name]))

    def __len__(self) -> int:
        return len(self.base) + (self.name not in self.base)

    def __contains__(self, annotator: object) -> bool:
        return annotator == self.name or annotator in self.base

    def __repr__(self) -> str:
        return repr(dict(self))

    def records(self) -> dict[str, Sequence[Any]]:
        """Return what is encoded as the objects are, by annotator."""
        return {**self.base.records(), self.name: self.block.records(self.group)}

    def places(self) -> list[tuple[Block[Said], int]]:
        """List where the groups are, in order."""
        return [
            *{
                **dict(zip(self.base, self.base.places(), strict=True)),
                self.name: (self.block, self.group),
            }.values()
        ]


def only(layers: Mapping[str, Layer], annotators: Iterable[str]) -> Mapping[str, Layer]:
    """Keep the layers of some annotators, as columns or as objects."""
    if isinstance(layers, BlockMapping):
        return layers.only(annotators)
    return {name: layers[name] for name in annotators}


_BLANK = Document(id="-", text="")


def held_document(
    id: str,
    text: str,
    layers: Checked[Layer],
    standards: Mapping[str, Standard],
    trees: Mapping[str, tuple[Tree | None, ...]],
    meta: Mapping[str, Any],
) -> Document:
    """Make a document of fields that its reader has checked: none is looked at again.

    The id is not empty, and the text has been decoded from UTF-8.
    """
    document: Document = _BLANK.__copy__()  # type: ignore[attr-defined]
    fields = (("id", id), ("text", text), ("layers", layers), ("standards", standards))
    for name, value in (*fields, ("trees", trees), ("meta", meta)):
        msgspec.structs.force_setattr(document, name, value)
    return document


class SpanRecord(
    msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True
):
    """A span as JSON holds it: fields of the object, without its checks."""

    start: int
    end: int
    label: str
    confidence: float | None = None
    fragments: tuple[tuple[int, int], ...] = ()
    ids: tuple[str, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SpanBlock(Brief):
    """Spans as columns; those of group g are the rows from ``first[g]`` to ``first[g + 1]``.

    ``label`` are codes into ``labels``, which are in alphabetical order; ``confidence`` is NaN
    where there is none. ``further`` has the spans with fragments, ids or attributes, by row.
    ``read`` may hold the records of each group as they were read.
    """

    annotators: Sequence[str]
    first: Ints
    start: Ints
    end: Ints
    label: Ints
    labels: Sequence[str]
    confidence: Floats
    further: FurtherSpans
    read: Sequence[Sequence[Any]] | None = None
    _made: dict[int, Layer] = field(default_factory=dict)
    _records: list[Sequence[Any]] = field(default_factory=list)

    def _told(self) -> str:
        return f"{len(self.start):,} spans, {len(self.annotators):,} layers"

    def made(self, group: int) -> Layer:
        """Make the spans of a group."""
        layer = self._made.get(group)
        if layer is None:
            layer = self._made[group] = tuple(self._spans(group))
        return layer

    def records(self, group: int) -> Sequence[Any]:
        """Return the records of a group, as they were read where they were.

        Those of all groups are made at once: who writes one writes the others, too.
        """
        if self.read is not None:
            return self.read[group]
        if not self._records:
            self._records.extend(self._every_record())
        return self._records[group]

    def _every_record(self) -> Iterator[Sequence[Any]]:
        columns = SpanColumns(self.start, self.end, self.label, self.labels, self.confidence)
        few = self.further.lists if self.further else ()
        lists = [each.each(len(self.start)) for each in few]
        records = list(map(SpanRecord, *fields_of(columns), *lists))
        for first, last in pairwise(self.first.tolist()):
            yield records[first:last]

    def _spans(self, group: int) -> Iterator[Span]:
        first, last = self.first[group : group + 2].tolist()
        here = slice(first, last)
        columns = (self.start, self.end, self.label, self.confidence)
        rows = zip(*(column[here].tolist() for column in columns), strict=True)
        further = self.further.within(first, last) if self.further else {}
        for row, (start, end, label, sure) in enumerate(rows, start=first):
            known = further.get(row)
            yield known or Span(start, end, self.labels[label], None if sure != sure else sure)

    def fits(self, document: Ints, length: Ints) -> Flags:
        """Tell of each document whether its layers are in order and fit its text.

        ``document`` is that of each group, ``length`` that of each text. Fragments were checked
        when they were read.
        """
        size = np.diff(self.first)
        owner = np.repeat(document, size)
        is_named = np.array([bool(label) for label in self.labels], dtype=bool)
        good = (self.start >= 0) & (self.start < self.end) & (self.end <= length[owner])
        good &= is_named[self.label] & ~((self.confidence < 0) | (self.confidence > 1))
        good[1:] &= in_order(self.first, self.start, self.end, self.label)
        fits = np.ones(len(length), dtype=bool)
        fits[owner[~good]] = False
        return fits


def in_order(first: Ints, start: Ints, end: Ints, label: Ints) -> Flags:
    """Tell of each row but the first whether it opens a group or must follow the row before it.

    Codes of labels must be in alphabetical order. Rows that are equal in all of this are not in
    order: what else they have would have to be compared.
    """
    same_start, same_end = start[1:] == start[:-1], end[1:] == end[:-1]
    follows = (start[1:] > start[:-1]) | (same_start & (end[1:] < end[:-1]))
    follows |= same_start & same_end & (label[1:] > label[:-1])
    opens = np.zeros(len(start) + 1, dtype=bool)
    opens[first[:-1]] = True
    ordered: Flags = follows | opens[1:-1]
    return ordered


class Gathered(NamedTuple):
    """The layers of some documents as the columns of a ``SpanTable``."""

    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    looked: Flags
    document: NDArray[np.int32]
    annotator: NDArray[np.int32]
    label: NDArray[np.int32]
    start: Ints
    end: Ints
    confidence: Floats
    further: FurtherSpans


class Groups(NamedTuple):
    """The groups of some documents in several blocks, in order of document and annotator."""

    blocks: list[Any]
    document: Ints
    annotator: Ints
    block: Ints
    group: Ints
    annotators: tuple[str, ...]


def groups_of(held: Sequence[Mapping[str, Any]]) -> Groups | None:
    """List the groups of documents, numbered from 0; None where one holds objects."""
    # It is asked of every document, and whether something is a Mapping takes its time to tell.
    full = [each if type(each) is BlockMapping else None for each in held]
    if any(each for each, block in zip(held, full, strict=True) if block is None):
        return None
    blocks = list({id(each.block): each.block for each in full if each is not None}.values())
    if not blocks:
        return None
    number = {id(block): place for place, block in enumerate(blocks)}
    sizes = [len(each.groups) if each is not None else 0 for each in full]
    own = [number[id(each.block)] if each is not None else 0 for each in full]
    document = np.repeat(np.arange(len(held)), sizes)
    group = np.fromiter(
        chain.from_iterable(each.groups for each in full if each is not None), np.int64
    )
    names = list(chain.from_iterable(each.names for each in full if each is not None))
    annotators = tuple(sorted(set(names)))
    codes = {name: code for code, name in enumerate(annotators)}
    annotator = np.fromiter(map(codes.__getitem__, names), np.int64, len(names))
    block = np.repeat(np.array(own, dtype=np.int64), sizes)
    order = np.lexsort((annotator, document))
    return Groups(blocks, document[order], annotator[order], block[order], group[order], annotators)


def gathered(documents: Sequence[Document]) -> Gathered | None:
    """Take the columns of documents from the blocks that hold them; None where one holds none."""
    found = groups_of([document.layers for document in documents])
    if found is None:
        return None
    blocks: list[SpanBlock] = found.blocks
    sizes = np.array([len(block.start) for block in blocks])
    base = np.cumsum(sizes) - sizes
    bounds = [block.first for block in blocks]
    n_bounds = np.array([len(each) for each in bounds])
    place = found.group + (np.cumsum(n_bounds) - n_bounds)[found.block]
    first = np.concatenate([each + start for each, start in zip(bounds, base, strict=True)])
    owner, rows = ranges(first[place], first[place + 1])
    looked = np.zeros((len(documents), len(found.annotators)), dtype=np.bool_)
    looked[found.document, found.annotator] = True
    labels, label = _relabelled(blocks, rows)
    columns = SpanColumns(
        start=np.concatenate([block.start for block in blocks])[rows],
        end=np.concatenate([block.end for block in blocks])[rows],
        label=label,
        labels=labels,
        confidence=np.concatenate([block.confidence for block in blocks])[rows],
    )
    return Gathered(
        annotators=found.annotators,
        labels=labels,
        looked=looked,
        document=found.document[owner].astype(np.int32),
        annotator=found.annotator[owner].astype(np.int32),
        label=label,
        start=columns.start,
        end=columns.end,
        confidence=columns.confidence,
        further=further_of(blocks, base, rows, columns),
    )


def _relabelled(
    blocks: Sequence[SpanBlock], rows: Ints
) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """Number the labels of some rows anew, in alphabetical order."""
    every = sorted({label for block in blocks for label in block.labels})
    codes = {label: code for code, label in enumerate(every)}
    label = np.concatenate(
        [
            np.array([codes[each] for each in block.labels], dtype=np.int64)[block.label]
            for block in blocks
        ]
    )[rows]
    used = np.bincount(label, minlength=len(every)) > 0
    names = tuple(each for each, is_used in zip(every, used.tolist(), strict=True) if is_used)
    return names, (np.cumsum(used) - 1)[label].astype(np.int32)


def further_of(
    blocks: Sequence[SpanBlock], base: Ints, rows: Ints, columns: SpanColumns
) -> FurtherSpans:
    """Number what few spans of blocks have by their places among some rows."""
    parts = [block.further for block in blocks]
    if not any(parts):
        return FurtherSpans()
    place = np.full(sum(len(block.start) for block in blocks), -1)
    place[rows] = np.arange(len(rows))
    return FurtherSpans.moved(parts, base.tolist(), place, columns)
