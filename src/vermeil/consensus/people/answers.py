"""Answers about hearts that add up: rows of who said what, counted where they are equal.

What is learned depends only on who looked, what each calls the name and the order of the boundaries
they propose. Few annotators give few distinct rows however many documents there are; in a crowd
nearly every row is its own, and of more than can be held a sample is. A heart has a lot, a number
that follows from its document, its place and who looked: half of all lots are at least 1, a quarter
at least 2. Where there is too much, only hearts of higher lots count. Rows come in the order of a
checksum of what they hold, so no order of documents, and no way of cutting them, changes a digit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Floats, Ints
from vermeil.columns.levels import Levels
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.people.evidence import Testimonies, Testimony, gather_both, ranks_of
from vermeil.consensus.people.known import NOT_THERE, KnownAnswers, place_of, without_settled
from vermeil.consensus.people.sureness import UNSAID

FARTHEST = 127
"""Ranks of boundaries beyond this count as this."""

MOST_ENTRIES = 3_000_000
"""Entries that are held at the most: 300 for each of ten thousand annotators."""

HIGHEST = 30
"""The highest lot."""


@dataclass(frozen=True, slots=True, eq=False)
class AnswerRows:
    """Row r has the entries from ``first[r]`` up to ``first[r + 1]`` and counts ``count[r]``.

    An entry is an annotator who looked; ``label``, ``left`` and ``right`` (ranks, the innermost 0)
    are NOT_THERE where the annotator has no name; ``step`` is how sure of it the annotator is
    (``sureness.py``). Hearts of different ``lot`` are counted apart.
    """

    first: Ints
    annotator: NDArray[np.int32]
    label: NDArray[np.int16]
    left: NDArray[np.int8]
    right: NDArray[np.int8]
    step: NDArray[np.int8]
    count: Floats
    lot: NDArray[np.int8]

    @staticmethod
    def of_each(evidence: Testimony) -> "AnswerRows":
        """Keep a row for each heart of a batch, whatever its lot."""
        left, right = (
            np.minimum(ranks_of(evidence, side), FARTHEST).astype(np.int8)
            for side in (evidence.left, evidence.right)
        )
        return AnswerRows(
            evidence.first,
            evidence.annotator.astype(np.int32),
            evidence.label.astype(np.int16),
            left,
            right,
            step=evidence.step.astype(np.int8),
            count=np.ones(len(evidence)),
            lot=np.zeros(len(evidence), dtype=np.int8),
        )

    def __len__(self) -> int:
        return len(self.count)

    @property
    def row(self) -> Ints:
        """The row of each entry."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    def summed(self) -> "AnswerRows":
        """Add up equal rows, in the order of their checksums."""
        if not len(self):
            return self
        sums = np.add.reduceat(mixed(self), self.first[:-1])
        sums ^= self.lot.astype(np.uint64)
        _, some, number = np.unique(sums, return_index=True, return_inverse=True)
        count = np.bincount(number.ravel(), self.count, len(some)).astype(np.float64)
        return replace(self.chosen(some), count=count)

    def drawn(self, evidence: Testimony, table: SpanTable, least: int) -> "AnswerRows":
        """Draw the lot of each heart, and keep the rows of those not below the least."""
        return replace(self, lot=_lots(evidence, table)).from_lot(least)

    def from_lot(self, least: int) -> "AnswerRows":
        """Keep the rows of hearts whose lots are not below this."""
        if not least or not len(self):
            return self
        return self.chosen(np.flatnonzero(self.lot >= least))

    def of_all_lots(self) -> "AnswerRows":
        """Count hearts of all lots together."""
        if not self.lot.any():
            return self
        return replace(self, lot=np.zeros_like(self.lot)).summed()

    def chosen(self, rows: Ints) -> "AnswerRows":
        """Keep some rows, in this order."""
        size = np.diff(self.first)[rows]
        first = np.concatenate(([0], np.cumsum(size)))
        at = np.repeat(self.first[rows] - first[:-1], size) + np.arange(first[-1])
        return AnswerRows(
            first,
            self.annotator[at],
            self.label[at],
            self.left[at],
            self.right[at],
            self.step[at],
            count=self.count[rows],
            lot=self.lot[rows],
        )

    def recoded(self, annotators: Ints, labels: Ints) -> "AnswerRows":
        """Number annotators and labels otherwise; the order of annotators stays."""
        label = np.append(labels, NOT_THERE)[self.label].astype(np.int16)
        annotator = annotators[self.annotator].astype(np.int32)
        return replace(self, annotator=annotator, label=label)

    def without(self, settled: int | None) -> tuple["AnswerRows", KnownAnswers]:
        """Take out what one annotator says, who settles; rows stay, if need be without entries."""
        voted = without_settled(
            settled,
            self.first,
            self.annotator,
            label=self.label,
            left=self.left,
            right=self.right,
        )
        kept = voted.kept
        voting = replace(
            self,
            first=voted.first,
            annotator=voted.annotator.astype(np.int32),
            label=self.label[kept],
            left=self.left[kept],
            right=self.right[kept],
            step=self.step[kept],
        )
        return voting, voted.known

    def beside(self, other: "AnswerRows") -> "AnswerRows":
        """Put the rows of two together."""
        return AnswerRows(
            np.concatenate((self.first, other.first[1:] + self.first[-1])),
            np.concatenate((self.annotator, other.annotator)),
            np.concatenate((self.label, other.label)),
            np.concatenate((self.left, other.left)),
            np.concatenate((self.right, other.right)),
            np.concatenate((self.step, other.step)),
            count=np.concatenate((self.count, other.count)),
            lot=np.concatenate((self.lot, other.lot)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """AnswerRows of a corpus, of hearts for which labels vote together, and each apart. They add.

    Which of the two counts is known when all has been seen (see ``model.learn``). ``n_documents``
    are those that each annotator looked at. Hearts with a lot below ``least`` are left out, so that
    there are no more than MOST_ENTRIES.
    """

    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    pooled: AnswerRows
    apart: AnswerRows
    n_documents: Ints
    least: int = 0

    @staticmethod
    def of(
        table: SpanTable, *, ignored: str = "", levels: Levels | None = None, settled: str = ""
    ) -> "Answers":
        """Count the rows of a batch; the layer ``settled`` has entries where it settles."""
        said = gather_both(table, ignored=ignored, levels=levels, settled=settled)
        return Answers.in_evidence(table, said, each_row(said))

    @staticmethod
    def in_evidence(
        table: SpanTable, said: Testimonies, rows: "EachRow", *, least: int = 0
    ) -> "Answers":
        """Count the ``rows`` of a batch, of what ``gather_both`` lists.

        ``least`` is that of what was counted before, if there is anything.
        """
        drawn = [
            own.drawn(evidence, table, least) for own, evidence in zip(rows, said, strict=True)
        ]
        shared, *others = drawn
        shared = shared.summed()
        pooled = apart = shared
        if len(table.labels) > 1:
            pooled, apart = (shared.beside(each).summed() for each in others)
        looked = table.looked.sum(axis=0)
        return Answers(table.annotators, table.labels, pooled, apart, looked, least)._thinned()

    def without(self, settled: str) -> tuple["Answers", KnownAnswers, KnownAnswers]:
        """Take the layer that settles out; return what it says of the pooled and other rows.

        Hearts of all lots are then counted together.
        """
        place = place_of(settled, self.annotators)
        names = tuple(name for name in self.annotators if name != settled)
        pooled, known = self.pooled.of_all_lots().without(place)
        apart, known_apart = (
            (pooled, known)
            if self.apart is self.pooled
            else self.apart.of_all_lots().without(place)
        )
        n_documents = np.delete(self.n_documents, [] if place is None else place)
        voted = Answers(names, self.labels, pooled, apart, n_documents, self.least)
        return voted, known, known_apart

    def __add__(self, other: "Answers") -> "Answers":
        annotators = tuple(sorted({*self.annotators, *other.annotators}))
        labels = tuple(sorted({*self.labels, *other.labels}))
        least = max(self.least, other.least)
        mine, theirs = (each._with(annotators, labels, least) for each in (self, other))
        pooled = mine.pooled.beside(theirs.pooled).summed()
        looked = mine.n_documents + theirs.n_documents
        shared = mine.apart is mine.pooled and theirs.apart is theirs.pooled and len(labels) < 2
        apart = pooled if shared else mine.apart.beside(theirs.apart).summed()
        return Answers(annotators, labels, pooled, apart, looked, least)._thinned()

    def _thinned(self) -> "Answers":
        """Leave out the lowest lots until what is left can be held, as long as anything is."""
        thin = self
        while thin.n_entries > MOST_ENTRIES and thin._highest > thin.least:
            thin = thin._from_lot(thin.least + 1)
        return thin

    @property
    def n_entries(self) -> int:
        """How many answers there are, of the rows of which there are more."""
        return max(len(self.pooled.annotator), len(self.apart.annotator))

    @property
    def _highest(self) -> int:
        """The highest lot of which there are rows of both kinds."""
        return min(int(rows.lot.max(initial=0)) for rows in (self.pooled, self.apart))

    def _from_lot(self, least: int) -> "Answers":
        if least == self.least:
            return self
        pooled = self.pooled.from_lot(least)
        apart = pooled if self.apart is self.pooled else self.apart.from_lot(least)
        return replace(self, pooled=pooled, apart=apart, least=least)

    def _with(self, annotators: tuple[str, ...], labels: tuple[str, ...], least: int) -> "Answers":
        return self._from_lot(least)._recoded(annotators, labels)

    def _recoded(self, annotators: tuple[str, ...], labels: tuple[str, ...]) -> "Answers":
        if (annotators, labels) == (self.annotators, self.labels):
            return self
        codes = places_among(self.annotators, annotators), places_among(self.labels, labels)
        pooled = self.pooled.recoded(*codes)
        apart = pooled if self.apart is self.pooled else self.apart.recoded(*codes)
        n_documents = np.zeros(len(annotators), dtype=np.int64)
        n_documents[codes[0]] = self.n_documents
        return Answers(annotators, labels, pooled, apart, n_documents, self.least)


EachRow = tuple[AnswerRows, AnswerRows, AnswerRows]
"""A row for each heart of ``Testimonies``."""


def each_row(said: Testimonies) -> EachRow:
    """Keep a row for each heart of a batch, whatever its lot."""
    shared, pooled, apart = map(AnswerRows.of_each, said)
    return shared, pooled, apart


def places_among(names: Sequence[str], among: Sequence[str]) -> Ints:
    """Return the place of each name among others."""
    place = {name: number for number, name in enumerate(among)}
    return np.array([place[name] for name in names], dtype=np.int64)


def mixed(rows: AnswerRows) -> NDArray[np.uint64]:
    """Scatter the entries, so that the sum over a row tells it from others."""
    mixed = rows.annotator.astype(np.uint64)
    for column in (rows.label, rows.left, rows.right):
        mixed = _scattered(mixed * np.uint64(0x10001) + (column + 2).astype(np.uint64))
    said = np.flatnonzero(rows.step != UNSAID)
    if len(said):
        step = rows.step[said].astype(np.uint64) + np.uint64(2)
        mixed[said] = _scattered(mixed[said] * np.uint64(0x10001) + step)
    return mixed ^ (mixed >> np.uint64(32))


def _scattered(mixed: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Make numbers that are near each other different in all their bits."""
    mixed ^= mixed >> np.uint64(31)
    mixed *= np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return mixed


def _lots(evidence: Testimony, table: SpanTable) -> NDArray[np.int8]:
    """Draw a lot for each heart, from its document, its place and who looked at it."""
    if not len(evidence):
        return np.zeros(0, dtype=np.int8)
    documents = _checksums([document.id for document in table.documents])
    people = _scattered(_checksums(table.annotators))
    looked = np.add.reduceat(people[evidence.annotator], evidence.first[:-1])
    start, end = evidence.axis.bounds(evidence.hearts.first, evidence.hearts.end)
    origin = table.origin[evidence.document]
    drawn = documents[evidence.document]
    for fact in (start - origin, end - origin, evidence.hearts.group // evidence.n_labels):
        drawn = _scattered(drawn * np.uint64(0x10001) + fact.astype(np.uint64))
    drawn = _scattered(drawn + looked)
    drawn ^= drawn >> np.uint64(32)
    lowest = drawn & (~drawn + np.uint64(1))  # its lowest bit that is set, or none
    lot = np.log2(np.maximum(lowest, 1).astype(np.float64))
    return np.minimum(np.where(lowest == 0, HIGHEST, lot), HIGHEST).astype(np.int8)


def _checksums(names: Sequence[str]) -> NDArray[np.uint64]:
    sums = [crc32(name.encode("utf-8", "surrogatepass")) for name in names]
    return np.array(sums, dtype=np.uint64)
