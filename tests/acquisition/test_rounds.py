from math import floor

import hypothesis.strategies as st
import numpy as np
from hypothesis import given

from vermeil.acquisition.rounds import Lengths, count_lengths, within_shares
from vermeil.document import Span

counts = st.integers(0, 20)


def test_a_name_counts_its_words_and_a_hyphen_parts_none() -> None:
    text = "IL-2 or the interleukin-2 receptor  alpha-chain precursor protein"
    spans = [Span(0, 4, "G"), Span(12, 34, "G"), Span(12, 47, "G"), Span(12, len(text), "G")]
    assert count_lengths(text, spans) == (1, 1, 1, 1)
    assert count_lengths(text, []) == (0, 0, 0, 0)


def most_within(classes: list[int], annotated: Lengths, slack: float) -> int:
    """Try every number of names: the most of which no class has more than its share."""
    most = 0
    for total in range(len(classes) + 1):
        shares = [(1 + slack) * own / sum(annotated) * total for own in annotated]
        room = [min(floor(share + 1e-9), classes.count(c)) for c, share in enumerate(shares)]
        most = total if sum(room) >= total else most
    return most


@given(
    st.lists(st.tuples(st.integers(0, 3), st.floats(0, 9)), max_size=30),
    st.tuples(counts, counts, counts, counts),
    st.floats(0, 2),
)
def test_no_length_has_more_than_its_share_and_the_surest_stay(
    names: list[tuple[int, float]], annotated: Lengths, slack: float
) -> None:
    classes = np.array([length for length, _ in names], dtype=np.int64)
    scores = [score for _, score in names]
    kept = within_shares(classes, scores, annotated, slack=slack)
    assert kept == sorted(set(kept))
    if not sum(annotated):
        assert kept == list(range(len(names)))
        return
    for number, own in enumerate(annotated):
        mine = [row for row in range(len(names)) if classes[row] == number]
        chosen = [row for row in kept if classes[row] == number]
        assert len(chosen) < (1 + slack) * own / sum(annotated) * len(kept) + 1
        left = set(mine) - set(chosen)
        assert all(scores[row] >= scores[other] for row in chosen for other in left)
    assert len(kept) >= most_within(classes.tolist(), annotated, slack)


def test_what_is_added_has_the_lengths_of_what_was_annotated() -> None:
    classes = np.array([0] * 90 + [1] * 6 + [2] * 4)
    kept = within_shares(classes, [0.0] * 100, (80, 10, 10, 0), slack=0.0)
    # So few of three tokens allow half of those of one; rounding up lets in a name a class.
    assert np.bincount(classes[kept]).tolist() == [44, 6, 4]
