"""Places of a document that anybody marked: what could be there, and what can be there together.

A place is a connected stretch of marked text, the unit of which a curator decides. Candidates are
the spans that were marked in it, and the ends of two that overlap put together. A *choice* is a set
of candidates that can all be right: those that overlap only if somebody has both.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from vermeil.document import Document, Span

MOST_CHOICES = 48
"""Choices weighed at a place; where there are more, those with the most votes."""

MOST_JOINED = 8
"""Spans of a place that are put together from two."""

EVEN = 0.45
"""The share of the votes that speaks neither for nor against a name (``hearts.LEAST``)."""


@dataclass(frozen=True, slots=True, eq=False)
class MarkedPlace:
    """A stretch of a document, its candidates in reading order, and choices of their indices.

    The first choice is that there is no name. Candidates have no confidence, ids or attributes.
    """

    start: int
    end: int
    candidates: tuple[Span, ...]
    choices: tuple[tuple[int, ...], ...]

    def choice_of(self, names: Iterable[Span]) -> int | None:
        """Find the choice of exactly these names, or of those of them that are candidates.

        None where no choice is right.
        """
        here = {bare(name) for name in names}
        wanted = tuple(n for n, each in enumerate(self.candidates) if each in here)
        return self.choices.index(wanted) if wanted in self.choices else None


def bare(span: Span) -> Span:
    """Leave of a span where it is and what it is called."""
    if span.confidence is None and not span.ids and not span.attributes:
        return span
    return Span(span.start, span.end, span.label, fragments=span.fragments)


def places_of(document: Document) -> list[MarkedPlace]:
    """Find the places of a document that has only layers that vote, in reading order.

    >>> layers = {"a": (Span(0, 8, "Gene"),), "b": (Span(4, 8, "Gene"), Span(12, 15, "Gene"))}
    >>> [place] = places_of(Document(id="1", text="the BRCA and p53 gene", layers=layers))[:1]
    >>> place.end, [(span.start, span.end) for span in place.candidates], place.choices
    (8, [(0, 8), (4, 8)], ((), (0,), (1,)))
    """
    votes: dict[Span, int] = {}
    for layer in document.layers.values():
        for span in {bare(each) for each in layer}:
            votes[span] = votes.get(span, 0) + 1
    found: list[MarkedPlace] = []
    for group in _connected(sorted(votes, key=lambda span: (span.start, span.end))):
        candidates = _in_order({*group, *_joined(group)})
        share = [votes.get(each, 0) / len(document.layers) - EVEN for each in candidates]
        together = _marked_together(document, group)
        choices = _choices(candidates, share, together)
        end = max(span.end for span in group)
        found.append(MarkedPlace(group[0].start, end, candidates, choices))
    return found


def _in_order(spans: Iterable[Span]) -> tuple[Span, ...]:
    return tuple(sorted(spans, key=lambda each: (each.start, -each.end, each.label, each.pieces)))


def _connected(spans: Sequence[Span]) -> list[list[Span]]:
    groups: list[list[Span]] = []
    reach = -1
    for span in spans:
        if span.start >= reach:
            groups.append([])
        groups[-1].append(span)
        reach = max(reach, span.end)
    return groups


def _joined(group: Sequence[Span]) -> list[Span]:
    """Put the ends of two whole spans of a label together, the shortest first."""
    whole = [span for span in group if not span.fragments]
    made = {
        Span(one.start, other.end, one.label)
        for one in whole
        for other in whole
        if one.label == other.label and one.start < other.end and other.start < one.end
    }
    new = made.difference(group)
    return sorted(new, key=lambda span: (span.end - span.start, span.start, span.label))[
        :MOST_JOINED
    ]


def _marked_together(document: Document, group: Sequence[Span]) -> set[frozenset[Span]]:
    """Find the pairs of overlapping spans that one annotator has both of."""
    start, end = group[0].start, max(span.end for span in group)
    pairs: set[frozenset[Span]] = set()
    for layer in document.layers.values():
        here = [bare(each) for each in layer if each.start < end and start < each.end]
        if len(here) > 1:
            pairs.update(frozenset(pair) for pair in combinations(here, 2) if overlap(*pair))
    return pairs


def overlap(one: Span, other: Span) -> bool:
    """Tell whether two spans share a character, gaps apart."""
    return any(a < d and c < b for a, b in one.pieces for c, d in other.pieces)


def _choices(
    candidates: Sequence[Span], share: Sequence[float], together: set[frozenset[Span]]
) -> tuple[tuple[int, ...], ...]:
    choices: list[tuple[int, ...]] = [()]
    worth: dict[tuple[int, ...], float] = {(): 0.0}
    for number in sorted(range(len(candidates)), key=lambda each: (-share[each], each)):
        span = candidates[number]
        for choice in choices[:]:
            others = (candidates[each] for each in choice)
            if all(
                not overlap(span, each) or frozenset((span, each)) in together for each in others
            ):
                more = tuple(sorted((*choice, number)))
                choices.append(more)
                worth[more] = worth[choice] + share[number]
        if len(choices) > MOST_CHOICES:
            choices = sorted(choices, key=lambda each: (-worth[each], each))[:MOST_CHOICES]
            if () not in choices:
                choices.append(())
    return tuple(sorted(choices, key=lambda each: (len(each), each)))
