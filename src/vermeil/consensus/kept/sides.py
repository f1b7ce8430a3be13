"""Boundaries of centroids as columns: those of one side, and those that were given together.

The distribution of boundaries does not tie left ones to right ones (section 5.1 of Lewin et al.,
"Centroids": *p75 nucleoprotein* is permitted though nobody listed it). Pairs keep what the two
sides alone forget: whether somebody gave both boundaries at once. They are kept where both sides
have several boundaries; elsewhere every combination was given by somebody.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from vermeil.arrays import Flags, Floats, Ints, is_among


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The boundaries on one side of all centroids: centroid, offset in its document, value.

    Ordered by centroid, the innermost first.
    """

    centroid: Ints
    offset: Ints
    value: Floats

    def modal(self) -> Ints:
        """Return for each centroid its best-supported boundary; of equals the innermost."""
        best = np.flatnonzero(self.value == self._best()[self.centroid])
        return self.offset[best[_first_of_each(self.centroid[best])]]

    def farthest(self) -> Ints:
        """Return for each centroid its outermost boundary."""
        last = np.append(_first_of_each(self.centroid)[1:], len(self.offset)) - 1
        outermost: Ints = self.offset[last]
        return outermost

    def share(self) -> Floats:
        """Return for each centroid the share of its support that the best boundary has."""
        return self._best() / self._total()

    def pruned(self, mass: float) -> "Side":
        """Keep the fewest boundaries of each centroid that have this share of its support.

        The best stay; of equals the inner ones.

        >>> side = Side(np.array([0, 0, 0]), np.array([9, 4, 0]), np.array([0.7, 0.1, 0.2]))
        >>> side.pruned(0.85).offset.tolist()
        [9, 0]
        """
        order = np.lexsort((-self.value, self.centroid))
        first = _first_of_each(self.centroid)
        better = np.cumsum(self.value[order]) - self.value[order]
        better -= better[first][self.centroid]
        # Sums are rounded: what is missing by less than that is not missing.
        enough = better >= mass * self._total()[self.centroid] - 1e-9
        enough[first] = False
        kept = np.sort(order[~enough])
        return Side(self.centroid[kept], self.offset[kept], self.value[kept])

    def numbers(self, n: int) -> Ints:
        """Count the boundaries of each of ``n`` centroids."""
        return np.bincount(self.centroid, minlength=n)

    def placed(self, place: Ints) -> "Side":
        """Number centroids anew; those below 0 are left out."""
        number = place[self.centroid]
        rows = np.flatnonzero(number >= 0)
        rows = rows[np.argsort(number[rows], kind="stable")]
        return Side(number[rows], self.offset[rows], self.value[rows])

    def by_centroid(self, n: int) -> list[tuple[tuple[int, float], ...]]:
        """List the boundaries of each of ``n`` centroids."""
        pairs = list(zip(self.offset.tolist(), self.value.tolist(), strict=True))
        bounds = np.searchsorted(self.centroid, np.arange(n + 1)).tolist()
        return [tuple(pairs[low:high]) for low, high in pairwise(bounds)]

    def _best(self) -> Floats:
        return np.maximum.reduceat(self.value, _first_of_each(self.centroid))

    def _total(self) -> Floats:
        total: Floats = np.add.reduceat(self.value, _first_of_each(self.centroid))
        return total


@dataclass(frozen=True, slots=True, eq=False)
class BoundaryPairs:
    """Boundaries that were given together: centroid, start, end, and so many votes for both.

    Ordered by centroid, the innermost first.
    """

    centroid: Ints
    start: Ints
    end: Ints
    value: Floats

    @staticmethod
    def none() -> "BoundaryPairs":
        """Make columns without a row."""
        nothing = np.zeros(0, dtype=np.int64)
        return BoundaryPairs(nothing, nothing, nothing, np.zeros(0))

    def placed(self, place: Ints) -> "BoundaryPairs":
        """Number centroids anew; those below 0 are left out."""
        number = place[self.centroid]
        rows = np.flatnonzero(number >= 0)
        return self._kept(rows[np.argsort(number[rows], kind="stable")], number)

    def between(self, left: Side, right: Side) -> "BoundaryPairs":
        """Keep the pairs of which both boundaries stand."""
        if not len(self.centroid):
            return self
        stands = _occurs(self.centroid, self.start, left) & _occurs(self.centroid, self.end, right)
        return self._kept(np.flatnonzero(stands), self.centroid)

    def by_centroid(self) -> dict[int, tuple[tuple[int, int, float], ...]]:
        """List the pairs of each centroid that has any."""
        if not len(self.centroid):
            return {}
        columns = (self.start.tolist(), self.end.tolist(), self.value.tolist())
        rows = list(zip(*columns, strict=True))
        first = _first_of_each(self.centroid)
        bounds = pairwise([*first.tolist(), len(rows)])
        lists = (tuple(rows[low:high]) for low, high in bounds)
        return dict(zip(self.centroid[first].tolist(), lists, strict=True))

    def _kept(self, rows: Ints, number: Ints) -> "BoundaryPairs":
        return BoundaryPairs(number[rows], self.start[rows], self.end[rows], self.value[rows])


def _occurs(centroid: Ints, offset: Ints, side: Side) -> Flags:
    """Tell which of some offsets, each of a centroid, are boundaries on a side."""
    asked = np.zeros(int(max(centroid.max(), side.centroid.max(initial=0))) + 1, dtype=bool)
    asked[centroid] = True
    own = np.flatnonzero(asked[side.centroid])
    width = int(max(offset.max(), side.offset[own].max(initial=0))) + 1
    there = np.sort(side.centroid[own] * width + side.offset[own])
    return is_among(centroid * width + offset, there)


def _first_of_each(centroid: Ints) -> Ints:
    return np.flatnonzero(np.concatenate(([True], centroid[1:] != centroid[:-1])))
