"""Whom a consensus could do without: it is made again with everybody left out in turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vermeil.consensus.combining import combine
from vermeil.document import Document
from vermeil.scope import Scope
from vermeil.scoring.scores import score
from vermeil.shown import Brief

FEWEST = 4
"""Annotators without one of whom something can still be learned about the others."""

MOST_TRIED = 15
"""Annotators that are left out in turn; to try hundreds would take hours."""

MOST_DOCUMENTS = 3000
"""Documents it is tried on, the first by their ids."""

AGAIN = "consensus of the others"


@dataclass(frozen=True, slots=True, repr=False)
class WithoutOne(Brief):
    """The exact F of the consensus without an annotator, and that of all, against ``standard``.

    Without gold the standard is the consensus of all, and ``f1`` how much of it stays.
    ``n_documents`` are the documents that it was made of.
    """

    annotator: str
    f1: float
    all_f1: float
    n_documents: int


def without_each(
    documents: Sequence[Document],
    names: Sequence[str],
    *,
    gold: str | None,
    consensus: str,
    scope: Scope | None = None,
) -> list[WithoutOne]:
    """Make the consensus without each of ``names``; ``documents`` have that of all.

    Nothing where there are too few annotators, or too many. ``scope`` tells what gold is for.
    """
    if not FEWEST <= len(names) <= MOST_TRIED:
        return []
    some = documents
    if len(documents) > MOST_DOCUMENTS:
        some = [each for each in documents if gold is None or gold in each.layers][:MOST_DOCUMENTS]
    told = scope.told if scope is not None else {}
    standard = gold or consensus
    together = 1.0 if gold is None else _f1(some, standard, consensus, told)
    found = []
    for left_out in names:
        others = [name for name in names if name != left_out]
        again = combine(some, name=AGAIN, annotators=others)
        f1 = _f1(again, standard, AGAIN, told)
        found.append(WithoutOne(left_out, f1, together, len(some)))
    return sorted(found, key=lambda each: (-each.f1, each.annotator))


def _f1(
    documents: Sequence[Document], standard: str, system: str, told: Mapping[str, frozenset[str]]
) -> float:
    scope = Scope.of(documents, told)
    scores = score(documents, standard=standard, systems=[system], scope=scope, views=["exact"])
    return scores[system].counts("exact").f1
