"""The columns of documents taken from the blocks that hold them (``columns.held``).

Documents that were read together are next to each other in their block, as often as not in order.
"""

from collections.abc import Mapping, Sequence
from itertools import chain, compress, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import AnyArray, Flags, Floats, Ints, ranges
from vermeil.columns.further import FurtherSpans, SpanColumns
from vermeil.columns.held import BlockMapping, SpanBlock
from vermeil.document import Document


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


def gathered(documents: Sequence[Document]) -> Gathered | None:
    """Take the columns of documents from the blocks that hold them; None where one holds none."""
    found = groups_of([document.layers for document in documents])
    if found is None:
        return None
    rows = _Rows(found)
    looked = np.zeros((len(documents), len(found.annotators)), dtype=np.bool_)
    looked[found.document, found.annotator] = True
    labels, label = rows.labels()
    columns = SpanColumns(
        start=rows.column("start"),
        end=rows.column("end"),
        label=label,
        labels=labels,
        confidence=rows.column("confidence"),
    )
    return Gathered(
        annotators=found.annotators,
        labels=labels,
        looked=looked,
        document=np.repeat(found.document.astype(np.int32), rows.sizes),
        annotator=np.repeat(found.annotator.astype(np.int32), rows.sizes),
        label=label,
        start=columns.start,
        end=columns.end,
        confidence=columns.confidence,
        further=rows.further(columns),
    )


def groups_of(held: Sequence[Mapping[str, Any]]) -> Groups | None:
    """List the groups of documents, numbered from 0; None where one holds objects."""
    # It is asked of every document, and whether something is a Mapping takes its time to tell.
    full = [each for each in held if type(each) is BlockMapping]
    if not full:
        return None
    whose = np.arange(len(held))
    if len(full) < len(held):
        if any(each for each in held if type(each) is not BlockMapping):
            return None
        whose = np.flatnonzero([type(each) is BlockMapping for each in held])
    owners = [each.block for each in full]
    keys = list(map(id, owners))
    known = dict(zip(keys, owners, strict=True))
    number = {key: place for place, key in enumerate(known)}
    own = np.fromiter(map(number.__getitem__, keys), np.int64, len(keys))
    groups = [each.groups for each in full]
    sizes = np.fromiter(map(len, groups), np.int64, len(groups))
    group = np.fromiter(chain.from_iterable(groups), np.int64, int(sizes.sum()))
    document, block = np.repeat(whose, sizes), np.repeat(own, sizes)
    blocks = list(known.values())
    annotators, annotator = _annotators(blocks, block, group)
    ascends = (document[1:] > document[:-1]) | (annotator[1:] > annotator[:-1])
    if ascends.all():
        return Groups(blocks, document, annotator, block, group, annotators)
    order = np.lexsort((annotator, document))
    return Groups(blocks, document[order], annotator[order], block[order], group[order], annotators)


def _annotators(blocks: Sequence[Any], block: Ints, group: Ints) -> tuple[tuple[str, ...], Ints]:
    """Number the annotators of some groups in alphabetical order."""
    sizes = np.array([len(each.annotators) for each in blocks])
    are_few = 2 * len(group) < sizes.sum()
    if are_few:
        owners = map(blocks.__getitem__, block.tolist())
        names = [one.annotators[own] for one, own in zip(owners, group.tolist(), strict=True)]
    else:
        names = list(chain.from_iterable([each.annotators for each in blocks]))
    every = sorted(set(names))
    codes = {name: code for code, name in enumerate(every)}
    coded = np.fromiter(map(codes.__getitem__, names), np.int64, len(names))
    if are_few:
        return tuple(every), coded
    return _used(every, coded[group + (np.cumsum(sizes) - sizes)[block]])


def _used(names: Sequence[str], codes: Ints) -> tuple[tuple[str, ...], Ints]:
    """Leave out the names that no code stands for."""
    is_used = np.bincount(codes, minlength=len(names)) > 0
    kept = tuple(compress(names, is_used.tolist()))
    return kept, codes if len(kept) == len(names) else (np.cumsum(is_used) - 1)[codes]


class _Rows:
    """The rows of some groups in several blocks, one group after the other.

    Those of groups that follow each other in a block are one slice of its columns.
    """

    def __init__(self, found: Groups) -> None:
        self._blocks: list[SpanBlock] = found.blocks
        n = np.array([len(block.start) for block in self._blocks])
        self._base: Ints = np.cumsum(n) - n
        n_bounds = np.array([len(block.first) for block in self._blocks])
        place = found.group + (np.cumsum(n_bounds) - n_bounds)[found.block]
        bounds = zip(self._blocks, self._base, strict=True)
        first = np.concatenate([block.first + at for block, at in bounds])
        self._first, self._last = first[place], first[place + 1]
        self.sizes: Ints = self._last - self._first
        turns = [0, *(np.flatnonzero(np.diff(place) != 1) + 1).tolist(), len(place)]
        self._slices: list[tuple[int, slice]] | None = None
        if len(place) and len(turns) <= 2 * len(self._blocks):
            self._slices = [self._slice(found, one, other) for one, other in pairwise(turns)]

    def _slice(self, found: Groups, first: int, end: int) -> tuple[int, slice]:
        number = int(found.block[first])
        at = self._base[number]
        return number, slice(self._first[first] - at, self._last[end - 1] - at)

    def column(self, name: str) -> AnyArray:
        """Return a column of the rows."""
        return self._taken([getattr(block, name) for block in self._blocks])

    def _taken(self, columns: Sequence[AnyArray]) -> AnyArray:
        if self._slices is None:
            return np.concatenate(columns)[ranges(self._first, self._last)[1]]
        return np.concatenate([columns[number][here] for number, here in self._slices])

    def labels(self) -> tuple[tuple[str, ...], NDArray[np.int32]]:
        """Number the labels of the rows anew, in alphabetical order."""
        every = sorted({label for block in self._blocks for label in block.labels})
        codes = {label: code for code, label in enumerate(every)}
        coded = [
            np.array([codes[each] for each in block.labels], dtype=np.int64)[block.label]
            for block in self._blocks
        ]
        names, code = _used(every, self._taken(coded))
        return names, code.astype(np.int32)

    def further(self, columns: SpanColumns) -> FurtherSpans:
        """Return the spans among the rows that have anything further."""
        parts = [block.further for block in self._blocks]
        if not any(parts):
            return FurtherSpans()
        ends = self._base + [len(block.start) for block in self._blocks]
        rows = self._taken([np.arange(*each) for each in zip(self._base, ends, strict=True)])
        return further_of(self._blocks, self._base, rows, columns)


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
