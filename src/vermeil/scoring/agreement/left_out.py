"""Each annotator against the consensus of the others.

With up to FEW annotators, the default consensus is learned once for each of them from all others,
as ``vermeil consensus`` would. With more, nobody is worth learning everything again for: the
consensus of the others is then that of plain votes, the modal spans of hearts that at least half of
those have voted for who looked for the label (section 3 of Lewin et al., "Centroids").
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Any

import msgspec
import numpy as np

from vermeil.arrays import Flags, Ints, distinct, is_among
from vermeil.columns.held import layers_of
from vermeil.columns.levels import levels_of
from vermeil.columns.overlap import touched
from vermeil.columns.span_table import SpanTable
from vermeil.consensus import Options, get_method
from vermeil.consensus.centroids import Settings
from vermeil.consensus.decision import Decision
from vermeil.consensus.evidence import Evidence, gather
from vermeil.consensus.hearts import judge
from vermeil.consensus.reliability import Patterns, Reliability, learn
from vermeil.document import Document
from vermeil.runs.results import Result, put_together, taken_apart
from vermeil.scoring.agreement.keyed import KeyedCounts
from vermeil.scoring.agreement.votes import Votes, Words
from vermeil.scoring.pairing.columns import only, packed

FEW = 12
"""So many annotators are each left out of what is learned."""

N_AT_ONCE = 2000
"""Documents without one of their annotators that are decided at a time."""

BY_ANNOTATOR = ("documents", "judged", "same", "predicted", "wanted", "right", "found")
"""Documents looked at, and those with somebody to compare with; names in both, of the annotator and
of the others' consensus; those of either that overlap one of the other."""


class Stored(msgspec.Struct, frozen=True):
    """What was learned of annotators, as JSON can hold it."""

    facts: dict[str, Any]
    arrays: dict[str, list[Any]]

    @staticmethod
    def of(learned: Reliability) -> "Stored":
        """Lay it out."""
        apart = taken_apart(learned)
        return Stored(
            dict(apart.facts), {name: each.tolist() for name, each in apart.arrays.items()}
        )

    def restored(self) -> Reliability:
        """Undo ``of``."""
        arrays = {name: np.array(each, dtype=np.float64) for name, each in self.arrays.items()}
        return put_together(Reliability, Result(self.facts, arrays))


@dataclass(frozen=True, slots=True, eq=False)
class OthersPatterns:
    """What there is to learn from: all votes, and those of all but one. Add two to pool them."""

    everybody: Patterns
    without: Mapping[str, Patterns]

    @staticmethod
    def of(documents: Sequence[Document]) -> "OthersPatterns":
        """Count the patterns of some documents, which hold only layers to compare."""
        table = SpanTable.from_documents(documents)
        without = {}
        for code, name in enumerate(table.annotators):
            others = _others(table, code)
            without[name] = _patterns(others)
        return OthersPatterns(_patterns(table), without)

    def __add__(self, other: "OthersPatterns") -> "OthersPatterns":
        # Who was not there left nothing out.
        names = sorted({*self.without, *other.without})
        without = {
            name: self.without.get(name, self.everybody) + other.without.get(name, other.everybody)
            for name in names
        }
        return OthersPatterns(self.everybody + other.everybody, without)

    def learned(self) -> dict[str, Stored]:
        """Learn for each annotator how far to trust the others."""
        return {name: Stored.of(learn(patterns)) for name, patterns in self.without.items()}


