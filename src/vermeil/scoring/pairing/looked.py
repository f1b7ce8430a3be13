"""Pairs of a system and a document that it looked at, laid out like so many documents.

Each pair is a document of its own, with the standard's names and those of the one system, called
SYSTEM. So a crowd is compared at once, and what that costs follows the pairs, not the systems.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from vermeil.arrays import Flags, Ints, ranges
from vermeil.columns.further import FurtherSpans, RowLists, SpanColumns
from vermeil.columns.span_table import SpanTable, codes_of
from vermeil.document import Document
from vermeil.scoring.pairing.lens import Labels
from vermeil.scoring.pairing.names import ScoringBatch

SYSTEM = "\0system"
"""What every system is called among pairs."""


class _Rows(NamedTuple):
    """Rows of the table of documents, each with its pair and the number of its annotator."""

    row: Ints
    pair: Ints
    annotator: Ints


@dataclass(frozen=True, eq=False)
class LookedPairs:
    """Documents as a batch, and pairs of a number of a document and that of a system in it.

    ``own`` are the layers of the standard; those that are nowhere are left out.
    """

    batch: ScoringBatch
    own: tuple[str, ...]
    document: Ints
    system: Ints

    @property
    def annotators(self) -> tuple[str, ...]:
        """The layers that pairs have, in alphabetical order."""
        return tuple(sorted((*self.own, SYSTEM)))

    @cached_property
    def rows(self) -> _Rows:
        """The rows of all pairs, in order of pairs, annotators and reading."""
        table = self.batch.table
        n_annotators = len(table.annotators)
        places = {name: code for code, name in enumerate(table.annotators)}
        columns = [
            self.system if name == SYSTEM else np.full(len(self.system), places[name])
            for name in self.annotators
        ]
        key = table.document.astype(np.int64) * n_annotators + table.annotator
        wanted = (self.document[:, None] * n_annotators + np.stack(columns, axis=1)).ravel()
        first, end = (np.searchsorted(key, wanted, side=side) for side in ("left", "right"))
        owner, row = ranges(first, end)
        pair, annotator = np.divmod(owner, len(columns))
        return _Rows(row, pair, annotator)

    def kept(self, labels: Sequence[Labels]) -> Flags:
        """Tell which rows count where only some labels do, given for each pair."""
        table = self.batch.table
        numbers = {each: number for number, each in enumerate(dict.fromkeys(labels))}
        counts = np.array(
            [[each is None or label in each for label in table.labels] for each in numbers],
            dtype=bool,
        ).reshape(len(numbers), len(table.labels))
        code = np.array([numbers[each] for each in labels], dtype=np.int64)
        flags: Flags = counts[code[self.rows.pair], table.label[self.rows.row]]
        return flags

    def laid_out(self, standard: str, labels: Sequence[Labels] | None = None) -> ScoringBatch:
        """Lay the pairs out; with ``labels``, what does not count in each is left out."""
        table = self.batch.table
        row, pair, annotator = self.rows
        if labels is not None:
            kept = self.kept(labels)
            row, pair, annotator = row[kept], pair[kept], annotator[kept]
        documents = self._documents(standard, labels)
        lengths = np.array([len(each.text) + 1 for each in documents], dtype=np.int64)
        label, sure = table.label[row], table.confidence[row]
        columns = SpanColumns(table.start[row], table.end[row], label, table.labels, sure)
        is_loose = np.zeros(len(table), dtype=bool)
        is_loose[table.loose] = True
        laid = SpanTable(
            documents=documents,
            annotators=self.annotators,
            labels=table.labels,
            document=pair.astype(np.int32),
            annotator=annotator.astype(np.int32),
            label=label,
            start=columns.start,
            end=columns.end,
            confidence=sure,
            looked=self._looked(),
            origin=np.cumsum(lengths) - lengths,
            further=taken_further(table, row, columns),
            loose=np.flatnonzero(is_loose[row]),
        )
        batch = self.batch
        return ScoringBatch(laid, batch.labels, batch.label, batch.shape[row], codes_of(laid))

    def _looked(self) -> Flags:
        table = self.batch.table
        looked = np.ones((len(self.document), len(self.annotators)), dtype=bool)
        for code, name in enumerate(self.annotators):
            if name != SYSTEM:
                looked[:, code] = table.looked[self.document, table.annotators.index(name)]
        return looked

    def _documents(self, standard: str, labels: Sequence[Labels] | None) -> tuple[Document, ...]:
        """Repeat the documents, with those centroids of the standard that count."""
        every = self.batch.table.documents
        numbers = self.document.tolist()
        if not any(document.standards for document in every):
            return tuple([every[number] for number in numbers])
        made: dict[tuple[int, Labels], Document] = {}
        for key in zip(numbers, labels or [None] * len(numbers), strict=True):
            if key not in made:
                made[key] = _narrowed(every[key[0]], standard, key[1])
        return tuple(
            [made[key] for key in zip(numbers, labels or [None] * len(numbers), strict=True)]
        )


def _narrowed(document: Document, standard: str, labels: Labels) -> Document:
    """Leave the centroids of the standard that count, as objects, for they will be repeated."""
    if standard not in document.standards:
        return document.replace(standards={})
    centroids = document.standards[standard]
    kept = tuple(each for each in centroids if labels is None or each.label in labels)
    return document.replace(standards={standard: kept})


def taken_further(table: SpanTable, rows: Ints, columns: SpanColumns) -> FurtherSpans:
    """Take what few spans have for some rows, one perhaps several times."""
    if not table.further:
        return FurtherSpans()
    fragments, ids, attributes = (_taken(each, rows) for each in table.further.lists)
    return FurtherSpans(fragments, ids, attributes, columns)


def _taken(lists: RowLists, rows: Ints) -> RowLists:
    if not len(lists):
        return RowLists()
    place = np.minimum(np.searchsorted(lists.row, rows), len(lists.row) - 1)
    new = np.flatnonzero(lists.row[place] == rows)
    old = place[new]
    sizes = lists.first[old + 1] - lists.first[old]
    _, at = ranges(lists.first[old], lists.first[old + 1])
    first = np.concatenate(([0], np.cumsum(sizes)))
    return RowLists(new, first, lists.content[at], lists.names)
