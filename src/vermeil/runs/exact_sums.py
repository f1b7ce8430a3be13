"""Sums that come out the same however the summands were cut into parts.

Floats do not add exactly; these do. A sum is kept as a fraction and rounded once, at the end, like
``math.fsum``. Rows of which many are equal are kept once, with their number.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import nan
from typing import NamedTuple

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
        if times is None:
            distinct, n = np.unique(every[defined], return_counts=True)
            return Mean(_exact_sum(distinct, n), int(n.sum()))
        distinct, place = np.unique(every[defined], return_inverse=True)
        weights = np.asarray(times)[defined]
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
        if count is None and (keys := _Keys.of(every)) is not None:
            return keys.histogram
        order = _order(every)
        every, times = every[order], times[order]
        is_new = np.ones(len(every), dtype=bool)
        is_new[1:] = (every[1:] != every[:-1]).any(axis=1)
        return Histogram(every[is_new], np.add.reduceat(times, np.flatnonzero(is_new)))

    @staticmethod
    def of_each(groups: Floats) -> "list[Histogram]":
        """Count equal rows in each of several groups of as many rows, all of them at once."""
        n_groups, n_rows, n_columns = groups.shape
        number = np.repeat(np.arange(n_groups), n_rows)
        whole = Histogram.of(np.column_stack((number, groups.reshape(-1, n_columns))))
        bounds = np.searchsorted(whole.rows[:, 0], np.arange(n_groups + 1)).tolist()
        return [
            Histogram(whole.rows[low:high, 1:], whole.count[low:high])
            for low, high in pairwise(bounds)
        ]

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


class _Keys(NamedTuple):
    """Rows of counts, and halves of them, as one number each; digits are below ``most``."""

    key: Ints
    most: int
    n_columns: int

    @staticmethod
    def of(rows: Floats) -> "_Keys | None":
        """Number rows; None if they are no counts, or too large."""
        halves = rows * 2
        whole = halves.astype(np.int64)
        most, n_columns = int(whole.max()) + 1, rows.shape[1]
        if most > SMALL or most**n_columns >= 1 << 62 or whole.min() < 0:
            return None
        if (whole != halves).any():
            return None
        return _Keys(whole @ most ** np.arange(n_columns)[::-1], most, n_columns)

    @property
    def histogram(self) -> Histogram:
        """The rows, each once."""
        key = np.sort(self.key)
        places = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1])))
        rest, rows = key[places], np.empty((len(places), self.n_columns))
        for column in reversed(range(self.n_columns)):
            rest, digit = np.divmod(rest, self.most)
            rows[:, column] = digit
        return Histogram(rows / 2, np.diff(np.append(places, len(key))))


def _order(rows: Floats) -> Ints:
    """Put rows in order."""
    keys = _Keys.of(rows)
    return np.lexsort(rows.T[::-1]) if keys is None else np.argsort(keys.key, kind="stable")
