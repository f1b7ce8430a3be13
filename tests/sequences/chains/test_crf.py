from itertools import pairwise, product

import numpy as np
import pytest

from vermeil.sequences.chains.crf import Crf, sum_of_sequences
from vermeil.sequences.chains.lattice import lattice_of
from vermeil.sequences.chains.learning import Learning, TaggedTokens
from vermeil.sequences.chains.steps import Steps
from vermeil.sequences.features.rows import Encoded, FeatureRows
from vermeil.sequences.tokens.tag_set import TagSet

TAGS = TagSet(("Gene",))
FIRST = np.array([0, 3, 4, 6])
TAG = np.array([0, 1, 2, 1, 0, 1])


@pytest.fixture
def encoded() -> Encoded:
    # Six tokens in two views; rows 0 to 3 are words, 4 and 5 neighbours.
    row = np.array([[0, 4], [1, 4], [2, 5], [1, 5], [0, 4], [3, 5]])
    rows = FeatureRows(np.array([0, 2, 3, 5, 6, 7, 8]), np.array([10, 11, 12, 10, 13, 12, 20, 21]))
    return Encoded(row, rows)


def learned(
    encoded: Encoded, *, n_rounds: int = 60, penalty: float = 4.0, min_count: int = 1
) -> Crf:
    how = Learning(n_rounds, penalty=penalty, min_count=min_count)
    return Crf.fit(TaggedTokens(encoded, TAG, FIRST, TAGS), how)


def test_expected_pairs_and_totals_are_those_of_all_sequences_written_out() -> None:
    random = np.random.default_rng(1)
    unary, transition = random.normal(size=(3, 3)), random.normal(size=(3, 3))
    total, marginal, pairs = sum_of_sequences(Steps.of(np.array([0, 3])), unary, transition, TAGS)
    scores, expected, tags = [], np.zeros((3, 3)), np.zeros((3, 3))
    for path in product(range(3), repeat=3):
        if TAGS.allowed_first[path[0]] and TAGS.allowed[path[:-1], path[1:]].all():
            edges = transition[path[:-1], path[1:]].sum()
            scores.append(np.exp(unary[range(3), path].sum() + edges))
            for before, after in pairwise(path):
                expected[before, after] += scores[-1]
            tags[range(3), path] += scores[-1]
    assert total == pytest.approx(np.log(sum(scores)))
    assert pairs == pytest.approx(expected / sum(scores))
    assert marginal == pytest.approx(tags / sum(scores))


def test_what_was_seen_becomes_likely(encoded: Encoded) -> None:
    model = learned(encoded, penalty=0.01)
    lattice = lattice_of(model.potentials(encoded, FIRST))
    assert lattice.marginal[np.arange(6), TAG].min() > 0.8


def test_a_large_penalty_keeps_weights_small(encoded: Encoded) -> None:
    free = learned(encoded, penalty=0.01)
    held = learned(encoded, penalty=100.0)
    assert np.abs(held.weights).max() < 0.1 < np.abs(free.weights).max()


def test_rare_features_are_left_out(encoded: Encoded) -> None:
    assert 13 in learned(encoded, min_count=1).features
    assert 13 not in learned(encoded, min_count=2).features


def test_the_model_comes_back_from_its_arrays_but_for_rounding(encoded: Encoded) -> None:
    model = learned(encoded, penalty=0.1)
    again = Crf.from_arrays(TAGS, model.arrays())
    first = lattice_of(model.potentials(encoded, FIRST)).marginal
    assert lattice_of(again.potentials(encoded, FIRST)).marginal == pytest.approx(first, abs=0.02)


def test_the_gradient_is_right(encoded: Encoded) -> None:
    # At the optimum without rounds left, no small step improves the objective.
    model = learned(encoded, n_rounds=200, penalty=0.5)

    def objective(weights: np.ndarray) -> float:
        changed = Crf(TAGS, model.features, weights, model.transition)
        potentials = changed.potentials(encoded, FIRST)
        edges = sum(
            model.transition[TAG[at - 1], TAG[at]] for at in range(6) if at not in FIRST.tolist()
        )
        score = potentials.unary[np.arange(6), TAG].sum() + edges
        total = lattice_of(potentials).log_total.sum()
        return float(total - score + 0.25 * (weights**2).sum())

    best = objective(model.weights)
    random = np.random.default_rng(0)
    for _ in range(20):
        step = random.normal(size=model.weights.shape) * 0.05
        assert objective(model.weights + step) >= best - 1e-5