def judge_left_out(
    documents: Sequence[Document], votes: Votes, words: Words, learned: Mapping[str, Stored]
) -> KeyedCounts:
    """Count by annotator; the documents are those of the votes, layers and all."""
    names = votes.names
    rows, _ = votes.partners(names.slot, names.label)
    can_be_judged = np.zeros(len(names), dtype=bool)
    can_be_judged[rows] = True
    own = names.keep(can_be_judged)
    found = _learned(documents, votes, words, learned) if learned else _voted(votes, words)
    # Others may look for what the annotator does not.
    found = found.keep(votes.looks[votes.scope[found.slot], found.label])
    slot, label = found.slot, found.label
    origin = votes.origin[votes.document[slot]]
    start, end = found.start + origin, found.end + origin
    both = [
        np.concatenate(columns)
        for columns in (
            (own.slot, slot),
            (own.label, label),
            (own.start, start),
            (own.end, end),
            (own.shape, _shapes(votes, found)),
        )
    ]
    number = np.broadcast_to(packed(both), len(own) + len(slot))
    same = own.slot[is_among(number[: len(own)], np.sort(number[len(own) :]))]
    stretches = votes.pieces.keep(can_be_judged[votes.pieces.owner])
    length = int(max(end.max(initial=0), own.end.max(initial=0))) + 1

    def lane(owner: Ints, label: Ints) -> Ints:
        return (owner * words.n_labels + label) * length

    piece_lane = lane(names.slot[stretches.owner], stretches.label)
    owner, first, last = _pieces(found, origin)
    found_lane = lane(slot[owner], label[owner])
    mine = stretches.start + piece_lane, stretches.end + piece_lane
    theirs = first + found_lane, last + found_lane
    right = names.slot[distinct(stretches.owner[touched(*mine, *theirs)])]
    annotator = votes.annotator
    judged = distinct(votes.partners(np.arange(len(annotator)), in_common=True)[0])
    return KeyedCounts.gathered(
        [
            (annotator, 1),
            (annotator[judged], 1),
            (annotator[same], 1),
            (annotator[own.slot], 1),
            (annotator[slot], 1),
            (annotator[right], 1),
            (annotator[slot[distinct(owner[touched(*theirs, *mine)])]], 1),
        ]
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """Names in the consensus of a slot's others, at offsets of the document; few in fragments."""

    slot: Ints
    label: Ints
    start: Ints
    end: Ints
    fragments: Mapping[int, tuple[tuple[int, int], ...]]

    @staticmethod
    def of(decision: Decision, slot: Ints, label: Ints) -> "_Found":
        """Take what was decided, of these slots and labels."""
        pieces = () if decision.pieces is None else decision.pieces.tolist()
        fragments = {row: each for row, each in enumerate(pieces) if each}
        return _Found(slot, label, decision.start, decision.end, fragments)

    @staticmethod
    def joined(parts: Sequence["_Found"]) -> "_Found":
        """Put what was found one after the other."""
        bases = accumulate((len(each.slot) for each in parts), initial=0)

        def column(name: str) -> Ints:
            none = np.zeros(0, dtype=np.int64)
            return np.concatenate([none, *(getattr(each, name) for each in parts)])

        return _Found(
            slot=column("slot"),
            label=column("label"),
            start=column("start"),
            end=column("end"),
            fragments={
                base + row: fragments
                for base, each in zip(bases, parts, strict=False)
                for row, fragments in each.fragments.items()
            },
        )

    def keep(self, is_kept: Flags) -> "_Found":
        """Leave out the others."""
        place = np.cumsum(is_kept) - 1
        return _Found(
            slot=self.slot[is_kept],
            label=self.label[is_kept],
            start=self.start[is_kept],
            end=self.end[is_kept],
            fragments={
                int(place[row]): each for row, each in self.fragments.items() if is_kept[row]
            },
        )


def _learned(
    documents: Sequence[Document], votes: Votes, words: Words, learned: Mapping[str, Stored]
) -> _Found:
    found: list[_Found] = []
    codes = {label: code for code, label in enumerate(words.labels)}
    table = SpanTable.from_documents(
        document.replace(layers=layers_of(document.layers, learned)) for document in documents
    )
    label = np.array([codes[name] for name in table.labels], dtype=np.int64)
    for code, name in enumerate(table.annotators):
        others = _others(table, code)
        looked = table.looked[:, code] & others.looked.any(axis=1)
        decision = judge(others, _evidence(others), learned[name].restored()).decided()
        decision = decision.keep(looked[decision.document])
        mine = np.flatnonzero(votes.annotator == words.annotators.index(name))
        slot = mine[np.searchsorted(votes.document[mine], decision.document)]
        found.append(_Found.of(decision, slot, label[decision.label]))
    return _Found.joined(found)


def _voted(votes: Votes, words: Words) -> _Found:
    found: list[_Found] = []
    method, options = get_method("centroids"), Options(settings=Settings(min_share=0.5))
    rest = _without_one(votes, words)
    while some := list(islice(rest, N_AT_ONCE)):
        table = SpanTable.from_documents(document for _, _, document in some)
        decision = method.decide(table, options, None).decision
        whose = np.array([(slot, label) for slot, label, _ in some], dtype=np.int64)
        found.append(_Found.of(decision, *whose[decision.document].T))
    return _Found.joined(found)


def _shapes(votes: Votes, found: _Found) -> Ints:
    """Number the fragments of what was found as those of names are numbered."""
    fragments = votes.fragments()
    numbers = {each: int(votes.names.shape[name]) for name, each in fragments.items()}
    new = int(votes.names.shape.max(initial=0)) + 1
    shapes = np.zeros(len(found.slot), dtype=np.int64)
    for row, each in found.fragments.items():
        shapes[row] = numbers.setdefault(each, new + len(numbers))
    return shapes


def _pieces(found: _Found, origin: Ints) -> tuple[Ints, Ints, Ints]:
    """Find the stretches of what was found, on the axis of the batch, and whose they are."""
    in_one = np.ones(len(found.slot), dtype=bool)
    in_one[list(found.fragments)] = False
    whole = np.flatnonzero(in_one)
    rows = [(row, first, last) for row, each in found.fragments.items() for first, last in each]
    several = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    owner, start, end = (
        np.concatenate(both)
        for both in zip((whole, found.start[whole], found.end[whole]), several, strict=True)
    )
    order = np.argsort(owner, kind="stable")
    owner = owner[order]
    return owner, start[order] + origin[owner], end[order] + origin[owner]


def _without_one(votes: Votes, words: Words) -> Iterator[tuple[int, int, Document]]:
    """Yield for each slot and label what the others say who look for the label, if anything."""
    spans = votes.spans()
    for number, document in enumerate(votes.documents):
        first = int(votes.first[number])
        slots = range(first, first + int(votes.n_slots[number]))
        for code in sorted({label for slot in slots for label in spans.get(slot, {})}):
            looking = [slot for slot in slots if votes.looks[votes.scope[slot], code]]
            layers = {
                words.annotators[votes.annotator[slot]]: spans.get(slot, {}).get(code, ())
                for slot in looking
            }
            n_marking = sum(map(bool, layers.values()))
            for slot in looking:
                name = words.annotators[votes.annotator[slot]]
                if len(looking) > 1 and n_marking > bool(layers[name]):
                    others = {key: layer for key, layer in layers.items() if key != name}
                    yield slot, code, document.replace(layers=others)


def _others(table: SpanTable, code: int) -> SpanTable:
    return only(table, [each for each in range(len(table.annotators)) if each != code])


def _evidence(table: SpanTable) -> Evidence:
    return gather(table, levels=levels_of(table))


def _patterns(table: SpanTable) -> Patterns:
    return Patterns.of(_evidence(table), table.annotators)
