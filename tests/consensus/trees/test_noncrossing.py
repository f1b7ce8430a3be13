from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.trees.naive import cross
from vermeil.consensus.trees.candidates import BracketSets, bits
from vermeil.consensus.trees.noncrossing import heaviest
from vermeil.tree import Bracket

BRACKET = st.tuples(st.integers(0, 5), st.integers(1, 4)).map(
    lambda pair: Bracket(pair[0], sum(pair), "X")
)
BRACKETS = st.lists(BRACKET, max_size=10).map(sorted)
WEIGHTS = st.lists(st.integers(-2, 8).map(lambda n: n / 4), min_size=10, max_size=10)


@given(BRACKETS, WEIGHTS)
def test_no_set_of_brackets_without_crossings_is_heavier(
    brackets: list[Bracket], weights: list[float]
) -> None:
    chosen = list(bits(heaviest(brackets, weights)))
    assert not any(cross(brackets[a], brackets[b]) for a, b in combinations(chosen, 2))
    assert all(weights[each] > 0 for each in chosen)
    best = max(
        sum(weights[each] for each in some)
        for n in range(len(brackets) + 1)
        for some in combinations(range(len(brackets)), n)
        if not any(cross(brackets[a], brackets[b]) for a, b in combinations(some, 2))
    )
    assert sum(weights[each] for each in chosen) == best


def test_nothing_is_the_heaviest_of_nothing() -> None:
    assert heaviest([], []) == 0
    assert heaviest([Bracket(0, 1, "X")], [0.0]) == 0


@given(BRACKETS)
def test_candidates_know_what_crosses_holds_and_covers(brackets: list[Bracket]) -> None:
    brackets.sort(key=lambda each: (each.start, -each.end))
    candidates = BracketSets(10, brackets, [1.0] * len(brackets), [], [], gain=[])
    every = list(enumerate(brackets))
    for number, own in every:
        crossing = [n for n, other in every if cross(own, other)]
        assert list(bits(candidates.crossing[number])) == crossing
        below = [
            n
            for n, other in every
            if n > number and own.start <= other.start and other.end <= own.end
        ]
        assert list(bits(candidates.below[number])) == below
    for word in range(10):
        over = [n for n, (start, end, _) in every if start <= word < end]
        assert list(bits(candidates.over[word])) == over
