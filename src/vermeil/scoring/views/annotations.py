"""Each annotation in the centroid view, with the scores of its boundaries.

Section 6 of Lewin et al., "Centroids", promises "a more fine-grained score, a boundary score, for
each annotation": not only the means, but what every single one is worth.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan

import numpy as np

from vermeil.scoring.pairing.given import SUPPORTS
from vermeil.scoring.scores import Scores
from vermeil.scoring.views.instances import read_name
from vermeil.scoring.views.outcomes import OUTCOMES
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, repr=False)
class JudgedAnnotation(Brief):
    """An annotation, how it fared, and what its boundaries score; None where it is not right.

    ``support`` is ``said`` where somebody gave both boundaries together, ``recombined`` where
    nobody did, ``permitted`` where that is not known, ``unheard`` where nobody put one of them.
    """

    document: str
    start: int
    end: int
    label: str
    text: str
    outcome: str
    left: float | None
    right: float | None
    support: str


def annotations(scores: Scores) -> Iterator[JudgedAnnotation]:
    """Yield all annotations of a system, in order of documents and reading."""
    view, boundaries = scores.views["centroid"], scores.boundaries
    names, batch = view.predicted, scores.batch
    order = np.lexsort((names.label, -names.end, names.start))
    origin = batch.table.origin[names.document[order]]
    texts = [document.text for document in batch.table.documents]
    ids = [document.id for document in scores.documents]
    columns = (
        order,
        names.document[order],
        names.start[order] - origin,
        names.end[order] - origin,
        names.label[order],
        names.shape[order],
        view.predicted_outcome[order],
        boundaries.left[order],
        boundaries.right[order],
        boundaries.support[order],
    )
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for number, document, start, end, label, shape, outcome, left, right, support in rows:
        broken = read_name(batch, names, number)[1] if shape else None
        yield JudgedAnnotation(
            document=ids[document],
            start=start,
            end=end,
            label=batch.labels[label],
            text=texts[document][start:end] if broken is None else broken,
            outcome=OUTCOMES[outcome],
            left=None if isnan(left) else left,
            right=None if isnan(right) else right,
            support=SUPPORTS[support],
        )


def acceptance(each: JudgedAnnotation) -> tuple[float, str, int, int, str]:
    """Sort key of annotations that are right: those with the least accepted boundaries first."""
    return (each.left or 0) + (each.right or 0), each.document, each.start, each.end, each.label
