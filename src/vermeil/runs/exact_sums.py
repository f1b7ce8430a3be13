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

SMALL = 1 << 15
"""Counts below this are put in order as one number a row."""


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
        return Mean(_exact_sum(distinct, n), int(n.sum()))

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
        order = _order(every)
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


def _exact_sum(values: Floats, times: Ints) -> Fraction:
    """Add up values so many times: whole numbers of the smallest power of two among them."""
    part, power = np.frexp(values)
    if not len(values) or not np.isfinite(part).all():
        pairs = zip(values.tolist(), times.tolist(), strict=True)
        return sum((Fraction(value) * n for value, n in pairs), Fraction())
    least = int(power.min()) - 53
    whole = zip(
        (part * 2.0**53).astype(np.int64).tolist(), (power - 53 - least).tolist(), strict=True
    )
    counted = zip(whole, times.tolist(), strict=True)
    total = sum((digits * n) << shift for (digits, shift), n in counted)
    return Fraction(total << least) if least >= 0 else Fraction(total, 1 << -least)


def _order(rows: Floats) -> Ints:
    """Put rows in order. Counts, and halves of them, make one small number of each row."""
    halves = rows * 2
    most = int(halves.max()) + 1 if halves.min() >= 0 and halves.max() < SMALL else 0
    if 0 < most ** rows.shape[1] < 1 << 62 and (halves == np.floor(halves)).all():
        key = np.zeros(len(rows), dtype=np.int64)
        for column in halves.T:
            key = key * most + column.astype(np.int64)
        return np.argsort(key, kind="stable")
    return np.lexsort(rows.T[::-1])
