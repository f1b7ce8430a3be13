"""Ridge logistic regression of shares on hashed features."""

import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.consensus.trees.descriptions import FEATURE_BITS

RIDGE = 3.0
N_STEPS = 20

_SURE = 0.98


class Described:
    """Rows of hashed features laid out for any number of regressions; ``counts`` weighs each."""

    def __init__(self, described: Ints, counts: Floats) -> None:
        from scipy.sparse import csr_matrix

        used = np.flatnonzero(np.bincount(described.ravel(), minlength=1 << FEATURE_BITS))
        number = np.zeros(1 << FEATURE_BITS, dtype=np.int32)
        number[used] = np.arange(len(used))
        n, width = described.shape
        held = counts.ravel() > 0
        bounds = np.concatenate(([0], np.cumsum(held.reshape(n, width).sum(axis=1))))
        self.used = used
        self.rows = csr_matrix(
            (counts.ravel()[held], number[described.ravel()[held]], bounds), shape=(n, len(used))
        )
        self.columns = self.rows.T.tocsr()


def regress(
    described: Described, share: Floats, start: Floats, given: Floats | None = None
) -> Floats:
    """Fit a ridge logistic regression of shares; return what each feature adds to the log odds.

    These are those of the mean, or for each row those that are ``given``.
    """
    from scipy.optimize import minimize

    coefficients = np.zeros(1 << FEATURE_BITS)
    if not len(share):
        return coefficients
    rows, columns = described.rows, described.columns
    mean = log_odds(np.array(share.mean())) if given is None else given

    def loss(of_used: Floats) -> tuple[float, Floats]:
        odds = rows @ of_used + mean
        likely = 1 / (1 + np.exp(-odds))
        # log(1 + exp(odds)) is odds - log(likely).
        total = (odds * (1 - share) - np.log(likely)).sum() + RIDGE * of_used @ of_used / 2
        return float(total), columns @ (likely - share) + RIDGE * of_used

    found = minimize(
        loss, start[described.used], jac=True, method="L-BFGS-B", options={"maxiter": N_STEPS}
    )
    coefficients[described.used] = found.x
    return coefficients


def log_odds(share: Floats) -> Floats:
    """Turn shares into log odds, none surer than SURE."""
    sure = np.clip(share, 1 - _SURE, _SURE)
    odds: Floats = np.log(sure / (1 - sure))
    return odds
