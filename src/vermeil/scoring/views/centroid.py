"""Scores against a standard of centroids: section 6 of Lewin et al., "Centroids".

A prediction is right if it contains a heart and does not exceed that centroid's maximal extent; a
centroid is found if some prediction does that. A boundary of a right prediction scores its value
over the largest value on that side of the centroid: 1 at the best-supported place, 0 where nobody
put a boundary. Of several centroids it is right for, a prediction gets the one that scores best.
Left and right boundaries are not tied to each other, so a right prediction may be one that somebody
gave, or a recombination of the boundaries of two (see ``pairing/given.py``).

A prediction that is not right is a near miss where it overlaps an extent, else a total miss. A
centroid that is not found is a near miss where something overlaps its heart, else a total miss.

Where the paper is silent: labels must be the same, unless asked otherwise. Positions do not count
white space, so it does not matter at an edge. Each fragment of a discontinuous name stands for
itself in the standard, as in consensus; a discontinuous prediction is right if all its fragments
are, and its boundary scores are their means.
"""

from dataclasses import dataclass, replace

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.overlap import overlapping
from vermeil.scoring.pairing.extents import Extents
from vermeil.scoring.pairing.given import NOT_RIGHT, Supports
from vermeil.scoring.pairing.names import Names, Pieces, ScoringBatch
from vermeil.scoring.views.outcomes import Outcomes, View, mean, outcome_of
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Boundaries(Brief):
    """The boundary scores of each prediction, NaN where it is not right.

    ``support`` tells whether somebody gave both boundaries together: SUPPORTS names it.
    """

    left: Floats
    right: Floats
    support: Supports

    @staticmethod
    def none() -> "Boundaries":
        """Return what is known where nobody asked."""
        return Boundaries(np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.int8))

    @property
    def mean_left(self) -> float:
        """The mean score of the left boundaries of right predictions; NaN without any."""
        return mean(self.left.tolist())

    @property
    def mean_right(self) -> float:
        """The mean score of the right boundaries of right predictions; NaN without any."""
        return mean(self.right.tolist())


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CentroidJudgement(Brief):
    """How names fared against centroids, and which pairs of a name and a centroid were right.

    ``near`` are pairs of a name and a centroid whose heart it overlaps. A name in pieces is right
    if all of them are, and a piece is enough to find a centroid.
    """

    outcome: Outcomes
    boundaries: Boundaries
    right: tuple[Ints, Ints]
    near: tuple[Ints, Ints]


def judge_names(
    batch: ScoringBatch, names: Names, standard: Extents, *, same_label: bool = True
) -> CentroidJudgement:
    """Judge names, each by itself."""
    pieces, heart = batch.trimmed_pieces(names), standard.heart
    piece, centroid = overlapping(pieces.start, pieces.end, standard.low, standard.high)
    start, end = pieces.start[piece], pieces.end[piece]
    first, last = heart.start[centroid], heart.end[centroid]
    on_heart = (start < last) & (end > first)
    right = (start <= first) & (end >= last)
    right &= (start >= standard.low[centroid]) & (end <= standard.high[centroid])
    if same_label:
        right &= names.label[pieces.name[piece]] == heart.label[centroid]
    n = len(names)
    wrong_piece = ~_among(piece[right], len(pieces.name))
    is_right = ~_among(pieces.name[wrong_piece], n)
    outcome = outcome_of(is_right, _among(pieces.name[piece], n))
    good, found = piece[right], centroid[right]
    return CentroidJudgement(
        outcome,
        _boundaries(pieces, good, found, standard, is_right),
        (pieces.name[good], found),
        (pieces.name[piece[on_heart]], centroid[on_heart]),
    )


