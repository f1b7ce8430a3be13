"""Thresholds by length: the same share of names found, of one token or of several.

One threshold finds long names more readily than short ones, or the reverse. What scores names have
is known for those that references support and that were hidden while the model was learned. For
each length the threshold is where as many of these are found as one threshold finds of all, so that
names keep the ratio of lengths that the referenced ones have.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.acquisition.lexicon.matching import Matches
from vermeil.arrays import Floats, Ints, numbered
from vermeil.document import Document
from vermeil.models.schema import ArraySpec, checked
from vermeil.text.tokens import tokenise

LONGEST = 4
"""Tokens from which names are of the same length."""

LEAST = 50
"""Hidden names of a length below which it has the threshold of all."""

N_STEPS = 1000


@dataclass(frozen=True, slots=True, eq=False)
class LengthScores:
    """The scores of hidden names, as quantiles: a row for all, and one for each length from 1."""

    quantiles: Floats

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[Any]]) -> "LengthScores":
        """Make the scores again that gave these arrays."""
        shape = LONGEST + 1, N_STEPS + 1
        schema = {"quantiles": ArraySpec("number", shape, may_lack=True)}
        return LengthScores(checked(arrays, schema)["quantiles"])

    @staticmethod
    def of(score: Floats, length: Ints) -> "LengthScores":
        """Describe the scores of names.

        >>> scores = LengthScores.of(np.repeat([1.0, 3.0], 60), np.repeat([1, 2], 60))
        >>> scores.thresholds(0.0).tolist(), scores.thresholds(2.0).round(1).tolist()
        ([0.0, 0.0, 0.0, 0.0], [1.0, 3.0, 2.0, 2.0])
        """
        shares = np.linspace(0, 1, N_STEPS + 1)
        groups = [score, *(score[length == each] for each in range(1, LONGEST + 1))]
        rows = [
            np.quantile(own, shares) if len(own) >= LEAST else np.full(N_STEPS + 1, np.nan)
            for own in groups
        ]
        return LengthScores(np.stack(rows))

    def thresholds(self, threshold: float) -> Floats:
        """Return for each length from 1 the threshold that misses the share missed of all.

        Where all are found, or there are too few to know, it is that of all.
        """
        whole, *rows = self.quantiles
        missed = np.searchsorted(whole, threshold, side="right") / (N_STEPS + 1)
        if not 0 < missed < 1:
            return np.full(LONGEST, threshold)
        at = np.array([np.interp(missed, np.linspace(0, 1, N_STEPS + 1), row) for row in rows])
        return np.where(np.isnan(at), threshold, at)

    def levelled(self, score: Floats, length: Ints, threshold: float) -> Floats:
        """Move scores so that one threshold does for all lengths."""
        own: Floats = score + threshold - self.thresholds(threshold)[length - 1]
        return own


def lengths_of(matches: Matches, documents: Sequence[Document], *, tokeniser: str) -> Ints:
    """Count the tokens of matches, up to LONGEST."""
    texts = [document.text for document in documents]
    strings = [
        texts[document][start:end]
        for document, start, end in zip(
            matches.document.tolist(), matches.start.tolist(), matches.end.tolist(), strict=True
        )
    ]
    distinct, of = numbered(strings)
    n = np.array([len(tokenise(each, by=tokeniser)) for each in distinct], dtype=np.int64)
    lengths: Ints = np.clip(n, 1, LONGEST)[of] if len(of) else of
    return lengths
