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

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.overlap import overlapping
from vermeil.scoring.pairing.extents import Extents
from vermeil.scoring.pairing.given import NOT_RIGHT, Supports
from vermeil.scoring.pairing.names import Names, Pieces, ScoringBatch
from vermeil.scoring.views.outcomes import View, mean, outcome_of
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


def centroid_view(
    batch: ScoringBatch, predicted: Names, standard: Extents, *, same_label: bool = True
) -> tuple[View, Boundaries]:
    """Score predictions against centroids, and the boundaries of those that are right."""
    pieces, heart = batch.trimmed_pieces(predicted), standard.heart
    piece, centroid = overlapping(pieces.start, pieces.end, standard.low, standard.high)
    start, end = pieces.start[piece], pieces.end[piece]
    on_heart = (start < heart.end[centroid]) & (end > heart.start[centroid])
    right = (start <= heart.start[centroid]) & (end >= heart.end[centroid])
    right &= (start >= standard.low[centroid]) & (end <= standard.high[centroid])
    if same_label:
        right &= predicted.label[pieces.name[piece]] == heart.label[centroid]

    n, n_centroids = len(predicted), len(heart)
    wrong_piece = ~_among(piece[right], len(pieces.name))
    is_right = ~_among(pieces.name[wrong_piece], n)
    outcomes = (
        outcome_of(is_right, _among(pieces.name[piece], n)),
        outcome_of(_among(centroid[right], n_centroids), _among(centroid[on_heart], n_centroids)),
    )
    view = View.of(len(batch.table.documents), batch.labels, (predicted, heart), outcomes)
    return view, _boundaries(pieces, piece[right], centroid[right], standard, is_right)


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
