"""What the coefficients for all together are made of: whole numbers that add, also resampled.

Intervals are by the Poisson bootstrap over documents (Hanley and MacGibbon 2006): in each resample
a document counts as often as a Poisson number of mean 1 says, drawn from the seed and the
document's id alone. So resamples add up like everything else, whoever works on which documents,
and no document needs to be kept.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate
from math import exp, factorial

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Floats, Ints, distinct
from vermeil.scoring.agreement.meetings import Meetings
from vermeil.scoring.agreement.votes import Votes
from vermeil.shown import Brief

EXACT, ALL, EVERYBODY, ONE = "exact", "all", "everybody", "label"
"""Kinds of totals: of exact matches, of all documents, of those that everybody looked at, and of
one label."""

DIFFERING, NO_NAME = -1, -2
"""Columns beside those of labels: pairs of values that differ, and values that are no label."""

MATCHED, COMPARED = 0, 1

Key = tuple[str, tuple[int, ...], int, int]
"""The kind, the labels in question, how many say something there, and the column."""

_POISSON = [int(p * 2**64) for p in accumulate(exp(-1) / factorial(k) for k in range(19))]
_ODD, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Totals(Brief):
    """Sums by key: over all documents in the first column, then over each resample."""

    keys: tuple[Key, ...]
    numbers: Ints

    @staticmethod
    def none(n_resamples: int) -> "Totals":
        """Sum up nothing."""
        return Totals((), np.zeros((0, 1 + n_resamples), dtype=np.int64))

    @staticmethod
    def of(
        votes: Votes, meetings: Meetings, *, n_annotators: int, n_resamples: int, seed: int
    ) -> "Totals":
        """Sum up a batch."""
        columns = [
            *_matches(meetings),
            *_strata(votes, meetings, n_annotators),
            *_labels(votes, meetings),
        ]
        ids = [document.id for document in votes.documents]
        times = np.column_stack(
            (np.ones(len(ids), dtype=np.int64), drawn(ids, n_resamples, seed))
        ).astype(np.float64)
        keys = sorted({key for key, _, _ in columns})
        place = {key: number for number, key in enumerate(keys)}
        rows = np.zeros((len(keys), len(ids)))
        for key, document, number in columns:
            rows[place[key], document] += number
        # All are whole numbers far below 2^53, so the product is exact.
        return Totals(tuple(keys), np.rint(rows @ times).astype(np.int64))

    def __add__(self, other: "Totals") -> "Totals":
        if not self.keys or not other.keys:
            return self if self.keys else other
        keys = tuple(sorted({*self.keys, *other.keys}))
        place = {key: number for number, key in enumerate(keys)}
        numbers = np.zeros((len(keys), self.numbers.shape[1]), dtype=np.int64)
        for part in (self, other):
            numbers[[place[key] for key in part.keys]] += part.numbers
        return Totals(keys, numbers)

    def exact(self) -> Floats:
        """Compute the share of the names of all pairs that match, for all and each resample."""
        [matched, compared] = [
            self._sum((EXACT, (), 0, column)).astype(np.float64) for column in (MATCHED, COMPARED)
        ]
        return ratio(matched, compared)

    def alpha(self) -> Floats:
        """Compute Krippendorff's alpha, stratum by stratum pooled; see ``docs/methods.md``."""
        return self._beyond_chance(ALL, 1)

    def fleiss(self) -> Floats:
        """Compute Fleiss' kappa over what everybody looked at, pooled in the same way."""
        return self._beyond_chance(EVERYBODY, 0)

    def label_alpha(self, label: int) -> Floats:
        """Compute Krippendorff's alpha of one label: said or not, by those who look for it."""
        return self._beyond_chance(ONE, 1, label)

    def _sum(self, key: Key) -> Ints:
        if key not in self.keys:
            return np.zeros(self.numbers.shape[1], dtype=np.int64)
        numbers: Ints = self.numbers[self.keys.index(key)]
        return numbers

    def _beyond_chance(self, kind: str, correction: int, label: int | None = None) -> Floats:
        strata: dict[tuple[int, ...], dict[int, Floats]] = {}
        for key, numbers in zip(self.keys, self.numbers, strict=True):
            of_kind, common, m, column = key
            if of_kind != kind or (label is not None and common != (label,)):
                continue
            sums = strata.setdefault(common, {})
            # Each value is compared with those of m - 1 others and counts once.
            share = numbers / (m - 1)
            sums[column] = sums[column] + share if column in sums else share
        width = self.numbers.shape[1]
        found, chance = np.zeros(width), np.zeros(width)
        for sums in strata.values():
            differing = sums.pop(DIFFERING)
            values = np.stack(list(sums.values()))
            total = values.sum(axis=0)
            expected = (values * (total - values)).sum(axis=0)
            found += differing
            chance += np.divide(
                expected, total - correction, out=np.zeros(width), where=expected > 0
            )
        return 1 - ratio(found, chance)


