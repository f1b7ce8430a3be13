"""Sentences advanced together: step t holds token t of every sentence that has so many.

Sentences stand side by side, the longest first, so that those still going on are always the first
ones. Rows are ordered by step, then by rank of the sentence; arrays in this order have the rows on
their last axis. Each number is computed from its own sentence only and by the same operations
whatever stands beside it, so how sentences are batched shows in no digit.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from vermeil.arrays import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """Where the tokens of a batch stand.

    ``token`` gives for each row its token on the axis of the batch, ``first_row`` where each step
    begins (and a last one where all end), ``sentence`` the sentences by rank.
    """

    token: Ints
    first_row: tuple[int, ...]
    sentence: Ints

    @staticmethod
    def of(first_token: Ints) -> "Steps":
        """Lay out sentences that begin at ``first_token``; its last element is where all end.

        >>> Steps.of(np.array([0, 1, 3, 3])).token.tolist()
        [1, 0, 2]
        """
        length = np.diff(first_token)
        sentence = np.argsort(-length, kind="stable")
        rank = np.empty_like(sentence)
        rank[sentence] = np.arange(len(sentence))
        step = np.arange(first_token[-1]) - np.repeat(first_token[:-1], length)
        first_row = np.concatenate(([0], np.cumsum(np.bincount(step))))
        token = np.empty_like(step)
        token[first_row[step] + np.repeat(rank, length)] = np.arange(len(step))
        return Steps(token, tuple(first_row.tolist()), sentence)

    def __iter__(self) -> Iterator[slice]:
        """Yield the rows of each step."""
        return (slice(first, end) for first, end in pairwise(self.first_row))

    def pairs(self) -> Iterator[tuple[slice, slice]]:
        """Yield the rows of each step but the first, after those of the tokens just before."""
        for first, (low, high) in zip(self.first_row, pairwise(self.first_row[1:]), strict=False):
            yield slice(first, first + high - low), slice(low, high)

    def last_rows(self) -> Ints:
        """Return the row of the last token of each sentence that has one, in order of rank."""
        width = np.diff(self.first_row)
        ends_at = np.searchsorted(-width, -np.arange(width.max(initial=0)), side="left") - 1
        rows: Ints = np.asarray(self.first_row)[ends_at] + np.arange(len(ends_at))
        return rows

    def in_rows(self, values: Floats) -> Floats:
        """Bring values by token (first axis) into rows (last axis)."""
        return np.ascontiguousarray(np.moveaxis(values[self.token], 0, -1))

    def in_tokens(self, values: Floats) -> Floats:
        """Bring values in rows (last axis) back into the order of tokens (first axis)."""
        result = np.empty((values.shape[-1], *values.shape[:-1]))
        result[self.token] = np.moveaxis(values, -1, 0)
        return result
