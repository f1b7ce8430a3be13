"""Counts that add, and the numbers derived from them.

Precision is about predictions and recall about the standard, and one prediction may find two names
or two predictions one, so the two sides are counted apart.
"""

from dataclasses import dataclass
from math import nan


@dataclass(frozen=True, slots=True)
class Counts:
    """``right`` of ``predicted`` spans are right; ``found`` of ``wanted`` names were found.

    Where predictions and names match one to one, ``right`` and ``found`` are the same. Halves
    come from scorers that give half credit. Add two to pool them.

    >>> counts = Counts(right=3, predicted=4, found=3, wanted=6) + Counts(wanted=2)
    >>> counts.precision, counts.recall, counts.f1
    (0.75, 0.375, 0.5)
    """

    right: float = 0
    predicted: float = 0
    found: float = 0
    wanted: float = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.right + other.right,
            self.predicted + other.predicted,
            self.found + other.found,
            self.wanted + other.wanted,
        )

    @property
    def spurious(self) -> float:
        """Predictions that are not right."""
        return self.predicted - self.right

    @property
    def missed(self) -> float:
        """Names that were not found."""
        return self.wanted - self.found

    @property
    def precision(self) -> float:
        """Share of the predictions that are right; NaN where there are none."""
        return self.right / self.predicted if self.predicted else nan

    @property
    def recall(self) -> float:
        """Share of the standard that was found; NaN where it is empty."""
        return self.found / self.wanted if self.wanted else nan

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; NaN where both sides are empty.

        0 where one side is empty or nothing matched: then nothing of what is there is right.
        """
        if not self.predicted and not self.wanted:
            return nan
        if not self.right or not self.found:
            return 0.0
        return 2 * self.precision * self.recall / (self.precision + self.recall)
