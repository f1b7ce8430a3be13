"""What was learned of the text: for each half of the documents, from the other half.

A document is never judged by what was learned from itself, or from a copy of its text.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Floats, Ints
from vermeil.consensus.reading.log_linear import LinearScores

N_HALVES = 2


@dataclass(frozen=True, slots=True, eq=False)
class HalfModel:
    """What hearts are called, and where they are cut on the left and on the right."""

    labels: LinearScores
    left: LinearScores
    right: LinearScores


@dataclass(frozen=True, slots=True, eq=False)
class TextModel:
    """The models that judge the documents with even and with odd keys; see ``TextPrior``."""

    even: HalfModel
    odd: HalfModel
    already: float = 1.0

    @property
    def halves(self) -> tuple[HalfModel, HalfModel]:
        """Both, in the order of ``half_of``."""
        return self.even, self.odd

    def among(self, labels: Ints) -> "TextModel":
        """Return what was learned of these labels, in this order."""
        even, odd = (
            HalfModel(half.labels.columns(labels), half.left, half.right) for half in self.halves
        )
        return TextModel(even, odd, self.already)


@dataclass(frozen=True, slots=True, eq=False)
class TextPrior:
    """What the text says of the hearts of a batch.

    ``labels[heart, label]`` are log-odds against no name, ``left`` and ``right`` scores of the
    boundaries of each side, in order of hearts and ranks. Texts are read where somebody marked
    something, so that anybody did has been said ``already``, and is taken back by so much.
    """

    labels: Floats
    left: Floats
    right: Floats
    already: float = 1.0


def half_of(keys: NDArray[np.uint64]) -> Ints:
    """Deal documents into halves by the keys of their texts."""
    return (keys % np.uint64(N_HALVES)).astype(np.int64)
