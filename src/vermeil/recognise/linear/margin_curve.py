"""From margins to probabilities: a logistic curve (Platt 1999)."""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Floats
from vermeil.recognise.sequence.descent import descend

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
        """Give the probability that names of these margins are right."""
        odds = self.slope * margin + self.offset
        confidence: Floats = 1 / (1 + np.exp(-odds))
        return confidence
