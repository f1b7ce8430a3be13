"""The way down to the least loss: L-BFGS from SciPy, watched round by round."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from vermeil.arrays import Floats

Loss: TypeAlias = Callable[[Floats], tuple[float, Floats]]
"""Gives the loss of parameters, and its gradient."""

Watch: TypeAlias = Callable[[int, float], None]
"""Is told the round, from 1, and the loss after it."""

MEMORY = 6
"""Rounds that the curvature of the loss is guessed from."""


def descend(loss: Loss, n_parameters: int, n_rounds: int, watch: Watch | None = None) -> Floats:
    """Find the parameters with the least loss, in so many rounds, from all zero."""
    from scipy.optimize import minimize

    n_done = 0

    def after_round(intermediate_result: Any) -> None:
        nonlocal n_done
        n_done += 1
        if watch is not None:
            watch(n_done, float(intermediate_result.fun))

    best: Floats = minimize(
        loss,
        np.zeros(n_parameters),
        jac=True,
        method="L-BFGS-B",
        callback=after_round,
        options={"maxiter": n_rounds, "maxcor": MEMORY},
    ).x
    return best
