"""Rows of different lengths, laid end to end."""

import numpy as np

from vermeil.arrays import Ints


def ragged(lengths: Ints) -> tuple[Ints, Ints]:
    """Give, for rows of these lengths laid end to end, the row and the place in it of each item.

    >>> [column.tolist() for column in ragged(np.array([2, 0, 1]))]
    [[0, 0, 2], [0, 1, 0]]
    """
    which = np.repeat(np.arange(len(lengths)), lengths)
    return which, np.arange(len(which)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
