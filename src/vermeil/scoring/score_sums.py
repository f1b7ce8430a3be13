"""Scores of a corpus of any size: what each batch adds up to, without its documents.

The figures are those of ``scoring.scores`` over all documents at once. Counts of documents are kept
as histograms of equal rows, from which intervals and tests are drawn as from the documents
themselves; means are kept as exact sums; of predictions with confidences, equal ones are counted.
So memory grows with what is distinct, not with the number of documents, unless all are listed.

A batch need not know all systems: ``nobody`` is what one without any layer scores there, and stands
in for the systems of other batches.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from vermeil.arrays import Floats
from vermeil.document import ALTERNATIVES
from vermeil.errors import UnknownNameError
from vermeil.runs.exact_sums import Mean
from vermeil.scope import Scope
from vermeil.scoring.counts import Counts
from vermeil.scoring.pairing.lens import Uncounted
from vermeil.scoring.token_accuracy import TagCounts
from vermeil.scoring.view_sums import Confidences, ViewSums, added
from vermeil.scoring.views.annotations import JudgedAnnotation, acceptance
from vermeil.scoring.views.confusion import NOTHING
from vermeil.scoring.views.instances import Offender
from vermeil.shown import Brief

NOBODY = "\0nobody"
BATCH = 2000


Mistakes = Mapping[tuple[str, str, bool, str], Offender]
Reading = tuple[Mapping[str, "SystemSums"], "SystemSums"]
"""What systems score, and who found nothing."""


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

    @property
    def is_silent(self) -> bool:
        """Whether nothing at all was compared, and nothing is listed."""
        views = self.views.values()
        return self.listed is None and not any(len(view.rows.count) for view in views)

    def absent_from(self, others: "SystemSums") -> "SystemSums":
        """Add documents that this system did not look at, which do not count for it."""
        return replace(
            self,
            n_documents=self.n_documents + others.n_documents,
            n_absent=self.n_absent + others.n_absent,
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


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FlatSums(Brief):
    """The scores where overlapping names of the standard are alternatives of each other."""

    systems: Mapping[str, SystemSums]
    nobody: SystemSums


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScoreSums(Brief):
    """The scores of all systems. Add two to pool them.

    ``n_read`` documents were read, ``names`` are all layers there, ``ids`` the documents scored
    where they are to be listed. Without ``nobody`` no document was scored. ``flat`` holds what
    counts if no document marks alternatives, where that makes a difference: then ``n_overlapping``
    names overlap another. ``scope`` has the labels that everybody used. Documents that are
    ``n_waiting`` were not scored, as they must be gone through again; then nothing counts.
    """

    n_read: int = 0
    names: frozenset[str] = frozenset()
    ids: tuple[str, ...] = ()
    systems: Mapping[str, SystemSums] = field(default_factory=dict)
    nobody: SystemSums | None = None
    flat: FlatSums | None = None
    n_overlapping: int = 0
    scope: Scope = field(default_factory=Scope)
    n_waiting: int = 0

    def __add__(self, other: "ScoreSums") -> "ScoreSums":
        n_read, names = self.n_read + other.n_read, self.names | other.names
        scope = self.scope + other.scope
        if n_waiting := self.n_waiting + other.n_waiting:
            return ScoreSums(n_read, names, scope=scope, n_waiting=n_waiting)
        if self.nobody is None or other.nobody is None:
            some = other if self.nobody is None else self
            return replace(some, n_read=n_read, names=names, scope=scope)
        flat = None
        if self.flat is not None or other.flat is not None:
            flat = FlatSums(*_pooled(self._reading(flat=True), other._reading(flat=True)))
        return ScoreSums(
            n_read,
            names,
            self.ids + other.ids,
            *_pooled(self._reading(), other._reading()),
            flat=flat,
            n_overlapping=self.n_overlapping + other.n_overlapping,
            scope=scope,
        )

    def n_alternatives(self, standard: str) -> int:
        """Count the names of a flat standard that were taken for alternatives of others."""
        is_marked = standard + ALTERNATIVES in self.names
        return 0 if is_marked or self.flat is None else self.n_overlapping

    def of_systems(self, standard: str) -> dict[str, SystemSums]:
        """Return the scores of every layer but the standard; refuse a standard that is nowhere."""
        if standard not in self.names or self.nobody is None:
            raise UnknownNameError("layer", standard, sorted(self.names))
        systems, nobody = self._reading(flat=bool(self.n_alternatives(standard)))
        judged = sorted(name for name in self.names if not name.endswith(ALTERNATIVES))
        return {name: systems.get(name, nobody) for name in judged if name != standard}

    def _reading(self, *, flat: bool = False) -> "Reading":
        assert self.nobody is not None, "no document was scored"
        if flat and self.flat is not None:
            return self.flat.systems, self.flat.nobody
        return self.systems, self.nobody


def _pooled(some: "Reading", others: "Reading") -> "Reading":
    (mine, nobody), (theirs, silence) = some, others
    if nobody.is_silent and silence.is_silent:
        pooled = {
            **{name: each.absent_from(silence) for name, each in mine.items()},
            **{name: each.absent_from(nobody) for name, each in theirs.items()},
            **{name: mine[name] + theirs[name] for name in mine.keys() & theirs.keys()},
        }
        return {name: pooled[name] for name in sorted(pooled)}, nobody + silence
    pooled = {
        name: mine.get(name, nobody) + theirs.get(name, silence)
        for name in sorted({*mine, *theirs})
    }
    return pooled, nobody + silence


def _pooled_mistakes(some: Mistakes, others: Mistakes) -> Mistakes:
    pooled = dict(some)
    for key, other in others.items():
        mine = pooled.get(key)
        if mine is not None:
            first = min(mine.first, other.first, key=lambda each: each.document)
            other = Offender(mine.n + other.n, first)
        pooled[key] = other
    return pooled
