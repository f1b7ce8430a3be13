"""The pooled brackets of one sentence, and sets of them as whole numbers, one bit a bracket.

Bits are in depth-first order, so the highest bit of those over a word is the lowest constituent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from vermeil.consensus.trees.grammar import Grammar, Tags
from vermeil.tree import Bracket


@dataclass(frozen=True, eq=False)
class BracketSets:
    """The brackets proposed for a sentence of ``n_words`` words.

    ``worth`` is how likely each is to be right, ``gain`` what it brings to have it. ``members`` is
    the set of brackets of each member that parsed the sentence, ``weights`` how much that member
    counts. ``tags`` are those that members give each word; they are chosen by the ``grammar``,
    without which neither tags nor rules matter.
    """

    n_words: int
    brackets: Sequence[Bracket]
    worth: Sequence[float]
    members: Sequence[int]
    weights: Sequence[float]
    gain: Sequence[float]
    tags: Sequence[Tags] = ()
    grammar: Grammar | None = None

    @cached_property
    def crossing(self) -> list[int]:
        """For each bracket the set of those that cross it.

        >>> brackets = [Bracket(0, 3, "S"), Bracket(0, 2, "NP"), Bracket(1, 3, "VP")]
        >>> BracketSets(3, brackets, [1, 1, 1], [], [], [1, 1, 1]).crossing
        [0, 4, 2]
        """
        return self._relations[0]

    @cached_property
    def below(self) -> list[int]:
        """For each bracket the set of those it holds.

        >>> twice = [Bracket(0, 2, "S"), Bracket(0, 2, "NP")]
        >>> BracketSets(2, twice, [1, 1], [], [], [1, 1]).below
        [2, 0]
        """
        return self._relations[1]

    @cached_property
    def holding(self) -> list[int]:
        """For each bracket the set of those that hold it."""
        return self._relations[2]

    @cached_property
    def _relations(self) -> tuple[list[int], list[int], list[int]]:
        """Find what crosses, is below and holds each bracket, going through pairs once."""
        n = len(self.brackets)
        crossing, below, holding = [0] * n, [0] * n, [0] * n
        for number, (start, end, _) in enumerate(self.brackets):
            for other in range(number + 1, n):
                other_start, other_end, _ = self.brackets[other]
                if other_start >= end:
                    break
                if other_end <= end:
                    below[number] |= 1 << other
                    holding[other] |= 1 << number
                elif other_start > start:
                    crossing[number] |= 1 << other
                    crossing[other] |= 1 << number
        return crossing, below, holding

    @cached_property
    def over(self) -> list[int]:
        """For each word the set of brackets over it."""
        found = [0] * self.n_words
        for number, (start, end, _) in enumerate(self.brackets):
            for word in range(start, end):
                found[word] |= 1 << number
        return found


def bits(number: int) -> Iterator[int]:
    """Yield the places of the bits that are set, lowest first.

    >>> list(bits(0b10110))
    [1, 2, 4]
    """
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
