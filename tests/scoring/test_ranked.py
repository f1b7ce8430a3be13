from dataclasses import replace
from math import isnan, nan

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from vermeil import Document, Span
from vermeil.errors import UsageError
from vermeil.scoring.counts import Counts
from vermeil.scoring.ranked import (
    RankedPredictions,
    average_precisions,
    calibrate,
    known,
    rank,
)
from vermeil.scoring.scores import score
from vermeil.scoring.views.outcomes import Earned

SURE = st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.7, 0.9, 1.0])
PREDICTIONS = st.lists(st.tuples(SURE, st.booleans()), max_size=12)
Predictions = list[tuple[float, bool]]


def counts_at(predictions: Predictions, n_wanted: int, threshold: float) -> Counts:
    kept = [right for sure, right in predictions if sure >= threshold]
    return Counts(sum(kept), len(kept), sum(kept), n_wanted)


def naive_steps(predictions: Predictions, n_wanted: int) -> list[tuple[float, Counts]]:
    thresholds = sorted({sure for sure, _ in predictions}, reverse=True)
    return [(at, counts_at(predictions, n_wanted, at)) for at in thresholds]


def naive_average_precision(predictions: Predictions, n_wanted: int) -> float:
    if not n_wanted:
        return nan
    area = reached = 0.0
    for _, counts in naive_steps(predictions, n_wanted):
        area += (counts.recall - reached) * counts.precision
        reached = counts.recall
    return area


def columns(predictions: Predictions) -> tuple[list[float], list[bool]]:
    return [sure for sure, _ in predictions], [right for _, right in predictions]


def approx(value: float) -> object:
    return pytest.approx(value, nan_ok=True)


@given(PREDICTIONS, st.integers(0, 4))
def test_every_figure_is_as_counted_threshold_by_threshold(
    predictions: Predictions, n_missed: int
) -> None:
    n_wanted = sum(right for _, right in predictions) + n_missed
    ranking = rank(*columns(predictions), n_wanted)
    steps = naive_steps(predictions, n_wanted)
    assert ranking.threshold.tolist() == [at for at, _ in steps]
    for figure in ("precision", "recall", "f1"):
        wanted = [getattr(counts, figure) for _, counts in steps]
        assert getattr(ranking, figure).tolist() == pytest.approx(wanted, nan_ok=True)
    assert ranking.average_precision == approx(naive_average_precision(predictions, n_wanted))
    for threshold in (0.0, 0.25, 0.4, 1.0):
        assert ranking.at(threshold) == counts_at(predictions, n_wanted, threshold)
    for level in (0.25, 0.5, 1.0):
        recalls = [counts.recall for _, counts in steps if counts.precision >= level]
        precisions = [counts.precision for _, counts in steps if counts.recall >= level]
        assert ranking.recall_at(level) == approx(max(recalls, default=nan))
        assert ranking.precision_at(level) == approx(max(precisions, default=nan))
    threshold, best = ranking.best
    assert best.f1 == approx(max((counts.f1 for _, counts in steps), default=ranking.at(2).f1))
    if steps:
        assert threshold == max(at for at, counts in steps if counts.f1 == best.f1)


@given(st.lists(st.tuples(st.integers(0, 3), SURE, st.booleans()), max_size=20))
def test_many_rankings_at_once_are_each_alone(rows: list[tuple[int, float, bool]]) -> None:
    n_wanted = np.array([sum(r for g, _, r in rows if g == n) + n % 2 for n in range(5)])
    found = average_precisions(
        [sure for _, sure, _ in rows],
        [right for _, _, right in rows],
        np.array([group for group, _, _ in rows], dtype=np.int64),
        n_wanted,
    )
    wanted = [
        naive_average_precision([(s, r) for g, s, r in rows if g == n], int(n_wanted[n]))
        for n in range(5)
    ]
    assert found.tolist() == pytest.approx(wanted, nan_ok=True)


