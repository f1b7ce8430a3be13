"""Scores of one system over a corpus of any size: what each batch adds up to.

The figures are those of ``scoring.scores`` over all documents at once. Counts of documents are kept
as histograms of equal rows, from which intervals and tests are drawn as from the documents
themselves; means are kept as exact sums; of predictions with confidences, equal ones are counted.
So memory grows with what is distinct, not with the number of documents, unless all are listed.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from vermeil.arrays import Floats
from vermeil.runs.exact_sums import Mean
from vermeil.scoring.counts import Counts
from vermeil.scoring.pairing.lens import Uncounted
from vermeil.scoring.token_accuracy import TagCounts
from vermeil.scoring.view_sums import Confidences, ViewSums, added
from vermeil.scoring.views.annotations import JudgedAnnotation, acceptance
from vermeil.scoring.views.confusion import NOTHING
from vermeil.scoring.views.instances import Offender
from vermeil.shown import Brief

Mistakes = Mapping[tuple[str, str, bool, str], Offender]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SystemSums(Brief):
    """Everything about one system against the standard. Add two to pool them.

    ``annotations`` are all of them where ``n_least`` is None; otherwise so many of those that are
    right and have the least accepted boundaries. ``supports`` counts annotations that are right by
    whether somebody gave both boundaries together.
    """

    n_documents: int
    n_absent: int
    views: Mapping[str, ViewSums]
    left: Mean
    right: Mean
    confused: Mapping[tuple[str, str], int]
    left_out: Uncounted = field(default_factory=Uncounted)
    confidences: Confidences | None = None
    mistakes: Mistakes = field(default_factory=dict)
    listed: Floats | None = None
    annotations: tuple[JudgedAnnotation, ...] = ()
    n_least: int | None = 0
    supports: Mapping[str, int] = field(default_factory=dict)
    tags: TagCounts | None = None

    def __add__(self, other: "SystemSums") -> "SystemSums":
        confidences = listed = None
        if self.confidences is not None and other.confidences is not None:
            confidences = self.confidences + other.confidences
        if self.listed is not None and other.listed is not None:
            listed = np.concatenate((self.listed, other.listed))
        return SystemSums(
            n_documents=self.n_documents + other.n_documents,
            n_absent=self.n_absent + other.n_absent,
            views={name: each + other.views[name] for name, each in self.views.items()},
            left=self.left + other.left,
            right=self.right + other.right,
            confused=added(self.confused, other.confused),
            left_out=self.left_out + other.left_out,
            confidences=confidences,
            mistakes=_pooled_mistakes(self.mistakes, other.mistakes),
            listed=listed,
            annotations=self._pooled_annotations(other),
            n_least=self.n_least,
            supports=added(self.supports, other.supports),
            tags=None if self.tags is None or other.tags is None else self.tags + other.tags,
        )

    def counts(self, view: str) -> Counts:
        """Return the counts of all documents together in a view."""
        return self.views[view].counts

    def with_rest(self, nobody: "SystemSums") -> "SystemSums":
        """Add all documents that these sums are not of, where the system found nothing.

        ``nobody`` is who looks for the same and found nothing in any document: what was wanted is
        the same. Where nothing was compared with nobody, documents that were not looked at do not
        count.
        """
        n_more = nobody.n_documents - self.n_documents
        grown = replace(self, n_documents=nobody.n_documents, n_absent=self.n_absent + n_more)
        if not any(len(view.rows.count) for view in nobody.views.values()):
            return grown
        confused = Counter({cell: n for cell, n in self.confused.items() if cell[1] != NOTHING})
        missed = Counter({label: n for (label, _), n in nobody.confused.items()})
        for (label, _), n in confused.items():
            missed[label] -= n if label != NOTHING else 0
        confused.update({(label, NOTHING): n for label, n in missed.items() if n})
        confidences = None
        if self.confidences is not None and nobody.confidences is not None:
            confidences = self.confidences.with_rest(nobody.confidences)
        wanted, regardless = nobody.left_out.wanted, nobody.left_out.regardless
        return replace(
            grown,
            views={name: each.with_rest(nobody.views[name]) for name, each in self.views.items()},
            confused=dict(confused),
            left_out=Uncounted(wanted, regardless, self.left_out.predicted),
            confidences=confidences,
        )

    def with_flat(self, flat: "SystemSums", *, mistakes: bool = False) -> "SystemSums":
        """Put views where overlapping names are alternatives in the place of those here.

        With ``mistakes`` those that are kept are of such a view.
        """
        listed = self.listed
        if listed is not None and flat.listed is not None:
            listed, places = listed.copy(), list(self.views)
            for number, view in enumerate(flat.views):
                listed[:, places.index(view)] = flat.listed[:, number]
        changed = replace(
            self,
            views={**self.views, **flat.views},
            mistakes=flat.mistakes if mistakes else self.mistakes,
            listed=listed,
        )
        if "centroid" not in flat.views:
            return changed
        return replace(
            changed,
            left=flat.left,
            right=flat.right,
            annotations=flat.annotations,
            supports=flat.supports,
        )

    @property
    def confusion(self) -> dict[tuple[str, str], int]:
        """How often each label was predicted for each; NOTHING comes last."""
        cells = sorted(self.confused, key=lambda each: [(one == NOTHING, one) for one in each])
        return {cell: self.confused[cell] for cell in cells}

    def _pooled_annotations(self, other: "SystemSums") -> tuple[JudgedAnnotation, ...]:
        both = (*self.annotations, *other.annotations)
        return both if self.n_least is None else least_accepted(both, self.n_least)

    def least(self, n: int) -> tuple[JudgedAnnotation, ...]:
        """List the ``n`` annotations that are right and have the least accepted boundaries."""
        return least_accepted(self.annotations, n)

    def worst(self, n: int) -> list[Offender]:
        """List the ``n`` strings that went wrong most often; of equals, by the alphabet."""
        keys = sorted(self.mistakes, key=lambda key: (-self.mistakes[key].n, key))
        return [self.mistakes[key] for key in keys[:n]]


def least_accepted(annotations: Iterable[JudgedAnnotation], n: int) -> tuple[JudgedAnnotation, ...]:
    """Take the ``n`` annotations that are right and have the least accepted boundaries."""
    right = (each for each in annotations if each.outcome == "right")
    return tuple(sorted(right, key=acceptance)[:n])


def _pooled_mistakes(some: Mistakes, others: Mistakes) -> Mistakes:
    pooled = dict(some)
    for key, other in others.items():
        mine = pooled.get(key)
        if mine is not None:
            first = min(mine.first, other.first, key=lambda each: each.document)
            other = Offender(mine.n + other.n, first)
        pooled[key] = other
    return pooled
