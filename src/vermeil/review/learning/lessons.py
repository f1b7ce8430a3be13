"""What is learned from the decisions so far, and where the next one would mend most.

A pure function of the documents and of what is settled: nothing that was learned before is used, so
that the same decisions teach the same however they came, and whatever was interrupted. A document
is taken apart and described once, because that does not change.

First the annotators' reliabilities are learned with what was settled taken as known
(``vermeil.consensus.people``), then how the consensus is to be corrected (``weighing``).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.consensus.all_hearts import likely_spans
from vermeil.consensus.methods import Options, get_method
from vermeil.consensus.people.crowd import Crowd
from vermeil.consensus.people.known import with_settled
from vermeil.consensus.voters import tables
from vermeil.document import Document, Layer, Span
from vermeil.review.importing import SETTLED
from vermeil.review.learning.described import Descriptions, describe
from vermeil.review.learning.places import MarkedPlace, places_of
from vermeil.review.learning.weighing import ChoiceTable, fit
from vermeil.shown import Brief

SURE = 0.9
"""The chance from which on a decision counts as sure."""


@dataclass(frozen=True, slots=True)
class SettledNames:
    """The names of a document that are settled, and in which stretches all is; None for all."""

    names: Layer
    stretches: tuple[tuple[int, int], ...] | None = None

    def holds(self, place: MarkedPlace) -> bool:
        """Tell whether everything in a place is settled."""
        if self.stretches is None:
            return True
        return any(start <= place.start and place.end <= end for start, end in self.stretches)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Outlook(Brief):
    """Places in the order of documents: what is decided there, how surely, what a decision gains.

    ``document`` is the key of the document of each place. ``names`` are settled, or the likeliest,
    and ``likely`` all candidates, with the chance of each. ``gain`` is 0 where a place is settled.
    ``crowd`` and ``before`` are the annotators as learned with and without what was settled;
    ``was`` and ``was_sure`` what was decided without it, and how surely.
    """

    document: Ints
    places: list[MarkedPlace]
    is_settled: Flags
    names: list[Layer]
    likely: list[Layer]
    sure: Floats
    gain: Floats
    crowd: Crowd
    before: Crowd
    was: list[Layer]
    was_sure: Floats

    def layers(self, known: Mapping[int, SettledNames]) -> dict[int, Layer]:
        """Return by document what is settled, and elsewhere what is likeliest."""
        spans: dict[int, set[Span]] = {number: set(each.names) for number, each in known.items()}
        for place in np.flatnonzero(~self.is_settled).tolist():
            own = spans.setdefault(int(self.document[place]), set())
            own.update(self.names[place])
        return {number: tuple(each) for number, each in spans.items()}

    @property
    def n_now_sure(self) -> int:
        """How many open places are sure that were not."""
        return int(((self.sure >= SURE) & (self.was_sure < SURE) & ~self.is_settled).sum())

    @property
    def n_otherwise(self) -> int:
        """How many open places are decided otherwise than before."""
        pairs = zip(self.names, self.was, self.is_settled.tolist(), strict=True)
        return sum(_extents(now) != _extents(then) for now, then, settled in pairs if not settled)


class Lessons:
    """Learns from documents that are given again and again, with more and more settled."""

    def __init__(self, scope: Mapping[str, frozenset[str]] | None = None) -> None:
        self._options = Options(scope=scope or {}, settled=SETTLED, read=False)  # lessons read
        self._taken_apart: dict[int, tuple[Document, list[MarkedPlace], Descriptions]] = {}

    def learn(
        self, documents: Mapping[int, Document], settled: Mapping[int, SettledNames]
    ) -> Outlook:
        """Learn from documents with the layers that vote, and what is settled of some of them."""
        parts = [self._apart(number, document) for number, document in documents.items()]
        places = [place for _, own, _ in parts for place in own]
        sizes = [len(own) for _, own, _ in parts]
        number = np.repeat(np.array([*documents], dtype=np.int64), sizes)
        known = [
            key in settled and settled[key].holds(place)
            for key, place in zip(number.tolist(), places, strict=True)
        ]
        is_settled = np.array(known, dtype=bool)
        before = self._learned(documents.values())
        crowd = before
        if is_settled.any() or settled:
            crowd = self._learned(
                _with_known(document, settled[key]) if key in settled else document
                for key, document in documents.items()
            )
        described = [each for _, _, each in parts]
        table = self._table(parts, described, crowd, documents)
        right = [
            place.choice_of(_inside(settled[key].names, place)) if is_known else None
            for key, place, is_known in zip(number.tolist(), places, known, strict=True)
        ]
        taught = np.array([n for n, each in enumerate(right) if each is not None], dtype=np.int64)
        true = table.first[taught] + np.array(
            [each for each in right if each is not None], dtype=np.int64
        )
        weights = fit(table, taught, true)
        names, likely, sure, gain = _judged(places, table, weights)
        for place in np.flatnonzero(is_settled).tolist():
            names[place] = _inside(settled[int(number[place])].names, places[place])
        was, was_sure = names, sure
        if crowd is not before:
            plain = self._table(parts, described, before, documents)
            was, _, was_sure, _ = _judged(places, plain, np.zeros_like(weights))
        return Outlook(
            document=number,
            places=places,
            is_settled=is_settled,
            names=names,
            likely=likely,
            sure=np.where(is_settled, 1.0, sure),
            gain=np.where(is_settled, 0.0, gain),
            crowd=crowd,
            before=before,
            was=was,
            was_sure=was_sure,
        )

    def _apart(
        self, number: int, document: Document
    ) -> tuple[Document, list[MarkedPlace], Descriptions]:
        kept = self._taken_apart.get(number)
        if kept is None or kept[0].layers != document.layers:
            places = places_of(document)
            kept = self._taken_apart[number] = document, places, describe(document, places)
        return kept

    def _learned(self, documents: Iterable[Document]) -> Crowd:
        method = get_method("people")
        assert method.observe is not None, "people are observed"
        assert method.learn is not None, "people are learned from"
        seen = [method.observe(table, self._options, None) for table in tables(iter(documents))]
        crowd: Crowd = method.learn(reduce(add, seen), self._options)
        return crowd

    def _table(
        self,
        parts: Sequence[tuple[Document, list[MarkedPlace], Descriptions]],
        described: Sequence[Descriptions],
        crowd: Crowd,
        documents: Mapping[int, Document],
    ) -> ChoiceTable:
        likely = likely_spans(documents.values(), crowd)
        chance = [
            spans.get((each.start, each.end, each.label), 0.0)
            for (_, own, _), spans in zip(parts, likely, strict=True)
            for place in own
            for each in place.candidates
        ]
        places = [place for _, own, _ in parts for place in own]
        return ChoiceTable.of(places, described, np.array(chance, dtype=np.float64))


def _with_known(document: Document, settled: SettledNames) -> Document:
    document = document.with_layer(SETTLED, settled.names)
    if settled.stretches is None:
        return document
    return with_settled(document, SETTLED, settled.stretches)


def _inside(names: Iterable[Span], place: MarkedPlace) -> Layer:
    return tuple(name for name in names if name.start < place.end and place.start < name.end)


def _judged(
    places: Sequence[MarkedPlace], table: ChoiceTable, weights: Floats
) -> tuple[list[Layer], list[Layer], Floats, Floats]:
    """Return of each place the likeliest names, all candidates, how sure it is, and its gain."""
    chances = table.chances(weights)
    best = table.best(chances)
    marginal = (table.members.T @ chances).tolist() if len(chances) else []
    first = np.cumsum([0, *(len(place.candidates) for place in places)]).tolist()
    names: list[Layer] = []
    likely: list[Layer] = []
    for number, place in enumerate(places):
        chance = marginal[first[number] : first[number + 1]]
        rated = tuple(map(_with_chance, place.candidates, chance))
        choice = place.choices[int(best[number] - table.first[number])]
        names.append(tuple(rated[each] for each in choice))
        likely.append(rated)
    return names, likely, chances[best], table.gains(chances, best)


def _with_chance(span: Span, chance: float) -> Span:
    return Span(
        span.start, span.end, span.label, min(max(chance, 0.0), 1.0), fragments=span.fragments
    )


def _extents(names: Layer) -> set[tuple[int, int, str]]:
    return {(name.start, name.end, name.label) for name in names}
