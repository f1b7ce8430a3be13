"""Whether trust in combined trees is deserved: how it goes with true scores, where these are known.

Clegg and Shepherd, section 7: how close a chosen tree is to the others, scaled by size, goes with
how good it is. ``vermeil.consensus.trees`` measures that for each sentence as the ``trust`` of a
TreeDecision, and ``consensus/trees/doubt.py`` for each word.
"""

import numpy as np

from vermeil.arrays import Floats


def correlation(trust: Floats, truth: Floats) -> float:
    """Compute Pearson's r over the sentences that have both; NaN where one does not vary.

    >>> correlation(np.array([0.1, 0.5, 0.9, np.nan]), np.array([0.2, 0.6, 1.0, 0.5]))
    1.0
    """
    known = ~np.isnan(trust) & ~np.isnan(truth)
    a, b = trust[known], truth[known]
    if len(a) < 2 or not np.ptp(a) or not np.ptp(b):
        return float("nan")
    return round(float(np.corrcoef(a, b)[0, 1]), 12)
