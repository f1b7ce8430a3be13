"""The pooled brackets of one sentence, and sets of them as whole numbers, one bit a bracket.

Bits are in depth-first order, so the highest bit of those over a word is the lowest constituent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from vermeil.tree import Bracket


@dataclass(frozen=True, eq=False)
class BracketSets:
    """The brackets proposed for a sentence of ``n_words`` words.

    ``worth`` is how likely each is to be right. ``members`` is the set of brackets of each member
    that parsed the sentence, ``weights`` how much that member counts.
    """

    n_words: int
    brackets: Sequence[Bracket]
    worth: Sequence[float]
    members: Sequence[int]
    weights: Sequence[float]

    @cached_property
    def crossing(self) -> list[int]:
        """For each bracket the set of those that cross it.

        >>> brackets = [Bracket(0, 3, "S"), Bracket(0, 2, "NP"), Bracket(1, 3, "VP")]
        >>> BracketSets(3, brackets, [1, 1, 1], [], []).crossing
        [0, 4, 2]
        """
        return [
            sum(
                1 << number
                for number, (start, end, _) in enumerate(self.brackets)
                if start < own.start < end < own.end or own.start < start < own.end < end
            )
            for own in self.brackets
        ]

    @cached_property
    def below(self) -> list[int]:
        """For each bracket the set of those it holds.

        >>> BracketSets(2, [Bracket(0, 2, "S"), Bracket(0, 2, "NP")], [1, 1], [], []).below
        [2, 0]
        """
        return [
            sum(
                1 << number
                for number, (start, end, _) in enumerate(self.brackets)
                if number > own_number and own.start <= start and end <= own.end
            )
            for own_number, own in enumerate(self.brackets)
        ]

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
