"""How far off the edges of predictions are, in characters."""

import numpy as np

from vermeil.arrays import Ints
from vermeil.scoring.pairing.matching import match
from vermeil.scoring.scores import Scores

BINS = (1, 2, 3, 4, 5, 6, 8, 12)
"""The least of each bin of how far off; the last holds all beyond."""

_NAMES = ("1", "2", "3", "4", "5", "6–7", "8–11", "12+")
BIN_NAMES = (*(f"-{name}" for name in reversed(_NAMES)), *_NAMES)

_TO = (*(str(least - 1) for least in BINS[1:]), "")
BIN_RANGES = (
    *(
        f"{f'-{to}' if to else ''},-{least}"
        for least, to in zip(BINS[::-1], _TO[::-1], strict=True)
    ),
    *(f"{least},{to}" for least, to in zip(BINS, _TO, strict=True)),
)
"""The same as addresses have them: the least and the largest offset, empty where there is none."""


def boundary_offsets(scores: Scores) -> tuple[list[float], list[float]]:
    """Count left and right edges that are off, in the order of BIN_NAMES.

    Names are matched one to one where they overlap, as in the table of labels. Negative is before
    the edge of the standard, so a left edge below 0 makes a name wider.
    """
    view = scores.views["exact"]
    pairs = match(view.wanted, view.predicted)
    sides = []
    for side in ("start", "end"):
        wanted, predicted = getattr(view.wanted, side), getattr(view.predicted, side)
        sides.append(_binned(predicted[pairs.predicted] - wanted[pairs.wanted]))
    return sides[0], sides[1]


def _binned(offsets: Ints) -> list[float]:
    place = np.searchsorted(BINS, np.abs(offsets), side="right") - 1
    before, after = (
        np.bincount(place[chosen], minlength=len(BINS)).astype(float).tolist()
        for chosen in (offsets < 0, offsets > 0)
    )
    return [*before[::-1], *after]
