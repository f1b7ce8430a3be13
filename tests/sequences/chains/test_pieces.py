"""Sentences cut into pieces, against the same sentences left whole and against all sequences."""

from collections.abc import Iterator
from contextlib import contextmanager

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from tests.sequences.tag_paths import make, sequences
from vermeil.sequences.chains import pieces
from vermeil.sequences.chains.lattice import Lattice, lattice_of
from vermeil.sequences.chains.potentials import ChainPotentials


@contextmanager
def cut_at(longest: int, piece: int) -> Iterator[None]:
    """Leave sentences of ``longest`` tokens whole and cut longer ones into pieces."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "LONGEST", longest)
        patch.setattr(pieces, "PIECE", piece)
        yield


def assert_same(lattice: Lattice, other: Lattice) -> None:
    assert lattice.marginal == pytest.approx(other.marginal, abs=1e-11)
    assert lattice.goes_on == pytest.approx(other.goes_on, abs=1e-11)
    assert lattice.log_total == pytest.approx(other.log_total, rel=1e-11)


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=3),
    st.integers(1, 3),
    st.sampled_from([0.1, 2.0, 20.0]),
    st.integers(0, 1 << 30),
)
def test_pieces_sum_over_the_sequences_of_whole_sentences(
    lengths: list[int], piece: int, scale: float, seed: int
) -> None:
    batch = make("chain", lengths, n_labels=1, scale=scale, seed=seed)
    with cut_at(piece, piece):
        lattice = lattice_of(batch)
    assert_same(lattice, lattice_of(batch))
    for sentence, first in enumerate(batch.first_token[:-1].tolist()):
        wanted = np.zeros((lengths[sentence], len(batch.tags)))
        for each in sequences(batch, sentence):
            wanted[np.arange(len(each.codes)), each.codes] += each.probability
        assert lattice.marginal[first : first + len(wanted)] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("scale", [1.0, 30.0, 1000.0])
@pytest.mark.parametrize("n_labels", [0, 1, 3])
def test_long_sentences_of_any_scores_are_as_if_whole(n_labels: int, scale: float) -> None:
    batch = make("chain", [700, 3, 0, 1500, 512], n_labels=n_labels, scale=scale)
    with cut_at(10_000, 256):
        whole = lattice_of(batch)
    assert_same(lattice_of(batch), whole)


def test_tags_that_stick_are_handed_through_every_piece() -> None:
    batch = make("chain", [2000], n_labels=1, scale=0.0)
    assert isinstance(batch, ChainPotentials)
    batch.transition[:] = np.array([[20.0, 0.0, 0.0], [0.0, 0.0, 20.0], [0.0, 0.0, 20.0]])
    batch.unary[0] = [0.0, 5.0, 0.0]
    with cut_at(10_000, 256):
        whole = lattice_of(batch)
    assert_same(lattice_of(batch), whole)
    assert whole.marginal[-1, 2] > 0.9


def test_what_stands_beside_a_long_sentence_shows_in_no_digit() -> None:
    batch = make("chain", [40, 1300, 7, 600], n_labels=2)
    assert isinstance(batch, ChainPotentials)
    together = lattice_of(batch)
    for first, end in zip(batch.first_token[:-1], batch.first_token[1:], strict=True):
        own = ChainPotentials(
            batch.tags, np.array([0, end - first]), batch.unary[first:end], batch.transition
        )
        alone = lattice_of(own)
        assert np.array_equal(alone.marginal, together.marginal[first:end])
        assert np.array_equal(alone.goes_on[:-1], together.goes_on[first:end])


def test_a_text_that_never_ends_takes_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    from vermeil.sequences.chains.steps import Steps

    widths: list[int] = []
    of = Steps.of

    def counted(first_token: np.ndarray) -> Steps:
        steps = of(first_token)
        widths.append(len(steps.first_row))
        return steps

    monkeypatch.setattr(Steps, "of", staticmethod(counted))
    lattice_of(make("chain", [20_000], n_labels=1))
    assert max(widths) <= pieces.PIECE + 1
