"""A view: what one way of scoring says about every prediction and every name of the standard.

All views share four outcomes, so that counts, tables and lists of errors are made one way:

    right    a prediction that counts in full; a name that was found
    partly   half credit (only the partial view gives it)
    near     there is something here, but it does not count
    total    there is nothing here, or nothing that another has not taken: spurious, or missed
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum, isnan, nan
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Floats, Ints
from vermeil.scoring.counts import Counts
from vermeil.scoring.pairing.names import Names
from vermeil.shown import Brief

OUTCOMES = ("right", "partly", "near", "total")
RIGHT, PARTLY, NEAR, TOTAL = range(len(OUTCOMES))
CREDIT = np.array([1.0, 0.5, 0.0, 0.0])

Outcomes: TypeAlias = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Averages:
    """Figures averaged over labels or documents, each over those where it is defined."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class View(Brief):
    """The outcome and the credit of each prediction and of each name of the standard.

    ``right`` is the credit of each prediction and ``weight`` what it counts in the denominator of
    precision, 1 in all views but the BioCreative one. ``found`` is the credit of each name.
    """

    n_documents: int
    labels: tuple[str, ...]
    predicted: Names
    wanted: Names
    predicted_outcome: Outcomes
    wanted_outcome: Outcomes
    right: Floats
    weight: Floats
    found: Floats

    @staticmethod
    def of(
        n_documents: int,
        labels: tuple[str, ...],
        sides: tuple[Names, Names],
        outcomes: tuple[Outcomes, Outcomes],
    ) -> "View":
        """Make the view in which outcomes alone decide; both pairs are predicted, wanted."""
        right, found = CREDIT[outcomes[0]], CREDIT[outcomes[1]]
        return View(
            n_documents,
            labels,
            *sides,
            *outcomes,
            right=right,
            weight=np.ones(len(right)),
            found=found,
        )

    def _told(self) -> str:
        counts = self.counts
        sizes = f"{len(self.predicted):,} predicted, {len(self.wanted):,} wanted"
        ratios = f"precision {counts.precision:.3f}, recall {counts.recall:.3f}, F1 {counts.f1:.3f}"
        return f"{self.n_documents:,} documents, {sizes}, {ratios}"

    @property
    def counts(self) -> Counts:
        """The counts of all documents and labels together."""
        credits = (self.right, self.weight, self.found, np.ones(len(self.found)))
        return Counts(*(float(credit.sum()) for credit in credits))

    @property
    def by_label(self) -> dict[str, Counts]:
        """The counts of each label that occurs.

        Predictions count under their own label and names under theirs.
        """
        table = self._summed(self.predicted.label, self.wanted.label, len(self.labels))
        rows = zip(self.labels, table.tolist(), strict=True)
        return {label: Counts(*row) for label, row in rows if row[1] or row[3]}

    def per_document(self) -> Floats:
        """Count by document, a row each: right, predicted, found, wanted."""
        return self._summed(self.predicted.document, self.wanted.document, self.n_documents)

    @property
    def over_labels(self) -> Averages:
        """Macro-averages over the labels that occur."""
        return _means(self.by_label.values())

    @property
    def over_documents(self) -> Averages:
        """Macro-averages over documents; one without any name on either side has no F."""
        return _means(Counts(*row) for row in self.per_document().tolist())

    @property
    def outcomes(self) -> tuple[dict[str, int], dict[str, int]]:
        """How many predictions, and how many names, had which outcome."""
        predicted, wanted = (
            dict(zip(OUTCOMES, np.bincount(each, minlength=len(OUTCOMES)).tolist(), strict=True))
            for each in (self.predicted_outcome, self.wanted_outcome)
        )
        return predicted, wanted

    def _summed(self, predicted: Ints, wanted: Ints, n: int) -> Floats:
        columns = (
            np.bincount(predicted, weights=self.right, minlength=n),
            np.bincount(predicted, weights=self.weight, minlength=n),
            np.bincount(wanted, weights=self.found, minlength=n),
            np.bincount(wanted, minlength=n).astype(np.float64),
        )
        return np.stack(columns, axis=1)


def outcome_of(good: Flags, near: Flags) -> Outcomes:
    """Decide: RIGHT where good, else NEAR where near, else TOTAL."""
    return np.where(good, RIGHT, np.where(near, NEAR, TOTAL)).astype(np.int8)


def mean(values: Iterable[float]) -> float:
    """Average what is defined; exact, so that no order matters; NaN where nothing is.

    >>> mean([0.5, nan, 1.0])
    0.75
    """
    defined = [value for value in values if not isnan(value)]
    return fsum(defined) / len(defined) if defined else nan


def _means(counts: Iterable[Counts]) -> Averages:
    table = list(counts)
    return Averages(
        mean(each.precision for each in table),
        mean(each.recall for each in table),
        mean(each.f1 for each in table),
    )
