"""``score`` as a stage: every system against the standard, in counts that add."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from sys import maxsize
from typing import ClassVar

import numpy as np

from vermeil.document import Document
from vermeil.runs.exact_sums import Mean
from vermeil.runs.stages import Stage
from vermeil.scoring.score_sums import NOBODY, ScoreSums, SystemSums
from vermeil.scoring.scores import VIEWS, Scores, score
from vermeil.scoring.view_sums import Confidences, ViewSums
from vermeil.scoring.views.instances import Instance, Offender, offenders

BATCH = 2000


class ScoreStage(Stage[ScoreSums, ScoreSums, None], frozen=True):
    """The layer that is the standard, and what is kept beside counts.

    ``against`` names a system to pair the others with, ``mistakes`` the view of which mistakes are
    kept; ``ranked`` keeps confidences, ``listed`` the counts of every document.
    """

    name: ClassVar[str] = "score"
    observes: ClassVar[bool] = True

    standard: str
    same_label: bool | None = None
    against: str | None = None
    mistakes: str | None = None
    ranked: bool = False
    listed: bool = False

    def observe(self, items: Iterator[Document]) -> ScoreSums:
        """Score documents, BATCH at a time."""
        total = ScoreSums()
        while batch := list(islice(items, BATCH)):
            total += self._sum_batch(batch)
        return total

    def finish(self, seen: ScoreSums) -> ScoreSums:
        """There is nothing to learn."""
        return seen

    def sums_of(self, scores: Mapping[str, Scores]) -> dict[str, SystemSums]:
        """Sum up documents that were scored at once."""
        rival = None if self.against is None else scores[self.against]
        return {name: self._sum_system(each, rival) for name, each in scores.items()}

    def _sum_batch(self, batch: Sequence[Document]) -> ScoreSums:
        names = frozenset(name for each in batch for name in (*each.layers, *each.standards))
        scored = [
            each
            for each in batch
            if self.standard in each.layers or self.standard in each.standards
        ]
        if not scored:
            return ScoreSums(len(batch), names)
        scored[0] = scored[0].replace(layers={**scored[0].layers, NOBODY: ()})
        scores = score(scored, standard=self.standard, same_label=self.same_label)
        nobody = scores[NOBODY]
        rival = scores.get(self.against, nobody) if self.against is not None else None
        sums = {name: self._sum_system(each, rival) for name, each in scores.items()}
        empty = sums.pop(NOBODY)
        ids = tuple(each.id for each in nobody.documents) if self.listed else ()
        return ScoreSums(len(batch), names, ids, sums, empty)

    def _sum_system(self, scores: Scores, rival: Scores | None) -> SystemSums:
        mistakes: dict[tuple[str, str, bool, str], Offender] = {}
        if self.mistakes is not None:
            every = offenders(scores, self.mistakes, maxsize)
            mistakes = {_key(each.first): each for each in every}
        listed = None
        if self.listed:
            listed = np.stack([scores.per_document(view) for view in VIEWS], axis=1)
        n_documents = len(scores.documents)
        return SystemSums(
            n_documents=n_documents,
            n_absent=n_documents if scores.system == NOBODY else scores.n_absent,
            views={
                name: ViewSums.of(view, None if rival is None else rival.views[name])
                for name, view in scores.views.items()
            },
            left=Mean.of(scores.boundaries.left),
            right=Mean.of(scores.boundaries.right),
            confused=scores.confusion.cells,
            confidences=Confidences.of(scores.views["exact"]) if self.ranked else None,
            mistakes=mistakes,
            listed=listed,
        )


def _key(first: Instance) -> tuple[str, str, bool, str]:
    return first.text, first.span.label, first.predicted, first.outcome
