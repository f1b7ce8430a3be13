"""Standards as columns: hearts, how far centroids reach, and what their boundaries score.

Any standard can be laid out: the centroids a document carries, names with alternatives, or plain
names, which have one boundary a side.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.consensus.centroids import Side, find_centroids
from vermeil.document import ALTERNATIVES
from vermeil.scoring.pairing.columns import only
from vermeil.scoring.pairing.names import Names, Pieces, ScoringBatch
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Edges(Brief):
    """The boundaries on one side: centroid × length of the axis + place, rising, and score.

    The score of a boundary is its value over the largest value on that side of its centroid.
    """

    key: Ints
    score: Floats
    length: int

    def score_at(self, centroid: Ints, place: Ints) -> Floats:
        """Look up the scores of places; 0 where the centroid has no boundary."""
        key = centroid * self.length + place
        row = np.minimum(np.searchsorted(self.key, key), len(self.key) - 1)
        return np.where(self.key[row] == key, self.score[row], 0.0) if len(key) else np.zeros(0)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Extents(Brief):
    """Centroids of a batch: their hearts, their maximal extents and their boundaries."""

    heart: Names
    low: Ints
    high: Ints
    left: Edges
    right: Edges


def extents(batch: ScoringBatch, standard: str) -> Extents:
    """Lay out the centroids of a standard.

    They are those the documents carry under its name; in documents that carry none where others
    do, names stand for themselves. Where no document carries any, names and alternatives vote for
    them, each once, as in section 5.1 of the paper. White space at edges is left out.
    """
    table = batch.table
    carries = np.array([standard in document.standards for document in table.documents], dtype=bool)
    if carries.any():
        return _built(batch, _joined(_carried(batch, standard), _plain(batch, standard, ~carries)))
    if standard + ALTERNATIVES in table.annotators:
        return _built(batch, _voted(batch, standard))
    return _built(batch, _plain(batch, standard, ~carries))


@dataclass(frozen=True, slots=True, eq=False)
class _Columns:
    """Centroids on the axis of the batch, untrimmed."""

    document: Ints
    label: Ints
    start: Ints
    end: Ints
    left: Side
    right: Side


def _carried(batch: ScoringBatch, standard: str) -> _Columns:
    code = {label: number for number, label in enumerate(batch.labels)}
    hearts: list[tuple[int, int, int, int]] = []
    lefts: list[tuple[int, int, float]] = []
    rights: list[tuple[int, int, float]] = []
    origins = batch.table.origin.tolist()
    for number, document in enumerate(batch.table.documents):
        origin = origins[number]
        for each in document.standards.get(standard, ()):
            lefts += [(len(hearts), at + origin, value) for at, value in each.left]
            rights += [(len(hearts), at + origin, value) for at, value in each.right]
            hearts.append((number, code[each.label], each.start + origin, each.end + origin))
    columns = np.array(hearts, dtype=np.int64).reshape(-1, 4)
    owner, label, start, end = columns.T
    return _Columns(
        document=owner, label=label, start=start, end=end, left=_side(lefts), right=_side(rights)
    )


def _side(rows: list[tuple[int, int, float]]) -> Side:
    centroid, offset, value = zip(*rows, strict=True) if rows else ((), (), ())
    return Side(
        np.array(centroid, dtype=np.int64),
        np.array(offset, dtype=np.int64),
        np.array(value, dtype=np.float64),
    )


def _voted(batch: ScoringBatch, standard: str) -> _Columns:
    table = batch.table
    voters = (standard, standard + ALTERNATIVES)
    found = find_centroids(
        only(table, [code for code, name in enumerate(table.annotators) if name in voters])
    )
    origin = table.origin[found.document]

    def placed(side: Side) -> Side:
        return Side(side.centroid, side.offset + origin[side.centroid], side.value)

    return _Columns(
        document=found.document,
        label=batch.label[found.label],
        start=found.start + origin,
        end=found.end + origin,
        left=placed(found.left),
        right=placed(found.right),
    )


def _plain(batch: ScoringBatch, standard: str, documents: Flags) -> _Columns:
    names = batch.names(standard)
    pieces = names.pieces
    kept = np.flatnonzero(documents[names.document[pieces.name]])
    name, start, end = pieces.name[kept], pieces.start[kept], pieces.end[kept]
    itself, once = np.arange(len(kept)), np.ones(len(kept))
    sides = Side(itself, start, once), Side(itself, end, once)
    return _Columns(names.document[name], names.label[name], start, end, *sides)


def _joined(some: _Columns, others: _Columns) -> _Columns:
    def column(one: Ints, other: Ints) -> Ints:
        return np.concatenate((one, other))

    def side(one: Side, other: Side) -> Side:
        return Side(
            np.concatenate((one.centroid, other.centroid + len(some.start))),
            np.concatenate((one.offset, other.offset)),
            np.concatenate((one.value, other.value)),
        )

    return _Columns(
        document=column(some.document, others.document),
        label=column(some.label, others.label),
        start=column(some.start, others.start),
        end=column(some.end, others.end),
        left=side(some.left, others.left),
        right=side(some.right, others.right),
    )


def _built(batch: ScoringBatch, columns: _Columns) -> Extents:
    n, length = len(columns.start), len(batch.codes)
    start, end = batch.trimmed(columns.start, columns.end)
    lefts, rights = columns.left.centroid, columns.right.centroid
    left, _ = batch.trimmed(columns.left.offset, end[lefts])
    _, right = batch.trimmed(start[rights], columns.right.offset)
    low, high = start.copy(), end.copy()
    np.minimum.at(low, lefts, left)
    np.maximum.at(high, rights, right)
    number = np.arange(n)
    heart = Names(
        document=columns.document,
        label=columns.label,
        start=start,
        end=end,
        shape=np.zeros(n, dtype=np.int64),
        confidence=np.full(n, np.nan),
        pieces=Pieces(number, start, end),
    )
    return Extents(
        heart,
        low,
        high,
        _edges(lefts, left, columns.left.value, length),
        _edges(rights, right, columns.right.value, length),
    )


def _edges(centroid: Ints, place: Ints, value: Floats, length: int) -> Edges:
    """Add up boundaries that fall together without white space, and give each its score."""
    key, row = np.unique(centroid * length + place, return_inverse=True)
    total = np.bincount(row, weights=value, minlength=len(key))
    owner = key // max(1, length)
    best = np.zeros(int(owner.max()) + 1 if len(owner) else 0)
    np.maximum.at(best, owner, total)
    score = np.divide(total, best[owner], out=np.zeros(len(key)), where=best[owner] > 0)
    return Edges(key, score, length)
