"""The averaged perceptron against a loop over dictionaries that keeps every step's weights."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vermeil.recognise.linear.syntax.perceptron import _averaged


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), max_size=4),
        min_size=1,
        max_size=4,
    ),
    st.integers(1, 3),
)
def test_weights_are_the_mean_of_those_of_all_steps(
    sentences: list[list[tuple[int, int]]], n_epochs: int
) -> None:
    n_tags = 3
    tokens = [token for sentence in sentences for token in sentence]
    place = np.array([[word, 5 + word % 2] for word, _ in tokens], dtype=np.int64).reshape(-1, 2)
    first_token = np.cumsum([0, *map(len, sentences)])
    tag = np.array([tag for _, tag in tokens], dtype=np.int64)
    weights, before = _averaged(place, tag, first_token, n_tags, n_epochs, seed=3)

    held: dict[tuple[str, int, int], float] = defaultdict(float)
    total: dict[tuple[str, int, int], float] = defaultdict(float)
    n_steps, chance = 0, np.random.default_rng(3)
    for _ in range(n_epochs):
        for number in chance.permutation(len(sentences)).tolist():
            last = n_tags
            for word, wanted in sentences[number]:
                features = [("w", word), ("w", 5 + word % 2), ("b", last)]
                scores = [sum(held[kind, row, tag] for kind, row in features) for tag in range(3)]
                best = scores.index(max(scores))
                for key, value in held.items():
                    total[key] += value
                n_steps += 1
                if best != wanted:
                    for kind, row in features:
                        held[kind, row, wanted] += 1
                        held[kind, row, best] -= 1
                last = best
    for (kind, row, own), value in total.items():
        table = weights if kind == "w" else before
        # A step counts with the weights that it has left behind, the last one too.
        mean = (value + held[kind, row, own]) / max(1, n_steps)
        assert table[row, own] == pytest.approx(mean)
