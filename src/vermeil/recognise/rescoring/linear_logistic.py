"""Logistic regression on values as they are, the rescorer of the paper.

Corbett and Copestake, section 3.6: a maximum-entropy model in which a logit l has
int(min(15, l) · 50) instances of one feature where it is positive, and as many of another where it
is negative; that is a weight for what lies above zero and one for what lies below. So has every
value here, not rounded to fiftieths, and a missing value has a weight of its own.

The penalty is on squared weights, each value measured by its root mean square, so that units do not
matter. The result is a log odds, the sum of one term for each value.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import AnyArray, Flags, Floats
from vermeil.models.model_files import Arrays
from vermeil.models.schema import FINITE, ArraySpec, checked
from vermeil.sequences.chains.descent import descend

PENALTY = 1.0
N_ROUNDS = 300

SCHEMA = {
    "weight": ArraySpec("number", (3, "features"), least=-FINITE, most=FINITE),
    "base": ArraySpec("number", (1,), least=-FINITE, most=FINITE),
}


@dataclass(frozen=True, slots=True, eq=False)
class LinearLogistic:
    """``weight[part, column]``: what a unit above zero, one below, and a missing value add."""

    weight: Floats
    base: float

    @classmethod
    def fit(cls, values: Floats, right: Flags, *, seed: int = 0) -> "LinearLogistic":
        """Learn which rows are right. There is no chance in it; ``seed`` changes nothing."""
        parts = _parts(values)
        unit = np.sqrt((parts**2).mean(axis=0))
        unit[unit == 0] = 1.0
        scaled = (parts / unit).reshape(len(values), -1)
        sign = np.where(right, 1.0, -1.0)

        def loss(parameters: Floats) -> tuple[float, Floats]:
            weight, base = parameters[:-1], parameters[-1]
            margin = sign * (scaled @ weight + base)
            pull = -sign / (1 + np.exp(margin.clip(-30, 30)))
            slope = scaled.T @ pull + PENALTY * weight
            total = np.logaddexp(0, -margin).sum() + PENALTY / 2 * (weight @ weight)
            return float(total), np.append(slope, pull.sum())

        learned = descend(loss, scaled.shape[1] + 1, N_ROUNDS)
        return cls(learned[:-1].reshape(unit.shape) / unit, float(learned[-1]))

    def log_odds(self, values: Floats) -> Floats:
        """Return the log odds of each row."""
        terms = (_parts(values) * self.weight).reshape(len(values), -1)
        odds: Floats = terms.sum(axis=1) + self.base
        return odds

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        return {"weight": self.weight, "base": np.array([self.base])}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "LinearLogistic":
        """Make the model again that gave these; ValueError if it was of the kind before."""
        if "first_step" in arrays:
            raise ValueError("its logistic rescorer is that of an earlier version; train it again")
        fitting = checked(arrays, SCHEMA)
        return cls(fitting["weight"].astype(np.float64), float(fitting["base"][0]))


def _parts(values: Floats) -> Floats:
    """Part values[row, column] into what lies above zero, below, and what is missing."""
    missing = np.isnan(values)
    there = np.where(missing, 0.0, values)
    parts: Floats = np.stack((there.clip(0), (-there).clip(0), missing), axis=1)
    return parts
