from collections.abc import Callable, Iterable
from itertools import product
from math import inf, isnan

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray

from vermeil.scoring.counts import Counts
from vermeil.scoring.significance import (
    bootstrap,
    f1,
    paired_bootstrap,
    paired_t,
    permutation,
    precision,
    recall,
)

COUNTS = st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 4), st.integers(0, 3)).map(
    lambda n: Counts(n[0], n[0] + n[1], n[2] if n[0] else 0, (n[2] if n[0] else 0) + n[3])
)
CORPORA = st.lists(COUNTS, min_size=1, max_size=8)
PAIRS = st.lists(st.tuples(COUNTS, COUNTS), min_size=1, max_size=7)
Rows = NDArray[np.float64]


def as_rows(counts: Iterable[Counts]) -> Rows:
    """Lay counts out, a row a document: right, predicted, found, wanted."""
    rows = [(each.right, each.predicted, each.found, each.wanted) for each in counts]
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def system(quality: float, *, n: int = 60, seed: int = 0) -> Rows:
    """Make the counts of a system that finds this share of names and makes no other errors."""
    found = np.random.default_rng(seed).binomial(5, quality, size=n)
    return np.stack((found, found, found, np.full(n, 5)), axis=1).astype(float)


@given(COUNTS)
def test_the_figures_are_those_of_counts(counts: Counts) -> None:
    [row] = as_rows([counts])
    for function, wanted in (
        (precision, counts.precision),
        (recall, counts.recall),
        (f1, counts.f1),
    ):
        assert function(row).item() == pytest.approx(wanted, nan_ok=True)


