"""Standards as columns: hearts, how far centroids reach, and what their boundaries score.

Any standard can be laid out: the centroids a document carries, names with alternatives, or plain
names, which have one boundary a side.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.joined import CentroidColumns, gathered_centroids
from vermeil.consensus.centroids import find_centroids, keep_rows
from vermeil.consensus.kept.ids import with_ids
from vermeil.consensus.kept.sides import BoundaryPairs, Side
from vermeil.document import ALTERNATIVES
from vermeil.scoring.pairing.columns import only
from vermeil.scoring.pairing.given import GivenPairs
from vermeil.scoring.pairing.names import Names, Pieces, ScoringBatch, carrying_standard
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Edges(Brief):
    """The boundaries on one side: centroid × length of the axis + place, rising, and score.

    ``first`` is where those of each centroid begin.

    The score of a boundary is its value over the largest value on that side of its centroid.
    """

    key: Ints
    score: Floats
    length: int
    first: Ints

    def score_at(self, centroid: Ints, place: Ints) -> Floats:
        """Look up the scores of places; 0 where the centroid has no boundary.

        Most centroids have one, or the place is the first of them: that is tried before.
        """
        if not len(centroid):
            return np.zeros(0)
        key = centroid * self.length + place
        row = self.first[centroid]
        others = np.flatnonzero(self.key[row] != key)
        row[others] = np.minimum(np.searchsorted(self.key, key[others]), len(self.key) - 1)
        return np.where(self.key[row] == key, self.score[row], 0.0)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Extents(Brief):
    """Centroids of a batch: their hearts, their maximal extents and their boundaries.

    ``given`` tells which boundaries were given together, ``ids`` the database ids of hearts, for
    which few ask.
    """

    heart: Names
    low: Ints
    high: Ints
    left: Edges
    right: Edges
    given: GivenPairs
    ids: Callable[[], tuple[tuple[str, ...], ...]]


def extents(batch: ScoringBatch, standard: str, core: str | None = None) -> Extents:
    """Lay out the centroids of a standard.

    They are those a document carries under its name. Where it carries none, names and alternatives
    vote for them, each once, as in section 5.1 of the paper; where there is no layer of
    alternatives either, names stand for themselves. White space at edges is left out. ``core`` is
    the layer of core names, where that is not the standard itself.
    """
    table, others = batch.table, standard + ALTERNATIVES
    carries = carrying_standard(table, standard)
    votes = np.zeros_like(carries)
    if others in table.annotators:
        votes = table.looked[:, table.annotators.index(others)] & ~carries
    rest = ~(carries | votes)
    parts = [
        _carried(batch, standard) if carries.any() else None,
        _voted(batch, (core or standard, others), votes) if votes.any() else None,
        _plain(batch, standard, rest) if rest.any() or not len(rest) else None,
    ]
    return _built(batch, reduce(_joined, (part for part in parts if part is not None)))


@dataclass(frozen=True, slots=True, eq=False)
class _Columns:
    """Centroids on the axis of the batch, untrimmed."""

    document: Ints
    label: Ints
    start: Ints
    end: Ints
    left: Side
    right: Side
    pairs: BoundaryPairs
    ids: Callable[[], tuple[tuple[str, ...], ...]]


def _carried(batch: ScoringBatch, standard: str) -> _Columns:
    held = gathered_centroids(batch.table.documents, standard)
    if held is None:
        return _carried_objects(batch, standard)
    return _carried_columns(batch, held)


def _carried_columns(batch: ScoringBatch, held: CentroidColumns) -> _Columns:
    """Put centroids that are columns already on the axis of the batch."""
    code = np.array([_code(batch, label) for label in held.labels], dtype=np.int64)
    origin = batch.table.origin[held.document]

    def placed(side: tuple[Ints, Ints, Floats]) -> Side:
        centroid, offset, value = side
        return Side(centroid, offset + origin[centroid], value)

    centroid, first, last = np.array(held.pairs, dtype=np.int64).reshape(-1, 3).T
    return _Columns(
        document=held.document,
        label=code[held.label],
        start=held.start + origin,
        end=held.end + origin,
        left=placed(held.left),
        right=placed(held.right),
        pairs=BoundaryPairs(
            centroid, first + origin[centroid], last + origin[centroid], np.ones(len(centroid))
        ),
        ids=lambda: tuple(held.ids().each(len(held.start))),
    )


def _code(batch: ScoringBatch, label: str) -> int:
    """Number a label; one that no centroid of this batch has gets none."""
    return batch.labels.index(label) if label in batch.labels else -1


def _carried_objects(batch: ScoringBatch, standard: str) -> _Columns:
    code = {label: number for number, label in enumerate(batch.labels)}
    hearts: list[tuple[int, int, int, int]] = []
    lefts: list[tuple[int, int, float]] = []
    rights: list[tuple[int, int, float]] = []
    pairs: list[tuple[int, int, int]] = []
    ids: list[tuple[str, ...]] = []
    origins = batch.table.origin.tolist()
    for number, document in enumerate(batch.table.documents):
        origin = origins[number]
        for each in document.standards.get(standard, ()):
            lefts += [(len(hearts), at + origin, value) for at, value in each.left]
            rights += [(len(hearts), at + origin, value) for at, value in each.right]
            pairs += [(len(hearts), first + origin, last + origin) for first, last, _ in each.pairs]
            ids.append(each.ids)
            hearts.append((number, code[each.label], each.start + origin, each.end + origin))
    columns = np.array(hearts, dtype=np.int64).reshape(-1, 4)
    owner, label, start, end = columns.T
    centroid, first, last = np.array(pairs, dtype=np.int64).reshape(-1, 3).T
    return _Columns(
        document=owner,
        label=label,
        start=start,
        end=end,
        left=_side(lefts),
        right=_side(rights),
        pairs=BoundaryPairs(centroid, first, last, np.ones(len(centroid))),
        ids=lambda: tuple(ids),
    )


def _side(rows: list[tuple[int, int, float]]) -> Side:
    centroid, offset, value = zip(*rows, strict=True) if rows else ((), (), ())
    return Side(
        np.array(centroid, dtype=np.int64),
        np.array(offset, dtype=np.int64),
        np.array(value, dtype=np.float64),
    )


def _voted(batch: ScoringBatch, voters: tuple[str, str], documents: Flags) -> _Columns:
    table = batch.table
    voting = only(table, [code for code, name in enumerate(table.annotators) if name in voters])
    found = find_centroids(voting)
    found = keep_rows(found, np.flatnonzero(documents[found.document]))
    origin = table.origin[found.document]

    def ids() -> tuple[tuple[str, ...], ...]:
        if not len(voting.further.ids):
            return ((),) * len(found)
        hearts = with_ids(voting, found.standards())
        return tuple([each.ids for standard in hearts for each in standard])

    def placed(side: Side) -> Side:
        return Side(side.centroid, side.offset + origin[side.centroid], side.value)

    return _Columns(
        document=found.document,
        label=batch.label[found.label],
        start=found.start + origin,
        end=found.end + origin,
        left=placed(found.left),
        right=placed(found.right),
        pairs=BoundaryPairs(
            found.pairs.centroid,
            found.pairs.start + origin[found.pairs.centroid],
            found.pairs.end + origin[found.pairs.centroid],
            found.pairs.value,
        ),
        ids=ids,
    )


def _plain(batch: ScoringBatch, standard: str, documents: Flags) -> _Columns:
    names = batch.names(standard)
    pieces = names.pieces
    kept = np.flatnonzero(documents[names.document[pieces.name]])
    name, start, end = pieces.name[kept], pieces.start[kept], pieces.end[kept]
    itself, once = np.arange(len(kept)), np.ones(len(kept))

    def ids() -> tuple[tuple[str, ...], ...]:
        every = batch.ids(standard)
        return tuple([every[number] for number in name.tolist()])

    return _Columns(
        names.document[name],
        names.label[name],
        start,
        end,
        left=Side(itself, start, once),
        right=Side(itself, end, once),
        pairs=BoundaryPairs.none(),
        ids=ids,
    )


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
        pairs=BoundaryPairs(
            column(some.pairs.centroid, others.pairs.centroid + len(some.start)),
            column(some.pairs.start, others.pairs.start),
            column(some.pairs.end, others.pairs.end),
            np.concatenate((some.pairs.value, others.pairs.value)),
        ),
        ids=lambda: some.ids() + others.ids(),
    )


def _built(batch: ScoringBatch, columns: _Columns) -> Extents:
    n, length = len(columns.start), len(batch.codes)
    start, end = batch.trimmed(columns.start, columns.end)
    lefts, rights = columns.left.centroid, columns.right.centroid
    left, _ = batch.trimmed(columns.left.offset, end[lefts])
    _, right = batch.trimmed(start[rights], columns.right.offset)
    several = (columns.left.numbers(n) > 1) & (columns.right.numbers(n) > 1)
    pairs = batch.trimmed(columns.pairs.start, columns.pairs.end)
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
        is_loose=np.zeros(n, dtype=bool),
        pieces=Pieces(number, start, end),
    )
    return Extents(
        heart,
        low,
        high,
        left=_edges(lefts, left, columns.left.value, (n, length)),
        right=_edges(rights, right, columns.right.value, (n, length)),
        given=GivenPairs.of((start, end), several, columns.pairs.centroid, pairs),
        ids=columns.ids,
    )


def _edges(centroid: Ints, place: Ints, value: Floats, size: tuple[int, int]) -> Edges:
    """Add up boundaries that fall together without white space, and give each its score.

    ``size`` is the number of centroids and the length of the axis.
    """
    n, length = size
    key, row = np.unique(centroid * length + place, return_inverse=True)
    total = np.bincount(row, weights=value, minlength=len(key))
    owner = key // max(1, length)
    best = np.zeros(int(owner.max()) + 1 if len(owner) else 0)
    np.maximum.at(best, owner, total)
    score = np.divide(total, best[owner], out=np.zeros(len(key)), where=best[owner] > 0)
    first = np.minimum(np.searchsorted(owner, np.arange(n)), max(0, len(key) - 1))
    return Edges(key, score, length, first)