def centroid_view(
    batch: ScoringBatch,
    predicted: Names,
    standard: Extents,
    *,
    same_label: bool = True,
    alike: tuple[Ints, Ints, CentroidJudgement] | None = None,
) -> tuple[View, Boundaries]:
    """Score predictions against centroids, and the boundaries of those that are right.

    Predictions that are ``alike`` names that were judged already, given by the numbers of both,
    fare as these did.
    """
    n_centroids = len(standard.heart)
    if alike is None:
        judged = judge_names(batch, predicted, standard, same_label=same_label)
        outcome, boundaries = judged.outcome, judged.boundaries
        found, near = (_among(pairs[1], n_centroids) for pairs in (judged.right, judged.near))
    else:
        names, same, known = alike
        rest = np.flatnonzero(~_among(same, len(predicted)))
        judged = judge_names(batch, _only(predicted, rest), standard, same_label=same_label)
        outcome = np.empty(len(predicted), dtype=np.int8)
        outcome[same], outcome[rest] = known.outcome[names], judged.outcome
        boundaries = _put_together(len(predicted), (same, rest), names, known, judged)
        said = _among(names, len(known.outcome))
        found, near = (
            _among(new[1], n_centroids) | _among(old[1][said[old[0]]], n_centroids)
            for old, new in ((known.right, judged.right), (known.near, judged.near))
        )
    outcomes = outcome, outcome_of(found, near)
    n_documents, heart = len(batch.table.documents), standard.heart
    return View(n_documents, batch.labels, predicted, heart, *outcomes), boundaries


def _only(names: Names, rows: Ints) -> Names:
    """Take some names, in order, with their pieces."""
    place = np.full(len(names), -1)
    place[rows] = np.arange(len(rows))
    name = place[names.pieces.name]
    kept = np.flatnonzero(name >= 0)
    pieces = Pieces(name[kept], names.pieces.start[kept], names.pieces.end[kept])
    return replace(names.keep(rows), pieces=pieces)


def _put_together(
    n: int,
    places: tuple[Ints, Ints],
    names: Ints,
    known: CentroidJudgement,
    judged: CentroidJudgement,
) -> Boundaries:
    left, right, support = np.empty(n), np.empty(n), np.empty(n, dtype=np.int8)
    for column, old, new in (
        (left, known.boundaries.left, judged.boundaries.left),
        (right, known.boundaries.right, judged.boundaries.right),
        (support, known.boundaries.support, judged.boundaries.support),
    ):
        column[places[0]], column[places[1]] = old[names], new
    return Boundaries(left, right, support)


def _among(numbers: Ints, n: int) -> Flags:
    """Tell which of the numbers up to ``n`` occur."""
    occurs = np.zeros(n, dtype=bool)
    occurs[numbers] = True
    return occurs


def _boundaries(
    pieces: Pieces, piece: Ints, centroid: Ints, standard: Extents, is_right: Flags
) -> Boundaries:
    """Score the boundaries of right pieces; ``piece`` and ``centroid`` are their right pairs."""
    left = standard.left.score_at(centroid, pieces.start[piece])
    right = standard.right.score_at(centroid, pieces.end[piece])
    # Sorted so that the best pair of each piece is the last; of equals the better left boundary.
    order = np.lexsort((left, left + right, piece))
    best = np.zeros((2, len(pieces.name)))
    best[:, piece[order]] = left[order], right[order]
    place = pieces.start[piece], pieces.end[piece]
    supports = np.zeros(len(pieces.name), dtype=np.int8)
    supports[piece[order]] = standard.given.support(centroid, place, (left, right))[order]
    n = len(is_right)
    n_pieces = np.bincount(pieces.name, minlength=n)
    before, after = (
        np.bincount(pieces.name, weights=side, minlength=n) / n_pieces for side in best
    )
    support = np.zeros(n, dtype=np.int8)
    np.maximum.at(support, pieces.name, supports)  # a name is supported as its weakest piece
    return Boundaries(
        np.where(is_right, before, np.nan),
        np.where(is_right, after, np.nan),
        np.where(is_right, support, NOT_RIGHT).astype(np.int8),
    )
