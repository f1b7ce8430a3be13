"""What a crowd's answers come to: for every heart the chance of a name, its label and its edges.

Names are decided by what the model makes of the answers. How sure it then is to be said is another
matter: annotators share what they were taught and what is hard to see, so that even where they
agree they are wrong together more often than a model says to which they err each alone. No left-out
annotator shows it, for that one shares it, too. So said is the model's chance with its log-odds
scaled down, by SURE_OF_NAMES and SURE_OF_EDGES. How sure annotators say they are helps to decide,
but they are sure of the same things: it can make what is said less sure, and never surer.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.columns.axis import extents
from vermeil.columns.levels import Levels
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.centroids import CentroidTable
from vermeil.consensus.decision import Decision, without_overlaps
from vermeil.consensus.hearts import Verdict
from vermeil.consensus.kept.posteriors import DIGITS
from vermeil.consensus.kept.sides import Side
from vermeil.consensus.people.crowd import Crowd, Replies, chances
from vermeil.consensus.people.cuts import ProposedCuts
from vermeil.consensus.people.evidence import Testimony, ranks_of
from vermeil.consensus.people.known import NOT_THERE, without_settled
from vermeil.consensus.reading.text_model import TextPrior

SURE_OF_NAMES, SURE_OF_EDGES = 0.3, 0.3
"""How much of the log-odds is left. Where there is gold, the slopes of what is right on what the
model says are .28 to .57 for names and .25 to .6 for edges, on two crowds and thirty sets of
taggers, whatever the number of annotators. Those who really err each alone are wronged a little."""


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

    def sober(self, sureness: float) -> Floats:
        """Return how sure to be of the best boundary of each heart."""
        first = self.boundaries.first[:-1]
        if not len(first):
            return np.zeros(0)
        powers = self.chance**sureness
        said: Floats = np.maximum.reduceat(powers, first) / np.add.reduceat(powers, first)
        return said


@dataclass(frozen=True, slots=True, eq=False)
class JudgedHearts:
    """The hearts of a batch: ``chance[heart, label]`` of a name of the label, and its edges.

    ``prior`` is what texts said beforehand, if they are read; ``by_votes`` the chance of each heart
    to be a name if nobody had said how sure they are, where anybody has.
    """

    evidence: Testimony
    chance: Floats
    left: LikelyEdges
    right: LikelyEdges
    is_learned: bool
    prior: TextPrior | None = None
    by_votes: Floats | None = None

    @property
    def label(self) -> Ints:
        """The likeliest label of each heart."""
        if not self.chance.size:  # nobody marked anything
            return np.zeros(len(self.chance), dtype=np.int64)
        likeliest: Ints = self.chance.argmax(axis=1)
        return likeliest

    @property
    def sure_of_edges(self) -> float:
        """How much is left of the log-odds of edges; all, where votes count the same."""
        return SURE_OF_EDGES if self.is_learned else 1.0

    @property
    def there(self) -> Floats:
        """The chance of each heart to be a name, whatever it is called."""
        # Chances of many labels may add up to a hair more than 1.
        there: Floats = np.minimum(self.chance.sum(axis=1), 1.0)
        return there

    @property
    def existence(self) -> Floats:
        """The same, as surely as it is right; what is likelier than not stays so."""
        there = self.there
        if self.by_votes is not None:
            held_back = np.maximum(np.minimum(there, self.by_votes), 0.5)
            there = np.where(there > 0.5, held_back, there)
        return sober(there, SURE_OF_NAMES if self.is_learned else 1.0)

    def verdict(self, table: SpanTable) -> Verdict:
        """Choose for every heart its likeliest label and edges."""
        evidence, hearts = self.evidence, self.evidence.hearts
        best = self.chance.max(axis=1, initial=0.0)
        reach_left, best_left = self.left.best()
        reach_right, best_right = self.right.best()
        start, end = evidence.axis.bounds(hearts.first - reach_left, hearts.end + reach_right)
        origin = table.origin[evidence.document]
        of_edges = self.sure_of_edges
        there, existence = self.there, self.existence
        named = np.divide(best, there, out=np.zeros_like(best), where=there > 0)
        proposed = Decision(
            table,
            evidence.document,
            self.label,
            start - origin,
            end - origin,
            existence * named * self.left.sober(of_edges) * self.right.sober(of_edges),
            level=hearts.group // evidence.n_labels,
            worth=best * best_left * best_right,
        )
        whole = proposed.whole(evidence.levels, together=evidence.n_labels == 1)
        return Verdict(existence, whole)

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


def judge(
    evidence: Testimony,
    crowd: Crowd,
    *,
    settled: int | None = None,
    prior: TextPrior | None = None,
) -> JudgedHearts:
    """Judge every heart of a batch; ``crowd`` has its annotators and labels, in their order.

    ``settled`` is the number, among the annotators of the batch, of one who is not of the crowd:
    what that one says is known. ``prior`` is what the text says before anybody has spoken.
    """
    ranks = tuple(ranks_of(evidence, reach) for reach in (evidence.left, evidence.right))
    voted = without_settled(
        settled,
        evidence.first,
        evidence.annotator,
        label=evidence.label,
        left=ranks[0],
        right=ranks[1],
    )
    kept = voted.kept
    replies = Replies.of(voted.first, voted.annotator, evidence.label[kept], evidence.step[kept])
    chance = voted.known.put_into(chances(replies.log_odds(crowd, prior)))
    by_votes = None
    if crowd.sure.any():
        unsaid = replace(crowd, sure=np.zeros_like(crowd.sure))
        by_votes = voted.known.put_into(chances(replies.log_odds(unsaid, prior))).sum(axis=1)
    temper = (replies.temper(crowd) * shares(chance)).sum(axis=1)
    sides = (
        (evidence.left, ranks[0], voted.known.left, crowd.left, prior.left if prior else None),
        (evidence.right, ranks[1], voted.known.right, crowd.right, prior.right if prior else None),
    )
    edges: list[LikelyEdges] = []
    for reach, rank, true, share, said in sides:
        cuts = ProposedCuts.of(replies, rank[voted.kept], true)
        given = np.flatnonzero(rank != NOT_THERE)
        # A heart in no name has its own edge for boundary.
        places = np.zeros(len(cuts.row), dtype=np.int64)
        places[cuts.first[evidence.heart[given]] + rank[given]] = reach[given]
        edges.append(LikelyEdges(cuts, places, cuts.chances(share, crowd.voice, temper, said)))
    left, right = edges
    return JudgedHearts(
        evidence, chance, left, right, crowd.is_learned, prior=prior, by_votes=by_votes
    )


def sober(chance: Floats, sureness: float) -> Floats:
    """Scale the log-odds of chances.

    >>> sober(np.array([0.0, 0.5, 0.9, 1.0]), 0.5).round(2).tolist()
    [0.0, 0.5, 0.75, 1.0]
    """
    there, gone = np.minimum(chance, 1.0) ** sureness, np.maximum(1 - chance, 0.0) ** sureness
    said: Floats = there / (there + gone)
    return said


def shares(chance: Floats) -> Floats:
    """Share each heart out among its labels."""
    total = chance.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(chance, total, out=np.zeros_like(chance), where=total > 0)
    return shares


def with_settled_names(
    decision: Decision, table: SpanTable, settled: int | None, levels: Levels | None
) -> Decision:
    """See that every name of the annotator who settles is decided as it is, pieces and all.

    Nearly all are, for their hearts are known; but a name can lie so that no heart is in it.
    """
    if settled is None:
        return decision
    row, start, end = extents(table)
    own = np.flatnonzero(table.annotator[row] == settled)
    names = row[own]
    pieces = np.empty(len(names), dtype=object)
    pieces[:] = [levels.pieces.get(name, ()) if levels else () for name in names.tolist()]
    origin = table.origin[table.document[names]]
    wanted = Decision(
        table,
        table.document[names].astype(np.int64),
        table.label[names].astype(np.int64),
        start[own] - origin,
        end[own] - origin,
        np.ones(len(names)),
        level=levels.level[names] if levels else None,
        pieces=pieces,
        worth=np.full(len(names), np.inf),
    )
    there = set(_names(decision))
    missing = np.array([name not in there for name in _names(wanted)], dtype=bool)
    if not missing.any():
        return decision
    return without_overlaps(decision.beside(wanted.keep(missing)))


def _names(decision: Decision) -> Iterator[tuple[Any, ...]]:
    columns = (decision.document, decision.label, decision.start, decision.end)
    return zip(*(column.tolist() for column in columns), decision.gaps(), strict=True)
