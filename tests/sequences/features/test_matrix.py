import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

from vermeil.sequences.features.matrix import (
    FeatureMatrix,
    PlacedWeights,
    log_likelihood_ratio,
    row_scores,
    token_scores,
)
from vermeil.sequences.features.rows import Encoded, FeatureRows

N_TAGS = 3


@st.composite
def encoded_tokens(draw: st.DrawFn) -> tuple[list[list[list[int]]], Encoded]:
    """Make tokens as lists of views as lists of features, and the same encoded."""
    rows = draw(st.lists(st.lists(st.integers(0, 9), max_size=4), min_size=1, max_size=6))
    n_views = draw(st.integers(1, 3))
    number = st.integers(0, len(rows) - 1)
    row = draw(
        st.lists(st.lists(number, min_size=n_views, max_size=n_views), min_size=1, max_size=8)
    )
    first = np.cumsum([0, *map(len, rows)])
    features = np.array([feature for each in rows for feature in each], dtype=np.int64)
    return [[rows[at] for at in views] for views in row], Encoded(
        np.array(row, dtype=np.int64), FeatureRows(first, features)
    )


@given(encoded_tokens(), st.integers(1, 3), st.integers(0, 100))
def test_scores_and_gradients_are_sums_over_the_features_of_tokens(
    both: tuple[list[list[list[int]]], Encoded], min_count: int, seed: int
) -> None:
    tokens, encoded = both
    random = np.random.default_rng(seed)
    tag = random.integers(0, N_TAGS, len(tokens))
    matrix = FeatureMatrix.of(encoded, tag, N_TAGS, min_count=min_count)
    every = [[feature for view in token for feature in view] for token in tokens]
    flat = [feature for token in every for feature in token]
    used = sorted({feature for feature in flat if flat.count(feature) >= min_count})
    assert matrix.features.tolist() == used
    weights = random.integers(-4, 5, (len(used), N_TAGS)).astype(np.float32)
    error = random.integers(-4, 5, (len(tokens), N_TAGS)).astype(np.float32)
    scores = np.zeros((len(tokens), N_TAGS))
    gradient = np.zeros((len(used), N_TAGS))
    for token, features in enumerate(every):
        for feature in features:
            if feature in used:
                scores[token] += weights[used.index(feature)]
                gradient[used.index(feature)] += error[token]
    assert matrix.scores(weights) == pytest.approx(scores)
    assert matrix.gradient(error) == pytest.approx(gradient)
    placed = PlacedWeights.of(matrix.features, weights.astype(float))
    assert token_scores(encoded, placed) == pytest.approx(scores)


@given(encoded_tokens())
def test_a_row_without_known_features_scores_nothing(
    both: tuple[list[list[list[int]]], Encoded],
) -> None:
    rows = both[1].rows
    scores = row_scores(rows, PlacedWeights.of(np.array([11]), np.ones((1, N_TAGS))))
    assert scores.tolist() == np.zeros((N_TAGS, len(rows))).tolist()


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 6)), min_size=2, max_size=4))
def test_the_log_likelihood_ratio_is_that_of_scipy(table: list[tuple[int, int]]) -> None:
    seen, unseen = (np.array(column) for column in zip(*table, strict=True))
    found = log_likelihood_ratio(seen[None].astype(float), seen + unseen)[0]
    if seen.any():
        wanted = chi2_contingency([seen, unseen], correction=False, lambda_="log-likelihood")
        assert found == pytest.approx(wanted.statistic, abs=1e-9)
    else:
        assert found == 0


def test_features_that_say_little_of_the_tag_are_left_out() -> None:
    rows = FeatureRows(np.array([0, 2, 4]), np.array([1, 2, 1, 3]))
    encoded = Encoded(np.array([[0], [0], [1], [1]]), rows)
    tag = np.array([0, 0, 1, 1])
    assert FeatureMatrix.of(encoded, tag, 2, kept=2 / 3).features.tolist() == [2, 3]
    assert FeatureMatrix.of(encoded, tag, 2).features.tolist() == [1, 2, 3]
