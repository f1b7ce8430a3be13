"""Sums that come out the same however the summands were cut into parts.

Floats do not add exactly; these do. A sum is kept as a fraction and rounded once, at the end, like
``math.fsum``. Rows of which many are equal are kept once, with their number.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import nan

import numpy as np
from numpy.typing import ArrayLike

from vermeil.arrays import Floats, Ints


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of ``n`` numbers, kept as their exact sum. Add two to pool them.

    >>> (Mean.of([0.25, float("nan")]) + Mean.of([0.75])).value
    0.5
    """

    total: Fraction = Fraction()
    n: int = 0

    @staticmethod
    def of(values: ArrayLike, times: ArrayLike | None = None) -> "Mean":
        """Sum up values, each counted so many ``times``; NaN are left out."""
        every = np.asarray(values, dtype=np.float64)
        defined = ~np.isnan(every)
        weights = np.ones(len(every)) if times is None else np.asarray(times)
        kept, weights = every[defined], weights[defined]
        distinct, place = np.unique(kept, return_inverse=True)
        n = np.bincount(place, weights=weights, minlength=len(distinct)).astype(np.int64)
        pairs = zip(distinct.tolist(), n.tolist(), strict=True)
        return Mean(sum((Fraction(x) * k for x, k in pairs), Fraction()), int(n.sum()))

    def __add__(self, other: "Mean") -> "Mean":
        return Mean(self.total + other.total, self.n + other.n)

    @property
    def value(self) -> float:
        """The mean; NaN of nothing."""
        return float(self.total) / self.n if self.n else nan


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """Distinct rows of numbers in order, and how often each came. Add two to pool them."""

    rows: Floats
    count: Ints

    @staticmethod
    def of(rows: ArrayLike, count: ArrayLike | None = None) -> "Histogram":
        """Count equal rows. NaN are equal to none, so there must not be any."""
        every = np.asarray(rows, dtype=np.float64)
        times = np.ones(len(every), dtype=np.int64) if count is None else np.asarray(count)
        if not len(every):
            return Histogram(every, times.astype(np.int64))
        order = np.lexsort(every.T[::-1])
        every, times = every[order], times[order]
        is_new = np.ones(len(every), dtype=bool)
        is_new[1:] = (every[1:] != every[:-1]).any(axis=1)
        return Histogram(every[is_new], np.add.reduceat(times, np.flatnonzero(is_new)))

    @staticmethod
    def pooled(parts: Iterable["Histogram"]) -> "Histogram":
        """Add up several at once."""
        every = list(parts)
        return Histogram.of(
            np.concatenate([each.rows for each in every]),
            np.concatenate([each.count for each in every]),
        )

    def __add__(self, other: "Histogram") -> "Histogram":
        return Histogram.pooled((self, other))

    @property
    def expanded(self) -> Floats:
        """All rows, in order."""
        expanded: Floats = np.repeat(self.rows, self.count, axis=0)
        return expanded

    @property
    def total(self) -> Floats:
        """The sum of all rows; exact where they hold whole numbers and halves."""
        total: Floats = self.count @ self.rows
        return total