@given(PREDICTIONS, st.integers(1, 5), st.booleans())
def test_bins_hold_what_lies_in_them(
    predictions: Predictions, n_bins: int, equal_mass: bool
) -> None:
    found = calibrate(*columns(predictions), n_bins=n_bins, equal_mass=equal_mass)
    n = len(predictions)
    bins: dict[int, Predictions] = {}
    for sure, right in predictions:
        n_lower = sum(other < sure for other, _ in predictions)
        number = sum(sure >= edge / n_bins for edge in range(1, n_bins))
        bins.setdefault(n_lower * n_bins // n if equal_mass else number, []).append((sure, right))
    held = [bins[number] for number in sorted(bins)]
    assert found.n.tolist() == [len(each) for each in held]
    gaps = []
    for low, high, confidence, share, each in zip(
        found.low, found.high, found.mean_confidence, found.share_right, held, strict=True
    ):
        assert all(low <= sure <= high for sure, _ in each)
        assert confidence == pytest.approx(sum(sure for sure, _ in each) / len(each))
        assert share == pytest.approx(sum(right for _, right in each) / len(each))
        gaps.append(abs(confidence - share) * len(each) / n)
    assert found.expected_error == approx(sum(gaps) if held else nan)
    assert found.brier == approx(sum((s - r) ** 2 for s, r in predictions) / n if n else nan)


@given(PREDICTIONS, st.randoms(use_true_random=False))
def test_no_order_of_predictions_changes_a_figure(predictions: Predictions, random: object) -> None:
    shuffled = list(predictions)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    found = []
    for order in (predictions, shuffled):
        ranking, bins = rank(*columns(order), 9), calibrate(*columns(order), equal_mass=True)
        found.append((ranking.average_precision, ranking.best, bins.expected_error, bins.brier))
    assert repr(found[0]) == repr(found[1])


def test_average_precision_by_hand() -> None:
    # Right at ranks 1, 3 and 4 of 5, one name never found: (1/1 + 2/3 + 3/4) / 4.
    ranking = rank([0.9, 0.8, 0.7, 0.6, 0.5], [True, False, True, True, False], 4)
    assert ranking.average_precision == pytest.approx((1 + 2 / 3 + 3 / 4) / 4)
    assert ranking.greatest_recall == 3 / 4
    assert rank([], [], 2).greatest_recall == 0
    assert isnan(rank([0.5], [False], 0).greatest_recall)
    assert ranking.best == (0.6, Counts(3, 4, 3, 4))
    assert ranking.recall_at(precision=0.75) == 0.75
    assert ranking.precision_at(recall=0.5) == 0.75
    assert isnan(ranking.precision_at(recall=0.9))


def test_equal_confidences_are_one_step() -> None:
    assert rank([0.5, 0.5], [True, False], 1).average_precision == 0.5
    assert rank([0.5, 0.5], [False, True], 1).average_precision == 0.5


def test_two_predictions_may_find_one_name() -> None:
    ranking = rank([0.9, 0.8, 0.7], [True, True, True], 2, found_at=[0.9, 0.7])
    assert ranking.recall.tolist() == [0.5, 0.5, 1.0]
    assert ranking.precision.tolist() == [1.0, 1.0, 1.0]


def test_perfect_confidences_are_calibrated() -> None:
    bins = calibrate([1.0, 1.0, 0.0], [True, True, False])
    assert (bins.expected_error, bins.brier) == (0.0, 0.0)
    assert bins.low.tolist() == [0.0, 0.9]


def test_confidences_that_are_missing_are_named_or_given() -> None:
    with pytest.raises(UsageError, match="1 of 2 predictions have no confidence"):
        known(np.array([0.5, nan]))
    assert known(np.array([0.5, nan]), without=1.0).tolist() == [0.5, 1.0]


def test_layers_are_ranked_over_what_the_standard_covers() -> None:
    batch = [
        Document(
            id="1",
            text="BRCA1 p53 ataxia",
            layers={
                "gold": (Span(0, 5, "Gene"), Span(10, 16, "Disease")),
                "crf": (
                    Span(0, 5, "Gene", 0.9),
                    Span(6, 9, "Gene", 0.95),
                    Span(10, 16, "Disease", 0.4),
                ),
            },
        ),
        Document(id="2", text="p53", layers={"gold": (Span(0, 3, "Gene"),)}),
        Document(id="3", text="p53", layers={"crf": (Span(0, 3, "Gene", 1.0),)}),
    ]
    judged = RankedPredictions.by(score(batch, standard="gold")["crf"].views["exact"])
    # Ranked together: wrong, right, right of three names.
    assert judged.ranking.average_precision == pytest.approx((1 / 2 + 2 / 3) / 3)
    assert judged.over_documents == pytest.approx(((1 / 2 + 2 / 3) / 2 + 0) / 2)
    assert judged.over_labels == pytest.approx((1 / 2 / 2 + 1) / 2)


def test_a_view_that_counts_sides_apart_is_not_ranked() -> None:
    found = (Span(0, 5, "Gene", 0.9), Span(0, 9, "Gene", 1.0))
    layers = {"gold": (Span(0, 9, "Gene"),), "crf": found}
    document = Document(id="1", text="BRCA1 p53", layers=layers)
    view = score([document], standard="gold")["crf"].views["exact"]
    assert RankedPredictions.by(view).ranking.at(0.95).f1 == 1
    twice = replace(view, earned=Earned(np.ones(2), view.weight, view.found))
    with pytest.raises(UsageError, match="2 predictions are right but 1 names are found"):
        RankedPredictions.by(twice)
