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


def ranges(first: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Write half-open ranges out, one after the other: whose each place is, and the place.

    A range that ends before it begins is empty.

    >>> [column.tolist() for column in ranges(np.array([5, 3, 7]), np.array([7, 0, 8]))]
    [[0, 0, 2], [5, 6, 7]]
    """
    length = np.maximum(end - first, 0)
    owner = np.repeat(np.arange(len(length)), length)
    before = np.cumsum(length) - length
    return owner, np.arange(len(owner)) + (first - before)[owner]
