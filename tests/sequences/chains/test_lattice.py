from math import exp, fsum, log

import numpy as np
import pytest
from hypothesis import given

from tests.sequences.tag_paths import KINDS, make, potentials, sequences
from vermeil.sequences.chains.lattice import lattice_of
from vermeil.sequences.chains.potentials import ChainPotentials, LocalPotentials, Potentials
from vermeil.sequences.chains.steps import Steps
from vermeil.sequences.tokens.tag_set import TagSet


def part(batch: Potentials, sentences: list[int]) -> Potentials:
    """Make a batch of some of the sentences, in this order."""
    bounds = [(int(batch.first_token[s]), int(batch.first_token[s + 1])) for s in sentences]
    tokens = np.array([token for first, end in bounds for token in range(first, end)], dtype=int)
    first_token = np.concatenate(([0], np.cumsum([end - first for first, end in bounds]))).astype(
        int
    )
    if isinstance(batch, ChainPotentials):
        return ChainPotentials(batch.tags, first_token, batch.unary[tokens], batch.transition)
    return LocalPotentials(batch.tags, first_token, batch.log_probability[tokens])


@given(potentials())
def test_marginals_are_those_of_all_sequences_written_out(batch: Potentials) -> None:
    marginal = lattice_of(batch).marginal
    for sentence, first in enumerate(batch.first_token[:-1].tolist()):
        wanted = np.zeros((int(batch.first_token[sentence + 1]) - first, len(batch.tags)))
        for each in sequences(batch, sentence):
            wanted[np.arange(len(each.codes)), each.codes] += each.probability
        assert marginal[first : first + len(wanted)] == pytest.approx(wanted, abs=1e-12)


@given(potentials())
def test_the_total_is_that_of_all_sequences_written_out(batch: Potentials) -> None:
    for sentence, total in enumerate(lattice_of(batch).log_total.tolist()):
        scores = [each.score for each in sequences(batch, sentence)]
        wanted = max(scores) + log(fsum(exp(score - max(scores)) for score in scores))
        assert total == pytest.approx(wanted, abs=1e-9)


def test_scores_for_the_ends_are_counted_once_a_sentence() -> None:
    batch = make("chain", [3, 0, 1], n_labels=1)
    assert isinstance(batch, ChainPotentials)
    start, end = np.array([0.5, -1.0, 3.0]), np.array([-2.0, 1.0, 0.25])
    plain, scored = (
        {each.codes: each.score for each in sequences(of, 0)}
        for of in (batch, batch.with_ends(start, end))
    )
    for codes, score in plain.items():
        assert scored[codes] == pytest.approx(score + start[codes[0]] + end[codes[-1]])
    single = batch.with_ends(start, end).unary[3] - batch.unary[3]
    assert single == pytest.approx(start + end)
    assert batch.with_ends().unary == pytest.approx(batch.unary)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_labels", [1, 4])
def test_no_batching_shows_in_any_digit(kind: str, n_labels: int) -> None:
    lengths = [*np.random.default_rng(5).integers(0, 40, size=40).tolist(), 90]
    batch = make(kind, lengths, n_labels=n_labels)
    whole = lattice_of(batch)
    order = np.random.default_rng(1).permutation(len(lengths)).tolist()
    for chosen in (order, order[:7], [40], [3], []):
        some = lattice_of(part(batch, chosen))
        for number, sentence in enumerate(chosen):
            here = slice(*batch.first_token[sentence : sentence + 2])
            there = slice(*some.first_token[number : number + 2])
            assert np.array_equal(whole.marginal[here], some.marginal[there])
            assert np.array_equal(whole.goes_on[here], some.goes_on[there])
            assert whole.log_total[sentence] == some.log_total[number]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scale", [1.0, 100.0, 1e4])
def test_long_sentences_and_wild_scores_stay_probabilities(kind: str, scale: float) -> None:
    lattice = lattice_of(make(kind, [4000, 1, 300], scale=scale))
    assert lattice.marginal.sum(axis=1) == pytest.approx(1)
    assert ((lattice.marginal >= 0) & (lattice.marginal <= 1)).all()
    assert np.isfinite(lattice.log_total).all()
    assert ((lattice.goes_on >= 0) & (lattice.goes_on <= 1)).all()


def test_a_model_that_is_sure_of_what_is_not_allowed_is_not_followed() -> None:
    tags = TagSet(("Gene",))
    first_token, only_inner = np.array([0, 3]), np.array([-np.inf, -np.inf, 0.0])
    local = LocalPotentials(tags, first_token, np.tile(only_inner, (3, 4, 1)))
    local.log_probability[:, [0, 3]] = np.log([0.0001, 0.0001, 0.9998])
    lattice = lattice_of(local)
    assert lattice.marginal[0] == pytest.approx([0.5, 0.5, 0])
    assert lattice.marginal[1] == pytest.approx([0.25, 0.25, 0.5])
    assert lattice_of(
        ChainPotentials(tags, first_token, np.tile(only_inner, (3, 1)), np.zeros((3, 3)))
    ).marginal == pytest.approx(np.array([[0, 1, 0], [0, 0, 1], [0, 0, 1]]))


def test_nothing_goes_on_across_sentences() -> None:
    for kind in KINDS:
        lattice = lattice_of(make(kind, [2, 3, 0, 1]))
        assert not lattice.goes_on[lattice.first_token].any()


def test_one_tag_is_certain() -> None:
    for kind in KINDS:
        assert (lattice_of(make(kind, [2, 3], n_labels=0)).marginal == 1).all()


def test_steps_hold_the_longest_sentences_first() -> None:
    steps = Steps.of(np.array([0, 2, 2, 5]))
    assert steps.sentence.tolist() == [2, 0, 1]
    assert [steps.token[rows].tolist() for rows in steps] == [[2, 0], [3, 1], [4]]
    before_and_now = [(steps.token[a].tolist(), steps.token[b].tolist()) for a, b in steps.pairs()]
    assert before_and_now == [([2, 0], [3, 1]), ([3], [4])]
    values = np.random.default_rng(0).normal(size=(5, 3))
    assert np.array_equal(steps.in_tokens(steps.in_rows(values)), values)
