"""What was found out about words, kept for the next time they come.

Half the words of a text come in every text, and several stages ask the same of them.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray


T = TypeVar("T")
Number = TypeVar("Number", np.float64, np.int64, np.uint64)

MOST_WORDS = 1 << 17
"""Words that are kept; when there are more, all are forgotten."""

LONGEST_WORD = 60
"""Characters of the longest word that is kept, so that memory is bounded whatever texts hold."""


class WordMemory(Generic[T]):
    """One thing of each word.

    >>> lengths = WordMemory[int]()
    >>> lengths.of(["a", "bc", "a"], lambda words: map(len, words))
    [1, 2, 1]
    """

    def __init__(self) -> None:
        """Know nothing."""
        self._known: dict[str, T] = {}

    def of(self, words: Sequence[str], find_out: Callable[[list[str]], Iterable[T]]) -> list[T]:
        """Tell what is known of words; what is not known yet is found out, of all at once."""
        # Another thread may forget meanwhile, so that one dict is looked at from here on.
        known = self._known
        new = [word for word in dict.fromkeys(words) if word not in known]
        if not new:
            return [known[word] for word in words]
        found = dict(zip(new, find_out(new), strict=True))
        if len(known) + len(found) > MOST_WORDS:
            known = {word: known[word] for word in words if word in known}
        known.update((word, own) for word, own in found.items() if len(word) <= LONGEST_WORD)
        self._known = known
        return [found[word] if word in found else known[word] for word in words]


class RowMemory(Generic[Number]):
    """Numbers by key, one or a row of them, as one model gives them.

    When another model asks, all is forgotten.

    >>> lengths = RowMemory[np.int64]()
    >>> lengths.of(["a", "bc"], lambda keys: np.array([len(key) for key in keys])).tolist()
    [1, 2]
    """

    def __init__(self) -> None:
        """Know nothing."""
        # Replaced as a whole, never changed, so that threads may share it.
        self._known: tuple[object | None, dict[str, int], NDArray[Number] | None] = None, {}, None

    def of(
        self,
        keys: Sequence[str],
        find_out: Callable[[list[str]], NDArray[Number]],
        model: object | None = None,
    ) -> NDArray[Number]:
        """Tell the numbers of keys; those not known yet are found out, all at once.

        ``model`` is an object that no other model has, where several may ask.
        """
        owner, places, table = self._known
        if owner is not model:
            places, table = {}, None
        at = np.fromiter(map(places.get, keys, repeat(-1)), dtype=np.int64, count=len(keys))
        missing = np.flatnonzero(at < 0)
        if table is not None and not len(missing):
            return table[at]
        new = dict.fromkeys([keys[place] for place in missing.tolist()])
        if table is None or len(places) + len(new) > MOST_WORDS:
            places, table = {}, None
            new = dict.fromkeys(keys)
            missing = np.arange(len(keys))
        found: NDArray[Number] = find_out(list(new))
        number = dict(zip(new, range(len(new)), strict=True))
        rows = np.empty((len(keys), *found.shape[1:]), dtype=found.dtype)
        asked = [number[keys[place]] for place in missing.tolist()]
        rows[missing] = found[asked]
        if table is not None:
            known = np.flatnonzero(at >= 0)
            rows[known] = table[at[known]]
        kept = {key: own for key, own in number.items() if len(key) <= LONGEST_WORD}
        if kept:
            first, added = len(places), found[list(kept.values())]
            table = added if table is None else np.concatenate((table, added))
            places = places | dict(zip(kept, range(first, len(table)), strict=True))
            self._known = model, places, table
        return rows
