import numpy as np
import pytest

from vermeil.recognise.linear.margins import MarginCurve, mean_margins


def test_a_curve_is_found_again_from_what_it_made() -> None:
    random = np.random.default_rng(0)
    margin = random.uniform(0, 3, 50_000)
    right = random.random(50_000) < MarginCurve(2.0, -1.0).confidence(margin)
    found = MarginCurve.fit(margin, right)
    assert (found.slope, found.offset) == pytest.approx((2.0, -1.0), abs=0.06)


def test_where_margins_say_nothing_all_names_are_equally_sure() -> None:
    margin = np.array([1.0, 2.0, 3.0, 4.0])
    for right in ([True] * 4, [False] * 4, [True, True, False, False]):
        curve = MarginCurve.fit(margin, np.array(right))
        share = (sum(right) + 1) / 6
        assert curve.confidence(margin) == pytest.approx(np.full(4, share))
    none = MarginCurve.fit(np.zeros(0), np.zeros(0, dtype=bool))
    assert none.confidence(np.ones(1)) == pytest.approx(0.5)


def test_the_mean_margin_of_a_name_is_that_of_its_tokens() -> None:
    margin = np.arange(10.0)
    start, end = np.array([0, 3, 7]), np.array([1, 5, 10])
    assert mean_margins(margin, start, end).tolist() == [0.0, 3.5, 8.0]
    assert mean_margins(margin, start[:0], end[:0]).tolist() == []
