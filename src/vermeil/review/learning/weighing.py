"""Which choice is right at each place: the consensus, corrected by what was settled elsewhere.

A choice scores the sum over its candidates of the log-odds that the consensus gives them and of the
weights of their features; the chances of the choices of a place are proportional to the powers of
their scores. Weights make what was settled most likely, less a penalty that draws them to nothing,
so that without decisions the consensus stands as it is. It is a log-linear model like that of
Lafferty, McCallum and Pereira 2001, over sets of spans instead of tags. The *gain* of deciding a
place is the number of errors that are expected there: wrong names, and names that are missed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.optimize import minimize

from vermeil.arrays import Floats, Ints
from vermeil.review.learning.described import N_COLUMNS, Descriptions
from vermeil.review.learning.places import EVEN, MarkedPlace

PENALTY = 8.0
"""Draws weights to nothing. Between 2 and 10 the curves of the taggers differ by .002; at 2 one
decision against a unanimous consensus would overturn it wherever names look the same."""

CAUTION = 0.7
"""The log-odds of the consensus count so much: it is surer than it is right."""

LEAST, MOST = 0.01, 0.99
"""Chances are taken to lie between these."""

N_ROUNDS = 60


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceTable:
    """The choices of many places as arrays: place p has the choices ``first[p]`` to ``first[p+1]``.

    ``members[c, k]`` tells whether choice c holds candidate k; ``features`` has a row a candidate,
    ``prior`` what the consensus says of it.
    """

    first: Ints
    members: sp.csr_matrix
    features: sp.csr_matrix
    prior: Floats

    @staticmethod
    def of(
        places: Sequence[MarkedPlace], described: Sequence[Descriptions], chance: Floats
    ) -> "ChoiceTable":
        """Lay out places; ``described`` and ``chance`` have their candidates in the same order."""
        n_candidates = [len(place.candidates) for place in places]
        base = np.concatenate(([0], np.cumsum(n_candidates, dtype=np.int64)))
        sizes = [len(choice) for place in places for choice in place.choices]
        held = [
            number + int(start)
            for place, start in zip(places, base, strict=False)
            for choice in place.choices
            for number in choice
        ]
        pointers = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
        members = sp.csr_matrix(
            (np.ones(len(held)), np.array(held, dtype=np.int64), pointers),
            shape=(len(sizes), int(base[-1])),
        )
        first = np.concatenate(([0], np.cumsum([len(place.choices) for place in places]))).astype(
            np.int64
        )
        return ChoiceTable(first, members, _matrix(described, chance), prior_of(chance))

    def chances(self, weights: Floats) -> Floats:
        """Return the chance of every choice to be the right one; those of a place sum to 1."""
        if not len(self.place):
            return np.zeros(0)
        score = self.members @ (self.features @ weights + self.prior)
        powers = np.exp(score - np.maximum.reduceat(score, self.first[:-1])[self.place])
        shares: Floats = powers / np.add.reduceat(powers, self.first[:-1])[self.place]
        return shares

    def best(self, chances: Floats) -> Ints:
        """Return the likeliest choice of each place, of equals the first."""
        if not len(self.place):
            return np.zeros(0, dtype=np.int64)
        most = np.maximum.reduceat(chances, self.first[:-1])
        found = np.flatnonzero(chances == most[self.place])
        return found[np.searchsorted(self.place[found], np.arange(len(self.first) - 1))]

    def gains(self, chances: Floats, best: Ints) -> Floats:
        """Return the number of errors expected in the best choice of each place."""
        if not len(self.place):
            return np.zeros(0)
        marginal = self.members.T @ chances
        size = np.diff(self.members.indptr).astype(np.float64)
        n_names = np.add.reduceat(chances * size, self.first[:-1])
        gains: Floats = size[best] + n_names - 2 * (self.members[best] @ marginal)
        return np.maximum(gains, 0.0)

    @property
    def place(self) -> Ints:
        """The place of each choice."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))


def fit(table: ChoiceTable, places: Ints, right: Ints) -> Floats:
    """Learn weights from places, rising, of which the ``right`` choices are known."""
    weights = np.zeros(table.features.shape[1])
    if not len(places):
        return weights
    chosen = np.isin(table.place, places)
    members = table.members[chosen]
    candidates = np.unique(members.indices)
    if not len(candidates):
        return weights
    members, rows = members[:, candidates], table.features[candidates]
    columns = np.unique(rows.indices)
    rows, prior = rows[:, columns], table.prior[candidates]
    size = np.diff(table.first)[places]
    first = np.cumsum(size) - size
    true = first + right - table.first[places]
    place = np.repeat(np.arange(len(places)), size)
    back, down = members.T.tocsr(), rows.T.tocsr()

    def loss(values: Floats) -> tuple[float, Floats]:
        score = members @ (rows @ values + prior)
        most = np.maximum.reduceat(score, first)
        powers = np.exp(score - most[place])
        total = np.add.reduceat(powers, first)
        surprise = float((most + np.log(total) - score[true]).sum())
        error = powers / total[place]
        error[true] -= 1
        slope: Floats = down @ (back @ error) + PENALTY * values
        return surprise + PENALTY / 2 * float(values @ values), slope

    begin = np.zeros(len(columns))
    options = {"maxiter": N_ROUNDS, "ftol": 1e-6}
    weights[columns] = minimize(loss, begin, jac=True, method="L-BFGS-B", options=options).x
    return weights


def prior_of(chance: Floats) -> Floats:
    """Say how much the consensus speaks for candidates; an even chance is one of EVEN."""
    prior: Floats = CAUTION * (log_odds(chance) - log_odds(np.array(EVEN)))
    return prior


def log_odds(chance: Floats) -> Floats:
    """Return the log-odds of chances, kept from the extremes."""
    kept = np.clip(chance, LEAST, MOST)
    odds: Floats = np.log(kept / (1 - kept))
    return odds


def _matrix(described: Sequence[Descriptions], chance: Floats) -> sp.csr_matrix:
    """Put descriptions together, with what the consensus says for one more column."""
    starts = np.cumsum([0, *(len(each.column) for each in described)])
    pointers = [each.first[1:] + start for each, start in zip(described, starts, strict=False)]
    first = np.concatenate([np.zeros(1, dtype=np.int64), *pointers])
    columns = np.concatenate([np.zeros(0, dtype=np.int64), *(each.column for each in described)])
    values = np.concatenate([np.zeros(0), *(each.value for each in described)])
    known = sp.csr_matrix((values, columns, first), shape=(len(first) - 1, N_COLUMNS))
    return sp.hstack([known, sp.csr_matrix(log_odds(chance)[:, None] / 3)], format="csr")
