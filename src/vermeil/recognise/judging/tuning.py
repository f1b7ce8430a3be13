"""Which threshold to use: a recogniser tried out on annotated documents it was not trained on.

One pass finds every candidate; all thresholds are read off their ranking. The more confident of
two names that overlap is kept at every threshold at which it is found, so removing overlaps once is
the same as removing them at each threshold.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from math import floor, nan

import numpy as np

from vermeil.arrays import Flags, Floats
from vermeil.document import Document, Span, reading_order
from vermeil.errors import UsageError
from vermeil.recognise.placed_names import BATCH, Finder, PlacedNames, are_right
from vermeil.scoring.counts import Counts
from vermeil.scoring.ranked import Calibration, Ranking, calibrate, rank

N_BINS = 10


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """Candidates with their confidences, which of them are right, and how many names there are."""

    confidence: Floats
    is_right: Flags
    n_wanted: int
    n_documents: int

    @property
    def ranking(self) -> Ranking:
        """All candidates from the surest down."""
        return rank(self.confidence, self.is_right, self.n_wanted)

    def calibration(self, *, n_bins: int = N_BINS) -> Calibration:
        """Candidates in bins of confidence."""
        return calibrate(self.confidence, self.is_right, n_bins=n_bins)


@dataclass(frozen=True, slots=True)
class Choice:
    """A threshold and what it gives."""

    threshold: float
    counts: Counts


def try_out(
    finder: Finder,
    documents: Iterable[Document],
    labels: Sequence[str],
    *,
    layer: str,
    overlaps: bool = False,
) -> Trial:
    """Find names in the documents that have the ``layer``, and judge them by exact match.

    Names of other labels than ``labels`` are not wanted; alternatives are not right.
    """
    annotated = (_standard(each, labels, layer) for each in documents if layer in each.layers)
    confidence, right = [np.zeros(0)], [np.zeros(0, dtype=bool)]
    n_wanted = n_documents = 0
    while batch := list(islice(annotated, BATCH)):
        names = finder.find(batch)
        if not overlaps:
            names = PlacedNames(names.axis, names.apart())
        confidence.append(names.candidates.confidence)
        right.append(are_right(names, batch, layer))
        n_wanted += sum(len(each.layers[layer]) for each in batch)
        n_documents += len(batch)
    return Trial(np.concatenate(confidence), np.concatenate(right), n_wanted, n_documents)


def choose(
    ranking: Ranking, *, precision: float | None = None, recall: float | None = None
) -> Choice:
    """Choose the threshold with the best recall at a precision, or the other way round.

    With neither, that with the best F1. Of equals the highest. A target that no threshold reaches
    is an error that says how far one can get.

    >>> ranking = rank([0.93, 0.84, 0.81, 0.1], [True, True, False, True], 4)
    >>> choose(ranking, precision=0.9).threshold, choose(ranking, recall=0.7).threshold
    (0.84, 0.1)
    """
    if precision is not None:
        return _best_of(ranking, "precision", ranking.precision, precision, ranking.recall)
    if recall is not None:
        return _best_of(ranking, "recall", ranking.recall, recall, ranking.precision)
    threshold, counts = ranking.best
    if np.isnan(threshold):
        raise UsageError("nothing was found, so there is no threshold to choose")
    return Choice(_between(ranking, int((ranking.threshold > threshold).sum())), counts)


def shortest_between(low: float, high: float) -> float:
    """Find the shortest decimal number above ``low`` and not above ``high``.

    >>> shortest_between(0.4123, 0.5432), shortest_between(0.98721, 0.98734)
    (0.5, 0.9873)
    """
    for n_digits in range(1, 16):
        number: float = floor(high * 10**n_digits) / 10**n_digits
        if low < number <= high:
            return number
    return high


def _standard(document: Document, labels: Sequence[str], layer: str) -> Document:
    """Keep of a document the names that are wanted, each once, without alternatives."""
    wanted = {
        Span(span.start, span.end, span.label, fragments=span.fragments)
        for span in document.layers[layer]
        if span.label in labels
    }
    return document.replace(layers={layer: tuple(sorted(wanted, key=reading_order))})


def _best_of(
    ranking: Ranking, target: str, figures: Floats, wanted: float, other: Floats
) -> Choice:
    reach = np.flatnonzero(figures >= wanted)
    if not len(reach):
        best = float(figures.max(initial=0.0)) if len(figures) else nan
        raise UsageError(f"no threshold gives a {target} of {wanted:g}; the best is {best:.3f}")
    step = int(reach[other[reach].argmax()])
    return Choice(_between(ranking, step), Counts(*ranking.pooled[step].tolist()))


def _between(ranking: Ranking, step: int) -> float:
    """Choose a short threshold that has the effect of a step's."""
    below = ranking.threshold[step + 1] if step + 1 < len(ranking.threshold) else 0.0
    return shortest_between(float(below), float(ranking.threshold[step]))
