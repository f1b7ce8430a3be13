"""Standards that are columns already: the twin of ``held`` for centroids."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np

from vermeil.arrays import Flags, Floats, Ints, ranges
from vermeil.columns.further import RowLists, SpanColumns, fields_of, listed, tuples
from vermeil.columns.held import in_order
from vermeil.document import Centroid, Standard
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BlockEdges(Brief):
    """The boundaries on one side of centroids, from ``first[c]`` to ``first[c + 1]`` of each."""

    first: Ints
    offset: Ints
    value: Floats

    def of(self, centroids: Ints) -> tuple[Ints, Ints, Floats]:
        """Return the boundaries of some centroids, with their place among these."""
        owner, rows = ranges(self.first[centroids], self.first[centroids + 1])
        return owner, self.offset[rows], self.value[rows]

    def misplaced(self, *, falling: bool) -> Flags:
        """Tell which centroids have no boundary here, or not in order, or with a bad value."""
        size = np.diff(self.first)
        owner = np.repeat(np.arange(len(size)), size)
        step = np.diff(self.offset) * (-1 if falling else 1)
        wrong: Flags = size == 0
        wrong[owner[1:][(step <= 0) & (owner[1:] == owner[:-1])]] = True
        wrong[owner[_are_no_votes(self.value)]] = True
        return wrong

    def pairs(self, first: int, last: int) -> list[tuple[tuple[int, float], ...]]:
        """List the boundaries of each of some centroids, as objects have them."""
        bounds = self.first[first : last + 1]
        here = slice(int(bounds[0]), int(bounds[-1]))
        every = list(zip(self.offset[here].tolist(), self.value[here].tolist(), strict=True))
        return tuples(every, bounds)


class CentroidRecord(
    msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True
):
    """A centroid as JSON holds it: fields of the object, without its checks."""

    start: int
    end: int
    label: str
    votes: float
    left: tuple[tuple[int, float], ...]
    right: tuple[tuple[int, float], ...]
    confidence: float | None = None
    labels: tuple[tuple[str, float], ...] = ()
    pairs: tuple[tuple[int, int, float], ...] = ()
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CentroidBlock(Brief):
    """Centroids as columns; those of group g are the rows from ``first[g]`` to ``first[g + 1]``.

    ``shared``, ``pairs`` and ``ids`` have, by row, the labels, pairs and database ids of those that
    have any. ``read`` may hold the records of each group as they were read.
    """

    annotators: Sequence[str]
    first: Ints
    start: Ints
    end: Ints
    label: Ints
    labels: Sequence[str]
    votes: Floats
    confidence: Floats
    left: BlockEdges
    right: BlockEdges
    shared: Mapping[int, tuple[tuple[str, float], ...]]
    pairs: Mapping[int, tuple[tuple[int, int, float], ...]]
    ids: RowLists
    read: Sequence[Sequence[Any]] | None = None
    _made: dict[int, Standard] = field(default_factory=dict)
    _records: list[Sequence[Any]] = field(default_factory=list)

    @staticmethod
    def none() -> "CentroidBlock":
        """Make a block without a standard."""
        rows, values = np.zeros(0, dtype=np.int64), np.zeros(0)
        first = np.zeros(1, dtype=np.int64)
        edges = BlockEdges(first, rows, values)
        return CentroidBlock(
            *((), first, rows, rows, rows, (), values, values, edges, edges, {}, {}, RowLists())
        )

    def _told(self) -> str:
        return f"{len(self.start):,} centroids, {len(self.annotators):,} standards"

    def made(self, group: int) -> Standard:
        """Make the centroids of a group."""
        standard = self._made.get(group)
        if standard is None:
            first, last = self.first[group : group + 2].tolist()
            standard = self._made[group] = tuple(self._items(first, last, Centroid))
        return standard

    def records(self, group: int) -> Sequence[Any]:
        """Return the records of a group, as they were read where they were.

        Those of all groups are made at once: who writes one writes the others, too.
        """
        if self.read is not None:
            return self.read[group]
        if not self._records:
            records = list(self._items(0, len(self.start), CentroidRecord))
            bounds = pairwise(self.first.tolist())
            self._records.extend(records[first:last] for first, last in bounds)
        return self._records[group]

    def _items(self, first: int, last: int, kind: Any) -> Iterator[Any]:
        """Make the rows from ``first`` up to ``last``."""
        here = slice(first, last)
        columns = SpanColumns(
            self.start[here], self.end[here], self.label[here], self.labels, self.confidence[here]
        )
        start, end, label, sure = fields_of(columns)
        few = [
            listed(
                {row - first: own for row, own in each.items() if first <= row < last}, len(start)
            )
            for each in (self.shared, self.pairs, self.ids.within(first, last))
        ]
        return map(
            kind,
            *(start, end, label),
            self.votes[here].tolist(),
            self.left.pairs(first, last),
            self.right.pairs(first, last),
            sure,
            *few,
        )

    def fits(self, document: Ints, length: Ints) -> Flags:
        """Tell of each document whether its standards are surely in order and fit its text.

        ``document`` is that of each group, ``length`` that of each text.
        """
        fits = np.ones(len(length), dtype=bool)
        if not len(self.start):
            return fits
        owner = np.repeat(document, np.diff(self.first))
        is_named = np.array([bool(label) for label in self.labels], dtype=bool)
        wrong = ~((self.start >= 0) & (self.start < self.end) & is_named[self.label])
        wrong |= (self.confidence < 0) | (self.confidence > 1) | _are_no_votes(self.votes)
        wrong |= self.left.misplaced(falling=True) | self.right.misplaced(falling=False)
        wrong[[row for row, shared in self.shared.items() if not _is_shared(shared)]] = True
        wrong[
            [
                row
                for row, pairs in self.pairs.items()
                if not _are_pairs(pairs, int(length[owner[row]]))
            ]
        ] = True
        wrong[1:] |= ~in_order(self.first, self.start, self.end, self.label)
        if wrong.any():  # where some have no boundaries, nothing can be said of them at once
            return np.zeros_like(fits)
        lefts, rights = self.left.offset, self.right.offset
        inner, right = lefts[self.left.first[:-1]], rights[self.right.first[:-1]]
        wrong = lefts[self.left.first[1:] - 1] < 0
        wrong |= (inner >= np.minimum(self.end, right)) | (right <= self.start)
        wrong |= np.maximum(self.end, rights[self.right.first[1:] - 1]) > length[owner]
        fits[owner[wrong]] = False
        return fits


def _are_no_votes(values: Floats) -> Flags:
    return ~((values >= 0) & (values < np.inf))


def _is_shared(labels: tuple[tuple[str, float], ...]) -> bool:
    return all(label and 0 <= votes < np.inf for label, votes in labels)


def _are_pairs(pairs: tuple[tuple[int, int, float], ...], length: int) -> bool:
    return all(0 <= start < end <= length and 0 <= votes < np.inf for start, end, votes in pairs)
