"""Forward and backward sums over the tag sequences of a batch, scaled at each step.

Values have the tags on their first axis and the rows of ``Steps`` on their last. No matrix product
is asked for: its last digits depend on the batch.
"""

import numpy as np

from vermeil.arrays import Flags, Floats
from vermeil.sequences.chains.steps import Steps


def forward_sums(
    steps: Steps, emission: Floats, transition: Floats, entering: Floats | Flags
) -> tuple[Floats, Floats]:
    """Compute the forward sums of each row, scaled to add up to 1, and by how much each was.

    ``entering`` are the weights of tags at the first token, for each sentence in order or for all.
    """
    forward, scale = np.empty_like(emission), np.empty(emission.shape[1])
    for rows in list(steps)[:1]:
        first = entering if entering.shape[1] == 1 else entering[:, steps.sentence[rows]]
        forward[:, rows] = emission[:, rows] * first
        scale[rows] = total(forward[:, rows])
        forward[:, rows] /= scale[rows]
    edge = transition[:, :, None]
    for before, rows in steps.pairs():
        now = mixed(forward[:, before], edge)
        now *= emission[:, rows]
        scale[rows] = total(now)
        np.divide(now, scale[rows], out=forward[:, rows])
    return forward, scale


def backward_sums(
    steps: Steps, emission: Floats, transition: Floats, beyond: Floats | None = None
) -> Floats:
    """Compute the backward sums of each row, scaled to 1 in sum.

    ``beyond`` are those of the last token of each sentence; 1 for all tags unless told.
    """
    backward = np.ones_like(emission)
    if beyond is not None:
        backward[:, steps.last_rows()] = beyond[:, steps.sentence[: len(steps.last_rows())]]
    edge = transition.T[:, :, None]
    for before, rows in reversed(list(steps.pairs())):
        now = mixed(backward[:, rows] * emission[:, rows], edge)
        np.divide(now, total(now), out=backward[:, before])
    return backward


def mixed(before: Floats, edge: Floats) -> Floats:
    """Sum over the first axis, term after term: what of each ``before[i]`` goes to ``edge[i, j]``.

    >>> mixed(np.array([[1.0], [2.0]]), np.array([[[0.5], [0.5]], [[0.0], [1.0]]])).tolist()
    [[0.5], [2.5]]
    """
    sums: Floats = before[0] * edge[0]
    for amount, share in zip(before[1:], edge[1:], strict=True):
        sums += amount * share
    return sums


def total(values: Floats) -> Floats:
    """Sum over the first axis, term after term.

    >>> total(np.array([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [4.0, 6.0]
    """
    sums: Floats = values[0].copy()
    for row in values[1:]:
        sums += row
    return sums
