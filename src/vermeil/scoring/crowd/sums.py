"""The sums of many systems that were scored at once: counted together, not system by system."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.runs.exact_sums import Histogram, Mean
from vermeil.scoring.counts import Counts
from vermeil.scoring.crowd.scored import CrowdScores
from vermeil.scoring.pairing.given import SUPPORTS
from vermeil.scoring.pairing.lens import Uncounted
from vermeil.scoring.score_sums import SystemSums
from vermeil.scoring.view_sums import ViewSums
from vermeil.scoring.views.confusion import NOTHING
from vermeil.scoring.views.outcomes import OUTCOMES, View


def crowd_sums(crowd: CrowdScores) -> Iterator[tuple[str, SystemSums]]:
    """Sum up each system over the documents it looked at."""
    groups = _Groups(crowd.system, crowd.first)
    names = (*crowd.strict.batch.labels, NOTHING)
    views = {name: groups.views(view) for name, view in crowd.scores.views.items()}
    left, right, supports = groups.boundaries(crowd)
    confused = crowd.confused()
    for number, (name, n) in enumerate(zip(crowd.systems, groups.sizes, strict=True)):
        cells = confused.get(number, {}).items()
        yield (
            name,
            SystemSums(
                n_documents=n,
                n_absent=0,
                views={key: each[number] for key, each in views.items()},
                left=left[number],
                right=right[number],
                confused={(names[w], names[p]): times for (w, p), times in cells},
                left_out=crowd.left_out.get(name, Uncounted()),
                supports=supports[number],
            ),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Groups:
    """Documents in order of the systems that looked at them, and where each system begins."""

    system: Ints
    first: Ints

    @property
    def sizes(self) -> list[int]:
        """How many documents each system has."""
        return [int(n) for n in np.diff(self.first)]

    def views(self, view: View) -> list[ViewSums]:
        """Sum up a view, system by system."""
        mine, theirs = (self.system[side.document] for side in (view.predicted, view.wanted))
        n, n_outcomes = len(self.first) - 1, len(OUTCOMES)
        outcomes = [
            np.bincount(owner * n_outcomes + outcome, minlength=n * n_outcomes)
            .reshape(n, n_outcomes)
            .tolist()
            for owner, outcome in ((mine, view.predicted_outcome), (theirs, view.wanted_outcome))
        ]
        rows = self._histograms(view.per_document())
        by_label = self._by_label(view, mine, theirs)
        return [
            ViewSums(
                rows[number],
                by_label[number],
                (
                    dict(zip(OUTCOMES, outcomes[0][number], strict=True)),
                    dict(zip(OUTCOMES, outcomes[1][number], strict=True)),
                ),
            )
            for number in range(n)
        ]

    def _histograms(self, rows: Floats) -> list[Histogram]:
        order = np.lexsort((*rows.T[::-1], self.system))
        rows, owner = rows[order], self.system[order]
        is_new: Flags = np.ones(len(rows), dtype=bool)
        is_new[1:] = (rows[1:] != rows[:-1]).any(axis=1) | (owner[1:] != owner[:-1])
        places = np.flatnonzero(is_new)
        rows, count = rows[is_new], np.diff(np.append(places, len(order)))
        bounds = np.searchsorted(owner[is_new], np.arange(len(self.first))).tolist()
        return [Histogram(rows[low:high], count[low:high]) for low, high in pairwise(bounds)]

    def _by_label(self, view: View, mine: Ints, theirs: Ints) -> list[dict[str, Counts]]:
        n_labels = len(view.labels)
        key, place = np.unique(
            np.concatenate(
                (mine * n_labels + view.predicted.label, theirs * n_labels + view.wanted.label)
            ),
            return_inverse=True,
        )
        here, there = np.split(place, [len(mine)])
        columns = (
            np.bincount(here, weights=view.right, minlength=len(key)),
            np.bincount(here, weights=view.weight, minlength=len(key)),
            np.bincount(there, weights=view.found, minlength=len(key)),
            np.bincount(there, minlength=len(key)).astype(np.float64),
        )
        found: list[dict[str, Counts]] = [{} for _ in range(len(self.first) - 1)]
        rows = zip(key.tolist(), *(column.tolist() for column in columns), strict=True)
        for each, right, weight, got, wanted in rows:
            if weight or wanted:
                owner, label = divmod(each, n_labels)
                found[owner][view.labels[label]] = Counts(right, weight, got, wanted)
        return found

    def boundaries(
        self, crowd: CrowdScores
    ) -> tuple[Sequence[Mean], Sequence[Mean], Sequence[dict[str, int]]]:
        """Sum up the scores of left and of right boundaries, and count how they are supported."""
        n = len(self.first) - 1
        if "centroid" not in crowd.scores.views:
            return [Mean()] * n, [Mean()] * n, [_supports([0] * len(SUPPORTS))] * n
        every = crowd.scores.boundaries
        owner = self.system[crowd.scores.views["centroid"].predicted.document]
        supports = np.bincount(
            owner * len(SUPPORTS) + every.support, minlength=n * len(SUPPORTS)
        ).reshape(n, len(SUPPORTS))
        return (
            _means(owner, every.left, n),
            _means(owner, every.right, n),
            [_supports(row) for row in supports.tolist()],
        )


def _supports(counts: Sequence[int]) -> dict[str, int]:
    return {name: n for name, n in zip(SUPPORTS, counts, strict=True) if name}


def _means(owner: Ints, values: Floats, n: int) -> list[Mean]:
    """Sum up the values of each owner exactly; NaN are left out."""
    defined = ~np.isnan(values)
    distinct, code = np.unique(values[defined], return_inverse=True)
    exact = [Fraction(value) for value in distinct.tolist()]
    key, times = np.unique(owner[defined] * max(1, len(exact)) + code, return_counts=True)
    totals, counts = [Fraction()] * n, [0] * n
    for each, k in zip(key.tolist(), times.tolist(), strict=True):
        number, place = divmod(each, len(exact))
        totals[number] = totals[number] + exact[place] * k if counts[number] else exact[place] * k
        counts[number] += k
    return [Mean(*pair) for pair in zip(totals, counts, strict=True)]
