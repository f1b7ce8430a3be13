"""Who met whom in a batch, and what came of it: counts by pair and label, and by document.

Two annotators meet on a document that both looked at, and are compared over the labels that both
look for there. All is counted in whole numbers, so that the counts of parts of a corpus add up to
those of the whole. The cost follows the names times those who looked at the same document.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import ColumnTable, Flags, Ints, distinct
from vermeil.columns.overlap import overlapping
from vermeil.scoring.agreement.keyed import KeyedCounts
from vermeil.scoring.agreement.votes import SlotStretches, Votes, Words, pairs_within
from vermeil.scoring.pairing.columns import packed
from vermeil.shown import Brief

BY_PAIR = ("met", "documents", "units", "both")
"""Documents both looked at, those with a common label and their character pairs, and the pairs
of characters to which both give a label."""

BY_LABEL = (
    *("first", "second", "same", "found", "right"),
    *("hearts_first", "hearts_second", "hearts", "same_left", "same_right"),
    *("used_first", "used_second", "agreed"),
)
"""Names of the two and those of both; those that overlap one of the other, of the first and of the
second; hearts, and those that both cut alike; character pairs with the label, and those of both."""

NOTHING = -1
"""Stands for a label: the other marked nothing there."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Told(Brief, ColumnTable):
    """What others say where somebody has a name: a row for each name and other.

    ``label`` is that of the name, ``said`` that of the other's name ``its`` which overlaps it
    most, of equals one with the same label, then the shortest; both may be NOTHING.
    """

    name: Ints
    slot: Ints
    other: Ints
    label: Ints
    said: Ints
    its: Ints


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Strata(Brief, ColumnTable):
    """Documents by what annotators have in common there, a row for each label they may say.

    A stratum holds the pairs whose common labels are ``common`` (a row of ``Meetings.commons``);
    ``m`` slots are in such pairs. ``said`` is how often a label was said, once for each partner.
    """

    document: Ints
    common: Ints
    m: Ints
    n_pairs: Ints
    differing: Ints
    said: Ints


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Meetings(Brief):
    """The counts of a batch.

    ``by_pair`` and ``by_label`` have the columns BY_PAIR and BY_LABEL; keys are first × annotators
    + second, and that × labels + label. ``said`` has a row a stratum and a column a label; ``used``
    and ``agreed`` a row a document and a column a label; ``matches`` a row a document: names of all
    pairs that match, and all of them.
    """

    by_pair: KeyedCounts
    by_label: KeyedCounts
    told: Told
    commons: Flags
    strata: Strata
    n_looking: Ints
    used: Ints
    agreed: Ints
    matches: Ints

    @staticmethod
    def of(votes: Votes, words: Words) -> "Meetings":
        """Count a batch."""
        pairs = _PairRows(votes, words)
        n_documents, n_labels = len(votes.documents), words.n_labels
        told, touching = _told(votes)
        names, marks, hearts = votes.names, votes.marks, votes.hearts
        same = _same_names(votes)
        key = pairs.label_key
        is_first = told.slot < told.other
        touch_first = touching.slot < touching.other
        used = _used(votes, n_labels)
        of_mark, mark_partner = votes.partners(used.owner, used.label)
        mark_slot, length = used.owner[of_mark], used.end[of_mark]
        mark_first = mark_slot < mark_partner
        of_heart, heart_partner = votes.partners(hearts.slot, hearts.label)
        heart_slot, heart_label = hearts.slot[of_heart], hearts.label[of_heart]
        heart_first = heart_slot < heart_partner
        a, b = pairs_within(hearts.heart)
        alike = hearts.left[a] == hearts.left[b], hearts.right[a] == hearts.right[b]
        heart_key = key(hearts.slot[a], hearts.slot[b], hearts.label[a])
        one, other, shared = _shared_marks(votes)
        agree = marks.label[one] == marks.label[other]
        agree_key = key(marks.owner[one], marks.owner[other], marks.label[one])[agree]
        told_key = key(told.slot, told.other, told.label)
        touch_key = key(touching.slot, touching.other, touching.label)
        mark_key = key(mark_slot, mark_partner, used.label[of_mark])
        heart_side = key(heart_slot, heart_partner, heart_label)
        same_key = key(names.slot[same[0]], names.slot[same[1]], names.label[same[0]])
        by_label = KeyedCounts.gathered(
            [
                (told_key[is_first], 1),
                (told_key[~is_first], 1),
                (same_key, 1),
                (touch_key[touch_first], 1),
                (touch_key[~touch_first], 1),
                (heart_side[heart_first], 1),
                (heart_side[~heart_first], 1),
                (heart_key, 1),
                (heart_key[alike[0]], 1),
                (heart_key[alike[1]], 1),
                (mark_key[mark_first], length[mark_first]),
                (mark_key[~mark_first], length[~mark_first]),
                (agree_key, shared[agree]),
            ]
        )
        both = pairs.row(marks.owner[one], marks.owner[other])
        met = pairs.key
        has = pairs.has_common
        by_pair = KeyedCounts.gathered(
            [
                (met, 1),
                (met[has], 1),
                (met[has], votes.n_units[pairs.document][has]),
                (met[both], shared),
            ]
        )
        differing = _summed(pairs.row(mark_slot, mark_partner), length, len(pairs.key))
        differing -= _summed(both, shared * (1 + agree), len(pairs.key))
        commons, strata = pairs.strata(
            differing, (mark_slot, mark_partner, used.label[of_mark], length), n_labels
        )
        cell = votes.document[used.owner[of_mark]] * n_labels + used.label[of_mark]
        agreed = votes.document[marks.owner[one]][agree] * n_labels + marks.label[one][agree]
        shape = (n_documents, n_labels)
        matches = np.stack(
            (
                2 * np.bincount(votes.document[names.slot[same[0]]], minlength=n_documents),
                np.bincount(votes.document[told.slot], minlength=n_documents),
            ),
            axis=1,
        )
        return Meetings(
            by_pair=by_pair,
            by_label=by_label,
            told=told,
            commons=commons,
            strata=strata,
            n_looking=_n_looking(votes),
            used=_summed(cell, length, n_documents * n_labels).reshape(shape),
            agreed=_summed(agreed, shared[agree], n_documents * n_labels).reshape(shape),
            matches=matches.astype(np.int64),
        )


