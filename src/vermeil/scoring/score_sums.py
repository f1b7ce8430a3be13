"""Scores of a corpus of any size: what each batch adds up to, without its documents.

The figures are those of ``scoring.scores`` over all documents at once. Counts of documents are kept
as histograms of equal rows, from which intervals and tests are drawn as from the documents
themselves; means are kept as exact sums; of predictions with confidences, equal ones are counted.
So memory grows with what is distinct, not with the number of documents, unless all are listed.

A batch need not know all systems: ``nobody`` is what one without any layer scores there, and stands
in for the systems of other batches.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from vermeil.arrays import Floats
from vermeil.document import ALTERNATIVES
from vermeil.errors import UnknownNameError
from vermeil.runs.exact_sums import Mean
from vermeil.scoring.counts import Counts
from vermeil.scoring.scores import VIEWS
from vermeil.scoring.view_sums import Confidences, ViewSums, added
from vermeil.scoring.views.confusion import NOTHING
from vermeil.scoring.views.instances import Offender
from vermeil.shown import Brief

NOBODY = "\0nobody"
BATCH = 2000


Mistakes = Mapping[tuple[str, str, bool, str], Offender]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SystemSums(Brief):
    """Everything about one system against the standard. Add two to pool them."""

    n_documents: int
    n_absent: int
    views: Mapping[str, ViewSums]
    left: Mean
    right: Mean
    confused: Mapping[tuple[str, str], int]
    confidences: Confidences | None = None
    mistakes: Mistakes = field(default_factory=dict)
    listed: Floats | None = None

    def __add__(self, other: "SystemSums") -> "SystemSums":
        confidences = listed = None
        if self.confidences is not None and other.confidences is not None:
            confidences = self.confidences + other.confidences
        if self.listed is not None and other.listed is not None:
            listed = np.concatenate((self.listed, other.listed))
        return SystemSums(
            n_documents=self.n_documents + other.n_documents,
            n_absent=self.n_absent + other.n_absent,
            views={name: self.views[name] + other.views[name] for name in VIEWS},
            left=self.left + other.left,
            right=self.right + other.right,
            confused=added(self.confused, other.confused),
            confidences=confidences,
            mistakes=_pooled_mistakes(self.mistakes, other.mistakes),
            listed=listed,
        )

    def counts(self, view: str) -> Counts:
        """Return the counts of all documents together in a view."""
        return self.views[view].counts

    @property
    def confusion(self) -> dict[tuple[str, str], int]:
        """How often each label was predicted for each; NOTHING comes last."""
        cells = sorted(self.confused, key=lambda each: [(one == NOTHING, one) for one in each])
        return {cell: self.confused[cell] for cell in cells}

    def worst(self, n: int) -> list[Offender]:
        """List the ``n`` strings that went wrong most often; of equals, by the alphabet."""
        keys = sorted(self.mistakes, key=lambda key: (-self.mistakes[key].n, key))
        return [self.mistakes[key] for key in keys[:n]]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScoreSums(Brief):
    """The scores of all systems. Add two to pool them.

    ``n_read`` documents were read, ``names`` are all layers there, ``ids`` the documents scored
    where they are to be listed. Without ``nobody`` no document was scored.
    """

    n_read: int = 0
    names: frozenset[str] = frozenset()
    ids: tuple[str, ...] = ()
    systems: Mapping[str, SystemSums] = field(default_factory=dict)
    nobody: SystemSums | None = None

    def __add__(self, other: "ScoreSums") -> "ScoreSums":
        names = self.names | other.names
        if self.nobody is None or other.nobody is None:
            some = other if self.nobody is None else self
            return ScoreSums(self.n_read + other.n_read, names, some.ids, some.systems, some.nobody)
        return ScoreSums(
            self.n_read + other.n_read,
            names,
            self.ids + other.ids,
            {
                name: self.systems.get(name, self.nobody) + other.systems.get(name, other.nobody)
                for name in sorted({*self.systems, *other.systems})
            },
            self.nobody + other.nobody,
        )

    def of_systems(self, standard: str) -> dict[str, SystemSums]:
        """Return the scores of every layer but the standard; refuse a standard that is nowhere."""
        if standard not in self.names or self.nobody is None:
            raise UnknownNameError("layer", standard, sorted(self.names))
        judged = sorted(name for name in self.names if not name.endswith(ALTERNATIVES))
        return {name: self.systems.get(name, self.nobody) for name in judged if name != standard}


def _pooled_mistakes(some: Mistakes, others: Mistakes) -> Mistakes:
    pooled = dict(some)
    for key, other in others.items():
        mine = pooled.get(key)
        if mine is not None:
            first = min(mine.first, other.first, key=lambda each: each.document)
            other = Offender(mine.n + other.n, first)
        pooled[key] = other
    return pooled
