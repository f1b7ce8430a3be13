"""The kinds of arrays that columns are made of, named once for the whole house; ranges of them."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
"""Places, counts and codes."""

Floats: TypeAlias = NDArray[np.float64]
"""Weights, scores and confidences."""

Flags: TypeAlias = NDArray[np.bool_]
"""Whether something holds, row by row."""

AnyArray: TypeAlias = NDArray[Any]
"""An array of any kind."""


def ranges(first: Ints, length: Ints) -> tuple[Ints, Ints]:
    """List the places of ranges, one range after the other: whose each place is, and the place.

    >>> [column.tolist() for column in ranges(np.array([5, 0, 7]), np.array([2, 0, 1]))]
    [[0, 0, 2], [5, 6, 7]]
    """
    owner = np.repeat(np.arange(len(length)), length)
    before = np.cumsum(length) - length
    return owner, np.arange(len(owner)) + (first - before)[owner]
