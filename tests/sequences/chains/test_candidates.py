from collections import Counter

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from tests.sequences.tag_paths import KINDS, make, potentials, sequences
from vermeil.sequences import chains
from vermeil.sequences.chains.candidates import (
    CROWDED,
    LONGEST,
    SURE_ENOUGH,
    Candidates,
    blocked_by,
    find_candidates,
    uncrowded,
    without_overlaps,
)
from vermeil.sequences.chains.lattice import lattice_of
from vermeil.sequences.chains.potentials import ChainPotentials, Potentials
from vermeil.text.tags import Name


def by_name(found: Candidates) -> dict[Name, float]:
    columns = (found.start.tolist(), found.end.tolist(), found.label.tolist())
    names = ((start, end, found.labels[label]) for start, end, label in zip(*columns, strict=True))
    return dict(zip(names, found.confidence.tolist(), strict=True))


def candidates(*rows: tuple[int, int, int, float]) -> Candidates:
    """Make candidates of the labels Gene and Cell, from start, end, label and confidence."""
    start, end, label = (np.array([row[at] for row in rows], dtype=np.int64) for at in range(3))
    confidence = np.array([row[3] for row in rows], dtype=np.float64)
    return Candidates(
        ("Gene", "Cell"), np.zeros_like(start), start, end, label, confidence=confidence
    )


@given(potentials())
def test_confidences_are_those_of_all_sequences_written_out(batch: Potentials) -> None:
    wanted: Counter[Name] = Counter()
    for sentence, first in enumerate(batch.first_token[:-1].tolist()):
        for each in sequences(batch, sentence):
            for start, end, label in each.names:
                wanted[start + first, end + first, label] += each.probability  # type: ignore[assignment]
    found = by_name(find_candidates(lattice_of(batch), threshold=0.0))
    assert found.keys() <= wanted.keys()
    for name, confidence in wanted.items():
        assert found.get(name, 0.0) == pytest.approx(confidence, abs=1e-12)


@given(potentials(), st.sampled_from([0.001, 0.05, 0.3, 0.9]))
def test_a_threshold_leaves_out_what_is_below_it_and_nothing_else(
    batch: Potentials, threshold: float
) -> None:
    every = by_name(find_candidates(lattice_of(batch), threshold=0.0))
    found = by_name(find_candidates(lattice_of(batch), threshold=threshold))
    assert found == {name: value for name, value in every.items() if value >= threshold}


@pytest.mark.parametrize("kind", KINDS)
def test_names_that_start_at_a_token_share_out_its_probability_of_a_start(kind: str) -> None:
    lattice = lattice_of(make(kind, [30, 12, 1], n_labels=3))
    found = find_candidates(lattice, threshold=0.0)
    total = np.zeros_like(lattice.starts)
    np.add.at(total, (found.start, found.label), found.confidence)
    assert total == pytest.approx(lattice.starts)


@pytest.mark.parametrize("kind", KINDS)
def test_names_that_cover_a_token_exclude_each_other(kind: str) -> None:
    lattice = lattice_of(make(kind, [30, 12, 1], n_labels=3))
    found = find_candidates(lattice, threshold=0.0)
    covered = np.zeros(len(lattice.marginal) + 1)
    np.add.at(covered, found.start, found.confidence)
    np.add.at(covered, found.end, -found.confidence)
    assert np.cumsum(covered)[:-1] == pytest.approx(1 - lattice.marginal[:, 0])


def test_candidates_are_in_reading_order_and_know_their_sentence() -> None:
    lattice = lattice_of(make("chain", [3, 0, 5, 2]))
    found = find_candidates(lattice)
    rows = list(zip(found.start.tolist(), (-found.end).tolist(), found.label.tolist(), strict=True))
    assert rows == sorted(rows)
    assert (lattice.first_token[found.sentence] <= found.start).all()
    assert (found.end <= lattice.first_token[found.sentence + 1]).all()


@pytest.mark.parametrize("lengths", [[], [0], [0, 0]])
def test_no_tokens_have_no_candidates(lengths: list[int]) -> None:
    for kind in KINDS:
        lattice = lattice_of(make(kind, lengths))
        assert len(without_overlaps(find_candidates(lattice))) == 0


def test_no_labels_have_no_candidates() -> None:
    assert len(find_candidates(lattice_of(make("chain", [3], n_labels=0)))) == 0


def test_the_paper_has_ethyl_and_acetate_blocked_by_ethyl_acetate() -> None:
    found = candidates((5, 7, 0, 0.98), (5, 6, 0, 0.01), (6, 7, 0, 0.01))
    assert blocked_by(found).tolist() == [-1, 0, 0]
    assert by_name(without_overlaps(found)) == {(5, 7, "Gene"): 0.98}


def test_a_blocked_candidate_blocks_nothing() -> None:
    found = candidates((0, 2, 0, 0.5), (1, 3, 0, 0.4), (2, 4, 1, 0.3))
    assert blocked_by(found).tolist() == [-1, 0, -1]


