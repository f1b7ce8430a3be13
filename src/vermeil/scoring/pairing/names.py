"""The names of one layer of a batch, as columns.

Places are offsets on the axis of the batch, where documents lie apart, so names of two documents
never overlap and the document need not be compared.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import ColumnTable, Flags, Floats, Ints
from vermeil.columns.axis import pieces, trimmed
from vermeil.columns.joined import centroid_labels, labels_held
from vermeil.columns.span_table import SpanTable, codes_in
from vermeil.document import Document
from vermeil.scope import Scope
from vermeil.scoring.pairing.columns import packed, shapes
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Pieces(Brief):
    """The stretches that names cover: the number of the name, and where the stretch lies."""

    name: Ints
    start: Ints
    end: Ints


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Names(Brief, ColumnTable):
    """Names of a batch, in order of document and reading.

    ``document`` and ``label`` are codes, ``start`` and ``end`` places on the axis of the batch.
    ``shape`` is 0 for a name in one piece; names with the same fragments share another number.
    ``confidence`` is NaN where there is none, and ``is_loose`` tells of white space at an edge.
    """

    document: Ints
    label: Ints
    start: Ints
    end: Ints
    shape: Ints
    confidence: Floats
    is_loose: Flags
    pieces: Pieces

    def __len__(self) -> int:
        return len(self.start)

    @staticmethod
    def none() -> "Names":
        """Return no names."""
        nothing = np.zeros(0, dtype=np.int64)
        return Names(
            document=nothing,
            label=nothing,
            start=nothing,
            end=nothing,
            shape=nothing,
            confidence=np.zeros(0),
            is_loose=np.zeros(0, dtype=bool),
            pieces=Pieces(nothing, nothing, nothing),
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScoringBatch(Brief):
    """Documents to score, as a table, with what all layers share.

    ``labels`` are those of all spans and centroids, in alphabetical order; the labels of the table
    are numbered anew, ``label`` holding their numbers.
    """

    table: SpanTable
    labels: tuple[str, ...]
    label: Ints
    shape: Ints
    codes: NDArray[np.unsignedinteger]

    @staticmethod
    def of(documents: Iterable[Document], labels: Iterable[str] = ()) -> "ScoringBatch":
        """Lay documents out; ``labels`` are more to be numbered, whether they occur or not."""
        batch = tuple(documents)
        codes = codes_in(batch)
        table = SpanTable.from_documents(batch, codes)
        carrying = [batch[number] for number in table.once(carrying_documents)]
        more = centroid_labels(carrying) if carrying else ()
        named = tuple(sorted({*table.labels, *more, *labels}))
        label = np.array([named.index(each) for each in table.labels], dtype=np.int64)
        return ScoringBatch(table, named, label, shapes(table), codes)

    @property
    def scope(self) -> Scope:
        """Which labels everybody uses, in layers and in centroids."""
        table = self.table
        n_labels = max(1, len(table.labels))
        is_used = np.zeros(len(table.annotators) * n_labels, dtype=bool)
        is_used[table.annotator.astype(np.int64) * n_labels + table.label] = True
        rows, codes = np.divmod(np.flatnonzero(is_used), n_labels)
        used = zip(rows.tolist(), codes.tolist(), strict=True)
        carrying = table.once(carrying_documents)
        return Scope.by_use(
            [
                *((name, ()) for name in table.annotators),
                *((table.annotators[row], (table.labels[code],)) for row, code in used),
                *labels_held([table.documents[number].standards for number in carrying]),
            ]
        )

    def names(self, annotator: str) -> Names:
        """Lay out the names of an annotator; none where nobody has that name."""
        table = self.table
        rows = np.zeros(0, dtype=np.int64)
        if annotator in table.annotators:
            rows = np.flatnonzero(table.annotator == table.annotators.index(annotator))
        document = table.document[rows].astype(np.int64)
        origin = table.origin[document]
        start, end = table.start[rows] + origin, table.end[rows] + origin
        shape = self.shape[rows]
        stretches = np.arange(len(rows)), start, end
        if shape.any():
            stretches = pieces(table, rows, shape > 0)
        is_loose = np.zeros(len(rows), dtype=bool)
        if len(table.loose) and len(rows):
            place = np.minimum(np.searchsorted(rows, table.loose), len(rows) - 1)
            is_loose[place[rows[place] == table.loose]] = True
        return Names(
            document=document,
            label=self.label[table.label[rows]],
            start=start,
            end=end,
            shape=shape,
            confidence=table.confidence[rows],
            is_loose=is_loose,
            pieces=Pieces(*stretches),
        )

    def ids(self, annotator: str) -> list[tuple[str, ...]]:
        """List the database ids of the names of an annotator."""
        table = self.table
        if annotator not in table.annotators:
            return []
        rows = np.flatnonzero(table.annotator == table.annotators.index(annotator))
        return table.further.ids.at(rows)

    def n_absent(self, annotator: str) -> int:
        """Count the documents an annotator did not look at."""
        if annotator not in self.table.annotators:
            return len(self.table.documents)
        looked = self.table.looked[:, self.table.annotators.index(annotator)]
        return int(np.count_nonzero(~looked))

    def trimmed(self, start: Ints, end: Ints) -> tuple[Ints, Ints]:
        """Leave white space at the edges of stretches out; one of nothing else stays as it is."""
        first, last = trimmed(self.codes, start, end)
        some = first < last
        return np.where(some, first, start), np.where(some, last, end)

    def trimmed_names(self, names: Names) -> tuple[Ints, Ints]:
        """Return the places of names of the table without white space at their edges."""
        return self._trimmed_at(np.flatnonzero(names.is_loose), names.start, names.end)

    def trimmed_pieces(self, names: Names) -> Pieces:
        """Cut the stretches of names to those without white space at their edges."""
        name, start, end = names.pieces.name, names.pieces.start, names.pieces.end
        return Pieces(name, *self._trimmed_at(np.flatnonzero(names.is_loose[name]), start, end))

    def _trimmed_at(self, loose: Ints, start: Ints, end: Ints) -> tuple[Ints, Ints]:
        if not len(loose):
            return start, end
        start, end = start.copy(), end.copy()
        start[loose], end[loose] = self.trimmed(start[loose], end[loose])
        return start, end


def carrying_documents(table: SpanTable) -> list[int]:
    """List the documents that carry centroids, by their numbers."""
    held = [document.standards for document in table.documents]
    return [number for number, each in enumerate(held) if each] if any(held) else []


def carrying_standard(table: SpanTable, standard: str) -> Flags:
    """Tell which documents carry centroids under the name of a standard."""
    found = np.zeros(len(table.documents), dtype=bool)
    some = table.once(carrying_documents)
    found[some] = [standard in table.documents[number].standards for number in some]
    return found


def common_codes(*columns: Sequence[Ints]) -> list[Ints]:
    """Number the rows of several tables from 0, so that equal rows share a number.

    Each argument is a column, given table by table. Numbers follow the order of the rows' values.

    >>> starts, ends = [np.array([5, 7]), np.array([7])], [np.array([6, 9]), np.array([9])]
    >>> [codes.tolist() for codes in common_codes(starts, ends)]
    [[0, 1], [1]]
    """
    rows = comparable(*columns)
    _, codes = np.unique(np.concatenate(rows), return_inverse=True)
    return np.split(codes, np.cumsum([len(part) for part in rows])[:-1])


def comparable(*columns: Sequence[Ints]) -> list[Ints]:
    """Make a number of each row of several tables: equal, or in order, as the rows are.

    As ``common_codes``, without the sorting that makes numbers small.
    """
    rows = packed(np.concatenate(column) for column in columns)
    return np.split(rows, np.cumsum([len(part) for part in columns[0]])[:-1])
