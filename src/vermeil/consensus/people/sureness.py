"""How sure annotators say they are, and what that is worth of each: learned without gold.

A tagger's .9 may be right in 99 or in 60 of a hundred cases, or mean nothing. So confidences are
counted in STEPS, and of each annotator it is learned which share of the names at a step is true, as
far as can be told from all answers, beside the share of all the names of this annotator. The step
adds the difference of the two, in log-odds, to the evidence of the mark. A share leans on that of
all names by LEAN names: somebody who is always equally sure, who says nothing of it or whose
confidences have nothing to do with the truth counts as without them. So does whoever gives hardly
any name below a half: that is a decision already, and what is left of doubt in it is about names
that others leave out, which is heard from them.
"""

import numpy as np

from vermeil.arrays import Floats, Ints

STEPS = (0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999)
"""Where a step ends and the next begins, the finer the nearer to 1, where most taggers live."""

N_STEPS = len(STEPS) + 1
UNSAID = -1
"""The step of a name without a confidence, and of what is no name; the last column of tables."""

LEAN = 20.0
N_UNLIKELY = STEPS.index(0.5) + 1
"""Steps of names that are less likely than not, as is said."""

LEAST_UNLIKELY = 0.05
"""The share of such names below which an annotator has decided which names to give."""


def steps_of(confidence: Floats) -> Ints:
    """Return the step of each confidence, UNSAID for NaN.

    >>> steps_of(np.array([0.0, 0.5, 0.95, 1.0, np.nan])).tolist()
    [0, 5, 9, 12, -1]
    """
    step = np.searchsorted(STEPS, confidence, side="right")
    steps: Ints = np.where(np.isnan(confidence), UNSAID, step)
    return steps


def worth_of_steps(
    annotator: Ints, step: Ints, true: Floats, false: Floats, n_annotators: int
) -> Floats:
    """Return by annotator and step what a name of this step adds to the log-odds of being true.

    Names have an ``annotator``, a ``step``, and count ``true`` for names and ``false`` for none.
    """
    width = N_STEPS + 1
    key = annotator * width + step % width
    there, gone = (
        np.bincount(key, each, n_annotators * width).reshape(n_annotators, width)
        for each in (true, false)
    )
    some = there + gone > 0
    # All names count for both by as much as one of each, so that no share is 0 or 1.
    all_there, all_gone = (each.sum(axis=1, keepdims=True) + 1 for each in (there, gone))
    usual = all_there / (all_there + all_gone)
    odds = (there + LEAN * usual) / (gone + LEAN * (1 - usual))
    worth: Floats = np.log(odds) - np.log(usual / (1 - usual))
    worth[~some | (some.sum(axis=1, keepdims=True) < 2)] = 0.0
    n_names = (there + gone)[:, :N_STEPS]
    worth[n_names[:, :N_UNLIKELY].sum(axis=1) < LEAST_UNLIKELY * n_names.sum(axis=1)] = 0.0
    return worth


def no_worth(n_annotators: int) -> Floats:
    """Let no confidence count for anything."""
    return np.zeros((n_annotators, N_STEPS + 1))
