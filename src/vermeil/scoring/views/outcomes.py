"""A view: what one way of scoring says about every prediction and every name of the standard.

All views share four outcomes, so that counts, tables and lists of errors are made one way:

    right    a prediction that counts in full; a name that was found
    partly   half credit (only the partial view gives it)
    near     there is something here, but it does not count
    total    there is nothing here, or nothing that another has not taken: spurious, or missed
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import fsum, isnan, nan
from typing import NamedTuple, TypeAlias

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


class Earned(NamedTuple):
    """Credits that outcomes alone do not tell; see ``View`` for what they are."""

    right: Floats
    weight: Floats
    found: Floats


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class View(Brief):
    """The outcome and the credit of each prediction and of each name of the standard.

    ``right`` is the credit of each prediction and ``weight`` what it counts in the denominator of
    precision, ``found`` the credit of each name: what CREDIT says of their outcomes, and 1, unless
    something else was ``earned``, as in the BioCreative view.
    """

    n_documents: int
    labels: tuple[str, ...]
    predicted: Names
    wanted: Names
    predicted_outcome: Outcomes
    wanted_outcome: Outcomes
    earned: Earned | None = None
    _by_label: list[tuple[Ints, Ints]] = field(default_factory=list, init=False)

    def _told(self) -> str:
        counts = self.counts
        sizes = f"{len(self.predicted):,} predicted, {len(self.wanted):,} wanted"
        ratios = f"precision {counts.precision:.3f}, recall {counts.recall:.3f}, F1 {counts.f1:.3f}"
        return f"{self.n_documents:,} documents, {sizes}, {ratios}"

    @property
    def right(self) -> Floats:
        """The credit of each prediction."""
        return CREDIT[self.predicted_outcome] if self.earned is None else self.earned.right

    @property
    def weight(self) -> Floats:
        """What each prediction counts in the denominator of precision."""
        return np.ones(len(self.predicted)) if self.earned is None else self.earned.weight

    @property
    def found(self) -> Floats:
        """The credit of each name."""
        return CREDIT[self.wanted_outcome] if self.earned is None else self.earned.found

    @property
    def counts(self) -> Counts:
        """The counts of all documents and labels together."""
        return Counts(*self._label_counts().sum(axis=0).tolist())

    @property
    def by_label(self) -> dict[str, Counts]:
        """The counts of each label that occurs.

        Predictions count under their own label and names under theirs.
        """
        rows = zip(self.labels, self._label_counts().tolist(), strict=True)
        return {label: Counts(*row) for label, row in rows if row[1] or row[3]}

    def per_document(self) -> Floats:
        """Count by document, a row each: right, predicted, found, wanted."""
        documents = self.predicted.document, self.wanted.document
        if self.earned is not None:
            return _weighed(self.earned, *documents, self.n_documents)
        return _credited(self._tallied(*documents, self.n_documents))

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
            dict(zip(OUTCOMES, each.sum(axis=1).tolist(), strict=True))
            for each in self._label_outcomes()
        )
        return predicted, wanted

    def _label_counts(self) -> Floats:
        if self.earned is not None:
            labels = self.predicted.label, self.wanted.label
            return _weighed(self.earned, *labels, len(self.labels))
        return _credited(self._label_outcomes())

    def _label_outcomes(self) -> tuple[Ints, Ints]:
        if not self._by_label:
            labels = self.predicted.label, self.wanted.label
            self._by_label.append(self._tallied(*labels, len(self.labels)))
        return self._by_label[0]

    def _tallied(self, predicted: Ints, wanted: Ints, n: int) -> tuple[Ints, Ints]:
        """Count the outcomes of either side by codes up to ``n``: a row an outcome."""
        return _tally(self.predicted_outcome, predicted, n), _tally(self.wanted_outcome, wanted, n)


def _tally(outcome: Outcomes, code: Ints, n: int) -> Ints:
    cells = np.bincount(outcome.astype(np.int64) * n + code, minlength=len(OUTCOMES) * n)
    return cells.reshape(len(OUTCOMES), n)


def _credited(outcomes: tuple[Ints, Ints]) -> Floats:
    """Turn outcomes by code into counts; exact, for these are whole numbers and halves."""
    mine, theirs = outcomes
    columns = CREDIT @ mine, mine.sum(axis=0), CREDIT @ theirs, theirs.sum(axis=0)
    return np.stack(columns, axis=1)


def _weighed(earned: Earned, predicted: Ints, wanted: Ints, n: int) -> Floats:
    """Add up what was earned by codes up to ``n``."""
    columns = (
        np.bincount(predicted, weights=earned.right, minlength=n),
        np.bincount(predicted, weights=earned.weight, minlength=n),
        np.bincount(wanted, weights=earned.found, minlength=n),
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
