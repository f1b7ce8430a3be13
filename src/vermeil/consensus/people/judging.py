"""What a crowd's answers come to: for every heart the chance of a name, its label and its edges."""

from dataclasses import dataclass, replace

import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.centroids import CentroidTable
from vermeil.consensus.decision import Decision
from vermeil.consensus.hearts import Verdict
from vermeil.consensus.kept.posteriors import DIGITS
from vermeil.consensus.kept.sides import Side
from vermeil.consensus.people.crowd import Crowd, Cut, Replies, chances
from vermeil.consensus.people.cuts import ProposedCuts
from vermeil.consensus.people.evidence import NOT_THERE, Testimony, ranks_of


@dataclass(frozen=True, slots=True, eq=False)
class LikelyEdges:
    """The proposed boundaries of one side: places beyond the heart, and the chance of each."""

    boundaries: ProposedCuts
    reach: Ints
    chance: Floats

    def best(self) -> tuple[Ints, Floats]:
        """Return the best boundary of each heart, of equals the innermost, and its chance."""
        first = self.boundaries.first[:-1]
        if not len(first):
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        most = np.maximum.reduceat(self.chance, first)
        found = np.flatnonzero(self.chance == most[self.boundaries.row])
        row = self.boundaries.row[found]
        innermost = found[np.concatenate(([True], row[1:] != row[:-1]))]
        return self.reach[innermost], most


@dataclass(frozen=True, slots=True, eq=False)
class JudgedHearts:
    """The hearts of a batch: ``chance[heart, label]`` of a name of the label, and its edges."""

    evidence: Testimony
    chance: Floats
    left: LikelyEdges
    right: LikelyEdges

    @property
    def label(self) -> Ints:
        """The likeliest label of each heart."""
        if not self.chance.size:  # nobody marked anything
            return np.zeros(len(self.chance), dtype=np.int64)
        likeliest: Ints = self.chance.argmax(axis=1)
        return likeliest

    def verdict(self, table: SpanTable) -> Verdict:
        """Choose for every heart its likeliest label and edges."""
        evidence, hearts = self.evidence, self.evidence.hearts
        sure = self.chance.max(axis=1, initial=0.0)
        reach_left, sure_left = self.left.best()
        reach_right, sure_right = self.right.best()
        start, end = evidence.axis.bounds(hearts.first - reach_left, hearts.end + reach_right)
        origin = table.origin[evidence.document]
        value = sure * sure_left * sure_right
        level = hearts.group // evidence.n_labels
        proposed = Decision(
            table, evidence.document, self.label, start - origin, end - origin, value, level=level
        )
        whole = proposed.whole(evidence.levels, together=evidence.n_labels == 1)
        return Verdict(self.chance.sum(axis=1), whole)

    def centroids(self, found: CentroidTable, *, posterior: bool) -> CentroidTable:
        """Put the likeliest label, and the chances of boundaries, on centroids, one a heart."""
        found = replace(found, label=self.label)
        if not posterior or not len(found):
            return found
        evidence, hearts = self.evidence, self.evidence.hearts
        origin = found.table.origin[found.document]
        sides = []
        for edges, is_left in ((self.left, True), (self.right, False)):
            row = edges.boundaries.row
            bounds = evidence.axis.bounds(
                hearts.first[row] - edges.reach * is_left,
                hearts.end[row] + edges.reach * (not is_left),
            )
            offset = bounds[0 if is_left else 1] - origin[row]
            sides.append(Side(row, offset, np.round(edges.chance, DIGITS)))
        left, right = sides
        return replace(found, left=left, right=right, pairs=found.pairs.between(left, right))


def judge(evidence: Testimony, crowd: Crowd) -> JudgedHearts:
    """Judge every heart of a batch; ``crowd`` has its annotators and labels, in their order."""
    replies = Replies.of(evidence.first, evidence.annotator, evidence.label)
    chance = chances(replies.log_odds(crowd))
    temper = (replies.temper(crowd) * _shares(chance)).sum(axis=1)
    left = _edges(evidence, replies, evidence.left, crowd.left, temper)
    right = _edges(evidence, replies, evidence.right, crowd.right, temper)
    return JudgedHearts(evidence, chance, left, right)


def _shares(chance: Floats) -> Floats:
    """Share each heart out among its labels."""
    total = chance.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(chance, total, out=np.zeros_like(chance), where=total > 0)
    return shares


def _edges(
    evidence: Testimony, replies: Replies, reach: Ints, share: Cut, temper: Floats
) -> LikelyEdges:
    ranks = ranks_of(evidence, reach)
    boundaries = ProposedCuts.of(replies, ranks)
    given = np.flatnonzero(ranks != NOT_THERE)
    # A heart in no name has its own edge for boundary.
    places = np.zeros(len(boundaries.row), dtype=np.int64)
    places[boundaries.first[replies.row[given]] + ranks[given]] = reach[given]
    return LikelyEdges(boundaries, places, boundaries.chances(share, temper))
