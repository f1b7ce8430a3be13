"""The heaviest set of brackets that can be a tree."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from vermeil.tree import Bracket

Span: TypeAlias = tuple[int, int]
Filling: TypeAlias = tuple[float, int]
"""A total weight and the set of brackets that has it."""


def heaviest(brackets: Sequence[Bracket], weights: Sequence[float]) -> int:
    """Return the set of brackets of greatest total weight in which no two cross, one bit a bracket.

    Exact. Brackets of no positive weight are left out. The best filling of a span is a choice of
    disjoint spans inside it, each with its own best filling, so spans are filled from short to
    long. Of equal choices the one found first is kept. Quadratic in the number of spans.

    >>> brackets = [Bracket(0, 3, "S"), Bracket(0, 2, "NP"), Bracket(1, 3, "VP")]
    >>> bin(heaviest(brackets, [1, 0.4, 0.5]))
    '0b101'
    """
    own: dict[Span, Filling] = {}
    for number, (start, end, _) in enumerate(brackets):
        if weights[number] > 0:
            weight, chosen = own.get((start, end), (0.0, 0))
            own[start, end] = weight + weights[number], chosen | 1 << number
    filled: dict[Span, Filling] = {}
    for span in sorted(own, key=lambda span: (span[1] - span[0], span)):
        inner_weight, inner = _packed(span, filled)
        filled[span] = own[span][0] + inner_weight, own[span][1] | inner
    return _packed((0, max((end for _, end in own), default=0)), filled)[1]


def _packed(span: Span, filled: Mapping[Span, Filling]) -> Filling:
    """Choose disjoint spans inside one, the heaviest way (weighted interval scheduling)."""
    inside = sorted((end, start) for start, end in filled if span[0] <= start and end <= span[1])
    ends = [end for end, _ in inside]
    best: list[Filling] = [(0.0, 0)]
    for place, (end, start) in enumerate(inside):
        before = best[bisect_right(ends, start, 0, place)]
        weight, chosen = filled[start, end]
        taken = before[0] + weight, before[1] | chosen
        best.append(taken if taken[0] > best[-1][0] else best[-1])
    return best[-1]
