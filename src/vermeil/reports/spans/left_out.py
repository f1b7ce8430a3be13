"""Whom a consensus could do without: it is made again with everybody left out in turn."""

from collections.abc import Sequence
from dataclasses import dataclass

from vermeil.consensus.combining import combine
from vermeil.document import Document, Layer
from vermeil.shown import Brief

FEWEST = 4
"""Annotators without one of whom something can still be learned about the others."""

MOST_TRIED = 15
"""Annotators that are left out in turn; to try hundreds would take hours."""

MOST_DOCUMENTS = 3000
"""Documents it is tried on, the first by their ids."""

_Extents = frozenset[tuple[int, int, str, tuple[tuple[int, int], ...]]]


@dataclass(frozen=True, slots=True, repr=False)
class WithoutOne(Brief):
    """The exact F of the consensus without an annotator, and that of all, against ``standard``.

    Without gold the standard is the consensus of all, and ``f1`` how much of it stays.
    """

    annotator: str
    f1: float
    all_f1: float


def without_each(
    documents: Sequence[Document], names: Sequence[str], *, gold: str | None, consensus: str
) -> list[WithoutOne]:
    """Make the consensus without each of ``names``; ``documents`` have that of all.

    Nothing where there are too few annotators, or too many.
    """
    if not FEWEST <= len(names) <= MOST_TRIED:
        return []
    some = [each for each in documents if gold is None or gold in each.layers][:MOST_DOCUMENTS]
    wanted = [_extents(each.layers[gold or consensus]) for each in some]
    together = _f1([_extents(each.layers[consensus]) for each in some], wanted)
    found = []
    for left_out in names:
        others = [name for name in names if name != left_out]
        again = combine(some, name=consensus, annotators=others)
        said = [_extents(each.layers[consensus]) for each in again]
        found.append(WithoutOne(left_out, _f1(said, wanted), together))
    return sorted(found, key=lambda each: (-each.f1, each.annotator))


def _extents(layer: Layer) -> _Extents:
    return frozenset((span.start, span.end, span.label, span.fragments) for span in layer)


def _f1(said: Sequence[_Extents], wanted: Sequence[_Extents]) -> float:
    right = sum(len(a & b) for a, b in zip(said, wanted, strict=True))
    total = sum(map(len, said)) + sum(map(len, wanted))
    return 2 * right / total if total else float("nan")