@pytest.mark.parametrize("function", [bootstrap, paired_bootstrap, permutation])
@given(PAIRS, st.randoms(use_true_random=False))
def test_no_order_of_documents_changes_anything(
    function: Callable[..., object], pairs: list[tuple[Counts, Counts]], random: object
) -> None:
    shuffled = list(pairs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    found = []
    for order in (pairs, shuffled):
        first, second = as_rows(a for a, _ in order), as_rows(b for _, b in order)
        systems = (first,) if function is bootstrap else (first, second)
        found.append(repr(function(*systems, n_resamples=20)))
    assert found[0] == found[1]


@given(CORPORA)
def test_resamples_are_whole_corpora(corpus: list[Counts]) -> None:
    rows = np.hstack((as_rows(corpus), np.ones((len(corpus), 1))))
    sizes: list[float] = []

    def size(pooled: Rows) -> Rows:
        sizes.extend(np.atleast_1d(pooled[..., 4]).tolist())
        return pooled[..., 4]

    bootstrap(rows, size, n_resamples=30)
    assert set(sizes) == {float(len(corpus))}


def test_an_interval_of_a_mean_is_where_theory_has_it() -> None:
    values = np.random.default_rng(1).normal(10, 2, size=400)
    rows = np.stack((values, np.ones(400)), axis=1)
    interval = bootstrap(rows, lambda pooled: pooled[..., 0] / pooled[..., 1], n_resamples=4000)
    half = 1.96 * values.std() / 20
    assert interval.value == pytest.approx(values.mean())
    assert interval.low == pytest.approx(values.mean() - half, abs=0.03)
    assert interval.high == pytest.approx(values.mean() + half, abs=0.03)


def test_documents_that_are_alike_are_drawn_as_often_as_others() -> None:
    # 900 documents of two kinds are drawn by number of each kind, 90 different ones one by one.
    for kinds in (np.arange(900) % 5 == 0, np.arange(90)):
        rows = np.stack((kinds, np.ones(len(kinds))), axis=1).astype(float)
        interval = bootstrap(rows, lambda pooled: pooled[..., 0] / pooled[..., 1], n_resamples=4000)
        half = 1.96 * kinds.std() / np.sqrt(len(kinds))
        assert interval.low == pytest.approx(kinds.mean() - half, rel=0.03)
        assert interval.high == pytest.approx(kinds.mean() + half, rel=0.03)


def test_a_seed_gives_the_same_interval_again() -> None:
    rows = np.random.default_rng(0).normal(size=(60, 1))
    found = [bootstrap(rows, lambda pooled: pooled[..., 0], seed=seed) for seed in (3, 3, 4)]
    assert found[0] == found[1] != found[2]


def test_an_undefined_figure_has_no_interval() -> None:
    interval = bootstrap(as_rows([Counts(), Counts()]), n_resamples=10)
    assert isnan(interval.value)
    assert isnan(interval.low)
    assert interval.n_undefined == 10
    assert isnan(bootstrap(as_rows([]), n_resamples=10).value)


def test_documents_without_any_count_are_no_trouble() -> None:
    interval = bootstrap(np.zeros((3, 0)), lambda pooled: np.zeros(pooled.shape[:-1]))
    assert (interval.low, interval.high) == (0, 0)


def test_what_is_undefined_in_some_resamples_is_told() -> None:
    rows = as_rows([Counts(1, 1, 1, 1), Counts(), Counts()])
    interval = bootstrap(rows, n_resamples=500)
    assert 0 < interval.n_undefined < 500
    assert interval.low == interval.high == 1


@given(PAIRS)
def test_the_exact_test_tries_all_swaps(pairs: list[tuple[Counts, Counts]]) -> None:
    def difference(swapped: tuple[bool, ...]) -> float:
        sides = [(b, a) if swap else (a, b) for swap, (a, b) in zip(swapped, pairs, strict=True)]
        return sum((a for a, _ in sides), Counts()).f1 - sum((b for _, b in sides), Counts()).f1

    found = permutation(as_rows(a for a, _ in pairs), as_rows(b for _, b in pairs))
    observed = difference((False,) * len(pairs))
    if isnan(observed):
        assert isnan(found.p_value)
        return
    every = [difference(swap) for swap in product((False, True), repeat=len(pairs))]
    as_large = [value for value in every if not abs(value) < abs(observed) - 1e-12]
    assert found.p_value == pytest.approx(len(as_large) / len(every))
    assert found.statistic == pytest.approx(observed)
    assert found.is_exact


@given(PAIRS, st.sampled_from([0, 14]))
def test_swapping_the_systems_turns_the_sign_alone(
    pairs: list[tuple[Counts, Counts]], n_exact: int
) -> None:
    first, second = as_rows(a for a, _ in pairs), as_rows(b for _, b in pairs)
    one = permutation(first, second, n_resamples=50, n_exact=n_exact)
    other = permutation(second, first, n_resamples=50, n_exact=n_exact)
    assert one.statistic == pytest.approx(-other.statistic, nan_ok=True)
    assert one.p_value == pytest.approx(other.p_value, nan_ok=True)


def test_random_swaps_come_near_the_exact_test() -> None:
    first, second = system(0.8, n=12), system(0.6, n=12, seed=1)
    exact = permutation(first, second)
    random = permutation(first, second, n_exact=0, n_resamples=20_000)
    assert exact.is_exact
    assert not random.is_exact
    assert random.p_value == pytest.approx(exact.p_value, abs=0.01)


def test_better_systems_are_told_from_equal_ones() -> None:
    good, better, twin = system(0.6), system(0.9, seed=1), system(0.6, seed=2)
    assert permutation(good, better).p_value < 0.001
    assert permutation(good, twin).p_value > 0.05
    assert permutation(good, good).p_value == 1
    interval, difference = paired_bootstrap(better, good)
    assert interval.low > 0
    assert difference.p_value < 0.01
    assert paired_bootstrap(good, twin)[1].p_value > 0.05


def test_the_least_p_of_random_swaps_is_not_zero() -> None:
    found = permutation(system(0.1), system(0.95), n_resamples=999)
    assert found.p_value == 1 / 1000


def test_the_paired_t_test_is_that_of_scipy() -> None:
    from scipy.stats import ttest_rel

    random = np.random.default_rng(0)
    a, b = random.normal(size=30), random.normal(0.3, size=30)
    wanted = ttest_rel(a, b)
    found = paired_t(a, b)
    assert found.statistic == pytest.approx(wanted.statistic)
    assert found.p_value == pytest.approx(wanted.pvalue)
    assert paired_t(a[::-1], b[::-1]) == found


def test_the_paired_t_test_at_its_edges() -> None:
    assert isnan(paired_t([0.5, 0.7], [0.5, 0.7]).p_value)
    assert isnan(paired_t([0.5], [0.7]).p_value)
    assert paired_t([1.0, 2.0, np.nan], [0.0, 1.0, 5.0]).statistic == inf
    assert paired_t([1.0, 2.0], [0.0, 1.0]).p_value == 0


def test_systems_on_different_documents_are_refused() -> None:
    with pytest.raises(ValueError, match="the same documents"):
        permutation(system(0.5, n=3), system(0.5, n=4))
