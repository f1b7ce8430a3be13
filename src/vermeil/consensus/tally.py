"""Who says the same: the count behind every vote, over spans of text and over brackets of trees."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def tally(
    columns: Sequence[Ints], voter: Ints, n_voters: int
) -> tuple[Ints, NDArray[np.bool_], Ints]:
    """Bring equal rows together.

    Give one row number for each distinct row, in order of the columns, the first counting most; who
    has it (a voter that has it twice has it); and for every row which distinct one it is.

    >>> rows, voted, number = tally([np.array([5, 3, 5])], np.array([0, 0, 1]), 2)
    >>> rows.tolist(), voted.tolist(), number.tolist()
    ([1, 0], [[True, False], [True, True]], [1, 0, 1])
    """
    order = np.lexsort(columns[::-1])
    is_new = changes(*(column[order] for column in columns))
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.cumsum(is_new) - 1
    voted = np.zeros((int(is_new.sum()), n_voters), dtype=bool)
    voted[number, voter] = True
    return order[is_new], voted, number


def changes(*columns: Ints) -> NDArray[np.bool_]:
    """Tell where any of the columns differs from the row before; the first row does."""
    changed = np.ones(len(columns[0]), dtype=bool)
    changed[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return changed
