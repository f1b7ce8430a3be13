"""What nobody scores: who looks for some labels, or for all, and finds nothing anywhere.

Nothing has to be compared: what counts is what was wanted, and every name of it is missed.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from vermeil.arrays import Ints
from vermeil.runs.exact_sums import Mean
from vermeil.scoring.pairing.given import SUPPORTS
from vermeil.scoring.pairing.lens import Lens, Uncounted
from vermeil.scoring.pairing.names import Names
from vermeil.scoring.score_sums import SystemSums
from vermeil.scoring.scores import LaidStandard, Way
from vermeil.scoring.view_sums import Confidences, ViewSums
from vermeil.scoring.views.confusion import NOTHING


class _Wanted(NamedTuple):
    """Names that count: how many in each document that is seen, and of each label that occurs."""

    by_document: Ints
    by_label: dict[str, int]


@dataclass(frozen=True, slots=True, eq=False)
class Silence:
    """A standard, all labels of it, and how systems are scored."""

    side: LaidStandard
    how: Way
    _known: dict[tuple[int, Lens], _Wanted] = field(default_factory=dict)

    def sums(self, strict: Lens, loose: Lens, *, ranked: bool) -> SystemSums:
        """Sum up nobody, seen through two lenses: where labels are compared, and where not."""
        n_documents = len(self.side.batch.table.documents)
        views = {}
        for view in self.how.views:
            lens = loose if self.how.is_regardless(view) else strict
            views[view] = ViewSums.of_nobody(*self._wanted(self._names(view), lens))
        names = self._wanted(self.side.names, strict)
        return SystemSums(
            n_documents=n_documents,
            n_absent=n_documents,
            views=views,
            left=Mean(),
            right=Mean(),
            confused={(label, NOTHING): n for label, n in names.by_label.items()},
            left_out=Uncounted(self._left_out(strict), self._left_out(loose)),
            confidences=Confidences.of_nobody(self.side.batch.labels, names.by_document)
            if ranked
            else None,
            supports={name: 0 for name in SUPPORTS if name},
        )

    def _names(self, view: str) -> Names:
        if view == "centroid":
            return self.side.centroids.heart
        return self.side.core if view == "biocreative" else self.side.names

    def _wanted(self, names: Names, lens: Lens) -> _Wanted:
        found = self._known.get((id(names), lens))
        if found is None:
            found = self._known[id(names), lens] = self._counted(names, lens)
        return found

    def _counted(self, names: Names, lens: Lens) -> _Wanted:
        batch = self.side.batch
        document, label = names.document, names.label
        if not lens.is_clear:
            kept = lens.keeps(document, label, batch.labels)
            document, label = document[kept], label[kept]
        n_documents = len(batch.table.documents)
        by_document = np.bincount(document, minlength=n_documents)
        if lens.unseen:
            by_document = by_document[lens.sees(np.arange(n_documents))]
        times = np.bincount(label, minlength=len(batch.labels)).tolist()
        return _Wanted(
            by_document, {each: n for each, n in zip(batch.labels, times, strict=True) if n}
        )

    def _left_out(self, lens: Lens) -> dict[str, int]:
        """Count by label what does not count where it is seen, labels in the order they come."""
        if lens.is_clear:
            return {}
        names, labels = self.side.names, self.side.batch.labels
        left = ~lens.keeps(names.document, names.label, labels) & lens.sees(names.document)
        codes, first, times = np.unique(names.label[left], return_index=True, return_counts=True)
        order = np.argsort(first)
        return {
            labels[code]: n
            for code, n in zip(codes[order].tolist(), times[order].tolist(), strict=True)
        }
