"""One-to-one matching of two layers whose names may overlap in any way.

Of all overlapping pairs the best is taken first: the largest overlap; of equal ones the smallest
union, so that names with the same boundaries always find each other; then the same label; then
position. Both sides play the same part in every rule, so swapping them swaps the result, and
nothing depends on the order in which names came.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Ints
from vermeil.columns.overlap import overlapping
from vermeil.scoring.pairing.names import Names, comparable
from vermeil.shown import Brief

NOBODY = -1


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Matching(Brief):
    """Pairs of a wanted and a predicted name, by number; each name is in one pair at most.

    In the first ``n_same`` of them both are the same in everything; there may be more such pairs
    where that is not told.
    """

    wanted: Ints
    predicted: Ints
    n_same: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Overlapping pairs of names with the number of characters they share."""

    wanted: Ints
    predicted: Ints
    shared: Ints


def match(wanted: Names, predicted: Names) -> Matching:
    """Match names one to one.

    Names that are the same in everything would always be matched first, so they are, without
    listing pairs; only the rest is compared.
    """
    same_wanted, same_predicted = _identical(wanted, predicted)
    left_wanted = np.ones(len(wanted), dtype=bool)
    left_predicted = np.ones(len(predicted), dtype=bool)
    left_wanted[same_wanted] = left_predicted[same_predicted] = False
    pairs = _ranked(wanted, predicted, _pairs(wanted, predicted, left_wanted, left_predicted))
    more_wanted, more_predicted = _greedy(pairs.wanted, pairs.predicted)
    return Matching(
        np.concatenate((same_wanted, more_wanted)),
        np.concatenate((same_predicted, more_predicted)),
        len(same_wanted),
    )


def closest(names: Names, others: Names) -> Ints:
    """Find for each name the other that matches it best, NOBODY where none overlaps it.

    The same rules as in ``match``, but several names may share one other.
    """
    everyone = np.ones(len(names), dtype=bool), np.ones(len(others), dtype=bool)
    pairs = _ranked(names, others, _pairs(names, others, *everyone))
    best = np.full(len(names), NOBODY)
    best[pairs.wanted[::-1]] = pairs.predicted[::-1]  # the first of the ranking is written last
    return best


def same_place(wanted: Names, predicted: Names, one: Ints, other: Ints) -> Flags:
    """Tell which of the pairs (one, other) have the same boundaries and fragments."""
    same: Flags = (
        (wanted.start[one] == predicted.start[other])
        & (wanted.end[one] == predicted.end[other])
        & (wanted.shape[one] == predicted.shape[other])
    )
    return same


def _identical(wanted: Names, predicted: Names) -> tuple[Ints, Ints]:
    """Pair names that are the same: the first of equal ones with the first, and so on."""
    one, other = _in_reading_order(wanted, predicted)
    if not (_rises(one) and _rises(other)):
        one, other = comparable((one, other), (_copy(one), _copy(other)))
        _, mine, theirs = np.intersect1d(one, other, assume_unique=True, return_indices=True)
        return mine, theirs
    place = np.searchsorted(one, other)
    theirs = (
        np.flatnonzero(one[np.minimum(place, len(one) - 1)] == other) if len(one) else place[:0]
    )
    return place[theirs], theirs


def _in_reading_order(wanted: Names, predicted: Names) -> list[Ints]:
    """Number names by place, label and shape, so that names in order have rising numbers."""
    sizes = [each.end - each.start for each in (wanted, predicted)]
    longest = max(int(each.max(initial=0)) for each in sizes)
    return comparable(
        (wanted.start, predicted.start),
        [longest - each for each in sizes],
        (wanted.label, predicted.label),
        (wanted.shape, predicted.shape),
    )


def _rises(codes: Ints) -> bool:
    return bool((codes[1:] > codes[:-1]).all())


def _copy(codes: Ints) -> Ints:
    """Number the copies of each code from 0."""
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    copy = np.empty(len(codes), dtype=np.int64)
    copy[order] = np.arange(len(codes)) - np.searchsorted(ordered, ordered)
    return copy


def _pairs(wanted: Names, predicted: Names, some: Flags, others: Flags) -> _Pairs:
    """List the overlapping pairs among ``some`` wanted and ``others`` predicted names."""
    mine, theirs = wanted.pieces, predicted.pieces
    here, there = np.flatnonzero(some[mine.name]), np.flatnonzero(others[theirs.name])
    one, other = overlapping(
        mine.start[here], mine.end[here], theirs.start[there], theirs.end[there]
    )
    one, other = here[one], there[other]
    shared = np.minimum(mine.end[one], theirs.end[other]) - np.maximum(
        mine.start[one], theirs.start[other]
    )
    key = mine.name[one] * max(1, len(predicted)) + theirs.name[other]
    if len(mine.name) == len(wanted) and len(theirs.name) == len(predicted):
        order = np.argsort(key)  # nobody is in pieces, so each pair is there once
        key, total = key[order], shared[order]
    else:
        key, place = np.unique(key, return_inverse=True)
        total = np.zeros(len(key), dtype=np.int64)
        np.add.at(total, place, shared)
    return _Pairs(*np.divmod(key, max(1, len(predicted))), total)


def _ranked(wanted: Names, predicted: Names, pairs: _Pairs) -> _Pairs:
    """Put the best pairs first.

    Position comes last: the first side's, then the other's. Which side is first does not matter,
    because a pair only competes with pairs that share one of its names, and those come in the
    same order either way.
    """
    union = _size(wanted)[pairs.wanted] + _size(predicted)[pairs.predicted] - pairs.shared
    elsewhere = ~same_place(wanted, predicted, pairs.wanted, pairs.predicted)
    other_label = wanted.label[pairs.wanted] != predicted.label[pairs.predicted]
    one, other = comparable(
        *(
            (getattr(wanted, name)[pairs.wanted], getattr(predicted, name)[pairs.predicted])
            for name in ("start", "end", "label", "shape")
        )
    )
    order = np.lexsort(
        (
            pairs.predicted,
            pairs.wanted,
            other,
            one,
            other_label,
            elsewhere,
            union,
            -pairs.shared,
        )
    )
    return _Pairs(pairs.wanted[order], pairs.predicted[order], pairs.shared[order])


def _size(names: Names) -> Ints:
    """Count the characters of each name."""
    size = np.zeros(len(names), dtype=np.int64)
    np.add.at(size, names.pieces.name, names.pieces.end - names.pieces.start)
    return size


def _greedy(wanted: Ints, predicted: Ints) -> tuple[Ints, Ints]:
    """Take ranked pairs one after the other where both names are still free."""
    if not len(wanted):
        return wanted, predicted
    taken = (np.bincount(wanted)[wanted] == 1) & (np.bincount(predicted)[predicted] == 1)
    contested = np.flatnonzero(~taken)
    busy_wanted: set[int] = set()
    busy_predicted: set[int] = set()
    for place, one, other in zip(
        contested.tolist(), wanted[contested].tolist(), predicted[contested].tolist(), strict=True
    ):
        if one not in busy_wanted and other not in busy_predicted:
            busy_wanted.add(one)
            busy_predicted.add(other)
            taken[place] = True
    return wanted[taken], predicted[taken]
