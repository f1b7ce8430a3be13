"""Which matches of a lexicon are names: learned from the references, without annotated text.

A match whose document one of its records refers to is surely a name; one without may be a name all
the same, for references are not exhaustive. A match is supported if it is a name *and* its document
is about it, so the model is a product of two logistic ones: that it is a name, by what can be said
of the match (``match_features``), and that a name would have been linked, by how prominent it is
(``prominence``). Both are learned together from who is supported; only the first is asked. Its
score is a log odds of being a name as far as the product can tell the two apart: what score is
enough has to be chosen.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.acquire.match_features import N_BITS
from vermeil.recognise.descent import Watch, descend
from vermeil.recognise.tag_set import Flags, Floats, Ints

PENALTY = 3.5e-4
"""Weight of half the squared weights in the objective, for each match; chosen on GE abstracts."""

N_ROUNDS = 100
LEAST = 1e-12
FARTHEST = 35.0


@dataclass(frozen=True, slots=True, eq=False)
class SupportModel:
    """A weight for each column of features of a match, and a constant."""

    weights: Floats
    constant: float

    @classmethod
    def fit(
        cls,
        columns: Ints,
        prominence: Ints,
        supported: Flags,
        *,
        penalty: float = PENALTY,
        n_rounds: int = N_ROUNDS,
        watch: Watch | None = None,
    ) -> "SupportModel":
        """Learn from the matches of referenced documents: two tables of columns, a row a match."""
        name, link = _Logistic.of(columns), _Logistic.of(prominence)
        pressure = penalty * len(columns)

        def loss(parameters: Floats) -> tuple[float, Floats]:
            ours, theirs = parameters[: name.size], parameters[name.size :]
            is_name, is_linked = name.probability(ours), link.probability(theirs)
            both = np.clip(is_name * is_linked, LEAST, 1 - LEAST)
            total = -np.where(supported, np.log(both), np.log1p(-both)).sum()
            # By the log odds of either factor; for what is not supported, times the odds of both.
            pull = np.where(supported, -1.0, both / (1 - both))
            slope = np.append(name.slope(pull * (1 - is_name)), link.slope(pull * (1 - is_linked)))
            weights = parameters.copy()
            weights[[name.size - 1, -1]] = 0.0
            return float(total + pressure / 2 * (weights @ weights)), slope + pressure * weights

        found = descend(loss, name.size + link.size, n_rounds, watch)
        weights = np.zeros(1 << N_BITS)
        weights[name.used] = found[: name.size - 1]
        return cls(weights, float(found[name.size - 1]))

    def score(self, columns: Ints) -> Floats:
        """Give the log odds that matches are names."""
        scores: Floats = self.weights[columns].sum(axis=1) + self.constant
        return scores

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give all there is to save."""
        used = np.flatnonzero(self.weights)
        return {
            "columns": used.astype(np.int32),
            "weights": self.weights[used],
            "constant": np.array([self.constant]),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "SupportModel":
        """Make the model again that gave these arrays."""
        weights = np.zeros(1 << N_BITS)
        weights[arrays["columns"]] = arrays["weights"]
        return cls(weights, float(arrays["constant"][0]))


@dataclass(frozen=True, slots=True, eq=False)
class _Logistic:
    """Rows of columns as a sparse matrix, both ways; the last parameter is the constant."""

    used: Ints
    taken: Any
    turned: Any

    @classmethod
    def of(cls, columns: Ints) -> "_Logistic":
        from scipy.sparse import csr_matrix

        n_rows, width = columns.shape
        used, place = np.unique(columns, return_inverse=True)
        taken = csr_matrix(
            (
                np.ones(columns.size, dtype=np.float32),
                place.ravel().astype(np.int32),
                np.arange(0, columns.size + 1, width),
            ),
            shape=(n_rows, len(used)),
        )
        return cls(used, taken, taken.T.tocsr())

    @property
    def size(self) -> int:
        return len(self.used) + 1

    def probability(self, parameters: Floats) -> Floats:
        odds = self.taken @ parameters[:-1] + parameters[-1]
        probability: Floats = 1 / (1 + np.exp(-np.maximum(odds, -FARTHEST)))
        return probability

    def slope(self, pull: Floats) -> Floats:
        return np.append(self.turned @ pull, pull.sum())


def shared_by_name(score: Floats, document: Ints, key: Ints) -> Floats:
    """Give all matches of a key in a document their mean score: one sense per discourse.

    >>> column = np.array
    >>> shared_by_name(column([1.0, 3.0, 5.0]), column([0, 0, 1]), column([7, 7, 7])).tolist()
    [2.0, 2.0, 5.0]
    """
    names, of = np.unique(np.stack((document, key)), axis=1, return_inverse=True)
    of = of.ravel()
    mean = np.bincount(of, score, names.shape[1]) / np.bincount(of, minlength=names.shape[1])
    shared: Floats = mean[of]
    return shared
