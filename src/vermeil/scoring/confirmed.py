"""What a consensus says, judged without gold: by annotators who had no part in it.

Each document is decided without one of those who looked at it. If a heart is a name with chance c,
and the one left out marks a share h of true names and a of places that are none, then c h +
(1 - c) a of such hearts should be marked by those left out. How many are is counted. Where too few
are, the consensus is surer than it may be, or the annotators share errors that the model does not
know of; that all of them err together shows in no such figure.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.overlap import touched
from vermeil.columns.span_table import SpanTable
from vermeil.consensus import Options
from vermeil.consensus.methods import judged_people
from vermeil.consensus.people.crowd import Crowd
from vermeil.document import Document, Layer

MOST_READINGS = 6000
"""Documents without one of their annotators that are looked at: enough for two digits."""

N_AT_ONCE = 1000


class Confirmed(NamedTuple):
    """For each heart and annotator left out, the chance said that it is marked, and if it was."""

    chance: Floats
    is_marked: Flags


def confirmed(
    documents: Sequence[Document], annotators: Sequence[str], learned: Crowd
) -> Confirmed:
    """Compare what the others' consensus says with what whoever is left out marks.

    Of very many documents a share is taken, evenly spread. Nothing where nothing was learned.
    """
    place = {name: number for number, name in enumerate(learned.annotators)}
    voters = [name for name in annotators if name in place]
    found = [Confirmed(np.zeros(0), np.zeros(0, dtype=bool))]
    if learned.is_learned:
        n_readings = sum(len(each.layers.keys() & {*voters}) for each in documents)
        step = max(1, n_readings // MOST_READINGS)
        learned = learned.for_names
        readings = _without_one(documents[::step], frozenset(voters))
        while some := list(islice(readings, N_AT_ONCE)):
            found.append(_judged(some, learned, place))
    chance, is_marked = (np.concatenate(column) for column in zip(*found, strict=True))
    return Confirmed(chance, is_marked)


def _without_one(
    documents: Sequence[Document], voters: frozenset[str]
) -> Iterator[tuple[str, Layer, Document]]:
    for document in documents:
        layers = {name: each for name, each in document.layers.items() if name in voters}
        for name, own in layers.items() if len(layers) > 1 else ():
            others = {each: layer for each, layer in layers.items() if each != name}
            yield name, own, document.replace(layers=others, standards={}, trees={}, meta={})


def _judged(
    readings: Sequence[tuple[str, Layer, Document]], learned: Crowd, place: dict[str, int]
) -> Confirmed:
    table = SpanTable.from_documents(document for _, _, document in readings)
    judged, crowd = judged_people(table, Options(), learned)
    evidence, number = judged.evidence, judged.evidence.document
    who = np.array([place[name] for name, _, _ in readings], dtype=np.int64)[number]
    labels = np.array([learned.labels.index(each) for each in table.labels], dtype=np.int64)
    label = labels[judged.label] if len(labels) else judged.label
    start, end = evidence.axis.bounds(evidence.hearts.first, evidence.hearts.end)
    mine = _stretches(readings, table, {name: code for code, name in enumerate(learned.labels)})
    length = int(table.origin[-1]) + len(table.documents[-1].text) + 1 if len(table.origin) else 1

    def lane(labels: Ints) -> Ints:
        # Where labels are one question, any name will do.
        return np.zeros_like(labels) if crowd.together else labels * length

    own_start, own_end, own_label = mine
    is_marked = touched(
        start + lane(label),
        end + lane(label),
        own_start + lane(own_label),
        own_end + lane(own_label),
    )
    sure = judged.existence
    chance = sure * learned.hit[who] + (1 - sure) * learned.alarm[who]
    asked = learned.looks_for[who, label] if len(label) else np.zeros(0, dtype=bool)
    return Confirmed(chance[asked], is_marked[asked])


def _stretches(
    readings: Sequence[tuple[str, Layer, Document]], table: SpanTable, codes: dict[str, int]
) -> tuple[Ints, Ints, Ints]:
    """List the pieces of the names of those left out, in offsets of the batch, and their labels."""
    rows = [
        (origin + first, origin + last, codes[span.label])
        for (_, own, _), origin in zip(readings, table.origin.tolist(), strict=True)
        for span in own
        for first, last in span.fragments or ((span.start, span.end),)
    ]
    start, end, label = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return start, end, label
