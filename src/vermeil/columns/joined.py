"""Groups of several blocks put together in one, to be scored or written; labels they use."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from vermeil.arrays import AnyArray, Floats, Ints, distinct, ranges
from vermeil.columns.further import FurtherSpans, RowLists, SpanColumns
from vermeil.columns.gathered import further_of, groups_of
from vermeil.columns.held import SpanBlock
from vermeil.columns.held_centroids import BlockEdges, CentroidBlock
from vermeil.document import Document

Place = tuple[Any, int]
"""A block, and the number of a group in it."""


def joined_spans(places: Sequence[Place]) -> SpanBlock:
    """Put groups of spans together, in this order."""
    chosen = _Chosen(places)
    label, labels = chosen.labels()
    start, end, sure = (chosen.column(name) for name in ("start", "end", "confidence"))
    columns = SpanColumns(start, end, label, labels, sure)
    return SpanBlock(
        annotators=[block.annotators[group] for block, group in places],
        first=chosen.first,
        start=start,
        end=end,
        label=label,
        labels=labels,
        confidence=sure,
        further=chosen.further(columns),
    )


def joined_centroids(places: Sequence[Place]) -> CentroidBlock:
    """Put groups of centroids together, in this order."""
    chosen = _Chosen(places)
    label, labels = chosen.labels()
    return CentroidBlock(
        annotators=[block.annotators[group] for block, group in places],
        first=chosen.first,
        start=chosen.column("start"),
        end=chosen.column("end"),
        label=label,
        labels=labels,
        votes=chosen.column("votes"),
        confidence=chosen.column("confidence"),
        left=chosen.edges("left"),
        right=chosen.edges("right"),
        shared=chosen.by_row("shared"),
        pairs=chosen.by_row("pairs"),
        ids=chosen.lists("ids"),
    )


class CentroidColumns(NamedTuple):
    """The centroids of one annotator: their document, and their boundaries by their place."""

    document: Ints
    label: Ints
    labels: tuple[str, ...]
    start: Ints
    end: Ints
    left: tuple[Ints, Ints, Floats]
    right: tuple[Ints, Ints, Floats]
    pairs: Sequence[tuple[int, int, int]]
    ids: Callable[[], RowLists]


def gathered_centroids(documents: Sequence[Document], annotator: str) -> CentroidColumns | None:
    """Take the centroids of an annotator, in order of documents, from the blocks that hold them.

    None where a document has centroids as objects.
    """
    found = groups_of([document.standards for document in documents])
    if found is None:
        return None
    code = found.annotators.index(annotator) if annotator in found.annotators else -1
    own = found.annotator == code
    chosen = zip(found.block[own].tolist(), found.group[own].tolist(), strict=True)
    rows = _Chosen([(found.blocks[number], group) for number, group in chosen])
    return _columns(rows, found.document[own])


def centroid_labels(documents: Sequence[Document]) -> set[str]:
    """Collect the labels of all centroids of documents."""
    found = groups_of([document.standards for document in documents])
    if found is None:
        every = (each for document in documents for each in document.standards.values())
        return {centroid.label for standard in every for centroid in standard}
    used: set[str] = set()
    for number, block in enumerate(found.blocks):
        group = found.group[found.block == number]
        _, rows = ranges(block.first[group], block.first[group + 1])
        used.update(block.labels[code] for code in distinct(block.label[rows]).tolist())
    return used


def labels_used(documents: Sequence[Document]) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield pairs of an annotator and labels it used, in layers and standards of documents."""
    yield from labels_held([each.layers for each in documents])
    yield from labels_held([each.standards for each in documents])


