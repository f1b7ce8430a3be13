"""Predictions with confidences: curves, average precision, thresholds, calibration.

What is right is decided elsewhere (by a view, or by the caller); here predictions are taken from
the surest down. Predictions of equal confidence are one step: no threshold can part them.

* Average precision (AP) is the sum over steps of precision times the gain in recall; names that are
  never found keep recall below 1 and add nothing. This is the area under the stepped curve that
  Corbett and Copestake (2008) call MAP though nothing is averaged over, and scikit-learn's
  ``average_precision_score`` but for the names that no prediction is about.
* Mean average precision (MAP) averages it over documents (each a ranking of its own) or over
  labels; those without a name in the standard have none and are left out.
* Recall at a precision is the best recall of all thresholds that reach that precision, and
  precision at a recall the best precision of all that reach that recall; NaN where none does.
"""

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import ArrayLike

from vermeil.arrays import Flags, Floats, Ints, distinct
from vermeil.errors import UsageError
from vermeil.scoring.counts import Counts
from vermeil.scoring.significance import f1, precision, recall
from vermeil.scoring.views.outcomes import View, mean
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ranking(Brief):
    """Predictions from the surest down, one step for each distinct confidence.

    ``pooled`` holds right, predicted, found and wanted of all with at least that ``threshold``.
    """

    threshold: Floats
    pooled: Floats
    n_wanted: int

    @property
    def precision(self) -> Floats:
        """Precision at each threshold."""
        return precision(self.pooled)

    @property
    def recall(self) -> Floats:
        """Recall at each threshold; NaN where the standard is empty."""
        return recall(self.pooled)

    @property
    def f1(self) -> Floats:
        """F1 at each threshold."""
        return f1(self.pooled)

    @property
    def greatest_recall(self) -> float:
        """Recall of everything that was predicted; NaN where the standard is empty."""
        if not self.n_wanted:
            return nan
        return float(self.recall[-1]) if len(self.threshold) else 0.0

    @property
    def average_precision(self) -> float:
        """Area under the stepped curve; NaN where the standard is empty."""
        if not self.n_wanted:
            return nan
        return float((np.diff(self.recall, prepend=0.0) * self.precision).sum())

    def at(self, threshold: float) -> Counts:
        """Count what has at least this confidence."""
        n_steps = int((self.threshold >= threshold).sum())
        return Counts(*self.pooled[n_steps - 1].tolist()) if n_steps else self._nothing

    @property
    def best(self) -> tuple[float, Counts]:
        """The threshold with the best F1, and the counts there; of equals the highest.

        NaN and empty counts where there is no prediction.
        """
        if not len(self.threshold):
            return nan, self._nothing
        step = int(self.f1.argmax())
        return float(self.threshold[step]), Counts(*self.pooled[step].tolist())

    def recall_at(self, precision: float) -> float:
        """Find the best recall with at least this precision."""
        return _best(self.recall[self.precision >= precision])

    def precision_at(self, recall: float) -> float:
        """Find the best precision with at least this recall."""
        return _best(self.precision[self.recall >= recall])

    @property
    def _nothing(self) -> Counts:
        return Counts(wanted=self.n_wanted)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RankedPredictions(Brief):
    """Predictions and names of the standard with their documents and labels, as codes."""

    confidence: Floats
    is_right: Flags
    document: Ints
    label: Ints
    wanted_document: Ints
    wanted_label: Ints

    @staticmethod
    def by(view: View, *, without: float | None = None) -> "RankedPredictions":
        """Take what a view decided. It must match one to one, as the exact view does.

        Predictions without a confidence are an error, or have confidence ``without``.
        """
        is_right = view.right == 1
        if is_right.sum() != (view.found == 1).sum():
            raise UsageError(
                f"{int(is_right.sum())} predictions are right but {int((view.found == 1).sum())} "
                "names are found; rank by a view that matches one to one, such as exact"
            )
        return RankedPredictions(
            confidence=known(view.predicted.confidence, without=without),
            is_right=is_right,
            document=view.predicted.document,
            label=view.predicted.label,
            wanted_document=view.wanted.document,
            wanted_label=view.wanted.label,
        )

    @property
    def ranking(self) -> Ranking:
        """All predictions in one ranking."""
        return rank(self.confidence, self.is_right, len(self.wanted_document))

    @property
    def over_documents(self) -> float:
        """Mean average precision over documents; NaN where the standard is empty."""
        return self._mean(self.document, self.wanted_document)

    @property
    def over_labels(self) -> float:
        """Mean average precision over labels; NaN where the standard is empty."""
        return self._mean(self.label, self.wanted_label)

    def _mean(self, group: Ints, wanted: Ints) -> float:
        n_groups = int(max(group.max(initial=-1), wanted.max(initial=-1))) + 1
        n_wanted = np.bincount(wanted, minlength=n_groups)
        return mean(average_precisions(self.confidence, self.is_right, group, n_wanted).tolist())


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Calibration(Brief):
    """Predictions in bins of confidence: what a reliability diagram shows.

    Bins without predictions are left out. ``low`` and ``high`` bound the confidences of a bin.
    """

    low: Floats
    high: Floats
    n: Ints
    mean_confidence: Floats
    share_right: Floats
    brier: float

    @property
    def dots(self) -> list[tuple[float, float, int, float]]:
        """Each bin as mean confidence, share that is right, predictions, and their share of all."""
        columns = (self.mean_confidence, self.share_right, self.n, self.n / max(1, self.n.sum()))
        return list(zip(*(column.tolist() for column in columns), strict=True))

    @property
    def expected_error(self) -> float:
        """Expected calibration error: the mean gap of confidence and share; NaN without bins."""
        if not len(self.n):
            return nan
        return float(
            (self.n * np.abs(self.share_right - self.mean_confidence)).sum() / self.n.sum()
        )


