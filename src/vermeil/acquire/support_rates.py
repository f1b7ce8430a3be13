"""How often the names of a lexicon are what they seem, counted from references alone.

Of n referenced documents that may be about a key (see ``prominence``), s are referred to by one of
its records. A key with a high rate is a real name wherever it stands, one with a low rate (``was``,
``MICE``) hardly ever; no annotated text is needed to know that. Mentions in passing do not count:
curators link few of them, and names that mostly come so would seem to be none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.acquire.matching import Matches
from vermeil.recognise.tag_set import Flags, Floats, Ints

PRIOR = 0.3
"""Supported documents that a key is given before any is counted, in one document more."""


@dataclass(frozen=True, slots=True, eq=False)
class SupportRates:
    """For each key, referenced documents that may be about it, and those that support it."""

    n_documents: Ints
    n_supported: Ints

    @staticmethod
    def of(n_keys: int, matches: Matches, counted: Flags, supported: Flags) -> "SupportRates":
        """Count over the matches of documents; ``counted`` and ``supported`` go by match."""
        pairs = matches.document * n_keys + matches.key
        return SupportRates(
            np.bincount(np.unique(pairs[counted]) % n_keys, minlength=n_keys),
            np.bincount(np.unique(pairs[counted & supported]) % n_keys, minlength=n_keys),
        )

    def of_matches(
        self, key: Ints, *, counted: Flags | None = None, supported: Flags | None = None
    ) -> tuple[Ints, Floats]:
        """Give the documents behind the rate of each match, and the rate.

        A match is no witness for itself: with ``counted`` and ``supported``, its own document is
        left out of both counts.

        >>> rates = SupportRates(np.array([3]), np.array([1]))
        >>> [column.tolist() for column in rates.of_matches(np.array([0]))]
        [[3], [0.325]]
        """
        n, s = self.n_documents[key], self.n_supported[key]
        if counted is not None and supported is not None:
            n, s = n - counted, s - (counted & supported)
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
