"""Two trees over the same words, bracket by bracket: what is in both, in one, or has another label.

Brackets are compared as multisets with their labels. What is left on the same span in both trees
is paired from the outside in and called relabelled; the rest is in one tree only. A parse failure
has no brackets.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from enum import StrEnum

from vermeil.tree import Bracket, Tree


class Status(StrEnum):
    """Where a bracket stands."""

    SHARED = "in both"
    FIRST = "only in the first"
    SECOND = "only in the second"
    RELABELLED = "same span, other label"


SIGNS = {Status.SHARED: " ", Status.FIRST: "-", Status.SECOND: "+", Status.RELABELLED: "~"}
"""How each status is marked where there is no colour."""


@dataclass(frozen=True, slots=True)
class MarkedBracket:
    """A bracket and its status; ``other`` is the label the other tree has on the span."""

    bracket: Bracket
    status: Status
    other: str | None = None

    @property
    def caption(self) -> str:
        """The label and, where the other tree has another one there, that one after it."""
        return self.bracket.label if self.other is None else f"{self.bracket.label}→{self.other}"


Marks = tuple[MarkedBracket, ...]


def mark(first: Tree | None, second: Tree | None) -> tuple[Marks, Marks]:
    """Mark the brackets of two trees, each in the order of ``Tree.brackets``.

    Raise ValueError where the words differ, naming the first two that do.

    >>> one = Tree.parse("(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))")
    >>> two = Tree.parse("(S (NN p53) (NP (VBZ binds) (NP (NN DNA))))")
    >>> [(each.caption, each.status.value) for each in mark(one, two)[0]]  # doctest: +ELLIPSIS
    [('S', 'in both'), ('NP', 'only in the first'), ('VP→NP', 'same span, other label'), ...]
    """
    if first is not None and second is not None:
        _refuse_other_words(first.words, second.words)
    ours = first.brackets if first is not None else ()
    theirs = second.brackets if second is not None else ()
    left_of_ours, left_of_theirs = _left(ours, theirs), _left(theirs, ours)
    return (
        _marked(ours, left_of_ours, left_of_theirs, Status.FIRST),
        _marked(theirs, left_of_theirs, left_of_ours, Status.SECOND),
    )


def _refuse_other_words(ours: tuple[str, ...], theirs: tuple[str, ...]) -> None:
    for number, (a, b) in enumerate(zip(ours, theirs, strict=False), start=1):
        if a != b:
            raise ValueError(f"word {number} is {a!r} in the first and {b!r} in the second")
    if len(ours) != len(theirs):
        raise ValueError(f"the first has {len(ours)} words, the second {len(theirs)}")


def _left(ours: tuple[Bracket, ...], theirs: tuple[Bracket, ...]) -> dict[int, Bracket]:
    """List the brackets of ours, by place, for which theirs has no partner."""
    partners = Counter(theirs)
    left = {}
    for place, bracket in enumerate(ours):
        if partners[bracket]:
            partners[bracket] -= 1
        else:
            left[place] = bracket
    return left


def _marked(
    brackets: tuple[Bracket, ...],
    left: dict[int, Bracket],
    left_there: dict[int, Bracket],
    alone: Status,
) -> Marks:
    labels_there: dict[tuple[int, int], list[str]] = defaultdict(list)
    for other in left_there.values():
        labels_there[other.start, other.end].append(other.label)
    marked = []
    for place, bracket in enumerate(brackets):
        labels = labels_there[bracket.start, bracket.end]
        if place not in left:
            marked.append(MarkedBracket(bracket, Status.SHARED))
        elif labels:
            marked.append(MarkedBracket(bracket, Status.RELABELLED, labels.pop(0)))
        else:
            marked.append(MarkedBracket(bracket, alone))
    return tuple(marked)
