"""How far to trust a combined tree, sentence by sentence and word by word.

Clegg and Shepherd, section 7: how close a chosen tree is to the others, scaled by size, goes with
how good it is. ``vermeil.consensus.trees`` measures that for each sentence as the ``trust`` of a
TreeDecision; here are the agreement for each word, whose low stretches are the regions to look at,
and the correlation of trust with true scores where there is a standard.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Floats
from vermeil.columns.lineages import Lineages, leaf_ancestor
from vermeil.columns.tree_table import TreeTable


@dataclass(frozen=True, slots=True)
class DoubtfulRegion:
    """A stretch of words of one sentence, from ``start`` up to ``end``, and its mean agreement."""

    sentence: int
    start: int
    end: int
    agreement: float


def word_agreement(combined: TreeTable, members: Sequence[TreeTable]) -> Floats:
    """For each word of the combined trees, its mean leaf-ancestor score over members that parsed.

    NaN where no member did.
    """
    own = Lineages.of(combined)
    total, n = np.zeros(len(combined.word)), np.zeros(len(combined.word))
    for member in members:
        has_both = np.repeat(~member.failed & ~combined.failed, combined.n_words)
        total += leaf_ancestor(own, Lineages.of(member))
        n += has_both
    mean: Floats = np.divide(total, n, out=np.full(len(n), np.nan), where=n > 0)
    return mean


def doubtful_regions(
    agreement: Floats, table: TreeTable, *, below: float, first: int = 1
) -> Iterator[DoubtfulRegion]:
    """Yield the longest stretches of words that agree less than ``below``, in order."""
    is_low = agreement < below
    for number in range(len(table)):
        begin, end = table.first_word[number : number + 2].tolist()
        low = np.concatenate(([False], is_low[begin:end], [False])).astype(np.int8)
        edges = np.flatnonzero(np.diff(low)).tolist()
        for start, stop in zip(edges[::2], edges[1::2], strict=True):
            mean = float(agreement[begin + start : begin + stop].mean())
            yield DoubtfulRegion(first + number, start, stop, mean)


def correlation(trust: Floats, truth: Floats) -> float:
    """Compute Pearson's r over the sentences that have both; NaN where one does not vary.

    >>> correlation(np.array([0.1, 0.5, 0.9, np.nan]), np.array([0.2, 0.6, 1.0, 0.5]))
    1.0
    """
    known = ~np.isnan(trust) & ~np.isnan(truth)
    a, b = trust[known], truth[known]
    if len(a) < 2 or not np.ptp(a) or not np.ptp(b):
        return float("nan")
    return round(float(np.corrcoef(a, b)[0, 1]), 12)
