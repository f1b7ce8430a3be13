"""How far to trust each annotator, learned from their agreement alone.

Whether a name is there and where it begins and ends are separate questions. For the first, each
heart is truly a name or not; annotator j votes for a true one with probability ``hit[j]`` and for a
false one with ``alarm[j]`` (two coins each, as Dawid and Skene 1979 with two classes). For the
second, each side of a true name has one true boundary among those proposed; annotator j proposes
it, a wider or a narrower one with probability ``cut[:, j]``. Both are fitted by EM over distinct
patterns of evidence, and annotators that did not look take no part.

Annotators make errors together, so the evidence of twelve is not twelve times that of one. A
temperature scales it down: the one under which the votes of each annotator are best predicted
from those of the others. No gold is needed for that either.

With fewer than three annotators nothing can be learned; each vote then counts the same.

Learning looks at all patterns at once and multiplies matrices; what is said of hearts must not
depend on what else is in their batch, and is ``summed_in_order``.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Floats
from vermeil.consensus.evidence import NOT_THERE, Evidence, ranked
from vermeil.consensus.tally import distinct as distinct

N_EMPTY = 2.0
"""Places without any vote, for each heart. Without them, false would come to mean one vote."""

TEMPERATURES = (0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
TOLERANCE = 1e-7
LEARNABLE = 3
"""Annotators from which on something can be learned about each."""

Product: TypeAlias = Callable[[Floats, Floats], Floats]
"""Of a matrix and a vector."""


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """Distinct rows of evidence with their counts. Add two to pool them.

    ``existence`` holds who voted beside who looked; ``left`` and ``right`` the rank of each
    annotator's boundary, beside who looked.
    """

    annotators: tuple[str, ...]
    existence: "Rows"
    left: "Rows"
    right: "Rows"

    @staticmethod
    def of(evidence: Evidence, annotators: tuple[str, ...]) -> "Patterns":
        """Count the rows of a batch."""
        looked = evidence.looked.astype(np.int8)
        kinds = (evidence.voted.astype(np.int8), ranked(evidence.left), ranked(evidence.right))
        rows = (Rows(kind, looked, np.ones(len(kind))).summed() for kind in kinds)
        return Patterns(annotators, *rows)

    def __add__(self, other: "Patterns") -> "Patterns":
        names = tuple(sorted({*self.annotators, *other.annotators}))
        mine, theirs = self._placed(names), other._placed(names)
        return Patterns(
            names,
            mine.existence.beside(theirs.existence).summed(),
            mine.left.beside(theirs.left).summed(),
            mine.right.beside(theirs.right).summed(),
        )

    def _placed(self, names: tuple[str, ...]) -> "Patterns":
        """Move each annotator to its column among ``names``; the others did not look."""
        if names == self.annotators:
            return self
        column = [names.index(name) for name in self.annotators]
        return Patterns(
            names,
            self.existence.placed(column, len(names), 0),
            self.left.placed(column, len(names), NOT_THERE),
            self.right.placed(column, len(names), NOT_THERE),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows of what annotators said and who of them looked, each with a count."""

    said: NDArray[np.int8]
    looked: NDArray[np.int8]
    count: Floats

    def summed(self) -> "Rows":
        """Add up equal rows. They come in lexical order, so no order of the input matters."""
        n = self.said.shape[1]
        rows, place = distinct(np.hstack((self.said, self.looked)))
        count = np.bincount(place, weights=self.count, minlength=len(rows)).astype(np.float64)
        return Rows(rows[:, :n], rows[:, n:], count)

    def beside(self, other: "Rows") -> "Rows":
        """Put the rows of two together."""
        return Rows(
            np.concatenate((self.said, other.said)),
            np.concatenate((self.looked, other.looked)),
            np.concatenate((self.count, other.count)),
        )

    def placed(self, column: list[int], n_columns: int, silence: int) -> "Rows":
        """Move columns, filling the others with ``silence``."""
        said = np.full((len(self.said), n_columns), silence, dtype=np.int8)
        looked = np.zeros_like(said)
        said[:, column], looked[:, column] = self.said, self.looked
        return Rows(said, looked, self.count)


