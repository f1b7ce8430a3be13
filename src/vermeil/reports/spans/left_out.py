"""Each left out in turn: whom a consensus could do without, and each against the others.

Both are asked of the same silver, made of votes alone (``scoring.silver``), without each once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from vermeil.consensus.stage import Learned
from vermeil.document import ALTERNATIVES, Document
from vermeil.scope import Scope
from vermeil.scoring.agreement.left_out import FEW
from vermeil.scoring.arranged import only_layers
from vermeil.scoring.scores import score
from vermeil.scoring.silver import (
    SILVER,
    Comparison,
    against_others,
    by_view,
    compare_standards,
    compared,
    each_out,
    with_silver,
)
from vermeil.shown import Brief

FEWEST = 4
"""Annotators without one of whom something can still be learned about the others."""

MOST_TRIED = 15
"""Annotators that are left out in turn; to try hundreds would take hours."""

MOST_DOCUMENTS = 3000
"""Documents it is tried on where nothing else asks for all, the first by their ids."""

ALL, OTHERS = "consensus of all", "consensus of the others"


@dataclass(frozen=True, slots=True, repr=False)
class WithoutOne(Brief):
    """The exact F of the consensus without an annotator, and that of all, against ``standard``.

    Without gold the standard is the consensus of all, and ``f1`` how much of it stays.
    ``n_documents`` are the documents that it was made of. No texts were read for either.
    """

    annotator: str
    f1: float
    all_f1: float
    n_documents: int


class WithoutEach(NamedTuple):
    """Annotators against silver and gold, and what silver is without each, the least needed first.

    The first is None where it was not asked for, the second empty where there are too few
    annotators, or too many.
    """

    comparison: Comparison | None
    without: Sequence[WithoutOne]


def leave_out(
    documents: Sequence[Document],
    names: Sequence[str],
    *,
    gold: str | None,
    told: Mapping[str, frozenset[str]],
    compares: bool,
    known: Learned | None = None,
) -> WithoutEach:
    """Leave each of ``names`` out; ``told`` is what they are said to look for.

    What was learned of more than a few is ``known``, and not learned again.
    """
    judge = by_view("centroid", told)
    is_tried = FEWEST <= len(names) <= MOST_TRIED
    shares = compares and len(names) <= FEW
    comparison = None
    if compares and not shares:
        comparison = compare_standards(
            documents, gold=gold, systems=names, scorer=judge, known=known
        )
    if not (shares or is_tried):
        return WithoutEach(comparison, [])
    some = documents if shares else _some(documents, gold)
    silver = with_silver(some, names, names)
    trial = _Trial.of(some, silver, gold, told)
    against, without = {}, []
    for name, rest in each_out(names):
        judged = with_silver(some, rest, [name])
        if shares:
            against[name] = against_others(judged, name, judge)
        if is_tried:
            without.append(trial.without(name, judged))
    if shares:
        golden = judge(documents, gold, names) if gold is not None else {}
        comparison = compared(names, judge(silver, SILVER, names), against, golden)
    without.sort(key=lambda each: (-each.f1, each.annotator))
    return WithoutEach(comparison, without)


def _some(documents: Sequence[Document], gold: str | None) -> Sequence[Document]:
    if len(documents) <= MOST_DOCUMENTS:
        return documents
    return [each for each in documents if gold is None or gold in each.layers][:MOST_DOCUMENTS]


@dataclass(frozen=True, slots=True, eq=False)
class _Trial:
    """What silver without each is scored against: gold, or else the silver of all."""

    documents: Sequence[Document]
    standard: str
    told: Mapping[str, frozenset[str]]
    all_f1: float = 1.0

    @staticmethod
    def of(
        documents: Sequence[Document],
        silver: Sequence[Document],
        gold: str | None,
        told: Mapping[str, frozenset[str]],
    ) -> "_Trial":
        """Prepare to score against gold, or against ``silver`` of all."""
        standard = gold or ALL
        own = {standard, standard + ALTERNATIVES}
        if gold is None:
            documents = _beside(documents, silver, ALL)
        trial = _Trial([only_layers(each, own) for each in documents], standard, told)
        return trial if gold is None else replace(trial, all_f1=trial.f1(silver))

    def without(self, annotator: str, silver: Sequence[Document]) -> WithoutOne:
        """Score the silver of the others."""
        return WithoutOne(annotator, self.f1(silver), self.all_f1, len(self.documents))

    def f1(self, silver: Sequence[Document]) -> float:
        """Score silver by exact matches; where there is none, it found nothing."""
        judged = _beside(self.documents, silver, OTHERS)
        scope = Scope.of(judged, self.told)
        scores = score(
            judged, standard=self.standard, systems=[OTHERS], scope=scope, views=["exact"]
        )
        return scores[OTHERS].counts("exact").f1


def _beside(documents: Sequence[Document], silver: Sequence[Document], name: str) -> list[Document]:
    """Put the layers of silver beside those of other documents, under some name."""
    made = {each.id: each.layers[SILVER] for each in silver}
    return [each.with_layer(name, made.get(each.id, ())) for each in documents]
