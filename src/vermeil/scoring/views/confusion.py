"""Which label was given where which was wanted."""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Ints
from vermeil.scoring.pairing.matching import Matching
from vermeil.scoring.pairing.names import Names
from vermeil.shown import Brief

NOTHING = ""
"""Stands for a label where one side has no name."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Confusion(Brief):
    """How many names of each label were matched with predictions of each label.

    ``table[w, p]`` counts by label of the standard and of the prediction. The last row holds
    spurious predictions, the last column missed names. Names are matched one to one where they
    overlap (see ``matching``), whatever their labels and boundaries.
    """

    labels: tuple[str, ...]
    table: Ints

    @property
    def cells(self) -> dict[tuple[str, str], int]:
        """The counts above 0, by wanted and predicted label; NOTHING for missed and spurious."""
        names = (*self.labels, NOTHING)
        places = np.argwhere(self.table).tolist()
        return {(names[w], names[p]): int(self.table[w, p]) for w, p in places}


def confuse(
    predicted: Names, wanted: Names, matching: Matching, labels: tuple[str, ...]
) -> Confusion:
    """Count matched, missed and spurious names by label."""
    n = len(labels)
    pairs = wanted.label[matching.wanted] * (n + 1) + predicted.label[matching.predicted]
    table = np.bincount(pairs, minlength=(n + 1) ** 2).reshape(n + 1, n + 1)
    table[:n, n] = np.bincount(wanted.label, minlength=n) - table[:n, :n].sum(axis=1)
    table[n, :n] = np.bincount(predicted.label, minlength=n) - table[:n, :n].sum(axis=0)
    return Confusion(labels, table)