def labels_held(held: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield pairs of an annotator and labels it used, in the layers or standards of documents."""
    found = groups_of(held)
    if found is None:
        for mapping in held:
            for annotator, said in mapping.items():
                yield annotator, {each.label for each in said}
        return
    for number, block in enumerate(found.blocks):
        own = found.block == number
        group, annotator = found.group[own], found.annotator[own]
        owner, rows = ranges(block.first[group], block.first[group + 1])
        n_labels = len(block.labels)
        for code in distinct(annotator).tolist():
            yield found.annotators[code], ()
        used = np.zeros(len(found.annotators) * n_labels, dtype=bool)
        used[annotator[owner] * n_labels + block.label[rows]] = True
        for code, label in zip(
            *(each.tolist() for each in np.divmod(np.flatnonzero(used), n_labels)), strict=True
        ):
            yield found.annotators[code], (block.labels[label],)


def _columns(chosen: "_Chosen", document: Ints) -> CentroidColumns:
    label, labels = chosen.labels()
    start, pairs = chosen.column("start"), chosen.by_row("pairs")
    every = np.arange(len(start))
    return CentroidColumns(
        document=np.repeat(document, np.diff(chosen.first)),
        label=label,
        labels=tuple(labels),
        start=start,
        end=chosen.column("end"),
        left=chosen.edges("left").of(every),
        right=chosen.edges("right").of(every),
        pairs=[(row, start, end) for row, each in pairs.items() for start, end, _ in each],
        ids=lambda: chosen.lists("ids"),
    )


class _Chosen:
    """Rows of several blocks, laid end to end, in the order of groups that are wanted."""

    def __init__(self, places: Sequence[Place]) -> None:
        self.blocks = list({id(block): block for block, _ in places}.values())
        number = {id(block): place for place, block in enumerate(self.blocks)}
        which = np.fromiter((number[id(block)] for block, _ in places), np.int64, len(places))
        group = np.fromiter((group for _, group in places), np.int64, len(places))
        n_groups = [len(block.annotators) for block in self.blocks]
        place = group + _starts(n_groups)[which]
        self._base = _starts([len(block.start) for block in self.blocks])
        first, last = _bounds([block.first for block in self.blocks], self._base)
        _, self._rows = ranges(first[place], last[place])
        self.first: Ints = np.concatenate(([0], np.cumsum(last[place] - first[place])))

    def column(self, name: str) -> AnyArray:
        """Return a column of the rows."""
        return np.concatenate([getattr(block, name) for block in self.blocks])[self._rows]

    def labels(self) -> tuple[Ints, list[str]]:
        """Number labels in alphabetical order."""
        labels = sorted({label for block in self.blocks for label in block.labels})
        codes = {label: code for code, label in enumerate(labels)}
        recoded = [
            np.array([codes[each] for each in block.labels], dtype=np.int64)[block.label]
            for block in self.blocks
        ]
        return np.concatenate(recoded)[self._rows], labels

    def further(self, columns: SpanColumns) -> FurtherSpans:
        """Return the spans among the rows that have anything further."""
        return further_of(self.blocks, self._base, self._rows, columns)

    def lists(self, name: str) -> RowLists:
        """Return lists that few rows have, by their new numbers."""
        place = np.full(sum(len(block.start) for block in self.blocks), -1)
        place[self._rows] = np.arange(len(self._rows))
        parts = [getattr(block, name) for block in self.blocks]
        return RowLists.moved(parts, self._base.tolist(), place)

    def by_row(self, name: str) -> dict[int, Any]:
        """Return what few rows have, by their new number."""
        held: list[Mapping[int, Any]] = [getattr(block, name) for block in self.blocks]
        if not any(held):
            return {}
        old = {
            base + row: value
            for base, each in zip(self._base.tolist(), held, strict=True)
            for row, value in each.items()
        }
        wanted = np.isin(self._rows, np.fromiter(old, np.int64, len(old)))
        rows = np.flatnonzero(wanted)
        return {
            new: old[row] for new, row in zip(rows.tolist(), self._rows[rows].tolist(), strict=True)
        }

    def edges(self, name: str) -> BlockEdges:
        """Return the boundaries of the rows."""
        every = [getattr(block, name) for block in self.blocks]
        base = _starts([len(each.offset) for each in every])
        first, last = (each[self._rows] for each in _bounds([each.first for each in every], base))
        _, rows = ranges(first, last)
        return BlockEdges(
            np.concatenate(([0], np.cumsum(last - first))),
            np.concatenate([each.offset for each in every])[rows],
            np.concatenate([each.value for each in every])[rows],
        )


def _starts(sizes: Sequence[int]) -> Ints:
    """Find where each of several things begins that are laid end to end."""
    return np.array([0, *np.cumsum(sizes)[:-1].tolist()], dtype=np.int64)


def _bounds(firsts: Sequence[Ints], base: Ints) -> tuple[Ints, Ints]:
    """Find where groups begin and end when their blocks are laid end to end."""
    pairs = list(zip(firsts, base, strict=True))
    return (
        np.concatenate([first[:-1] + start for first, start in pairs]),
        np.concatenate([first[1:] + start for first, start in pairs]),
    )