def test_of_equals_the_first_blocks_then_the_longer_then_the_earlier_label() -> None:
    found = candidates((0, 2, 0, 0.3), (1, 4, 0, 0.3), (1, 2, 0, 0.3), (5, 8, 1, 0.3))
    assert blocked_by(found).tolist() == [-1, 0, 0, -1]
    assert blocked_by(candidates((0, 1, 0, 0.3), (0, 2, 1, 0.3))).tolist() == [1, -1]
    assert blocked_by(candidates((0, 2, 1, 0.3), (0, 2, 0, 0.3))).tolist() == [1, -1]


@given(
    st.lists(
        st.tuples(st.integers(3, 9), st.integers(1, 4), st.integers(0, 1), st.integers(0, 3)),
        unique_by=lambda row: row[:3],
        max_size=12,
    )
)
def test_blocking_is_what_a_plain_loop_over_pairs_does(
    rows: list[tuple[int, int, int, int]],
) -> None:
    found = candidates(*((start, start + n, label, c / 4) for start, n, label, c in rows))
    names = list(by_name(found).items())
    ranked = sorted(
        names, key=lambda each: (-each[1], each[0][0], -each[0][1], each[0][2] == "Cell")
    )
    kept: list[tuple[Name, float]] = []
    blocker = {}
    for each in ranked:
        over = [other for other in kept if other[0][0] < each[0][1] and each[0][0] < other[0][1]]
        blocker[each[0]] = names.index(over[0]) if over else -1
        kept += [] if over else [each]
    for rounds in (0, 1, 8):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(chains.candidates, "_ROUNDS", rounds)
            assert blocked_by(found).tolist() == [blocker[name] for name, _ in names]


def test_a_text_that_is_one_name_from_end_to_end_has_none_beyond_the_longest() -> None:
    batch = make("chain", [3 * LONGEST], n_labels=1, scale=0.0)
    assert isinstance(batch, ChainPotentials)
    batch.transition[:, 2] = 6.0
    found = find_candidates(lattice_of(batch))
    assert (found.end - found.start).max() == LONGEST
    assert len(found)


def repeating(*, n_tokens: int, confidences: list[float]) -> Candidates:
    """Let a name of each confidence begin at every token of a sentence."""
    start = np.repeat(np.arange(n_tokens), len(confidences))
    end = start + np.tile(np.arange(len(confidences), 0, -1), n_tokens)
    confidence = np.tile(confidences, n_tokens)
    label = np.zeros_like(start)
    return Candidates(("Gene",), label, start, end, label, confidence=confidence)


def test_of_a_crowded_sentence_the_most_probable_stay_wherever_they_stand() -> None:
    found = repeating(n_tokens=4000, confidences=[0.001, 0.002, 0.02, 0.3])
    kept = uncrowded(found, np.array([0, 4000]))
    assert kept.start.tolist() == list(range(4000))
    assert set(kept.confidence.tolist()) == {0.3}
    assert len(uncrowded(kept, np.array([0, 4000]))) == 4000


def test_of_a_crowded_sentence_as_many_stay_as_there_is_room_for() -> None:
    chance = np.random.default_rng(0)
    found = repeating(n_tokens=4000, confidences=[0.01, 0.01, 0.01])
    found.confidence[:] = chance.uniform(0, SURE_ENOUGH, len(found))
    kept = uncrowded(found, np.array([0, 4000]))
    assert len(kept) == CROWDED + 2000
    left = np.setdiff1d(found.confidence, kept.confidence)
    assert kept.confidence.min() > left.max()


def test_a_crowded_sentence_takes_nothing_from_the_others() -> None:
    crowded = repeating(n_tokens=1000, confidences=[0.001, 0.002])
    other = repeating(n_tokens=5, confidences=[0.001, 0.002])
    both = Candidates(
        ("Gene",),
        np.concatenate((crowded.sentence, other.sentence + 1)),
        np.concatenate((crowded.start, other.start + 1000)),
        np.concatenate((crowded.end, other.end + 1000)),
        np.concatenate((crowded.label, other.label)),
        confidence=np.concatenate((crowded.confidence, other.confidence)),
    )
    kept = uncrowded(both, np.array([0, 1000, 1005]))
    assert (kept.sentence == 1).sum() == len(other)
    assert (kept.sentence == 0).sum() == 1000


def test_a_word_that_is_repeated_without_end_has_a_bounded_number_of_candidates() -> None:
    batch = make("chain", [4 * CROWDED], n_labels=1, scale=0.0)
    assert isinstance(batch, ChainPotentials)
    batch.transition[:, 2] = 3.0
    every = find_candidates(lattice_of(batch))
    found = uncrowded(every, batch.first_token)
    covered = np.bincount(found.start, minlength=4 * CROWDED + 1)
    covered -= np.bincount(found.end, minlength=4 * CROWDED + 1)
    assert np.cumsum(covered).max() > 1
    assert len(found) <= CROWDED + 2 * CROWDED < len(every)