@dataclass(frozen=True, slots=True, eq=False)
class Existence:
    """The two coins of each annotator, the share of true hearts, and the temperature."""

    hit: Floats
    alarm: Floats
    prior: float
    temperature: float

    def logit(self, voted: Floats, looked: Floats) -> Floats:
        """Return the log-odds that hearts with these votes are names."""
        return self.log_odds(voted, looked - voted, summed_in_order)

    def log_odds(self, voted: Floats, silent: Floats, product: Product = np.matmul) -> Floats:
        """Return the same from who voted and who looked and did not."""
        yes, no = self.support
        gain = product(voted, yes) + product(silent, no)
        return gain * self.temperature + float(np.log(self.prior / (1 - self.prior)))

    @property
    def support(self) -> tuple[Floats, Floats]:
        """What a vote, and its absence, add to the log-odds before tempering."""
        return np.log(self.hit / self.alarm), np.log((1 - self.hit) / (1 - self.alarm))


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """How each annotator cuts one side: shares of exact, wider and narrower, by annotator."""

    share: Floats
    temperature: float

    def posterior(self, ranks: NDArray[np.int8]) -> Floats:
        """Return the probability of each proposed boundary, by its rank; rows sum to 1."""
        return _softmax(_Candidates(ranks).fit_of(self.share, summed_in_order) * self.temperature)


@dataclass(frozen=True, slots=True, eq=False)
class Reliability:
    """What was learned about the annotators."""

    annotators: tuple[str, ...]
    existence: Existence
    left: Cuts
    right: Cuts

    def among(self, annotators: tuple[str, ...]) -> "Reliability":
        """Return what was learned about these annotators, in this order."""
        column = [self.annotators.index(name) for name in annotators]
        coins = self.existence
        return Reliability(
            annotators,
            replace(coins, hit=coins.hit[column], alarm=coins.alarm[column]),
            replace(self.left, share=self.left.share[:, column]),
            replace(self.right, share=self.right.share[:, column]),
        )


def learn(patterns: Patterns) -> Reliability:
    """Learn how far to trust each annotator."""
    existence = fit_existence(patterns.existence)
    sides = []
    for rows in (patterns.left, patterns.right):
        voted = (rows.said != NOT_THERE).astype(float)
        true = sigmoid(existence.log_odds(voted, rows.looked - voted))
        sides.append(fit_cuts(rows.said, true * rows.count, existence.temperature))
    return Reliability(patterns.annotators, existence, *sides)


def fit_existence(rows: Rows) -> Existence:
    """Fit the coins at each temperature and keep the one that predicts left-out votes best."""
    n_annotators = rows.said.shape[1]
    if n_annotators < LEARNABLE or not len(rows.count):
        return _equal_coins(n_annotators)
    views = Rows(np.zeros_like(rows.looked), rows.looked, N_EMPTY * rows.count).summed()
    both = rows.beside(views)
    votes, looks, count = both.said.astype(float), both.looked.astype(float), both.count
    fits = [_fit_coins(votes, looks, count, temperature) for temperature in TEMPERATURES]
    predictions = [_left_out_likelihood(fit, votes, looks, count) for fit in fits]
    return fits[int(np.argmax(predictions))]


def fit_cuts(
    ranks: NDArray[np.int8], weight: Floats, temperature: float = 1.0, *, n_rounds: int = 50
) -> Cuts:
    """Fit how each annotator cuts, over rows of ranks that count ``weight`` each.

    The temperature only tells how sure to be of the result; the fit itself is not tempered.
    """
    candidates = _Candidates(ranks)
    posterior = _softmax(np.where(candidates.valid, 1.5 * candidates.exact.sum(axis=2), -np.inf))
    share = np.zeros((3, ranks.shape[1]))
    for _ in range(n_rounds):
        before = share
        weighted = posterior * weight[:, None]
        total = np.stack(
            [
                np.einsum("pz,pzj->j", weighted, candidates.exact) + 2,
                np.einsum("pz,pzj->j", weighted, candidates.wider) + 1,
                np.einsum("pz,pzj->j", weighted, candidates.narrower) + 1,
            ]
        )
        share = total / total.sum(axis=0)
        if np.abs(share - before).max(initial=0) <= TOLERANCE:
            break
        posterior = _softmax(candidates.fit_of(share))
    return Cuts(share, temperature)


