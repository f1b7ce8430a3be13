"""Answers about hearts that add up: rows of who said what, counted where they are equal.

What is learned depends only on who looked, what each calls the name and the order of the boundaries
they propose. Few annotators give few distinct rows however many documents there are; in a crowd
nearly every row is its own, and the size follows the votes. Rows come in the order of a checksum
of what they hold, so no order of documents, and no way of cutting them, changes a digit.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Floats, Ints
from vermeil.columns.levels import Levels
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.people.evidence import Testimony, gather_both, ranks_of
from vermeil.consensus.people.known import NOT_THERE, KnownAnswers, place_of, without_settled

FARTHEST = 127
"""Ranks of boundaries beyond this count as this."""


@dataclass(frozen=True, slots=True, eq=False)
class AnswerRows:
    """Row r has the entries from ``first[r]`` up to ``first[r + 1]`` and counts ``count[r]``.

    An entry is an annotator who looked; ``label``, ``left`` and ``right`` (ranks, the innermost 0)
    are NOT_THERE where the annotator has no name.
    """

    first: Ints
    annotator: NDArray[np.int32]
    label: NDArray[np.int16]
    left: NDArray[np.int8]
    right: NDArray[np.int8]
    count: Floats

    @staticmethod
    def of(evidence: Testimony) -> "AnswerRows":
        """Count the rows of a batch."""
        return AnswerRows.of_each(evidence).summed()

    @staticmethod
    def of_each(evidence: Testimony) -> "AnswerRows":
        """Keep a row for each heart of a batch."""
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
            np.ones(len(evidence)),
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
        _, some, number = np.unique(sums, return_index=True, return_inverse=True)
        kept = self.chosen(some)
        count = np.bincount(number.ravel(), self.count, len(some)).astype(np.float64)
        return AnswerRows(kept.first, kept.annotator, kept.label, kept.left, kept.right, count)

    def chosen(self, rows: Ints) -> "AnswerRows":
        """Keep some rows, in this order."""
        size = np.diff(self.first)[rows]
        first = np.concatenate(([0], np.cumsum(size)))
        at = np.repeat(self.first[rows] - first[:-1], size) + np.arange(first[-1])
        columns = (self.annotator[at], self.label[at], self.left[at], self.right[at])
        return AnswerRows(first, *columns, self.count[rows])

    def recoded(self, annotators: Ints, labels: Ints) -> "AnswerRows":
        """Number annotators and labels otherwise; the order of annotators stays."""
        label = np.append(labels, NOT_THERE)[self.label].astype(np.int16)
        annotator = annotators[self.annotator].astype(np.int32)
        return AnswerRows(self.first, annotator, label, self.left, self.right, self.count)

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
        columns = (self.label[kept], self.left[kept], self.right[kept])
        who = voted.annotator.astype(np.int32)
        return AnswerRows(voted.first, who, *columns, self.count), voted.known

    def beside(self, other: "AnswerRows") -> "AnswerRows":
        """Put the rows of two together."""
        return AnswerRows(
            np.concatenate((self.first, other.first[1:] + self.first[-1])),
            np.concatenate((self.annotator, other.annotator)),
            np.concatenate((self.label, other.label)),
            np.concatenate((self.left, other.left)),
            np.concatenate((self.right, other.right)),
            np.concatenate((self.count, other.count)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """AnswerRows of a corpus, of hearts for which labels vote together, and each apart. They add.

    Which of the two counts is known when all has been seen (see ``model.learn``). ``n_documents``
    are those that each annotator looked at.
    """

    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    pooled: AnswerRows
    apart: AnswerRows
    n_documents: Ints

    @staticmethod
    def of(
        table: SpanTable, *, ignored: str = "", levels: Levels | None = None, settled: str = ""
    ) -> "Answers":
        """Count the rows of a batch; the layer ``settled`` has entries where it settles."""
        return Answers.in_evidence(
            table, *gather_both(table, ignored=ignored, levels=levels, settled=settled)
        )

    @staticmethod
    def in_evidence(table: SpanTable, pooled: Testimony, apart: Testimony) -> "Answers":
        """Count the rows of a batch, of what ``gather_both`` lists."""
        rows = AnswerRows.of(pooled)
        others = rows if apart is pooled else AnswerRows.of(apart)
        return Answers(table.annotators, table.labels, rows, others, table.looked.sum(axis=0))

    def without(self, settled: str) -> tuple["Answers", KnownAnswers, KnownAnswers]:
        """Take the layer that settles out; return what it says of the pooled and other rows."""
        place = place_of(settled, self.annotators)
        names = tuple(name for name in self.annotators if name != settled)
        pooled, known = self.pooled.without(place)
        apart, known_apart = (
            (pooled, known) if self.apart is self.pooled else self.apart.without(place)
        )
        n_documents = np.delete(self.n_documents, [] if place is None else place)
        voted = Answers(names, self.labels, pooled, apart, n_documents)
        return voted, known, known_apart

    def __add__(self, other: "Answers") -> "Answers":
        annotators = tuple(sorted({*self.annotators, *other.annotators}))
        labels = tuple(sorted({*self.labels, *other.labels}))
        mine, theirs = self._recoded(annotators, labels), other._recoded(annotators, labels)
        pooled = mine.pooled.beside(theirs.pooled).summed()
        looked = mine.n_documents + theirs.n_documents
        if mine.apart is mine.pooled and theirs.apart is theirs.pooled and len(labels) < 2:
            return Answers(annotators, labels, pooled, pooled, looked)
        apart = mine.apart.beside(theirs.apart).summed()
        return Answers(annotators, labels, pooled, apart, looked)

    def _recoded(self, annotators: tuple[str, ...], labels: tuple[str, ...]) -> "Answers":
        if (annotators, labels) == (self.annotators, self.labels):
            return self
        codes = places_among(self.annotators, annotators), places_among(self.labels, labels)
        pooled = self.pooled.recoded(*codes)
        apart = pooled if self.apart is self.pooled else self.apart.recoded(*codes)
        n_documents = np.zeros(len(annotators), dtype=np.int64)
        n_documents[codes[0]] = self.n_documents
        return Answers(annotators, labels, pooled, apart, n_documents)


def places_among(names: Sequence[str], among: Sequence[str]) -> Ints:
    """Return the place of each name among others."""
    place = {name: number for number, name in enumerate(among)}
    return np.array([place[name] for name in names], dtype=np.int64)


def mixed(rows: AnswerRows) -> NDArray[np.uint64]:
    """Scatter the entries, so that the sum over a row tells it from others."""
    mixed = rows.annotator.astype(np.uint64)
    for column in (rows.label, rows.left, rows.right):
        mixed = mixed * np.uint64(0x10001) + (column + 2).astype(np.uint64)
        mixed ^= mixed >> np.uint64(31)
        mixed *= np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return mixed ^ (mixed >> np.uint64(32))
