"""How often the names of a lexicon are what they seem, counted from references alone.

Of n referenced documents that hold a key, s are referred to by one of its records. A key with a
high rate is a real name wherever it stands, one with a low rate (``was``, ``MICE``) hardly ever;
no annotated text is needed to know that.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.acquire.lexicon.matching import Matches
from vermeil.arrays import Flags, Floats, Ints

PRIOR = 0.3
"""Supported documents that a key is given before any is counted, in one document more."""


@dataclass(frozen=True, slots=True, eq=False)
class SupportRates:
    """For each key, the referenced documents that hold it and those among them that support it."""

    n_documents: Ints
    n_supported: Ints

    @staticmethod
    def of(n_keys: int, matches: Matches, is_referenced: Flags, supported: Flags) -> "SupportRates":
        """Count over the matches of documents; ``is_referenced`` and ``supported`` go by match."""
        pairs = matches.document * n_keys + matches.key
        return SupportRates(
            np.bincount(np.unique(pairs[is_referenced]) % n_keys, minlength=n_keys),
            np.bincount(np.unique(pairs[supported]) % n_keys, minlength=n_keys),
        )

    def of_matches(
        self, key: Ints, *, is_referenced: Flags | None = None, supported: Flags | None = None
    ) -> tuple[Ints, Floats]:
        """Give the documents behind the rate of each match, and the rate.

        A match is no witness for itself: with ``is_referenced`` and ``supported``, its own document
        is left out of both counts.

        >>> rates = SupportRates(np.array([3]), np.array([1]))
        >>> [column.tolist() for column in rates.of_matches(np.array([0]))]
        [[3], [0.325]]
        """
        n, s = self.n_documents[key], self.n_supported[key]
        if is_referenced is not None and supported is not None:
            n, s = n - is_referenced, s - supported
        return n, (s + PRIOR) / (n + 1)

    def __add__(self, other: "SupportRates") -> "SupportRates":
        return SupportRates(
            self.n_documents + other.n_documents, self.n_supported + other.n_supported
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give all there is to save."""
        return {
            "documents": self.n_documents.astype(np.int32),
            "supported": self.n_supported.astype(np.int32),
        }

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[Any]]) -> "SupportRates":
        """Make the rates again that gave these arrays."""
        return SupportRates(
            arrays["documents"].astype(np.int64), arrays["supported"].astype(np.int64)
        )
