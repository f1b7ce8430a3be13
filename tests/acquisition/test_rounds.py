import hypothesis.strategies as st
import numpy as np
from hypothesis import given

from vermeil.acquisition.rounds import Lengths, count_lengths, length_classes, within_shares
from vermeil.document import Span

counts = st.integers(0, 20)


def test_a_name_counts_the_tokens_it_touches() -> None:
    tokens = [(0, 2), (2, 3), (3, 4), (6, 9), (9, 10)]
    spans = [Span(0, 2, "G"), Span(1, 3, "G"), Span(0, 10, "G"), Span(4, 6, "G")]
    assert count_lengths(tokens, spans) == (1, 1, 0, 1)
    assert count_lengths(tokens, []) == (0, 0, 0, 0)


@given(
    st.lists(st.tuples(st.integers(1, 6), st.floats(0, 9)), max_size=30),
    st.tuples(counts, counts, counts, counts),
    st.floats(0, 2),
)
def test_no_length_has_more_than_its_share_and_the_surest_stay(
    names: list[tuple[int, float]], annotated: Lengths, slack: float
) -> None:
    classes = length_classes([length for length, _ in names])
    scores = [score for _, score in names]
    kept = within_shares(classes, scores, annotated, slack=slack)
    assert kept == sorted(set(kept))
    if not sum(annotated):
        assert kept == list(range(len(names)))
        return
    for number, own in enumerate(annotated):
        mine = [row for row in range(len(names)) if classes[row] == number]
        chosen = [row for row in kept if classes[row] == number]
        most = (1 + slack) * own / sum(annotated) * len(names)
        assert len(chosen) < most + 1
        assert len(chosen) == len(mine) or len(chosen) >= most
        left = set(mine) - set(chosen)
        assert all(scores[row] >= scores[other] for row in chosen for other in left)


def test_classes_are_one_two_three_and_more() -> None:
    assert length_classes([1, 2, 3, 4, 5, 50]).tolist() == [0, 1, 2, 3, 3, 3]
    assert np.array_equal(length_classes([]), [])
