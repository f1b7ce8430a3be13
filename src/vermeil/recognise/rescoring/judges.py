"""Who judges candidates: rescorers by label, and poolers that judge once more.

A rescorer sees what the lattice says of a candidate and of its document. A pooler sees what
rescorers decided: on all uses of the string in the document, and on what it stands for. So a string
gets one decision. Poolers learn from decisions of rescorers that were trained on other documents.
They learn from few candidates and are too sure of themselves, so that the mean of both log odds is
better, and better calibrated, than the pooler's alone. How far the mean is too sure itself is
measured on documents that neither was trained on.

Documents may be dealt more than once: judges then see each candidate described by several sequence
models, and trust none of these too much. No judge that helps another to learn has seen its
documents, so what crosses from part to part stays within a deal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.document import Document
from vermeil.recognise.rescoring.boosted_trees import BoostedTrees
from vermeil.recognise.rescoring.features import DescribedCandidates, log_odds, pooled_decisions
from vermeil.recognise.rescoring.linear_logistic import LinearLogistic
from vermeil.sequences.chains.candidates import Candidates
from vermeil.sequences.tokens.axis import TokenAxis

Judge: TypeAlias = BoostedTrees | LinearLogistic
Judges: TypeAlias = Mapping[str, Judge]
"""Rescorers or poolers by label."""

RESCORERS: Mapping[str, type[BoostedTrees] | type[LinearLogistic]] = {
    "trees": BoostedTrees,
    "logistic": LinearLogistic,
}
"""Rescorers: gradient-boosted trees, or the paper's logistic regression."""

LEAST_POOLED = 0.02
"""Rescored candidates below this have no chance, and are not judged again."""

LEAST_SURE, MOST_SURE = 0.5, 1.5
"""Log odds are made no smaller and no greater than by these factors."""


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """Candidates of some documents, described for rescorers."""

    documents: Sequence[Document]
    axis: TokenAxis
    candidates: Candidates
    described: DescribedCandidates


class Deal(NamedTuple):
    """Cases from which judges learn, and which of their candidates are right.

    Each has documents of its own, described by what was learned from those of the others.
    """

    cases: Sequence[Case]
    right: Sequence[Flags]

    def without(self, own: int) -> "Deal":
        """Leave one out."""
        others = [number for number in range(len(self.cases)) if number != own]
        return Deal([self.cases[each] for each in others], [self.right[each] for each in others])


class Likely(NamedTuple):
    """The candidates that have a chance: their rows, and the case anew, by what was decided."""

    rows: Ints
    case: Case


def judged(judges: Judges, case: Case) -> Candidates:
    """Judge candidates by the judge of their label, where it has one."""
    candidates = case.candidates
    confidence = candidates.confidence.copy()
    for label, judge in judges.items():
        rows = np.flatnonzero(candidates.label == candidates.labels.index(label))
        odds = judge.log_odds(case.described.some(rows).values)
        confidence[rows] = 1 / (1 + np.exp(-odds))
    return replace(candidates, confidence=confidence)


def likely(case: Case, decided: Candidates) -> Likely:
    """Describe the candidates that have a chance anew, by what was ``decided`` first."""
    rows = np.flatnonzero(decided.confidence >= LEAST_POOLED)
    some = decided.keep(rows)
    texts = [document.text for document in case.documents]
    again = pooled_decisions(some, case.axis, texts, case.described.some(rows))
    return Likely(rows, replace(case, candidates=some, described=again))


def judged_twice(
    rescorers: Judges, poolers: Judges, case: Case, *, sureness: float = 1.0
) -> Candidates:
    """Judge candidates, and where there are poolers, those that have a chance once more.

    Then all log odds are taken times ``sureness``.
    """
    first = judged(rescorers, case)
    if not poolers or not len(first):
        return first
    rows, again = likely(case, first)
    confidence = first.confidence.copy()
    if sureness != 1:
        confidence = 1 / (1 + np.exp(-sureness * log_odds(confidence)))
    confidence[rows] = 1 / (1 + np.exp(-sureness * mean_odds(poolers, again)))
    return replace(first, confidence=confidence)


def mean_odds(poolers: Judges, again: Case) -> Floats:
    """Return the mean of the log odds that were decided first and of those of the poolers."""
    before = again.candidates.confidence
    odds: Floats = (log_odds(judged(poolers, again).confidence) + log_odds(before)) / 2
    return odds


def fitted(kind: str, deal: Deal, labels: Sequence[str], *, seed: int) -> Judges:
    """Learn a judge for each label that has candidates that are right and others that are not."""
    values = np.concatenate([each.described.values for each in deal.cases])
    is_right = np.concatenate(deal.right)
    label = np.concatenate([each.candidates.label for each in deal.cases])
    judges: dict[str, Judge] = {}
    for code, name in enumerate(labels):
        rows = label == code
        if 0 < is_right[rows].sum() < rows.sum():
            judges[name] = RESCORERS[kind].fit(values[rows], is_right[rows], seed=seed)
    return judges


def joined(deals: Sequence[Deal]) -> Deal:
    """Put the cases of several deals together; their documents are the same."""
    return Deal(
        [case for deal in deals for case in deal.cases],
        [right for deal in deals for right in deal.right],
    )


def fitted_poolers(
    kind: str, deals: Sequence[Deal], labels: Sequence[str], *, seed: int
) -> tuple[Judges, float]:
    """Learn poolers; what is decided first on a case comes from rescorers of its deal's others.

    Give also the factor by which the log odds of both together are to be taken.
    """

    def of_others(deal: Deal, own: int) -> Judges:
        return fitted(kind, deal.without(own), labels, seed=seed)

    again, odds = [], []
    for deal in deals:
        anew = [
            likely(case, judged(of_others(deal, own), case)) for own, case in enumerate(deal.cases)
        ]
        right = [is_right[each.rows] for is_right, each in zip(deal.right, anew, strict=True)]
        pooled = Deal([each.case for each in anew], right)
        again.append(pooled)
        odds += [mean_odds(of_others(pooled, own), each.case) for own, each in enumerate(anew)]
    every = joined(again)
    sureness = fitting_factor(np.concatenate(odds), np.concatenate(every.right))
    return fitted(kind, every, labels, seed=seed), sureness


def fitting_factor(odds: Floats, right: Flags) -> float:
    """Find the factor for log odds that makes what is right most likely, by Newton's method.

    >>> odds, right = np.array([3.0, 3, 3, 3, -3, -3, -3, -3]), np.array([1, 1, 1, 0, 0, 0, 0, 1])
    >>> round(fitting_factor(odds, right == 1) * 3, 3)  # the log odds of three to one are 1.099
    1.5
    """
    factor = 1.0
    for _ in range(20):
        likely = 1 / (1 + np.exp(-factor * odds))
        slope, curve = odds @ (right - likely), (odds**2) @ (likely * (1 - likely))
        if curve <= 0:
            break
        factor = float(np.clip(factor + slope / curve, LEAST_SURE, MOST_SURE))
    return factor
