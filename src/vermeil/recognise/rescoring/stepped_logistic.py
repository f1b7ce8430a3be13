"""Logistic regression on thresholds, the rescorer of the paper.

Corbett and Copestake, section 3.5: a maximum-entropy model whose features say that a value lies
above a threshold. Thresholds stand at quantiles of each value, a missing value has a step of its
own, and the penalty is on the differences between neighbouring steps, so that what is worth much
rises smoothly. The result is a log odds, the sum of one weight for each value.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import AnyArray, Flags, Floats, Ints
from vermeil.recognise.model_files import Arrays, widened
from vermeil.recognise.sequence.descent import descend

N_STEPS = 32
PENALTY = 1.0
N_ROUNDS = 300


@dataclass(frozen=True, slots=True, eq=False)
class SteppedLogistic:
    """Column k has the steps from ``first_step[k]`` up to ``first_step[k + 1]``.

    Its first step is for a missing value; the others begin above ``threshold``, where the second
    has minus infinity.
    """

    first_step: Ints
    threshold: Floats
    weight: Floats
    base: float

    @classmethod
    def fit(cls, values: Floats, right: Flags, *, seed: int = 0) -> "SteppedLogistic":
        """Learn which rows are right. There is no chance in it; ``seed`` changes nothing."""
        from scipy.sparse import csr_matrix

        first_step, threshold = _thresholds(values)
        step = _steps(values, first_step, threshold)
        n_rows, n_columns = step.shape
        taken = csr_matrix(
            (np.ones(step.size), step.ravel(), np.arange(0, step.size + 1, n_columns)),
            shape=(n_rows, len(threshold)),
        )
        sign = np.where(right, 1.0, -1.0)

        def loss(parameters: Floats) -> tuple[float, Floats]:
            rises, base = parameters[:-1], parameters[-1]
            margin = sign * (taken @ _heights(rises, first_step) + base)
            pull = -sign / (1 + np.exp(margin.clip(-30, 30)))
            slope = _slopes(taken.T @ pull, first_step) + PENALTY * rises
            total = np.logaddexp(0, -margin).sum() + PENALTY / 2 * (rises @ rises)
            return float(total), np.append(slope, pull.sum())

        learned = descend(loss, len(threshold) + 1, N_ROUNDS)
        return cls(first_step, threshold, _heights(learned[:-1], first_step), float(learned[-1]))

    def log_odds(self, values: Floats) -> Floats:
        """Return the log odds of each row."""
        step = _steps(values, self.first_step, self.threshold)
        odds: Floats = self.weight[step].sum(axis=1) + self.base
        return odds

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        return {
            "first_step": self.first_step.astype(np.int32),
            "threshold": self.threshold,
            "weight": self.weight.astype(np.float32),
            "base": np.array([self.base]),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "SteppedLogistic":
        """Make the model again that gave these arrays."""
        first_step, threshold, weight = widened(arrays, "first_step", "threshold", "weight")
        return cls(first_step, threshold, weight, float(arrays["base"][0]))


def _thresholds(values: Floats) -> tuple[Ints, Floats]:
    first, thresholds = [0], []
    for column in values.T:
        there = column[~np.isnan(column)]
        inner = np.unique(np.quantile(there, np.linspace(0, 1, N_STEPS))[:-1]) if len(there) else ()
        thresholds += [-np.inf, -np.inf, *inner]
        first.append(len(thresholds))
    return np.array(first), np.array(thresholds)


def _steps(values: Floats, first_step: Ints, threshold: Floats) -> Ints:
    """Find the step that each value stands on."""
    step = np.empty(values.shape, dtype=np.int64)
    for number, column in enumerate(values.T):
        first, last = first_step[number : number + 2]
        reached = np.searchsorted(threshold[first + 2 : last], column) + first + 1
        step[:, number] = np.where(np.isnan(column), first, reached)
    return step


def _heights(rises: Floats, first_step: Ints) -> Floats:
    """Measure the height of each step: the sum of the rises up to it, in its column."""
    total = np.cumsum(rises)
    before = np.concatenate(([0.0], total))[first_step[:-1] + 1]
    heights: Floats = total - np.repeat(before, np.diff(first_step))
    heights[first_step[:-1]] = rises[first_step[:-1]]
    return heights


def _slopes(pulls: Floats, first_step: Ints) -> Floats:
    """Measure the slope of the loss along each rise: the pulls on all steps from there on."""
    beyond = np.cumsum(pulls[::-1])[::-1]
    after = np.concatenate((beyond, [0.0]))[first_step[1:]]
    slopes: Floats = beyond - np.repeat(after, np.diff(first_step))
    slopes[first_step[:-1]] = pulls[first_step[:-1]]
    return slopes
