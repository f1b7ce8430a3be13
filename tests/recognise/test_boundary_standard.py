import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from tests.sequences.chains.test_candidates import candidates
from tests.sequences.tag_paths import potentials
from vermeil.arrays import Ints
from vermeil.document import Centroid, Document, Standard
from vermeil.recognise.boundary_standard import boundary_standard
from vermeil.sequences.chains.candidates import Candidates, find_candidates
from vermeil.sequences.chains.lattice import lattice_of
from vermeil.sequences.chains.potentials import Potentials

TEXT = "human p53 binds K +"
STARTS, ENDS = np.array([0, 6, 10, 16, 18]), np.array([5, 9, 15, 17, 19])


def standard(*rows: tuple[int, int, int, float]) -> Standard:
    return boundary_standard(candidates(*rows), STARTS, ENDS)


def rounded(side: tuple[tuple[int, float], ...]) -> list[tuple[int, float]]:
    return [(place, round(value, 6)) for place, value in side]


def test_a_sure_name_has_one_boundary_a_side() -> None:
    [centroid] = standard((0, 2, 0, 1.0))
    assert centroid == Centroid(
        0, 9, "Gene", votes=1.0, left=((0, 1.0),), right=((9, 1.0),), confidence=1.0
    )


def test_boundaries_have_the_probability_that_a_name_starts_or_ends_there() -> None:
    [centroid] = standard((0, 2, 0, 0.5), (1, 2, 0, 0.4), (1, 3, 0, 0.05))
    assert (centroid.start, centroid.end) == (6, 9)
    assert rounded(centroid.left) == [(6, 0.45), (0, 0.5)]
    assert rounded(centroid.right) == [(9, 0.9), (15, 0.05)]
    assert centroid.confidence == pytest.approx(0.95)
    assert TEXT[slice(*centroid.extent)] == "human p53 binds"
    assert centroid.modal.marked(TEXT) == "human p53"


def test_small_doubts_do_not_cut_the_heart_of_a_name() -> None:
    [centroid] = standard((0, 2, 0, 0.98), (0, 1, 0, 0.01), (1, 2, 0, 0.01))
    assert (centroid.start, centroid.end) == (0, 9)
    assert rounded(centroid.left) == [(0, 0.98)]


def test_a_ripple_on_the_slope_of_a_heart_is_part_of_the_slope() -> None:
    [centroid] = standard((0, 1, 0, 0.8), (0, 2, 0, 0.18), (1, 2, 0, 0.02))
    assert (centroid.start, centroid.end) == (0, 5)
    assert rounded(centroid.right) == [(5, 0.8), (9, 0.18)]


def test_one_name_or_two_gives_two_hearts() -> None:
    first, second = standard((0, 1, 0, 0.5), (1, 2, 0, 0.5), (0, 2, 0, 0.4))
    assert (first.start, first.end, second.start, second.end) == (0, 5, 6, 9)
    assert rounded(second.left) == [(6, 0.5), (0, 0.4)]


def test_a_name_of_one_letter_counts_beside_longer_ones() -> None:
    [centroid] = standard((3, 4, 0, 0.8), (3, 5, 0, 0.15))
    assert (centroid.start, centroid.end) == (16, 17)
    assert rounded(centroid.right) == [(17, 0.8), (19, 0.15)]


def test_labels_that_compete_are_told() -> None:
    [centroid] = standard((1, 2, 0, 0.6), (1, 2, 1, 0.3))
    assert centroid.label == "Gene"
    assert [(label, round(value, 6)) for label, value in centroid.labels] == [
        ("Gene", 0.6),
        ("Cell", 0.3),
    ]


def test_what_is_more_likely_no_name_is_left_out() -> None:
    assert standard((1, 2, 0, 0.4)) == ()
    assert standard() == ()
    found = boundary_standard(candidates((1, 2, 0, 0.4)), STARTS, ENDS, min_confidence=0.3)
    assert [centroid.confidence for centroid in found] == [pytest.approx(0.4)]


def test_a_document_takes_it_for_a_standard() -> None:
    document = Document(id="1", text=TEXT).with_standard("lattice", standard((1, 5, 0, 0.9)))
    assert document.standards["lattice"][0].extent == (6, 19)


def test_of_two_peaks_in_one_heart_the_higher_speaks() -> None:
    for first, second in ((0.02, 0.04), (0.04, 0.02), (0.03, 0.03)):
        [centroid] = standard((0, 2, 0, 0.93), (0, 1, 0, first), (1, 2, 0, second))
        assert (centroid.start, centroid.end) == (0, 9)
        assert centroid.votes == pytest.approx(0.93 + max(first, second))


@given(potentials(), st.sampled_from([0.0, 0.1, 0.4]))
def test_hearts_are_what_can_be_reached_from_a_peak(batch: Potentials, tolerance: float) -> None:
    found = find_candidates(lattice_of(batch), threshold=0.01)
    places = np.arange(int(batch.first_token[-1]))
    standard = boundary_standard(found, places, places + 1, min_confidence=0.0, tolerance=tolerance)
    hearts = {(each.start, each.end, each.label) for each in standard}
    assert len(hearts) == len(standard)
    assert hearts == {
        (start, end, label)
        for code, label in enumerate(found.labels)
        for start, end in naive_hearts(found.keep(found.label == code), len(places), tolerance)
    }


def naive_hearts(found: Candidates, n_tokens: int, tolerance: float) -> set[tuple[int, int]]:
    """Try every token and every gap for a peak. Votes of tokens and gaps alternate."""
    votes = [0] * (2 * n_tokens)
    columns = (found.start.tolist(), found.end.tolist(), found.confidence.tolist())
    for start, end, confidence in zip(*columns, strict=True):
        for place in range(2 * start, 2 * end - 1):
            votes[place] += round(confidence * (1 << 32))
    hearts = set()
    for place, height in enumerate(votes):
        low, high = place, place
        while low > 0 and votes[low - 1] >= max(1, height * (1 - tolerance)):
            low -= 1
        while votes[high] >= max(1, height * (1 - tolerance)):
            high += 1
        if height and max(votes[low:high]) == height:
            hearts.add((low // 2, high // 2 + 1))
    return hearts


@given(potentials())
def test_boundary_values_are_sums_over_the_names_that_contain_the_heart(batch: Potentials) -> None:
    found = find_candidates(lattice_of(batch), threshold=0.0)
    places = np.arange(int(batch.first_token[-1]))
    for centroid in boundary_standard(found, places, places + 1, min_confidence=0.2):
        label = found.labels.index(centroid.label)
        around = (found.label == label) & (found.start <= centroid.start)
        around &= found.end >= centroid.end
        check_side(centroid, centroid.left, found.keep(around), found.start[around])
        check_side(centroid, centroid.right, found.keep(around), found.end[around])
        heart = np.arange(centroid.start, centroid.end)[:, None]
        covers = (found.start <= heart) & (heart < found.end) & (found.label == label)
        assert centroid.votes == pytest.approx((covers @ found.confidence).max(), abs=1e-8)
        assert centroid.confidence == centroid.votes <= 1


def check_side(
    centroid: Centroid, side: tuple[tuple[int, float], ...], around: Candidates, edge: Ints
) -> None:
    assert all(0 <= value <= 1 for _, value in side)
    assert sum(value for _, value in side) <= 1 + 1e-8
    for place, value in side:
        wanted = around.confidence[edge == place].sum() if len(around) else centroid.votes
        assert value == pytest.approx(wanted, abs=1e-8)
