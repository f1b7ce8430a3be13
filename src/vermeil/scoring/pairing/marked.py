"""Core names and alternatives of a flat list, as columns: the twin of ``arranged.parted``.

Names come in reading order, and documents lie apart on the axis. So of the names of a label, those
that begin before the farthest end so far overlap one that is read before them; of these, and of no
others, it must be asked whether they overlap a core name.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Ints
from vermeil.columns.further import SpanColumns
from vermeil.columns.span_table import SpanTable
from vermeil.document import ALTERNATIVES
from vermeil.scoring.pairing.looked import taken_further
from vermeil.scoring.pairing.names import ScoringBatch, carrying_standard


@dataclass(frozen=True, slots=True, eq=False)
class FlatNames:
    """The rows of a standard in a batch, which of them overlap one before, and which are core.

    All are core in documents that carry centroids under its name.
    """

    batch: ScoringBatch
    standard: str
    rows: Ints
    overlaps: Flags
    is_core: Flags

    @staticmethod
    def of(batch: ScoringBatch, standard: str) -> "FlatNames":
        """Find the core names of a standard of a batch, which marks no alternatives there."""
        table = batch.table
        rows = np.flatnonzero(table.annotator == table.annotators.index(standard))
        carries = carrying_standard(table, standard)[table.document[rows]]
        origin = table.origin[table.document[rows]]
        start, end = table.start[rows] + origin, table.end[rows] + origin
        overlaps, is_core = np.zeros(len(rows), dtype=bool), np.ones(len(rows), dtype=bool)
        label = np.where(carries, -1, table.label[rows])
        for code in range(len(table.labels)):
            own = np.flatnonzero(label == code)
            reach = np.maximum.accumulate(end[own])
            late = np.flatnonzero(start[own][1:] < reach[:-1]) + 1
            overlaps[own[late]] = True
            is_core[own[late]] = _apart(start[own], end[own], late)
        return FlatNames(batch, standard, rows, overlaps, is_core)

    @property
    def n_overlapping(self) -> int:
        """How many names overlap one of their label that is read before them."""
        return int(np.count_nonzero(self.overlaps))

    def marked(self, core: str) -> ScoringBatch:
        """Put a layer of core names, called so, and one of alternatives beside the names."""
        batch, table = self.batch, self.batch.table
        others = self.standard + ALTERNATIVES
        annotators = tuple(sorted((*table.annotators, core, others)))
        code = {name: number for number, name in enumerate(annotators)}
        known = np.array([code[name] for name in table.annotators], dtype=np.int32)
        row = np.concatenate((np.arange(len(table)), self.rows))
        more = np.where(self.is_core, code[core], code[others]).astype(np.int32)
        annotator = np.concatenate((known[table.annotator], more))
        order = np.lexsort((row, annotator, table.document[row]))
        row, annotator = row[order], annotator[order]
        looked = np.zeros((len(table.documents), len(annotators)), dtype=bool)
        looked[:, known] = table.looked
        looked[:, code[core]] = looked[:, code[self.standard]]
        looked[:, code[others]] = looked[:, code[core]] & ~carrying_standard(table, self.standard)
        is_loose = np.zeros(len(table), dtype=bool)
        is_loose[table.loose] = True
        columns = SpanColumns(
            table.start[row], table.end[row], table.label[row], table.labels, table.confidence[row]
        )
        laid = SpanTable(
            documents=table.documents,
            annotators=annotators,
            labels=table.labels,
            document=table.document[row],
            annotator=annotator,
            label=table.label[row],
            start=columns.start,
            end=columns.end,
            confidence=columns.confidence,
            looked=looked,
            origin=table.origin,
            further=taken_further(table, row, columns),
            loose=np.flatnonzero(is_loose[row]),
        )
        return ScoringBatch(laid, batch.labels, batch.label, batch.shape[row], batch.codes)


def _apart(start: Ints, end: Ints, late: Ints) -> list[bool]:
    """Tell which of the ``late`` names overlap no core name; all others are core."""
    apart, before, reach = [], -1, 0
    rows = zip(late.tolist(), start[late].tolist(), end[late].tolist(), strict=True)
    for row, first, last in rows:
        if before != row - 1:
            reach = int(end[row - 1])
        apart.append(first >= reach)
        reach = last if apart[-1] else reach
        before = row
    return apart
