"""A linear-chain conditional random field over hashed features, trained by L-BFGS.

Lafferty, McCallum and Pereira 2001. A tag scores the sum of its weights for the features of its
token and a weight for the tag before it. Rows of features are scored once (see ``feature_rows``),
the sums over tag sequences are those of ``lattice``, so that one round over 200,000 tokens takes a
fraction of a second. Features seen fewer than MIN_COUNT times are left out.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.recognise.feature_rows import Encoded, Rows
from vermeil.recognise.lattice import _backward, _forward
from vermeil.recognise.potentials import ChainPotentials, relative
from vermeil.recognise.steps import Steps
from vermeil.recognise.tag_set import Floats, Ints, TagSet

MIN_COUNT = 2
PENALTY = 1.0
"""Weight of half the squared weights in the objective (c2 = 0.5 of crfsuite)."""

N_ROUNDS = 100
LEAST_WEIGHT = 0.01
"""Features without a weight so large are not stored."""


@dataclass(frozen=True, slots=True, eq=False)
class Crf:
    """Weights: ``weights[k, tag]`` for the feature ``features[k]`` (these rise)."""

    tags: TagSet
    features: Ints
    weights: Floats
    transition: Floats

    def row_scores(self, rows: Rows) -> Floats:
        """Score rows of features: a sum of weights for each row and tag."""
        at = np.minimum(np.searchsorted(self.features, rows.features), len(self.features) - 1)
        known = self.features[at] == rows.features
        owner = np.repeat(np.arange(len(rows)), np.diff(rows.first))[known]
        chosen = self.weights[at[known]]
        return np.stack(
            [np.bincount(owner, chosen[:, tag], len(rows)) for tag in range(len(self.tags))], axis=1
        )

    def potentials(self, encoded: Encoded, first_token: Ints) -> ChainPotentials:
        """Score the tags of tokens."""
        scores = self.row_scores(encoded.rows)
        unary = np.zeros((len(encoded.row), len(self.tags)))
        for view in range(encoded.row.shape[1]):
            unary += scores[encoded.row[:, view]]
        return ChainPotentials(self.tags, first_token, unary, self.transition)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give all there is to save; weights too small to matter are left out."""
        kept = np.abs(self.weights).max(axis=1) >= LEAST_WEIGHT
        return {
            "features": self.features[kept].astype(np.uint32),
            "weights": self.weights[kept].astype(np.float16),
            "transition": self.transition,
        }

    @classmethod
    def from_arrays(cls, tags: TagSet, arrays: Mapping[str, NDArray[Any]]) -> "Crf":
        """Make the model again that gave these arrays."""
        return cls(
            tags,
            arrays["features"].astype(np.int64),
            arrays["weights"].astype(np.float64),
            arrays["transition"].astype(np.float64),
        )


def fit_crf(
    encoded: Encoded,
    tag: Ints,
    first_token: Ints,
    tags: TagSet,
    *,
    penalty: float = PENALTY,
    n_rounds: int = N_ROUNDS,
    min_count: int = MIN_COUNT,
    watch: Callable[[int, float], None] | None = None,
) -> Crf:
    """Learn weights that make the tags given most likely, less a penalty for large weights."""
    from scipy.optimize import minimize
    from scipy.sparse import csr_matrix

    n_tags = len(tags)
    n_rows, n_tokens, n_views = len(encoded.rows), *encoded.row.shape
    times = np.bincount(encoded.row.ravel(), minlength=n_rows)
    count = np.bincount(encoded.rows.features, np.repeat(times, np.diff(encoded.rows.first)))
    used = np.flatnonzero(count >= min_count)
    place = np.full(len(count), -1)
    place[used] = np.arange(len(used))
    column = place[encoded.rows.features]
    owner = np.repeat(np.arange(n_rows), np.diff(encoded.rows.first))[column >= 0]
    column = column[column >= 0]
    one = np.float32(1)
    of_rows = csr_matrix(
        (np.full(len(column), one), (owner, column)), shape=(n_rows, len(used)), dtype=np.float32
    )
    of_tokens = csr_matrix(
        (
            np.full(n_tokens * n_views, one),
            encoded.row.ravel(),
            np.arange(0, n_tokens * n_views + 1, n_views),
        ),
        shape=(n_tokens, n_rows),
    )
    to_features, to_rows = of_rows.T.tocsr(), of_tokens.T.tocsr()
    steps = Steps.of(first_token)
    wanted = np.zeros((n_tokens, n_tags), dtype=np.float32)
    wanted[np.arange(n_tokens), tag] = 1
    inner = np.ones(n_tokens, dtype=bool)
    inner[first_token[:-1]] = False
    seen = np.zeros((n_tags, n_tags))
    np.add.at(seen, (tag[np.flatnonzero(inner) - 1], tag[inner]), 1)
    n_weights = len(used) * n_tags

    def loss(parameters: Floats) -> tuple[float, Floats]:
        weights = parameters[:n_weights].reshape(-1, n_tags).astype(np.float32)
        transition = parameters[n_weights:].reshape(n_tags, n_tags)
        unary = (of_tokens @ (of_rows @ weights)).astype(np.float64)
        log_total, marginal, pairs = _expected(steps, unary, transition, tags)
        score = unary[np.arange(n_tokens), tag].sum() + (seen * transition).sum()
        error = (marginal - wanted).astype(np.float32)
        gradient = np.empty_like(parameters)
        gradient[:n_weights] = (to_features @ (to_rows @ error)).ravel()
        gradient[n_weights:] = (pairs - seen).ravel()
        gradient += penalty * parameters
        value = log_total - score + penalty * (parameters @ parameters) / 2
        return float(value), gradient

    n_done = 0

    def after_round(intermediate_result: Any) -> None:
        nonlocal n_done
        n_done += 1
        if watch is not None:
            watch(n_done, float(intermediate_result.fun))

    found = minimize(
        loss,
        np.zeros(n_weights + n_tags * n_tags),
        jac=True,
        method="L-BFGS-B",
        callback=after_round,
        options={"maxiter": n_rounds, "maxcor": 6},
    )
    weights = found.x[:n_weights].reshape(-1, n_tags)
    return Crf(tags, used, weights, found.x[n_weights:].reshape(n_tags, n_tags))


def _expected(
    steps: Steps, unary: Floats, transition: Floats, tags: TagSet
) -> tuple[float, Floats, NDArray[np.float64]]:
    """Give the log of the sum over all sequences, tag probabilities, and expected pairs of tags."""
    emission, best = relative(steps.in_rows(unary))
    edge = np.exp(transition) * tags.allowed
    forward, scale = _forward(steps, emission, edge, tags.allowed_first)
    backward = _backward(steps, emission, edge)
    marginal = forward * backward
    marginal /= marginal.sum(axis=0)
    onward = emission * backward
    pairs = np.zeros_like(edge)
    for before, rows in steps.pairs():
        both = forward[:, before], onward[:, rows]
        total = ((edge.T @ both[0]) * both[1]).sum(axis=0)
        pairs += (both[0] / total) @ both[1].T
    log_total = float((np.log(scale) + best).sum())
    return log_total, steps.in_tokens(marginal), pairs * edge
