"""How far a figure could be chance: intervals and tests over documents.

Documents, not names, are what was sampled, so documents are what is drawn again. A figure is a
function of pooled counts; each document is a row of counts. Rows that are equal are drawn together
and rows are put in order first, so that the same documents in any order give the same result.

* ``bootstrap``: percentile interval of a figure (Efron 1979).
* ``paired_bootstrap``: the same for the difference of two systems on the same documents.
* ``unpaired_bootstrap``: the same for figures of two sets of different documents.
* ``permutation``: could the two systems' outputs have been swapped, document by document? Exact
  where there are few documents, else approximate randomisation (Noreen 1989).
* ``paired_t``: Student's two-tailed test on scores of the same documents or sentences.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, inf, nan, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from vermeil.arrays import Floats, Ints

Statistic: TypeAlias = Callable[[Floats], Floats]
"""Takes pooled counts, a row for each figure wanted, and gives the figures; NaN if undefined."""

N_EXACT = 14
"""With so many documents that differ, all ways to swap them are tried."""

_CELLS = 1 << 22


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure and where it lies with probability ``level``.

    ``n_undefined`` of ``n_resamples`` gave no figure and are left out of the interval.
    """

    value: float
    low: float
    high: float
    level: float
    n_resamples: int
    n_undefined: int = 0


@dataclass(frozen=True, slots=True)
class Significance:
    """How likely a difference this large, either way, is where there is none.

    ``statistic`` is the difference, or Student's t; ``n`` the resamples, or the pairs compared.
    """

    statistic: float
    p_value: float
    n: int
    is_exact: bool = False


def precision(pooled: Floats) -> Floats:
    """Compute the precision of rows: right, predicted, found, wanted; NaN without predictions."""
    return _ratio(pooled[..., 0], pooled[..., 1])


def recall(pooled: Floats) -> Floats:
    """Compute the recall of rows: right, predicted, found, wanted; NaN where nothing is wanted."""
    return _ratio(pooled[..., 2], pooled[..., 3])


def f1(pooled: Floats) -> Floats:
    """Compute F1 of rows: right, predicted, found, wanted; NaN where both sides are empty.

    >>> f1(np.array([3.0, 4.0, 3.0, 8.0])).tolist()
    0.5
    """
    right, predicted, found, wanted = np.moveaxis(np.asarray(pooled, dtype=np.float64), -1, 0)
    # 2PR / (P + R) without its inner fractions, which may be undefined.
    result = _ratio(2 * right * found, right * wanted + found * predicted)
    nothing = ((right == 0) | (found == 0)) & ((predicted > 0) | (wanted > 0))
    return np.where(nothing, 0.0, result)


