"""How sure a linear tagger is: margins, and the probabilities that they stand for.

The margin of a token is the score of its tag less that of the best other tag after the same tag
before, f(x) of section 2.4 of the acquisition paper; with ``viterbi`` it may be negative. A name
has the mean margin of its tokens, and a logistic curve (Platt 1999) makes it a probability.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.recognise.linear.examples import tags_before
from vermeil.sequences.chains.descent import descend

N_STEPS = 100


@dataclass(frozen=True, slots=True)
class MarginCurve:
    """Confidence = 1 / (1 + exp(-(slope · margin + offset)))."""

    slope: float = 1.0
    offset: float = 0.0

    @classmethod
    def fit(cls, margin: Floats, right: Flags) -> "MarginCurve":
        """Fit a curve to margins of names that were right or wrong.

        Platt's targets, (n right + 1) / (n right + 2) and 1 / (n wrong + 2), keep it from being
        certain. Without names on both sides, or if larger margins were less often right, all
        names are equally sure.

        >>> curve = MarginCurve.fit(np.array([0.1, 0.2, 0.8, 1.5]), np.array([False, True] * 2))
        >>> curve.slope > 0
        True
        """
        n_right = int(right.sum())
        target = np.where(right, (n_right + 1) / (n_right + 2), 1 / (len(right) - n_right + 2))

        def loss(parameters: Floats) -> tuple[float, Floats]:
            odds = parameters[0] * margin + parameters[1]
            value = (np.logaddexp(0, odds) - target * odds).sum()
            error = 1 / (1 + np.exp(-odds)) - target
            return float(value), np.array([error @ margin, error.sum()])

        slope, offset = descend(loss, 2, N_STEPS).tolist()
        if slope > 0 and 0 < n_right < len(right):
            return cls(slope, offset)
        share = (n_right + 1) / (len(right) + 2)
        return cls(0.0, float(np.log(share / (1 - share))))

    def confidence(self, margin: Floats) -> Floats:
        """Return the probability that names of these margins are right."""
        odds = self.slope * margin + self.offset
        confidence: Floats = 1 / (1 + np.exp(-odds))
        return confidence


def margins(scores: Floats, before: Floats, tag: Ints, first_token: Ints) -> Floats:
    """Measure by how much the tag of each token is better than the best other."""
    n_tags = scores.shape[1]
    known = np.ones(len(tag), dtype=bool)
    whole = scores + before[tags_before(tag, known, first_token, n_tags)]
    token = np.arange(len(tag))
    own = whole[token, tag]
    whole[token, tag] = -np.inf
    margin: Floats = own - whole.max(axis=1, initial=-np.inf)
    return margin


def mean_margins(margin: Floats, start: Ints, end: Ints) -> Floats:
    """Average the margins of the tokens of each name; names are apart and in order.

    >>> mean_margins(np.array([1.0, 2.0, 4.0]), np.array([0, 1]), np.array([1, 3])).tolist()
    [1.0, 3.0]
    """
    if not len(start):
        return np.zeros(0)
    bounds = np.stack((start, end), axis=1).ravel()
    sums: Floats = np.add.reduceat(np.append(margin, 0.0), bounds)[::2]
    return sums / (end - start)
