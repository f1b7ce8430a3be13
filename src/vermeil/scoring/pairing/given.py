"""Which boundaries of a centroid were given together: "somebody said so" or "recombined".

The distribution of boundaries permits every left one with every right one. Where a centroid keeps
the pairs that were given, a combination that nobody gave can be told from one that somebody did.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Floats, Ints, distinct, is_among
from vermeil.shown import Brief

SUPPORTS = ("said", "recombined", "permitted", "unheard", "")
SAID, RECOMBINED, PERMITTED, UNHEARD, NOT_RIGHT = range(len(SUPPORTS))
"""Somebody gave both boundaries together; each, but not together; each, and it is not known
whether together; one of them nobody gave. The last stands for what is not right."""

Supports = NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GivenPairs(Brief):
    """Pairs of boundaries by their distances from the heart, and which centroids have any.

    ``several`` tells which centroids have several boundaries on both sides: only there can
    boundaries be recombined.
    """

    key: Ints
    start: Ints
    end: Ints
    least: tuple[int, int]
    width: tuple[int, int]
    is_known: NDArray[np.bool_]
    several: NDArray[np.bool_]

    @staticmethod
    def of(
        heart: tuple[Ints, Ints],
        several: NDArray[np.bool_],
        centroid: Ints,
        place: tuple[Ints, Ints],
    ) -> "GivenPairs":
        """Take pairs of boundaries of centroids whose hearts lie from start to end."""
        before = heart[0][centroid] - place[0]
        after = place[1] - heart[1][centroid]
        least = int(before.min(initial=0)), int(after.min(initial=0))
        width = (
            int(before.max(initial=0)) - least[0] + 1,
            int(after.max(initial=0)) - least[1] + 1,
        )
        key = (centroid * width[0] + before - least[0]) * width[1] + after - least[1]
        is_known = np.zeros(len(several), dtype=bool)
        is_known[centroid] = True
        return GivenPairs(
            key=distinct(key),
            start=heart[0],
            end=heart[1],
            least=least,
            width=width,
            is_known=is_known,
            several=several,
        )

    def support(
        self, centroid: Ints, place: tuple[Ints, Ints], score: tuple[Floats, Floats]
    ) -> Supports:
        """Tell how stretches that are right for centroids are supported.

        ``score`` holds what their boundaries score: 0 where nobody put one.
        """
        before = self.start[centroid] - place[0] - self.least[0]
        after = place[1] - self.end[centroid] - self.least[1]
        inside = (before >= 0) & (before < self.width[0]) & (after >= 0) & (after < self.width[1])
        key = (centroid * self.width[0] + before) * self.width[1] + after
        given = inside & is_among(key, self.key)
        unheard = (score[0] <= 0) | (score[1] <= 0)
        doubtful = np.where(self.is_known[centroid], RECOMBINED, PERMITTED)
        together = np.where(given | ~self.several[centroid], SAID, doubtful)
        return np.where(unheard, UNHEARD, together).astype(np.int8)
