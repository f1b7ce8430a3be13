"""Who calls what what: counts of labels beside those of others, and examples of disagreement.

Of all disagreements the first by document and place are kept, so that no order of documents and
no way to cut a corpus changes which these are.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from vermeil.arrays import Flags, Ints, distinct
from vermeil.scoring.agreement.keyed import KeyedCounts
from vermeil.scoring.agreement.meetings import NOTHING, Told
from vermeil.scoring.agreement.votes import Votes, Words
from vermeil.scoring.pairing.columns import packed
from vermeil.shown import Brief, cut

N_KEPT = 3
"""Disagreements that are kept of each two labels; of a pair of annotators it is one."""

N_PAIRS = 100_000
"""With more pairs of annotators than this, no examples of pairs are kept."""

_LONGEST = 60


class Example(NamedTuple):
    """A place where ``by`` says ``label`` and ``other`` says ``said``, which is empty for nothing.

    Offsets and ``text`` are those of the name of ``by``; ``instead`` is what the other marked.
    """

    document: str
    start: int
    end: int
    by: str
    other: str
    label: str
    said: str
    text: str
    instead: str


@dataclass(frozen=True, slots=True, repr=False)
class Disagreements(Brief):
    """Disagreements by two labels (the second empty for nothing) and by pair of annotators.

    Pairs are None where there are too many of them. Add two to pool them.
    """

    labels: Mapping[tuple[str, str], tuple[Example, ...]] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str], Example] | None = field(default_factory=dict)

    @staticmethod
    def of(votes: Votes, told: Told, words: Words) -> "Disagreements":
        """Take the first disagreements of a batch."""
        rows = np.flatnonzero(~_are_same(votes, told))
        rows = rows[np.lexsort(_in_reading_order(votes, told, rows))]
        label, said = told.label[rows], told.said[rows]
        code = label * (words.n_labels + 1) + said + 1
        once = (said == NOTHING) | (label < said)  # of two labels either may be the first
        once &= _first_of_its_place(votes, told, rows, code)
        labels: dict[tuple[str, str], tuple[Example, ...]] = {}
        for each in distinct(code[once]).tolist():
            some = rows[np.flatnonzero(once & (code == each))[:N_KEPT]]
            found = tuple(_example(votes, told, words, row) for row in some.tolist())
            labels[found[0].label, found[0].said] = found
        low, high = (
            np.minimum(told.slot[rows], told.other[rows]),
            np.maximum(told.slot[rows], told.other[rows]),
        )
        pair = votes.annotator[low] * words.n_annotators + votes.annotator[high]
        _, first = np.unique(pair, return_index=True)
        pairs = {
            (
                words.annotators[code // words.n_annotators],
                words.annotators[code % words.n_annotators],
            ): (_example(votes, told, words, row))
            for code, row in zip(pair[first].tolist(), rows[first].tolist(), strict=True)
        }
        return Disagreements(labels, pairs if len(pairs) <= N_PAIRS else None)

    def __add__(self, other: "Disagreements") -> "Disagreements":
        labels = dict(self.labels)
        for key, found in other.labels.items():
            labels[key] = tuple(sorted((*labels.get(key, ()), *found))[:N_KEPT])
        if self.pairs is None or other.pairs is None:
            return Disagreements(labels, None)
        pairs = dict(self.pairs)
        for two, example in other.pairs.items():
            pairs[two] = min(pairs.get(two, example), example)
        return Disagreements(labels, pairs if len(pairs) <= N_PAIRS else None)


def confused(votes: Votes, told: Told, words: Words) -> KeyedCounts:
    """Count by annotator and label what the others say there; see ``confusion_key``."""
    key = confusion_key(votes.annotator[told.slot], told.label, told.said, words)
    return KeyedCounts.gathered([(key, 1)])


def confusion_key(annotator: Ints, label: Ints, said: Ints, words: Words) -> Ints:
    """Number an annotator, its label and that of another, which may be NOTHING."""
    return (annotator * words.n_labels + label) * (words.n_labels + 1) + said + 1


def _are_same(votes: Votes, told: Told) -> Flags:
    """Tell which names the other has too, to the character and with the same label."""
    names, its = votes.names, told.its
    same: Flags = (its != NOTHING) & (told.said == told.label)
    for column in (names.start, names.end, names.shape):
        same &= column[told.name] == np.append(column, NOTHING)[its]
    return same


def _first_of_its_place(votes: Votes, told: Told, rows: Ints, code: Ints) -> Flags:
    """Tell which of the rows, in reading order, are the first with their place and labels."""
    names, name = votes.names, told.name[rows]
    number = packed((names.start[name], names.end[name], code))
    is_first = np.zeros(len(rows), dtype=bool)
    is_first[np.unique(np.broadcast_to(number, len(rows)), return_index=True)[1]] = True
    return is_first


def _in_reading_order(votes: Votes, told: Told, rows: Ints) -> tuple[Ints, ...]:
    """Return the columns to sort rows by as examples are sorted, the least important first."""
    ids = [document.id for document in votes.documents]
    numbers = {id: number for number, id in enumerate(sorted(set(ids)))}
    rank = np.array([numbers[id] for id in ids], dtype=np.int64)
    names, name = votes.names, told.name[rows]
    document = votes.document[told.slot[rows]]
    origin = votes.origin[document]
    return (
        told.said[rows],
        told.label[rows],
        votes.annotator[told.other[rows]],
        votes.annotator[told.slot[rows]],
        names.end[name] - origin,
        names.start[name] - origin,
        rank[document],
    )


def _example(votes: Votes, told: Told, words: Words, row: int) -> Example:
    name, slot, other = int(told.name[row]), int(told.slot[row]), int(told.other[row])
    number, said = int(votes.document[slot]), int(told.said[row])
    document, origin = votes.documents[number], int(votes.origin[number])
    places = [
        (int(votes.names.start[each]) - origin, int(votes.names.end[each]) - origin)
        for each in (name, int(told.its[row]))
        if each != NOTHING
    ]
    texts = [cut(" ".join(document.text[start:end].split()), _LONGEST) for start, end in places]
    start, end = places[0]
    return Example(
        document=document.id,
        start=start,
        end=end,
        by=words.annotators[votes.annotator[slot]],
        other=words.annotators[votes.annotator[other]],
        label=words.labels[told.label[row]],
        said="" if said == NOTHING else words.labels[said],
        text=texts[0],
        instead=texts[1] if texts[1:] else "",
    )
