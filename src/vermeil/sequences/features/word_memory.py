"""What was found out about words, kept for the next time they come.

Half the words of a text come in every text, and several stages ask the same of them.
"""

from collections.abc import Callable, Sequence
from itertools import repeat
from threading import Lock
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", np.float64, np.int64, np.void)

MOST_WORDS = 1 << 17
"""Words that are kept; when there are more, all are forgotten."""

LONGEST_WORD = 60
"""Characters of the longest word that is kept, so that memory is bounded whatever texts hold."""


class RowMemory(Generic[Number]):
    """Numbers by key, one or a row or a record of them, as one model gives them.

    When another model asks, all is forgotten.

    >>> lengths = RowMemory[np.float64]()
    >>> lengths.of(["a", "bc"], lambda keys: np.array([len(key) * 1.0 for key in keys])).tolist()
    [1.0, 2.0]
    """

    def __init__(self) -> None:
        """Know nothing."""
        self._kept: _Kept[Number] = _Kept(None)

    def of(
        self,
        keys: Sequence[str],
        find_out: Callable[[list[str]], NDArray[Number]],
        model: object | None = None,
    ) -> NDArray[Number]:
        """Tell the numbers of keys; those not known yet are found out, all at once.

        ``model`` is an object that no other model has, where several may ask.
        """
        kept = self._kept
        if kept.model is not model:
            self._kept = kept = _Kept[Number](model)
        at = np.fromiter(map(kept.places.get, keys, repeat(-1)), dtype=np.int64, count=len(keys))
        # Looked at after the places: whatever has a place has a row by then.
        table = kept.table
        if table is None:
            missing = np.arange(len(keys))
        else:
            missing = np.flatnonzero(at < 0)
            if not len(missing):
                known: NDArray[Number] = table.take(at, axis=0)
                return known
        asked = [keys[place] for place in missing.tolist()]
        number = dict(zip(dict.fromkeys(asked), range(len(asked)), strict=False))
        found: NDArray[Number] = find_out(list(number))
        rows: NDArray[Number]
        if table is not None and len(missing) < len(keys):
            rows = table.take(at, axis=0, mode="clip")
        else:
            rows = np.empty((len(keys), *found.shape[1:]), dtype=found.dtype)
        whole = len(number) == len(asked)
        rows[missing] = found if whole else found[[number[key] for key in asked]]
        if not kept.add(number, found):
            self._kept = _Kept[Number](model)
            self._kept.add(number, found)
        return rows


class _Kept(Generic[Number]):
    """What is kept of one model. Threads may share it: rows are added, never changed."""

    def __init__(self, model: object | None) -> None:
        self.model = model
        self.places: dict[str, int] = {}
        self.table: NDArray[Number] | None = None
        self._n_rows = 0
        self._lock = Lock()

    def add(self, number: dict[str, int], found: NDArray[Number]) -> bool:
        """Keep what was found for keys; tell whether there was room for it.

        Where nothing is kept yet there is room for as much as comes.
        """
        with self._lock:
            # What another thread has added meanwhile is added again, and no harm is done.
            new = [key for key in number if len(key) <= LONGEST_WORD]
            first = self._n_rows
            last = first + len(new)
            if first and last > MOST_WORDS:
                return False
            if self.table is None or last > len(self.table):
                table = np.empty((2 * last, *found.shape[1:]), dtype=found.dtype)
                if self.table is not None:
                    table[:first] = self.table[:first]
                self.table = table
            whole = len(new) == len(number)
            self.table[first:last] = found if whole else found[[number[key] for key in new]]
            self._n_rows = last
            self.places.update(zip(new, range(first, last), strict=True))
            return True