class _Candidates:
    """The proposed boundaries of each row of ranks, and who stands where to each of them."""

    def __init__(self, ranks: NDArray[np.int8]) -> None:
        n_proposed = ranks.max(axis=1, initial=-1).astype(np.int64) + 1
        place = np.arange(max(1, int(n_proposed.max(initial=1))))[None, :, None]
        row = ranks[:, None, :]
        self.exact = (row == place).astype(float)
        self.wider = (row > place).astype(float)
        self.narrower = ((row < place) & (row >= 0)).astype(float)
        place = place[:, :, 0]
        self.valid = (place < n_proposed[:, None]) | (place == 0)
        # A name that is not exact may end at any of the places on its side.
        beyond = np.maximum(n_proposed[:, None] - 1 - place, 1)
        each = np.ones(ranks.shape[1])
        wide, narrow = self.wider @ each, self.narrower @ each
        self._spread = wide * np.log(beyond) + narrow * np.log(np.maximum(place, 1))

    def fit_of(self, share: Floats, product: Product = np.matmul) -> Floats:
        """Return the log-likelihood of each candidate being the true boundary."""
        stood = zip((self.exact, self.wider, self.narrower), np.log(share), strict=True)
        exact, wider, narrower = (product(*each) for each in stood)
        fit = exact + wider + narrower - self._spread
        return np.where(self.valid, fit, -np.inf)


def _equal_coins(n_annotators: int) -> Existence:
    """Count each vote the same, so that half of the votes make an even chance."""
    return Existence(
        np.full(n_annotators, 0.9), np.full(n_annotators, 0.1), 0.5 + 1e-9, temperature=0.5
    )


def _fit_coins(votes: Floats, looks: Floats, count: Floats, temperature: float) -> Existence:
    true = votes.sum(axis=1) / np.maximum(looks.sum(axis=1), 1)
    silence, n = looks - votes, count.sum()
    for _ in range(100):
        yes, no = true * count, (1 - true) * count
        coins = Existence(
            (yes @ votes + 1) / (yes @ looks + 2),
            (no @ votes + 0.01) / (no @ looks + 2),
            min(max(float(yes.sum() / n), 1e-9), 1 - 1e-9),
            temperature,
        )
        before, true = true, sigmoid(coins.log_odds(votes, silence))
        if np.abs(true - before).max(initial=0) <= TOLERANCE:
            break
    return coins


def _left_out_likelihood(coins: Existence, votes: Floats, looks: Floats, count: Floats) -> float:
    """Tell how well each vote is predicted from the votes of the others."""
    yes, no = coins.support
    own = coins.temperature * (votes * yes + (looks - votes) * no)
    others = sigmoid(coins.log_odds(votes, looks - votes)[:, None] - own)
    chance = others * coins.hit + (1 - others) * coins.alarm
    surprise = votes * np.log(chance) + (looks - votes) * np.log1p(-chance)
    return float(count @ surprise.sum(axis=1))


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Floats = powers / summed_in_order(powers, np.ones(powers.shape[1]))[:, None]
    return shares


def summed_in_order(values: Floats, weights: Floats) -> Floats:
    """Sum along the last axis, weighed, one place after the other.

    Products of matrices, and sums of NumPy, add in an order that depends on the shape of the whole.
    Places that a smaller batch does not have weigh nothing here, or hold 0, and change no digit.
    """
    total = np.zeros(values.shape[:-1])
    for place, weight in enumerate(weights.tolist()):
        total += values[..., place] * weight
    return total


def sigmoid(logits: Floats) -> Floats:
    """Turn log-odds into probabilities."""
    result: Floats = 1 / (1 + np.exp(-np.minimum(np.maximum(logits, -500), 500)))
    return result
