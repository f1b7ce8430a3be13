"""One way of scoring over many documents, and the confidences of predictions, without documents."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.runs.exact_sums import Histogram, Mean
from vermeil.scoring.counts import Counts
from vermeil.scoring.ranked import RankedPredictions, average_precisions
from vermeil.scoring.views.outcomes import OUTCOMES, TOTAL, Averages, View, mean
from vermeil.shown import Brief

MISSED = OUTCOMES[TOTAL]

UNKNOWN = -1.0
"""Stands for a confidence that was not given."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ViewSums(Brief):
    """A view over many documents; what it offers is called as in ``View``.

    ``rows`` are the counts of documents (right, predicted, found, wanted), ``paired`` the same
    beside those of the system to compare with.
    """

    rows: Histogram
    by_label: Mapping[str, Counts]
    outcomes: tuple[Mapping[str, int], Mapping[str, int]]
    paired: Histogram | None = None

    @staticmethod
    def of_each(
        views: Mapping[str, View],
        rivals: Mapping[str, View] | None,
        *,
        seen: Flags,
        both: Flags,
    ) -> "dict[str, ViewSums]":
        """Sum up the documents of a batch that were ``seen``, in pairs those ``both`` saw."""
        if not views:
            return {}
        rows = np.stack([view.per_document() for view in views.values()])
        every = rows if seen.all() else rows[:, seen]
        paired: list[Histogram | None] = [None] * len(views)
        if rivals is not None:
            others = np.stack([rivals[name].per_document() for name in views])
            paired = [*Histogram.of_each(np.concatenate((rows, others), axis=2)[:, both])]
        return {
            name: ViewSums(counts, view.by_label, view.outcomes, pairs)
            for (name, view), counts, pairs in zip(
                views.items(), Histogram.of_each(every), paired, strict=True
            )
        }

    def __add__(self, other: "ViewSums") -> "ViewSums":
        labels = sorted({*self.by_label, *other.by_label})
        paired = None
        if self.paired is not None and other.paired is not None:
            paired = self.paired + other.paired
        return ViewSums(
            self.rows + other.rows,
            {
                label: self.by_label.get(label, Counts()) + other.by_label.get(label, Counts())
                for label in labels
            },
            (
                added(self.outcomes[0], other.outcomes[0]),
                added(self.outcomes[1], other.outcomes[1]),
            ),
            paired,
        )

    @staticmethod
    def of_nobody(names: Ints, by_label: Mapping[str, int]) -> "ViewSums":
        """Sum up documents where so many ``names`` each were wanted, and nothing was found."""
        rows = _unheard(np.bincount(names))
        return ViewSums(
            rows,
            {label: Counts(0.0, 0.0, 0.0, float(n)) for label, n in by_label.items()},
            (dict.fromkeys(OUTCOMES, 0), {**dict.fromkeys(OUTCOMES, 0), MISSED: int(names.sum())}),
        )

    def with_rest(self, nobody: "ViewSums") -> "ViewSums":
        """Add what nobody found in all other documents, given what nobody found in any.

        What was wanted is the same for both wherever these sums are of.
        """
        heard = (self.rows.rows[:, :3] != 0).any(axis=1)
        rows, count = self.rows.rows[heard], self.rows.count[heard]
        left = np.bincount(nobody.rows.rows[:, 3].astype(np.int64), weights=nobody.rows.count)
        wanted = rows[:, 3].astype(np.int64)
        left -= np.bincount(wanted, weights=count, minlength=len(left))
        rest = _unheard(left.astype(np.int64))
        mine, theirs = self.outcomes
        more = sum(nobody.outcomes[1].values()) - sum(theirs.values())
        by_label = {}
        for label in sorted({*self.by_label, *nobody.by_label}):
            own, silent = (each.by_label.get(label, Counts()) for each in (self, nobody))
            by_label[label] = own + Counts(0.0, 0.0, 0.0, silent.wanted - own.wanted)
        return ViewSums(
            Histogram(np.concatenate((rest.rows, rows)), np.concatenate((rest.count, count))),
            by_label,
            (mine, {**theirs, MISSED: theirs[MISSED] + more}),
        )

    @property
    def counts(self) -> Counts:
        """The counts of all documents and labels together."""
        return Counts(*self.rows.total.tolist())

    @property
    def over_labels(self) -> Averages:
        """Macro-averages over the labels that occur."""
        counts = list(self.by_label.values())
        return Averages(
            mean(each.precision for each in counts),
            mean(each.recall for each in counts),
            mean(each.f1 for each in counts),
        )

    @property
    def over_documents(self) -> Averages:
        """Macro-averages over documents; one without any name on either side has no F."""
        counts = [Counts(*row) for row in self.rows.rows.tolist()]
        times = self.rows.count
        return Averages(
            Mean.of([each.precision for each in counts], times).value,
            Mean.of([each.recall for each in counts], times).value,
            Mean.of([each.f1 for each in counts], times).value,
        )

    def per_document(self) -> Floats:
        """Return a row a document, ordered by what is in it."""
        return self.rows.expanded

    @property
    def pairs(self) -> tuple[Floats, Floats]:
        """Rows of documents beside those of the system to compare with."""
        assert self.paired is not None, "nothing was paired"
        rows = self.paired.expanded
        return rows[:, :4], rows[:, 4:]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Confidences(Brief):
    """Predictions by label, confidence (UNKNOWN if not given) and whether they are right."""

    labels: tuple[str, ...]
    rows: Histogram
    over_documents: Mean

    @staticmethod
    def of(view: View) -> "Confidences":
        """Take what the exact view of a batch decided."""
        sure, right = view.predicted.confidence, view.right == 1
        columns = (view.predicted.label, np.where(np.isnan(sure), UNKNOWN, sure), right)
        n_wanted = np.bincount(view.wanted.document, minlength=view.n_documents)
        areas = average_precisions(sure, right, view.predicted.document, n_wanted)
        return Confidences(view.labels, Histogram.of(np.stack(columns, axis=1)), Mean.of(areas))

    def __add__(self, other: "Confidences") -> "Confidences":
        labels = tuple(sorted({*self.labels, *other.labels}))
        parts = [each._recoded(labels) for each in (self, other)]
        return Confidences(
            labels, Histogram.pooled(parts), self.over_documents + other.over_documents
        )

    @staticmethod
    def of_nobody(labels: tuple[str, ...], names: Ints) -> "Confidences":
        """Take documents where so many ``names`` were wanted, and nothing was found."""
        nothing = Histogram(np.zeros((0, 3)), np.zeros(0, dtype=np.int64))
        return Confidences(labels, nothing, Mean(n=int(np.count_nonzero(names))))

    def with_rest(self, nobody: "Confidences") -> "Confidences":
        """Add what nobody found in all other documents, given what nobody found in any."""
        labels = tuple(sorted({*self.labels, *nobody.labels}))
        mean = Mean(self.over_documents.total, nobody.over_documents.n)
        return Confidences(labels, self._recoded(labels), mean)

    def _recoded(self, labels: tuple[str, ...]) -> Histogram:
        code = np.array([labels.index(label) for label in self.labels], dtype=np.float64)
        rows = self.rows.rows.copy()
        rows[:, 0] = code[rows[:, 0].astype(np.int64)] if len(rows) else rows[:, 0]
        return Histogram(rows, self.rows.count)

    @property
    def are_known(self) -> bool:
        """Whether there are predictions and all have a confidence."""
        return len(self.rows.count) > 0 and not (self.rows.rows[:, 1] == UNKNOWN).any()

    def judged(self, exact: ViewSums) -> RankedPredictions:
        """Return all predictions, and the names wanted, without their documents."""
        rows = self.rows.expanded
        wanted = [int(exact.by_label.get(label, Counts()).wanted) for label in self.labels]
        wanted_label = np.repeat(np.arange(len(self.labels)), wanted)
        sure = np.where(rows[:, 1] == UNKNOWN, np.nan, rows[:, 1])
        here = np.zeros(len(rows), dtype=np.int64)
        there = np.zeros(len(wanted_label), dtype=np.int64)
        label = rows[:, 0].astype(np.int64)
        return RankedPredictions(sure, rows[:, 2] == 1, here, label, there, wanted_label)


def _unheard(times: Ints) -> Histogram:
    """Make rows of documents where nothing was found, by how often how many names were wanted."""
    wanted = np.flatnonzero(times)
    rows = np.zeros((len(wanted), 4))
    rows[:, 3] = wanted
    return Histogram(rows, times[wanted])


def added(some: Mapping[Any, int], others: Mapping[Any, int]) -> dict[Any, int]:
    """Add up counts by key; keys keep their order."""
    total = Counter(some)
    total.update(others)
    return dict(total)
