"""The instances behind the counts: what each name was, how it fared, what it was compared with."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Ints
from vermeil.document import Span
from vermeil.scoring.pairing.matching import NOBODY, closest
from vermeil.scoring.pairing.names import Names, ScoringBatch
from vermeil.scoring.scores import Scores
from vermeil.scoring.views.outcomes import NEAR, OUTCOMES, PARTLY, RIGHT, Outcomes
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, repr=False)
class Instance(Brief):
    """A prediction (or, where not ``predicted``, a name of the standard) and its outcome.

    ``compared`` is the name of the other side it overlaps best, None where it overlaps none. In
    the centroid view names of the standard are hearts.
    """

    document: str
    span: Span
    text: str
    predicted: bool
    outcome: str
    compared: Span | None
    compared_text: str


@dataclass(frozen=True, slots=True, repr=False)
class Offender(Brief):
    """A string that went wrong the same way ``n`` times, with the first time it did."""

    n: int
    first: Instance


def instances(scores: Scores, view: str, *, wrong: bool = False) -> Iterator[Instance]:
    """Yield every prediction, then every name, in order of documents and reading.

    With ``wrong`` only what is not right; and a name that is a near miss of a prediction that is
    itself listed is not listed again.
    """
    seen = scores.views[view]
    sides = seen.predicted, seen.wanted
    outcomes = seen.predicted_outcome, seen.wanted_outcome
    partners = closest(*sides), closest(*sides[::-1])
    shown = [np.ones(len(side), dtype=bool) for side in sides]
    if wrong:
        shown = [outcome != RIGHT for outcome in outcomes]
        shown[1] &= ~_told_already(outcomes, partners[1])
    for side in (0, 1):
        names, others = sides[side], sides[1 - side]
        order = np.lexsort((names.label, -names.end, names.start))
        for number in order[shown[side][order]].tolist():
            span, text = read_name(scores.batch, names, number)
            partner = int(partners[side][number])
            there = read_name(scores.batch, others, partner) if partner != NOBODY else (None, "")
            yield Instance(
                document=scores.documents[int(names.document[number])].id,
                span=span,
                text=text,
                predicted=side == 0,
                outcome=OUTCOMES[outcomes[side][number]],
                compared=there[0],
                compared_text=there[1],
            )


def offenders(scores: Scores, view: str, n: int) -> list[Offender]:
    """List the ``n`` strings that went wrong most often; of equals, by the alphabet."""
    first: dict[tuple[str, str, bool, str], Instance] = {}
    times: dict[tuple[str, str, bool, str], int] = {}
    for each in instances(scores, view, wrong=True):
        key = each.text, each.span.label, each.predicted, each.outcome
        first.setdefault(key, each)
        times[key] = times.get(key, 0) + 1
    worst = sorted(times, key=lambda key: (-times[key], key))[:n]
    return [Offender(times[key], first[key]) for key in worst]


def _told_already(outcomes: tuple[Outcomes, Outcomes], partner: Ints) -> Flags:
    """Tell which names are near misses of a prediction that is wrong itself."""
    if not len(outcomes[0]):
        return np.zeros(len(outcomes[1]), dtype=bool)
    missed = np.isin(outcomes[1], (PARTLY, NEAR)) & (partner != NOBODY)
    told: Flags = missed & (outcomes[0][partner] != RIGHT)
    return told


def read_name(batch: ScoringBatch, names: Names, number: int) -> tuple[Span, str]:
    """Make a span of a name again, and say what it marks."""
    document = batch.table.documents[int(names.document[number])]
    origin = int(batch.table.origin[names.document[number]])
    start, end = int(names.start[number]) - origin, int(names.end[number]) - origin
    fragments: tuple[tuple[int, int], ...] = ()
    if names.shape[number]:
        rows = np.flatnonzero(names.pieces.name == number)
        starts, ends = names.pieces.start[rows] - origin, names.pieces.end[rows] - origin
        fragments = tuple(zip(starts.tolist(), ends.tolist(), strict=True))
    span = Span(start, end, batch.labels[int(names.label[number])], fragments=fragments)
    return span, span.marked(document.text)
