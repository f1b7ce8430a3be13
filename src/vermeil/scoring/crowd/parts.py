"""What was found for all systems of a crowd together, cut apart system by system."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from vermeil.arrays import Ints
from vermeil.columns.further import FurtherSpans, SpanColumns
from vermeil.columns.span_table import SpanTable
from vermeil.scoring.pairing.matching import Matching
from vermeil.scoring.pairing.names import Names, Pieces, ScoringBatch
from vermeil.scoring.scores import Scores
from vermeil.scoring.views.centroid import Boundaries
from vermeil.scoring.views.confusion import Confusion
from vermeil.scoring.views.outcomes import Earned, View


def part_confusion(
    cells: Mapping[tuple[int, int], int], part: "CrowdPart", n_labels: int
) -> Confusion:
    """Make the table of one system from the cells above 0, by codes of all labels."""
    place = {code: number for number, code in enumerate(part.used.tolist())}
    place[n_labels] = n = len(part.labels)
    table = np.zeros((n + 1, n + 1), dtype=np.int64)
    for (wanted, predicted), times in cells.items():
        table[place[wanted], place[predicted]] = times
    return Confusion(part.labels, table)


@dataclass(frozen=True, slots=True, eq=False)
class CrowdPart:
    """One of the systems: its number, and the labels in its documents, by code and by name."""

    number: int
    used: Ints
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CrowdMatching:
    """Matched names in order of systems, and where the names and the pairs of each begin."""

    matching: Matching
    first: list[int]
    first_wanted: list[int]
    first_predicted: list[int]

    @staticmethod
    def of(matching: Matching, sides: tuple[Names, Names], pairs: Ints) -> "CrowdMatching":
        """Take what was matched of two sides, wanted and predicted; ``pairs`` begin systems."""
        mine, theirs = (np.searchsorted(names.document, pairs) for names in sides)
        owner = np.searchsorted(theirs, matching.predicted, side="right") - 1
        order = np.argsort(owner, kind="stable")
        matching = Matching(matching.wanted[order], matching.predicted[order])
        first = np.searchsorted(owner[order], np.arange(len(pairs)))
        return CrowdMatching(matching, first.tolist(), mine.tolist(), theirs.tolist())

    def of_system(self, number: int) -> Matching:
        """Return what was matched of one system."""
        rows = slice(self.first[number], self.first[number + 1])
        return Matching(
            self.matching.wanted[rows] - self.first_wanted[number],
            self.matching.predicted[rows] - self.first_predicted[number],
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Ordered:
    """Names in order of documents, their pieces in order of names, and where systems begin."""

    names: Names
    order: Ints | None
    first: list[int]
    first_piece: list[int]


@dataclass(slots=True, eq=False)
class CrowdCutting:
    """Cuts what was found for all pairs apart, system by system; ``first`` has their pairs."""

    first: Ints
    n_labels: int
    _known: dict[int, _Ordered] = field(default_factory=dict)
    _cut: dict[int, Names] = field(default_factory=dict)
    _number: int = -1

    def names(self, names: Names, part: CrowdPart) -> Names:
        """Take the names of a system, its documents numbered from 0 and its labels anew."""
        if part.number != self._number:
            self._cut, self._number = {}, part.number
        found = self._cut.get(id(names))
        if found is None:
            found = self._cut[id(names)] = self._taken(self._in_order(names), part)
        return found

    def view(self, view: View, part: CrowdPart) -> View:
        """Take the part of a view that is about one system."""
        mine, theirs = self._in_order(view.predicted), self._in_order(view.wanted)
        here, there = _bounds(mine, part), _bounds(theirs, part)
        earned = None
        if view.earned is not None:
            earned = Earned(
                _sorted(view.right, mine)[here],
                _sorted(view.weight, mine)[here],
                _sorted(view.found, theirs)[there],
            )
        return View(
            n_documents=self._n_pairs(part),
            labels=part.labels,
            predicted=self.names(view.predicted, part),
            wanted=self.names(view.wanted, part),
            predicted_outcome=_sorted(view.predicted_outcome, mine)[here],
            wanted_outcome=_sorted(view.wanted_outcome, theirs)[there],
            earned=earned,
        )

    def boundaries(self, scores: Scores, part: CrowdPart) -> Boundaries:
        """Take the boundary scores of one system."""
        every = scores.boundaries
        if "centroid" not in scores.views:
            return every
        here = _bounds(self._in_order(scores.views["centroid"].predicted), part)
        return Boundaries(every.left[here], every.right[here], every.support[here])

    def batch(self, batch: ScoringBatch, part: CrowdPart) -> ScoringBatch:
        """Take the documents of one system."""
        table = batch.table
        pairs = slice(*self.first[part.number : part.number + 2].tolist())
        low, high = np.searchsorted(table.document, (pairs.start, pairs.stop)).tolist()
        rows = slice(low, high)
        own = SpanTable(
            documents=table.documents[pairs],
            annotators=table.annotators,
            labels=table.labels,
            document=table.document[rows] - np.int32(pairs.start),
            annotator=table.annotator[rows],
            label=table.label[rows],
            start=table.start[rows],
            end=table.end[rows],
            confidence=table.confidence[rows],
            looked=table.looked[pairs],
            origin=table.origin[pairs],
            further=_further(table, rows),
            loose=table.loose[slice(*np.searchsorted(table.loose, (low, high)))] - low,
        )
        code = _recoded(part, len(batch.labels))[batch.label]
        return ScoringBatch(own, part.labels, code, batch.shape[rows], batch.codes)

    def _n_pairs(self, part: CrowdPart) -> int:
        return int(self.first[part.number + 1] - self.first[part.number])

    def _in_order(self, names: Names) -> _Ordered:
        known = self._known.get(id(names))
        if known is None:
            known = self._known[id(names)] = _in_order(names, self.first)
        return known

    def _taken(self, ordered: _Ordered, part: CrowdPart) -> Names:
        names, rows = ordered.names, _bounds(ordered, part)
        pieces = slice(*ordered.first_piece[part.number : part.number + 2])
        label = names.label[rows]
        if len(part.used) < self.n_labels:
            label = np.searchsorted(part.used, label)
        return Names(
            document=names.document[rows] - self.first[part.number],
            label=label,
            start=names.start[rows],
            end=names.end[rows],
            shape=names.shape[rows],
            confidence=names.confidence[rows],
            is_loose=names.is_loose[rows],
            pieces=Pieces(
                names.pieces.name[pieces] - rows.start,
                names.pieces.start[pieces],
                names.pieces.end[pieces],
            ),
        )


def _bounds(ordered: _Ordered, part: CrowdPart) -> slice:
    return slice(*ordered.first[part.number : part.number + 2])


def _sorted(column: Any, ordered: _Ordered) -> Any:
    return column if ordered.order is None else column[ordered.order]


def _recoded(part: CrowdPart, n_labels: int) -> Ints:
    code = np.full(n_labels, -1)
    code[part.used] = np.arange(len(part.used))
    return code


def _in_order(names: Names, first: Ints) -> _Ordered:
    order = None
    pieces = names.pieces
    if (np.diff(names.document) < 0).any():
        order = np.argsort(names.document, kind="stable")
        new = np.empty(len(order), dtype=np.int64)
        new[order] = np.arange(len(order))
        names, pieces = names.keep(order), replace(pieces, name=new[pieces.name])
    if (np.diff(pieces.name) < 0).any():
        by_name = np.argsort(pieces.name, kind="stable")
        pieces = Pieces(pieces.name[by_name], pieces.start[by_name], pieces.end[by_name])
    bounds = np.searchsorted(names.document, first)
    return _Ordered(
        replace(names, pieces=pieces),
        order,
        bounds.tolist(),
        np.searchsorted(pieces.name, bounds).tolist(),
    )


def _further(table: SpanTable, rows: slice) -> FurtherSpans:
    if not table.further:
        return FurtherSpans()
    place = np.full(len(table), -1)
    place[rows] = np.arange(rows.stop - rows.start)
    columns = SpanColumns(
        start=table.start[rows],
        end=table.end[rows],
        label=table.label[rows],
        labels=table.labels,
        confidence=table.confidence[rows],
    )
    return FurtherSpans.moved([table.further], [0], place, columns)
