from dataclasses import replace

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from tests.sequences.tag_paths import KINDS, make, potentials, sequences
from vermeil.sequences.chains.best_paths import best_paths
from vermeil.sequences.chains.lattice import lattice_of
from vermeil.sequences.chains.potentials import ChainPotentials, Potentials


@given(potentials(), st.integers(1, 6))
def test_the_best_paths_are_those_of_all_sequences_written_out(batch: Potentials, n: int) -> None:
    paths = best_paths(batch, n=n)
    probability = np.exp(paths.score - lattice_of(batch).log_total)
    for sentence, first in enumerate(batch.first_token[:-1].tolist()):
        end = int(batch.first_token[sentence + 1])
        wanted = sequences(batch, sentence)[:n]
        for rank, each in enumerate(wanted):
            assert paths.tag[rank, first:end].tolist() == list(each.codes)
            assert paths.score[rank, sentence] == pytest.approx(each.score)
            assert probability[rank, sentence] == pytest.approx(each.probability)
        assert (paths.tag[len(wanted) :, first:end] == -1).all()
        assert np.isnan(paths.score[len(wanted) :, sentence]).all()


@given(st.integers(0, 1 << 30), st.lists(st.integers(0, 4), max_size=3))
def test_of_equals_the_path_whose_tags_from_the_end_come_first_is_best(
    seed: int, lengths: list[int]
) -> None:
    batch = make("chain", lengths, seed=seed)
    assert isinstance(batch, ChainPotentials)
    coarse = replace(
        batch, unary=np.rint(batch.unary / 3), transition=np.rint(batch.transition / 3)
    )
    tag = best_paths(coarse).tag[0]
    for sentence, first in enumerate(batch.first_token[:-1].tolist()):
        wanted = sequences(coarse, sentence)[0].codes
        assert tag[first : first + len(wanted)].tolist() == list(wanted)


@pytest.mark.parametrize("kind", KINDS)
def test_more_paths_begin_with_the_same_ones(kind: str) -> None:
    batch = make(kind, [25, 0, 7, 60], n_labels=3)
    few, many = best_paths(batch), best_paths(batch, n=8)
    assert np.array_equal(few.tag[0], many.tag[0])
    assert (np.diff(many.score[:, [0, 2, 3]], axis=0) <= 0).all()
    for first, end in ((0, 25), (25, 32), (32, 92)):
        assert len(np.unique(many.tag[:, first:end], axis=0)) == 8


def test_a_short_sentence_may_have_fewer_paths() -> None:
    for kind in KINDS:
        paths = best_paths(make(kind, [1, 2], n_labels=1), n=4)
        assert sorted(paths.tag[:2, 0].tolist()) == [0, 1]
        assert paths.tag[2:, 0].tolist() == [-1, -1]
        assert np.isnan(paths.score).tolist() == [[False, False]] * 2 + [[True, False]] * 2


def test_a_sentence_without_tokens_has_one_path() -> None:
    for kind in KINDS:
        paths = best_paths(make(kind, [0]), n=2)
        assert paths.tag.shape == (2, 0)
        assert paths.score[0].tolist() == [0.0]
        assert np.isnan(paths.score[1]).all()
