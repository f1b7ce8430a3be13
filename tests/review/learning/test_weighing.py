"""The model of which choice is right: it is one of chances, and its slope is its slope."""

import numpy as np
import pytest

from vermeil.document import Document, Span
from vermeil.review.learning.described import describe
from vermeil.review.learning.places import places_of
from vermeil.review.learning.weighing import PENALTY, ChoiceTable, fit, log_odds

WORDS = ("alpha", "beta", "gamma")


def three_places() -> ChoiceTable:
    text = " and ".join(WORDS)
    starts = [text.index(word) for word in WORDS]
    layers = {
        "anna": tuple(Span(start, start + 4, "Gene") for start in starts),
        "ben": tuple(Span(start, start + 3, "Gene") for start in starts[:2]),
    }
    document = Document(id="1", text=text, layers=layers)
    places = places_of(document)
    n = sum(len(place.candidates) for place in places)
    return ChoiceTable.of(places, [describe(document, places)], np.linspace(0.2, 0.8, n))


def test_chances_of_a_place_sum_to_one() -> None:
    table = three_places()
    weights = np.random.default_rng(0).normal(size=table.features.shape[1])
    sums = np.add.reduceat(table.chances(weights), table.first[:-1])
    assert sums == pytest.approx(np.ones(len(sums)))


def test_without_decisions_the_consensus_stands() -> None:
    table = three_places()
    weights = fit(table, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    assert not weights.any()
    chances = table.chances(weights)
    alone = chances[table.first[2] + 1], chances[table.first[2]]
    assert np.log(alone[0] / alone[1]) == pytest.approx(table.prior[-1])


def test_what_is_settled_becomes_the_likeliest_there_and_likelier_elsewhere() -> None:
    table = three_places()
    before = table.chances(np.zeros(table.features.shape[1]))
    settled = np.array([0])
    right = table.first[settled] + 2
    after = table.chances(fit(table, settled, right))
    assert table.best(after)[0] == right[0]
    assert after[table.first[1] + 2] > before[table.first[1] + 2]


def test_the_fit_is_where_the_loss_is_least() -> None:
    table = three_places()
    settled, right = np.array([0, 1]), table.first[[0, 1]] + np.array([1, 0])
    weights = fit(table, settled, right)

    def loss(values: np.ndarray) -> float:
        return -float(np.log(table.chances(values)[right]).sum()) + PENALTY / 2 * float(
            values @ values
        )

    rng, least = np.random.default_rng(1), loss(weights)
    for _ in range(5):
        step = np.zeros_like(weights)
        used = np.unique(table.features.indices)
        step[used] = rng.normal(size=len(used)) * 0.01
        assert loss(weights + step) > least - 1e-4


def test_the_gain_is_the_number_of_errors_to_expect() -> None:
    table = three_places()
    chances = np.zeros(int(table.first[-1]))
    chances[table.first[:-1]] = [0.75, 1.0, 0.25]  # no name
    chances[table.first[:-1] + 1] = [0.25, 0.0, 0.75]
    gains = table.gains(chances, table.best(chances))
    assert gains == pytest.approx([0.25, 0.0, 0.25])


def test_chances_are_kept_from_the_extremes() -> None:
    assert np.isfinite(log_odds(np.array([0.0, 1.0]))).all()