def drawn(ids: Sequence[str], n_resamples: int, seed: int) -> Ints:
    """Draw how often each document counts in each resample: Poisson numbers of mean 1.

    The uniform numbers behind them are those of SplitMix64, begun from a hash of seed and id.

    >>> drawn(["a", "b"], 4, 0).shape
    (2, 4)
    """
    if not n_resamples:
        return np.zeros((len(ids), 0), dtype=np.int64)
    begin = np.array([_hashed(id, seed) for id in ids], dtype=np.uint64)
    steps = np.arange(1, n_resamples + 1, dtype=np.uint64) * np.uint64(_ODD)
    mixed: NDArray[np.uint64] = begin[:, None] + steps
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(_FIRST)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(_SECOND)
    mixed ^= mixed >> np.uint64(31)
    limits = np.array([limit for limit in _POISSON if limit < 2**64], dtype=np.uint64)
    return np.searchsorted(limits, mixed, side="right").astype(np.int64)


def ratio(above: Floats, below: Floats) -> Floats:
    """Divide; NaN where the divisor is 0."""
    result: Floats = np.full(np.shape(below), np.nan)
    np.divide(above, below, out=result, where=np.asarray(below) != 0)
    return result


def _hashed(id: str, seed: int) -> int:
    text = f"{seed}\0{id}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "little")


_Column = tuple[Key, Ints, Ints]
"""A key, and documents with what they add to it."""


def _matches(meetings: Meetings) -> Iterable[_Column]:
    documents = np.arange(len(meetings.matches))
    for column in (MATCHED, COMPARED):
        yield (EXACT, (), 0, column), documents, meetings.matches[:, column]


def _strata(votes: Votes, meetings: Meetings, n_annotators: int) -> Iterable[_Column]:
    strata = meetings.strata
    everybody = votes.n_slots[strata.document] == n_annotators
    codes = np.arange(meetings.commons.shape[1])
    kinds = np.unique(np.stack((strata.common, strata.m), axis=1), axis=0, return_index=True)[0]
    for common, m in kinds.tolist():
        rows = np.flatnonzero((strata.common == common) & (strata.m == m))
        labels = codes[meetings.commons[common]].tolist()
        document = strata.document[rows]
        said = strata.said[rows]
        silent = 2 * strata.n_pairs[rows] * votes.n_units[document] - said.sum(axis=1)
        numbers = [(DIFFERING, 2 * strata.differing[rows]), (NO_NAME, silent)]
        numbers += [(label, said[:, label]) for label in labels]
        for kind, chosen in ((ALL, slice(None)), (EVERYBODY, everybody[rows])):
            for column, number in numbers:
                if len(document[chosen]):
                    yield (kind, tuple(labels), m, column), document[chosen], number[chosen]


def _labels(votes: Votes, meetings: Meetings) -> Iterable[_Column]:
    for label in range(meetings.n_looking.shape[1]):
        looking = meetings.n_looking[:, label]
        for m in distinct(looking[looking > 1]).tolist():
            document = np.flatnonzero(looking == m)
            used, agreed = meetings.used[document, label], meetings.agreed[document, label]
            silent = m * (m - 1) * votes.n_units[document] - used
            yield (ONE, (label,), m, DIFFERING), document, 2 * used - 4 * agreed
            yield (ONE, (label,), m, NO_NAME), document, silent
            yield (ONE, (label,), m, label), document, used
