import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vermeil.recognise.rescoring.linear_logistic import LinearLogistic


def examples(n: int = 3000) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    values = random.normal(size=(n, 3))
    odds = np.where(values[:, 0] > 0, 3, 1) * values[:, 0] - values[:, 1]
    gaps = random.random(values.shape) < 0.1
    odds = np.where(gaps[:, 2], odds + 2, odds)
    right = random.random(n) < 1 / (1 + np.exp(-odds))
    values[gaps] = np.nan
    return values, right


def test_what_lies_above_zero_weighs_differently_from_what_lies_below() -> None:
    values, right = examples(20_000)
    there = ~np.isnan(values[:, :2]).any(axis=1)
    above, below, missing = LinearLogistic.fit(values[there], right[there]).weight
    assert above[0] == pytest.approx(3, abs=0.3)
    assert below[0] == pytest.approx(-1, abs=0.2)
    assert (above[1], below[1]) == (pytest.approx(-1, abs=0.2), pytest.approx(1, abs=0.2))
    assert missing[2] == pytest.approx(2, abs=0.3)


def test_the_odds_mean_what_they_say() -> None:
    values, right = examples(20_000)
    model = LinearLogistic.fit(values[:10_000], right[:10_000])
    sure = 1 / (1 + np.exp(-model.log_odds(values[10_000:])))
    for low in np.arange(0.1, 0.9, 0.2):
        rows = (sure >= low) & (sure < low + 0.2)
        assert right[10_000:][rows].mean() == pytest.approx(sure[rows].mean(), abs=0.05)


def test_the_gradient_is_at_rest_where_the_loss_is_least() -> None:
    # With one value that is the same everywhere, the odds are those of the counts.
    values, right = np.ones((1000, 1)), np.arange(1000) < 800
    model = LinearLogistic.fit(values, right)
    assert model.log_odds(values[:1])[0] == pytest.approx(np.log(4), abs=0.01)


def test_units_do_not_matter() -> None:
    values, right = examples()
    other = values * [1000.0, 0.01, 1.0]
    plain, scaled = LinearLogistic.fit(values, right), LinearLogistic.fit(other, right)
    assert scaled.log_odds(other) == pytest.approx(plain.log_odds(values), abs=0.01)


def test_a_value_that_is_missing_everywhere_says_nothing() -> None:
    values, right = examples()
    with_gap = np.column_stack((values, np.full(len(values), np.nan)))
    plain, gapped = LinearLogistic.fit(values, right), LinearLogistic.fit(with_gap, right)
    assert gapped.log_odds(with_gap) == pytest.approx(plain.log_odds(values), abs=0.01)


def test_the_model_comes_back_from_its_arrays() -> None:
    values, right = examples()
    model = LinearLogistic.fit(values, right)
    again = LinearLogistic.from_arrays(model.arrays())
    assert again.log_odds(values).tolist() == model.log_odds(values).tolist()


@given(st.floats(-5, 5) | st.just(np.nan), st.integers(0, 2))
def test_a_row_is_scored_alike_alone_and_among_others(value: float, column: int) -> None:
    values, right = examples(200)
    model = LinearLogistic.fit(values, right)
    values[0, column] = value
    assert model.log_odds(values[:1])[0] == model.log_odds(values)[0]
