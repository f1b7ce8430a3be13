"""Things described by features of the text, many batches of them put together.

A thing, a heart or a boundary, is seen from several views and is from each a row of hashed features
(``vermeil.sequences.features.rows``). Rows of several batches are put side by side as they come;
``in_order`` makes one row of equal ones and orders them by what they hold, so that no order of
documents, and no way of cutting them, changes a digit of what is learned.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Ints, ranges
from vermeil.sequences.features.rows import Encoded, FeatureRows, TokenViews, encode


@dataclass(frozen=True, slots=True, eq=False)
class DescribedThings:
    """Thing t is from view v the row ``row[t, v]``, with ``features[first[r]:first[r + 1]]``."""

    row: NDArray[np.int32]
    first: Ints
    features: NDArray[np.int32]

    @staticmethod
    def of(views: TokenViews) -> "DescribedThings":
        """Keep what all views say of the things of a batch, but no rows of other words."""
        seen = encode(views)
        every = DescribedThings(
            seen.row.astype(np.int32), seen.rows.first, seen.rows.features.astype(np.int32)
        )
        return every.only(np.arange(len(every)))

    def __len__(self) -> int:
        return len(self.row)

    def beside(self, other: "DescribedThings") -> "DescribedThings":
        """Put the things of two batches together."""
        n_rows = len(self.first) - 1
        return DescribedThings(
            np.concatenate((self.row, other.row + np.int32(n_rows))),
            np.concatenate((self.first, other.first[1:] + self.first[-1])),
            np.concatenate((self.features, other.features)),
        )

    def chosen(self, things: Ints) -> "DescribedThings":
        """Keep some things, in this order; all rows stay."""
        return DescribedThings(self.row[things], self.first, self.features)

    def only(self, things: Ints) -> "DescribedThings":
        """Keep some things, in this order, and no row but theirs."""
        used, number = np.unique(self.row[things], return_inverse=True)
        _, at = ranges(self.first[used], self.first[used + 1])
        ends = np.concatenate(([0], np.cumsum(self.first[used + 1] - self.first[used])))
        row = number.reshape(len(things), self.row.shape[1]).astype(np.int32)
        return DescribedThings(row, ends, self.features[at])

    def in_order(self) -> "DescribedThings":
        """Keep each row that is used once, ordered by what it holds."""
        used, number = np.unique(self.row, return_inverse=True)
        owner, at = ranges(self.first[used], self.first[used + 1])
        held = self.features[at]
        # Sums wrap around, which is exact, so that rows without features are no exception.
        sums = np.concatenate((np.zeros(1, np.uint64), np.cumsum(_mixed(held), dtype=np.uint64)))
        first = np.searchsorted(owner, np.arange(len(used) + 1))
        _, some, among = np.unique(
            sums[first[1:]] - sums[first[:-1]], return_index=True, return_inverse=True
        )
        _, kept = ranges(first[some], first[some + 1])
        ends = np.concatenate(([0], np.cumsum(first[some + 1] - first[some])))
        row = among.ravel()[number.ravel()].reshape(self.row.shape)
        return DescribedThings(row.astype(np.int32), ends, held[kept])

    @property
    def encoded(self) -> Encoded:
        """The things as a model takes them."""
        return Encoded(
            self.row.astype(np.int64), FeatureRows(self.first, self.features.astype(np.int64))
        )


def _mixed(features: NDArray[np.int32]) -> NDArray[np.uint64]:
    mixed = (features.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
