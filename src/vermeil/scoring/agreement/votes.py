"""A batch of documents as those see it who compare annotators: who looked, for what, and what
each said. Nothing has a cell for an annotator and a document that never met.

A slot is one annotator on one document. Names that an annotator gives twice count once, and names
that it does not look for do not count. Marks are the stretches of character pairs that a slot
gives a label, apart from each other; see ``kappa`` for what a character pair is.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import ColumnTable, Flags, Ints, ranges
from vermeil.columns.axis import lay_axis, pieces
from vermeil.columns.held import layers_of
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.votes import containing, find_hearts, names_of
from vermeil.document import Document, Layer, Span
from vermeil.scope import Scope, scope_in
from vermeil.scoring.kappa import flattened
from vermeil.scoring.pairing.columns import packed, shapes
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True)
class Words:
    """The annotators and labels of a corpus in alphabetical order; codes are places in these."""

    annotators: tuple[str, ...]
    labels: tuple[str, ...]

    @property
    def n_annotators(self) -> int:
        """How many annotators there are."""
        return len(self.annotators)

    @property
    def n_labels(self) -> int:
        """How many labels there are."""
        return len(self.labels)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SlotNames(Brief, ColumnTable):
    """Names, each of a slot, at places on the axis of the batch; ``shape`` tells fragments."""

    slot: Ints
    label: Ints
    start: Ints
    end: Ints
    shape: Ints


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SlotStretches(Brief, ColumnTable):
    """SlotStretches that belong to something: pieces to names, marks to slots."""

    owner: Ints
    start: Ints
    end: Ints
    label: Ints


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HeartVotes(Brief, ColumnTable):
    """Who has a name that contains a heart, and how far it reaches beyond; sorted by heart."""

    heart: Ints
    slot: Ints
    label: Ints
    left: Ints
    right: Ints


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Votes(Brief):
    """A batch; slots are in order of document and annotator.

    ``looks[s, l]`` tells whether scope ``s`` holds label ``l``, ``scope`` which one a slot has.
    Document ``d`` has ``n_slots[d]`` slots from ``first[d]`` on, and ``n_units[d]`` character
    pairs.
    """

    documents: tuple[Document, ...]
    origin: Ints
    first: Ints
    n_slots: Ints
    n_units: Ints
    document: Ints
    annotator: Ints
    scope: Ints
    looks: Flags
    names: SlotNames
    pieces: SlotStretches
    marks: SlotStretches
    hearts: HeartVotes

    @staticmethod
    def of(documents: Iterable[Document], words: Words, scope: Scope) -> "Votes":
        """Lay documents out; layers of others than the annotators are left out."""
        known = {name: code for code, name in enumerate(words.annotators)}
        batch = [_within(document, known, scope) for document in documents]
        table = SpanTable.from_documents(batch)
        width = max(1, len(table.annotators))
        slot_key = np.flatnonzero(table.looked)
        code = np.array([known[name] for name in table.annotators], dtype=np.int64)
        document = slot_key // width
        n_slots = np.bincount(document, minlength=len(batch)).astype(np.int64)
        slot = np.searchsorted(slot_key, table.document.astype(np.int64) * width + table.annotator)
        codes = {name: code for code, name in enumerate(words.labels)}
        label = np.array([codes[name] for name in table.labels], dtype=np.int64)
        names, stretches = _names(table, slot, label)
        units, marks = _marks(table, names, stretches)
        looks, which = _scopes(batch, words, scope)
        return Votes(
            documents=table.documents,
            origin=table.origin,
            first=np.cumsum(n_slots) - n_slots,
            n_slots=n_slots,
            n_units=units,
            document=document,
            annotator=code[slot_key % width],
            scope=which,
            looks=looks,
            names=names,
            pieces=stretches,
            marks=marks,
            hearts=_heart_votes(table, slot_key, label),
        )

    def partners(
        self, slot: Ints, label: Ints | None = None, *, in_common: bool = False
    ) -> tuple[Ints, Ints]:
        """Pair rows with the other slots of their documents; those that look for the label.

        With ``in_common`` they must look for some label that the slot looks for too. Return the
        number of the row, and the slot.
        """
        document = self.document[slot]
        row, other = ranges(self.first[document], self.first[document] + self.n_slots[document])
        kept = other != slot[row]
        if label is not None:
            kept &= self.looks[self.scope[other], label[row]]
        if in_common and self.looks.shape[1]:
            looks = self.looks.astype(np.int64)
            kept &= (looks @ looks.T > 0)[self.scope[slot[row]], self.scope[other]]
        return row[kept], other[kept]

    def fragments(self) -> dict[int, tuple[tuple[int, int], ...]]:
        """Return the fragments of the names that are not in one piece, by their number."""
        found: dict[int, list[tuple[int, int]]] = {}
        names, pieces = self.names, self.pieces
        for piece in np.flatnonzero(names.shape[pieces.owner] > 0).tolist():
            owner = int(pieces.owner[piece])
            origin = int(self.origin[self.document[names.slot[owner]]])
            here = int(pieces.start[piece]) - origin, int(pieces.end[piece]) - origin
            found.setdefault(owner, []).append(here)
        return {owner: tuple(sorted(each)) for owner, each in found.items()}

    def spans(self) -> dict[int, dict[int, tuple[Span, ...]]]:
        """Return the names of each slot by label, as spans of its document."""
        found: dict[int, dict[int, list[Span]]] = {}
        fragments, names = self.fragments(), self.names
        origins = self.origin[self.document[names.slot]].tolist()
        columns = (names.slot, names.label, names.start, names.end)
        rows = zip(origins, *(column.tolist() for column in columns), strict=True)
        for number, (origin, slot, label, start, end) in enumerate(rows):
            span = Span(start - origin, end - origin, "name", None, fragments.get(number, ()))
            found.setdefault(slot, {}).setdefault(label, []).append(span)
        return {
            slot: {label: tuple(spans) for label, spans in by_label.items()}
            for slot, by_label in found.items()
        }


def pairs_within(group: Ints) -> tuple[Ints, Ints]:
    """Find all pairs of rows of the same group, the earlier first; groups are in order.

    >>> [column.tolist() for column in pairs_within(np.array([3, 3, 3, 5]))]
    [[0, 0, 1], [1, 2, 2]]
    """
    end = np.searchsorted(group, group, side="right")
    return ranges(np.arange(len(group)) + 1, end)


def _within(document: Document, known: Mapping[str, int], scope: Scope) -> Document:
    """Keep the layers of annotators, and of those the names they look for."""
    layers = layers_of(document.layers, known)
    if scope.told or scope_in(document):
        layers = {
            name: _labelled(layer, scope.labels_of(name, document))
            for name, layer in layers.items()
        }
    return document.replace(layers=layers, standards={}, trees={})


def _labelled(layer: Layer, labels: frozenset[str] | None) -> Layer:
    return layer if labels is None else tuple(span for span in layer if span.label in labels)


def _scopes(batch: Sequence[Document], words: Words, scope: Scope) -> tuple[Flags, Ints]:
    """Find the distinct scopes of slots, and which each slot has."""
    numbers: dict[frozenset[str] | None, int] = {}
    general: dict[str, int] = {}
    which: list[int] = []
    for document in batch:
        said = bool(scope_in(document))
        for name in sorted(document.layers):
            if said or name not in general:
                labels = scope.labels_of(name, document)
                number = numbers.setdefault(labels, len(numbers))
                if not said:
                    general[name] = number
            else:
                number = general[name]
            which.append(number)
    looks = np.ones((len(numbers), words.n_labels), dtype=bool)
    for labels, number in numbers.items():
        if labels is not None:
            looks[number] = [label in labels for label in words.labels]
    return looks, np.array(which, dtype=np.int64)


def _names(table: SpanTable, slot: Ints, label: Ints) -> tuple[SlotNames, SlotStretches]:
    """Lay out the names of all slots, each once, and the pieces they are of."""
    shape, origin = shapes(table), table.origin[table.document]
    start, end, of_label = table.start + origin, table.end + origin, label[table.label]
    number = packed((slot, start, end, of_label, shape))
    rows = np.sort(np.unique(np.broadcast_to(number, len(slot)), return_index=True)[1])
    names = SlotNames(slot[rows], of_label[rows], start[rows], end[rows], shape[rows])
    name, first, last = pieces(table, rows, names.shape > 0)
    return names, SlotStretches(name, first, last, names.label[name])


def _marks(
    table: SpanTable, names: SlotNames, stretches: SlotStretches
) -> tuple[Ints, SlotStretches]:
    """Count the character pairs of documents, and find the stretches that slots mark."""
    if not table.documents:
        nothing = np.zeros(0, dtype=np.int64)
        return nothing, SlotStretches(nothing, nothing, nothing, nothing)
    axis = lay_axis(table, " ")
    assert axis.before is not None, "white space does not count"
    first = axis.before[table.origin]
    n_units = np.maximum(np.append(first[1:], axis.length) - 2 - first, 0)
    begin, stop = axis.before[stretches.start], axis.before[stretches.end] - 1
    some = stop > begin
    owner = names.slot[stretches.owner[some]]
    lane = owner * axis.length
    begin, stop, label = flattened(begin[some] + lane, stop[some] + lane, stretches.label[some])
    owner = begin // axis.length
    return n_units, SlotStretches(
        owner, begin - owner * axis.length, stop - owner * axis.length, label
    )


def _heart_votes(table: SpanTable, slot_key: Ints, label: Ints) -> HeartVotes:
    """Find the hearts of all names together, and who votes for each with the shortest name."""
    axis = lay_axis(table)
    names = names_of(table, axis)
    hearts = find_hearts(names, axis)
    name, heart = containing(names, hearts, axis)
    row = names.row[name]
    width = max(1, len(table.annotators))
    slot = np.searchsorted(
        slot_key, table.document[row].astype(np.int64) * width + table.annotator[row]
    )
    length = (names.end - names.first)[name]
    order = np.lexsort((names.first[name], length, slot, heart))
    heart, slot, name = heart[order], slot[order], name[order]
    is_first = np.ones(len(heart), dtype=bool)
    is_first[1:] = (heart[1:] != heart[:-1]) | (slot[1:] != slot[:-1])
    heart, slot, name = heart[is_first], slot[is_first], name[is_first]
    return HeartVotes(
        heart,
        slot,
        label[hearts.group[heart]] if len(label) else heart,
        hearts.first[heart] - names.first[name],
        names.end[name] - hearts.end[heart],
    )
