"""Which matches of a lexicon are names: learned from the references, without annotated text.

A match whose document one of its records refers to is surely a name; one without may be a name all
the same, for references are not exhaustive. A logistic model of being supported, on what can be
said of a match (``match_features``), ranks matches by how much they resemble supported ones. Its
score is a log odds of support, not of being a name: what score is enough has to be chosen.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.acquisition.support.match_features import N_BITS
from vermeil.arrays import Flags, Floats, Ints
from vermeil.models.schema import FINITE, ArraySpec, checked
from vermeil.sequences.chains.descent import Watch, descend

PENALTY = 3.5e-4
"""Weight of half the squared weights in the objective, for each match; chosen on GE abstracts."""

N_ROUNDS = 100

SCHEMA = {
    "columns": ArraySpec("whole", least=0, most=(1 << N_BITS) - 1, rises=True),
    "weights": ArraySpec("number", least=-FINITE, most=FINITE),
    "constant": ArraySpec("number", (1,), least=-FINITE, most=FINITE),
}


@dataclass(frozen=True, slots=True, eq=False)
class SupportModel:
    """A weight for each column of features, and a constant."""

    weights: Floats
    constant: float

    @classmethod
    def fit(
        cls,
        columns: Ints,
        supported: Flags,
        *,
        penalty: float = PENALTY,
        n_rounds: int = N_ROUNDS,
        watch: Watch | None = None,
    ) -> "SupportModel":
        """Learn from the matches of referenced documents: rows of columns, and who is supported."""
        from scipy.sparse import csr_matrix

        n_rows, width = columns.shape
        is_used = np.zeros(1 << N_BITS, dtype=bool)
        is_used[columns] = True
        used = np.flatnonzero(is_used)
        place = np.cumsum(is_used, dtype=np.int32)[columns] - 1
        # Of the same kind as the weights: products would else make a copy each time.
        taken = csr_matrix(
            (np.ones(columns.size), place.ravel(), np.arange(0, columns.size + 1, width)),
            shape=(n_rows, len(used)),
        )
        turned = taken.T.tocsr()
        sign = np.where(supported, 1.0, -1.0)
        pressure = penalty * n_rows

        def loss(parameters: Floats) -> tuple[float, Floats]:
            weights, constant = parameters[:-1], parameters[-1]
            margin = sign * (taken @ weights + constant)
            pull = -sign / (1 + np.exp(np.minimum(margin, 30)))
            slope = turned @ pull + pressure * weights
            total = np.logaddexp(0, -margin).sum() + pressure / 2 * (weights @ weights)
            return float(total), np.append(slope, pull.sum())

        found = descend(loss, len(used) + 1, n_rounds, watch)
        weights = np.zeros(1 << N_BITS)
        weights[used] = found[:-1]
        return cls(weights, float(found[-1]))

    def score(self, columns: Ints) -> Floats:
        """Return the log odds that matches are supported."""
        scores: Floats = self.weights[columns].sum(axis=1) + self.constant
        return scores

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all there is to save."""
        used = np.flatnonzero(self.weights)
        return {
            "columns": used.astype(np.int32),
            "weights": self.weights[used],
            "constant": np.array([self.constant]),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "SupportModel":
        """Make the model again that gave these arrays."""
        fitting = checked(arrays, SCHEMA)
        weights = np.zeros(1 << N_BITS)
        weights[fitting["columns"]] = fitting["weights"]
        return cls(weights, float(fitting["constant"][0]))


def shared_by_name(score: Floats, document: Ints, key: Ints) -> Floats:
    """Average the scores of all matches of a key in a document: one sense per discourse.

    >>> column = np.array
    >>> shared_by_name(column([1.0, 3.0, 5.0]), column([0, 0, 1]), column([7, 7, 7])).tolist()
    [2.0, 2.0, 5.0]
    """
    names, of = np.unique(np.stack((document, key)), axis=1, return_inverse=True)
    of = of.ravel()
    mean = np.bincount(of, score, names.shape[1]) / np.bincount(of, minlength=names.shape[1])
    shared: Floats = mean[of]
    return shared
