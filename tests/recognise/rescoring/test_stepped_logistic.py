import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vermeil.recognise.rescoring.stepped_logistic import SteppedLogistic


def examples(n: int = 3000) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    values = random.normal(size=(n, 3))
    odds = 3 * np.sin(2 * values[:, 0]) + values[:, 1]
    right = random.random(n) < 1 / (1 + np.exp(-odds))
    values[random.random(values.shape) < 0.1] = np.nan
    return values, right


def test_a_curve_that_is_no_line_is_learned() -> None:
    values, right = examples()
    model = SteppedLogistic.fit(values, right)
    place = np.array([[-0.8, 0.0, 0.0], [0.8, 0.0, 0.0], [2.4, 0.0, 0.0]])
    down, up, down_again = model.log_odds(place)
    assert down < -1.5
    assert up > 1.5
    assert down_again < up - 2


def test_the_odds_mean_what_they_say() -> None:
    values, right = examples(20_000)
    model = SteppedLogistic.fit(values[:10_000], right[:10_000])
    sure = 1 / (1 + np.exp(-model.log_odds(values[10_000:])))
    for low in np.arange(0.1, 0.9, 0.2):
        rows = (sure >= low) & (sure < low + 0.2)
        assert right[10_000:][rows].mean() == pytest.approx(sure[rows].mean(), abs=0.05)


def test_the_gradient_is_at_rest_where_the_loss_is_least() -> None:
    # With one value that is the same everywhere, the odds are those of the counts.
    values, right = np.ones((1000, 1)), np.arange(1000) < 800
    model = SteppedLogistic.fit(values, right)
    assert model.log_odds(values[:1])[0] == pytest.approx(np.log(4), abs=0.01)


def test_a_value_that_is_missing_everywhere_says_nothing() -> None:
    values, right = examples()
    with_gap = np.column_stack((values, np.full(len(values), np.nan)))
    plain, gapped = SteppedLogistic.fit(values, right), SteppedLogistic.fit(with_gap, right)
    assert gapped.log_odds(with_gap) == pytest.approx(plain.log_odds(values), abs=0.01)


def test_the_model_comes_back_from_its_arrays_but_for_rounding() -> None:
    values, right = examples()
    model = SteppedLogistic.fit(values, right)
    again = SteppedLogistic.from_arrays(model.arrays())
    assert again.log_odds(values) == pytest.approx(model.log_odds(values), abs=1e-4)


@given(st.floats(-5, 5) | st.just(np.nan), st.integers(0, 2))
def test_a_row_is_scored_alike_alone_and_among_others(value: float, column: int) -> None:
    values, right = examples(200)
    model = SteppedLogistic.fit(values, right)
    values[0, column] = value
    assert model.log_odds(values[:1])[0] == model.log_odds(values)[0]
