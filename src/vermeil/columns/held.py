"""Layers that are columns already: readers lay them out without making a span.

A ``SpanBlock`` has the spans of some documents as columns, a group for each layer. A document has a
``BlockMapping`` into it: whoever looks at a layer gets its spans, made then; whoever wants columns
(``SpanTable.from_documents``) takes them from the blocks. So a stage need not know how its
documents were read, and what changes a layer on the way makes objects of it by itself.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Generic, Protocol, TypeVar

import msgspec
import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.further import FurtherSpans, SpanColumns, fields_of
from vermeil.document import Checked, Document, Layer, Span, Standard
from vermeil.shown import Brief
from vermeil.tree import Tree

Said = TypeVar("Said", covariant=True)
Kept = TypeVar("Kept")


class Block(Protocol[Said]):
    """What annotators said of some documents, a group for each annotator on each of them."""

    @property
    def annotators(self) -> Sequence[str]:
        """Whose group each is."""

    @property
    def first(self) -> Ints:
        """Where each group begins, and where the last ends."""

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

    @property
    def n_items(self) -> int:
        """How many spans, or centroids, all groups have."""
        groups, first = self.groups, self.block.first
        if type(groups) is range and groups.step == 1:
            return int(first[groups.stop] - first[groups.start])
        return sum(int(first[group + 1] - first[group]) for group in groups)

    def __repr__(self) -> str:
        return repr(dict(self))

    def places(self) -> list[tuple[Block[Said], int]]:
        """List where the groups are, in order."""
        return [(self.block, group) for group in self.groups]

    def only(self, annotators: Container[str]) -> "BlockMapping[Said]":
        """Keep some annotators."""
        names = self.names
        chosen = [own for own, name in zip(self.groups, names, strict=True) if name in annotators]
        return self if len(chosen) == len(names) else BlockMapping(self.block, chosen)

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

    @property
    def n_items(self) -> int:
        """How many spans, or centroids, all groups have."""
        first = self.block.first
        replaced = self.base.only([self.name]).n_items if self.name in self.base else 0
        return self.base.n_items - replaced + int(first[self.group + 1] - first[self.group])

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


def layers_of(held: Mapping[str, Kept], annotators: Container[str]) -> Mapping[str, Kept]:
    """Keep the layers, or the standards, of some annotators, as columns or as objects.

    It is asked of every document, so ``annotators`` should be a set or the like.
    """
    if isinstance(held, BlockMapping):
        return held.only(annotators)
    return {name: said for name, said in held.items() if name in annotators}


def n_spans(layers: Mapping[str, Layer]) -> int:
    """Count the spans of all layers, as columns or as objects."""
    if isinstance(layers, BlockMapping | GrownMapping):
        return layers.n_items
    return sum(map(len, layers.values()))


_BLANK = Document(id="-", text="")
_set = msgspec.structs.force_setattr


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
    # A loop over names and values would take as long again as what it does.
    _set(document, "id", id)
    _set(document, "text", text)
    _set(document, "layers", layers)
    _set(document, "standards", standards)
    _set(document, "trees", trees)
    _set(document, "meta", meta)
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