class _PairRows:
    """All pairs of slots of the same document, and where each pair's row is."""

    def __init__(self, votes: Votes, words: Words) -> None:
        self.votes, self.words = votes, words
        self.first, self.second = pairs_within(votes.document)
        self.document = votes.document[self.first]
        n_pairs = votes.n_slots * (votes.n_slots - 1) // 2
        self._before = np.cumsum(n_pairs) - n_pairs
        self.key = self.pair_key(self.first, self.second)
        self._commons, self._common = _in_common(votes.looks)
        self.common = self._common[votes.scope[self.first], votes.scope[self.second]]
        # Where nobody has a name there is no label, and everybody looks for whatever there is.
        some = self._commons.sum(axis=1) + (words.n_labels == 0)
        self.has_common: Flags = some[self.common] > 0

    def pair_key(self, slot: Ints, other: Ints) -> Ints:
        """Number the pair of annotators of two slots, in any order."""
        low, high = np.minimum(slot, other), np.maximum(slot, other)
        annotator = self.votes.annotator
        return annotator[low] * self.words.n_annotators + annotator[high]

    def label_key(self, slot: Ints, other: Ints, label: Ints) -> Ints:
        """Number a pair of annotators and a label."""
        return self.pair_key(slot, other) * self.words.n_labels + label

    def row(self, slot: Ints, other: Ints) -> Ints:
        """Find the row of two slots of one document, in any order."""
        votes = self.votes
        document = votes.document[slot]
        low = np.minimum(slot, other) - votes.first[document]
        high = np.maximum(slot, other) - votes.first[document]
        inside = low * votes.n_slots[document] - low * (low + 1) // 2 + high - low - 1
        row: Ints = self._before[document] + inside
        return row

    def strata(
        self, differing: Ints, used: tuple[Ints, Ints, Ints, Ints], n_labels: int
    ) -> tuple[Flags, Strata]:
        """Sum up pairs by document and what they have in common."""
        width = max(1, len(self._commons))
        key = self.document * width + self.common
        stratum, place = np.unique(key[self.has_common], return_inverse=True)
        n_pairs = np.bincount(place, minlength=len(stratum)).astype(np.int64)
        slots = np.concatenate((self.first[self.has_common], self.second[self.has_common]))
        n_slots = max(1, len(self.votes.document))
        members = distinct(np.tile(place, 2) * n_slots + slots) // n_slots
        slot, partner, label, length = used
        of_used = self.row(slot, partner)
        where = np.searchsorted(stratum, key[of_used])
        said = _summed(where * n_labels + label, length, len(stratum) * n_labels)
        return self._commons, Strata(
            document=stratum // width,
            common=stratum % width,
            m=np.bincount(members, minlength=len(stratum)).astype(np.int64),
            n_pairs=n_pairs,
            differing=_summed(place, differing[self.has_common], len(stratum)),
            said=said.reshape(len(stratum), n_labels),
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Touching(Brief, ColumnTable):
    """Names that overlap one of another slot with the same label."""

    slot: Ints
    other: Ints
    label: Ints


def _in_common(looks: Flags) -> tuple[Flags, Ints]:
    """Find what each two scopes have in common: the distinct sets, and which it is."""
    n = len(looks)
    both = (looks[:, None, :] & looks[None, :, :]).reshape(n * n, looks.shape[1])
    if not both.size:
        return np.ones((1, looks.shape[1]), dtype=bool), np.zeros((n, n), dtype=np.int64)
    distinct, which = np.unique(both, axis=0, return_inverse=True)
    return distinct, which.reshape(n, n).astype(np.int64)


def _told(votes: Votes) -> tuple[Told, _Touching]:
    """Find what others say of each name, and which names overlap a name of the same label."""
    names, pieces = votes.names, votes.pieces
    one, other = overlapping(pieces.start, pieces.end, pieces.start, pieces.end)
    common = np.minimum(pieces.end[one], pieces.end[other])
    common -= np.maximum(pieces.start[one], pieces.start[other])
    name, its = pieces.owner[one], pieces.owner[other]
    kept = names.slot[name] != names.slot[its]
    # Both must look for both labels: else the one name says nothing about the other.
    kept &= votes.looks[votes.scope[names.slot[its]], names.label[name]]
    kept &= votes.looks[votes.scope[names.slot[name]], names.label[its]]
    name, its, common = name[kept], its[kept], common[kept]
    if names.shape.any():  # two names may share several pieces
        pair, place = np.unique(name * max(1, len(names)) + its, return_inverse=True)
        common = _summed(place, common, len(pair))
        name, its = np.divmod(pair, max(1, len(names)))
    same = names.label[name] == names.label[its]
    key = name * max(1, len(votes.document)) + names.slot[its]
    first = _best(key, common, same, its, (names.end - names.start)[its])
    row, partner = votes.partners(names.slot, names.label)
    asked = row * max(1, len(votes.document)) + partner  # in rising order
    best = np.full(len(row), NOTHING, dtype=np.int64)
    best[np.searchsorted(asked, key[first])] = its[first]
    said = np.append(names.label, NOTHING)[best]
    touching = distinct(key[same])
    met, by = np.divmod(touching, max(1, len(votes.document)))
    return (
        Told(row, names.slot[row], partner, names.label[row], said, best),
        _Touching(names.slot[met], by, names.label[met]),
    )


def _best(key: Ints, common: Ints, same: Flags, its: Ints, length: Ints) -> Ints:
    """Find for each key the row that shares the most, then with the same label, then the shortest.

    Most keys have one row, and only the others are sorted.
    """
    order = np.argsort(key, kind="stable")
    of = key[order]
    alone = np.ones(len(of), dtype=bool)
    alone[1:] &= of[1:] != of[:-1]
    alone[:-1] &= of[1:] != of[:-1]
    rest = order[~alone]
    rest = rest[np.lexsort((its[rest], length[rest], ~same[rest], -common[rest], key[rest]))]
    of = key[rest]
    first = np.ones(len(of), dtype=bool)
    first[1:] = of[1:] != of[:-1]
    return np.concatenate((order[alone], rest[first]))


def _same_names(votes: Votes) -> tuple[Ints, Ints]:
    """Find the pairs of equal names of different slots, the earlier slot first."""
    names = votes.names
    number = packed((names.start, names.end, names.label, names.shape))
    number = np.broadcast_to(number, len(names)).copy()
    order = np.lexsort((names.slot, number))
    a, b = pairs_within(number[order])
    return order[a], order[b]


def _used(votes: Votes, n_labels: int) -> SlotStretches:
    """Count the character pairs by slot and label; ``end`` is the number."""
    marks = votes.marks
    cell, place = np.unique(marks.owner * max(1, n_labels) + marks.label, return_inverse=True)
    n = _summed(place, marks.end - marks.start, len(cell))
    return SlotStretches(cell // max(1, n_labels), np.zeros_like(n), n, cell % max(1, n_labels))


def _shared_marks(votes: Votes) -> tuple[Ints, Ints, Ints]:
    """Find marks of two slots over the same characters, the earlier slot first, and how many."""
    marks = votes.marks
    one, other = overlapping(marks.start, marks.end, marks.start, marks.end)
    kept = marks.owner[one] < marks.owner[other]
    one, other = one[kept], other[kept]
    kept = votes.looks[votes.scope[marks.owner[other]], marks.label[one]]
    kept &= votes.looks[votes.scope[marks.owner[one]], marks.label[other]]
    one, other = one[kept], other[kept]
    length = np.minimum(marks.end[one], marks.end[other])
    return one, other, length - np.maximum(marks.start[one], marks.start[other])


def _n_looking(votes: Votes) -> Ints:
    """Count by document and label who looks for it."""
    n_documents, n_scopes = len(votes.documents), max(1, len(votes.looks))
    n = np.bincount(votes.document * n_scopes + votes.scope, minlength=n_documents * n_scopes)
    if not len(votes.looks):
        return np.zeros((n_documents, votes.looks.shape[1]), dtype=np.int64)
    counted: Ints = n.reshape(n_documents, n_scopes) @ votes.looks.astype(np.int64)
    return counted


def _summed(place: Ints, numbers: Ints, size: int) -> Ints:
    return np.bincount(place, numbers, size).astype(np.int64)
