"""Where names are cut: the boundaries that are proposed, and how each annotator tends to cut."""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Floats, Ints, ranges
from vermeil.consensus.people.crowd import Cut, Replies
from vermeil.consensus.people.known import NOT_THERE

USUAL = (2.0, 1.0, 1.0)
"""Exact, wider and narrower cuts that the crowd's own lean on."""

N_ROUNDS, TOLERANCE = 50, 1e-6

START = 1.5
"""At first a boundary is so much likelier, on a logarithmic scale, for each vote."""


@dataclass(frozen=True, slots=True, eq=False)
class ProposedCuts:
    """The boundaries proposed on one side of each row, and how each proposal stands to them.

    Candidate c is boundary ``rank[c]`` of ``row[c]``; rows without any have one, of rank 0. Pairs
    of a proposal and a candidate of its row: ``annotator``, ``candidate``, whether the proposal is
    exact, wider or narrower (``how``), and ``spread``, the log of the places it might have been.
    ``known`` are candidates that are surely the true boundary.
    """

    first: Ints
    row: Ints
    rank: Ints
    annotator: Ints
    candidate: Ints
    how: Ints
    spread: Floats
    known: Ints

    @staticmethod
    def of(replies: Replies, ranks: Ints, true: Ints) -> "ProposedCuts":
        """List candidates and pairs; ``ranks`` has one for each entry, ``true`` for each row.

        Where the true boundary is not known, its rank is NOT_THERE.
        """
        given = np.flatnonzero(ranks != NOT_THERE)
        farthest = np.maximum(true, 0)
        np.maximum.at(farthest, replies.row[given], ranks[given])
        size = farthest + 1
        first = np.concatenate(([0], np.cumsum(size)))
        row = np.repeat(np.arange(replies.n_rows), size)
        rank = np.arange(first[-1]) - first[row]
        own = replies.row[given]
        entry, candidate = ranges(first[own], first[own] + size[own])
        proposed, wanted = ranks[given][entry], rank[candidate]
        is_exact, is_wider = proposed == wanted, proposed > wanted
        how = np.where(is_exact, 0, np.where(is_wider, 1, 2))
        places = np.where(is_wider, farthest[own][entry] - wanted, wanted)
        places[is_exact] = 1
        return ProposedCuts(
            first,
            row,
            rank,
            annotator=replies.annotator[given][entry],
            candidate=candidate,
            how=how,
            spread=np.log(np.arange(1, len(rank) + 1))[places - 1],
            known=(first[:-1] + true)[true != NOT_THERE],
        )

    def fitted(self, weight: Floats, peers: Ints, voice: Floats, *, lean: float) -> Cut:
        """Fit the shares of each annotator over rows that count ``weight`` each.

        ``peers`` says in which group each annotator is, who leans on the group by ``lean`` cuts,
        ``voice`` how much each counts.
        """
        n_annotators = len(peers)
        agrees = self.how == 0
        exact = np.bincount(
            self.candidate[agrees], voice[self.annotator[agrees]], minlength=len(self.row)
        )
        chance = self._as_known(self._normalised(START * exact.astype(np.float64)))
        usual = np.array(USUAL)[:, None]
        share = np.zeros((3, n_annotators))
        key = self.how * n_annotators + self.annotator
        for _ in range(N_ROUNDS):
            value = (chance * weight[self.row])[self.candidate]
            total = np.bincount(key, value, 3 * n_annotators).reshape(3, n_annotators)
            crowd = np.stack([np.bincount(peers, each * voice) for each in total]) + usual
            total = total + lean * (crowd / crowd.sum(axis=0))[:, peers]
            before, share = share, total / total.sum(axis=0)
            if np.abs(share - before).max(initial=0) <= TOLERANCE:
                break
            chance = self.chances(share, voice, np.ones(len(weight)))
        return share

    def chances(
        self, share: Cut, voice: Floats, temper: Floats, prior: Floats | None = None
    ) -> Floats:
        """Return the chance of each candidate to be the true boundary; those of a row sum to 1.

        ``prior`` are log scores of candidates before anybody has spoken.
        """
        fit = np.log(share)[self.how, self.annotator] - self.spread
        fit *= voice[self.annotator]
        total = np.bincount(self.candidate, fit, len(self.row))
        tempered = total * temper[self.row]
        return self._as_known(self._normalised(tempered if prior is None else tempered + prior))

    def _as_known(self, chance: Floats) -> Floats:
        """Leave no doubt where the true boundary is known."""
        if not len(self.known):
            return chance
        rows = self.row[self.known]
        settled = np.zeros(len(self.first) - 1, dtype=bool)
        settled[rows] = True
        chance = np.where(settled[self.row], 0.0, chance)
        chance[self.known] = 1.0
        return chance

    def _normalised(self, values: Floats) -> Floats:
        if not len(values):
            return np.zeros(0)
        powers = np.exp(values - np.maximum.reduceat(values, self.first[:-1])[self.row])
        shares: Floats = powers / np.add.reduceat(powers, self.first[:-1])[self.row]
        return shares


def even_cuts(n_annotators: int) -> Cut:
    """Say of annotators what is usual."""
    return np.repeat((np.array(USUAL) / sum(USUAL))[:, None], n_annotators, axis=1)