def rank(
    confidence: ArrayLike,
    is_right: ArrayLike,
    n_wanted: int,
    *,
    found_at: ArrayLike | None = None,
) -> Ranking:
    """Rank predictions, of which some are right, against ``n_wanted`` names.

    Each right prediction finds one name. Where that is not so, ``found_at`` holds, for each name
    found, the confidence of the surest prediction that finds it.

    >>> ranking = rank([0.9, 0.8, 0.8, 0.1], [True, False, True, True], 4)
    >>> ranking.precision.round(3).tolist(), ranking.recall.tolist()
    ([1.0, 0.667, 0.75], [0.25, 0.5, 0.75])
    """
    sure, right = np.asarray(confidence, dtype=np.float64), np.asarray(is_right, dtype=bool)
    found = sure[right] if found_at is None else np.asarray(found_at, dtype=np.float64)
    threshold = distinct(sure)[::-1]
    columns = (sure[right], sure, found)
    n_from = [len(each) - np.searchsorted(np.sort(each), threshold) for each in columns]
    pooled = np.stack((*n_from, np.full(len(threshold), n_wanted)), axis=1).astype(np.float64)
    return Ranking(threshold, pooled, n_wanted)


def average_precisions(
    confidence: ArrayLike, is_right: ArrayLike, group: Ints, n_wanted: Ints
) -> Floats:
    """Compute the average precision of many rankings at once; NaN for groups that want nothing.

    ``group`` numbers the ranking of each prediction, ``n_wanted`` counts the names of each.
    """
    sure, right = np.asarray(confidence, dtype=np.float64), np.asarray(is_right, dtype=bool)
    order = np.lexsort((-sure, group))
    group, sure = group[order], sure[order]
    n_right = np.concatenate(([0], np.cumsum(right[order])))
    first = np.searchsorted(group, np.arange(len(n_wanted)))  # where each group begins
    ends_step = np.ones(len(group), dtype=bool)
    ends_step[:-1] = (group[1:] != group[:-1]) | (sure[1:] != sure[:-1])
    end = np.flatnonzero(ends_step) + 1
    begin = np.concatenate(([0], end[:-1])) if len(end) else end
    home = group[end - 1] if len(end) else end
    share = (n_right[end] - n_right[first[home]]) / (end - first[home])
    area = np.bincount(home, share * (n_right[end] - n_right[begin]), len(n_wanted))
    result: Floats = np.full(len(n_wanted), np.nan)
    np.divide(area, n_wanted, out=result, where=n_wanted > 0)
    return result


def calibrate(
    confidence: ArrayLike, is_right: ArrayLike, *, n_bins: int = 10, equal_mass: bool = False
) -> Calibration:
    """Sort predictions into bins of equal width, or of nearly equal numbers of predictions.

    A bin includes its lower edge. Equal confidences are always in the same bin.
    """
    sure, right = np.asarray(confidence, dtype=np.float64), np.asarray(is_right, dtype=bool)
    order = np.lexsort((right, sure))
    sure, right = sure[order], right[order]
    if equal_mass:
        number = np.searchsorted(sure, sure) * n_bins // max(1, len(sure))
    else:
        number = np.searchsorted(np.arange(1, n_bins) / n_bins, sure, side="right")
    first = np.flatnonzero(np.diff(number, prepend=-1))
    n = np.diff(np.append(first, len(sure)))
    some, used = len(first) > 0, number[first]
    return Calibration(
        low=sure[first] if equal_mass else used / n_bins,
        high=sure[first + n - 1] if equal_mass else (used + 1) / n_bins,
        n=n,
        mean_confidence=np.add.reduceat(sure, first) / n if some else sure[:0],
        share_right=np.add.reduceat(right.astype(float), first) / n if some else sure[:0],
        brier=float(((sure - right) ** 2).mean()) if some else nan,
    )


def known(confidence: Floats, *, without: float | None = None) -> Floats:
    """Check that all confidences are known, or give those that are not the value ``without``."""
    missing = np.isnan(confidence)
    if without is None and missing.any():
        raise UsageError(
            f"{int(missing.sum()):,} of {len(confidence):,} predictions have no confidence; "
            "rank a layer with confidences, or say what to count theirs as (1.0, for example)"
        )
    return np.where(missing, np.nan if without is None else without, confidence)


def _best(figures: Floats) -> float:
    return float(figures.max()) if len(figures) else nan