def bootstrap(
    counts: ArrayLike,
    statistic: Statistic = f1,
    *,
    n_resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """Compute a figure of all documents with its percentile interval."""
    [interval] = bootstrap_each(
        counts, {"": statistic}, n_resamples=n_resamples, level=level, seed=seed
    ).values()
    return interval


def bootstrap_each(
    counts: ArrayLike,
    statistics: Mapping[str, Statistic],
    *,
    n_resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> dict[str, Interval]:
    """Compute several figures of the same documents with their intervals, from the same draws."""
    rows = _as_matrix(counts)
    drawn = [np.zeros((0, rows.shape[1])), *_resampled(rows, n_resamples, seed)]
    pooled, total = np.concatenate(drawn), _pooled(rows)
    return {
        name: _interval(float(statistic(total)), statistic(pooled), level)
        for name, statistic in statistics.items()
    }


def paired_bootstrap(
    first: ArrayLike,
    second: ArrayLike,
    statistic: Statistic = f1,
    *,
    n_resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[Interval, Significance]:
    """Compute the figure of ``first`` less that of ``second`` with its interval, and a test.

    The p-value is twice the smaller share of resamples on one side of no difference.
    """
    a, b = _paired_matrices(first, second)
    width = a.shape[1]

    def difference(pooled: Floats) -> Floats:
        return statistic(pooled[..., :width]) - statistic(pooled[..., width:])

    rows = np.hstack((a, b))
    chunks = [difference(pooled) for pooled in _resampled(rows, n_resamples, seed)]
    figures = np.concatenate(chunks or [np.zeros(0)])
    interval = _interval(float(difference(_pooled(rows))), figures, level)
    known = figures[~np.isnan(figures)]
    least = min(int((known <= 0).sum()), int((known >= 0).sum()))
    p_value = min(1.0, 2 * (least + 1) / (len(known) + 1)) if len(known) else nan
    return interval, Significance(interval.value, p_value, n_resamples)


def unpaired_bootstrap(
    first: ArrayLike,
    second: ArrayLike,
    statistics: Mapping[str, Callable[[Floats, Floats], Floats]],
    *,
    n_resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> dict[str, Interval]:
    """Compute figures of two sets of documents, each drawn again by itself, with intervals.

    Each statistic takes the pooled counts of both. All are computed from the same draws.
    """
    sides = [_as_matrix(first), _as_matrix(second)]
    drawn = [
        np.concatenate([rows[:0], *_resampled(rows, n_resamples, (seed, number))])
        for number, rows in enumerate(sides)
    ]
    totals = [_pooled(rows) for rows in sides]
    return {
        name: _interval(float(statistic(*totals)), statistic(*drawn), level)
        for name, statistic in statistics.items()
    }


def permutation(
    first: ArrayLike,
    second: ArrayLike,
    statistic: Statistic = f1,
    *,
    n_resamples: int = 10_000,
    seed: int = 0,
    n_exact: int = N_EXACT,
) -> Significance:
    """Test whether two systems differ, by swapping their counts document by document.

    With at most ``n_exact`` documents that differ, all swaps are tried and p is exact. With more,
    random ones are, and p is (c + 1) / (n + 1), c of n differing as much or more. Swapping the
    two systems changes nothing but the sign of the difference. NaN where a figure is undefined.
    """
    a, b = _paired_matrices(first, second)
    total_a, total_b = _pooled(a), _pooled(b)
    observed = float(statistic(total_a) - statistic(total_b))
    if np.isnan(observed):
        return Significance(nan, nan, 0)
    if tuple(total_a) > tuple(total_b):
        a, b, total_a, total_b = b, a, total_b, total_a
    differs = (a != b).any(axis=1)
    rows, n_equal = _distinct(np.hstack((a, b))[differs])
    gain = rows[:, a.shape[1] :] - rows[:, : a.shape[1]]
    n_differing = int(n_equal.sum())
    is_exact = n_differing <= n_exact
    swaps = _all_swaps(n_equal) if is_exact else _random_swaps(n_equal, n_resamples, seed)
    n_as_large = n_tried = 0
    for n_swapped in swaps:
        moved = n_swapped @ gain
        found = statistic(total_a + moved) - statistic(total_b - moved)
        # What differs by rounding only is as large; what is undefined is no smaller either.
        n_as_large += int((~(np.abs(found) < abs(observed) - 1e-12)).sum())
        n_tried += len(found)
    p_value = n_as_large / n_tried if is_exact else (n_as_large + 1) / (n_tried + 1)
    return Significance(observed, p_value, n_tried, is_exact)


def paired_t(first: ArrayLike, second: ArrayLike) -> Significance:
    """Test whether two lists of scores of the same items differ (two-tailed).

    Pairs with a NaN are left out. NaN with fewer than two pairs, or where no pair differs.
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    gains = a - b
    gains = np.sort(gains[~np.isnan(gains)])
    n = len(gains)
    if n < 2 or not gains.any():
        return Significance(nan, nan, n)
    mean = fsum(gains) / n
    spread = fsum((gains - mean) ** 2)
    t = mean / sqrt(spread / (n - 1) / n) if spread else inf * np.sign(mean)

    from scipy.special import stdtr  # scipy takes its time to load

    return Significance(float(t), float(2 * stdtr(n - 1, -abs(t))), n)


def _resampled(rows: Floats, n_resamples: int, seed: int | Sequence[int]) -> Iterator[Floats]:
    """Yield the pooled counts of documents drawn with replacement, some resamples at a time."""
    distinct, n_equal = _distinct(rows)
    if not len(rows):
        yield np.zeros((n_resamples, rows.shape[1]))
        return
    random = np.random.default_rng(seed)
    for size in _sizes(n_resamples, len(rows)):
        if len(distinct) * 4 < len(rows):
            drawn = random.multinomial(len(rows), n_equal / len(rows), size=size)
        else:
            number = np.repeat(np.arange(len(distinct)), n_equal)
            draws = number[random.integers(0, len(rows), (size, len(rows)))]
            draws += np.arange(size)[:, None] * len(distinct)
            drawn = np.bincount(draws.ravel(), minlength=size * len(distinct))
            drawn = drawn.reshape(size, len(distinct))
        yield drawn @ distinct


def _all_swaps(n_equal: Ints) -> Iterator[Floats]:
    """Yield every choice of documents, as how many of each kind are swapped."""
    n = int(n_equal.sum())
    kind = np.repeat(np.eye(len(n_equal)), n_equal, axis=0)
    for begin in range(0, 1 << n, 1 << 14):
        number = np.arange(begin, min(1 << n, begin + (1 << 14)))
        yield ((number[:, None] >> np.arange(n)) & 1) @ kind


def _random_swaps(n_equal: Ints, n_resamples: int, seed: int) -> Iterator[Floats]:
    random = np.random.default_rng(seed)
    for size in _sizes(n_resamples, len(n_equal)):
        yield random.binomial(n_equal, 0.5, size=(size, len(n_equal))).astype(np.float64)


def _sizes(n_resamples: int, width: int) -> Iterator[int]:
    """Cut the work so that no array has many more than _CELLS cells."""
    step = max(1, _CELLS // max(1, width))
    for begin in range(0, n_resamples, step):
        yield min(step, n_resamples - begin)


def _distinct(rows: Floats) -> tuple[Floats, Ints]:
    """Find the distinct rows in order, and how many there are of each."""
    if not rows.size:
        return rows[:1], np.full(min(1, len(rows)), len(rows))
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    first = np.flatnonzero(np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1)))
    return ordered[first], np.diff(np.append(first, len(rows)))


def _interval(value: float, figures: Floats, level: float) -> Interval:
    known = figures[~np.isnan(figures)]
    tail = (1 - level) / 2
    low, high = np.quantile(known, [tail, 1 - tail]).tolist() if len(known) else (nan, nan)
    return Interval(
        value=value,
        low=low,
        high=high,
        level=level,
        n_resamples=len(figures),
        n_undefined=len(figures) - len(known),
    )


def _as_matrix(counts: ArrayLike) -> Floats:
    rows = np.asarray(counts, dtype=np.float64)
    if rows.ndim != 2:
        raise ValueError(f"counts have a row a document and a column a count, got {rows.shape}")
    return rows


def _paired_matrices(first: ArrayLike, second: ArrayLike) -> tuple[Floats, Floats]:
    a, b = _as_matrix(first), _as_matrix(second)
    if a.shape != b.shape:
        raise ValueError(f"the same documents twice are wanted, got {a.shape} and {b.shape}")
    return a, b


def _pooled(rows: Floats) -> Floats:
    """Add up rows; sorted first, so that their order does not show in the last digit."""
    total: Floats = np.sort(rows, axis=0).sum(axis=0)
    return total


def _ratio(above: Floats, below: Floats) -> Floats:
    below = np.asarray(below, dtype=np.float64)
    ratio: Floats = np.divide(above, below, out=np.full(below.shape, np.nan), where=below != 0)
    return ratio
