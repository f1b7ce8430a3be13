"""What was found out about words, kept for the next time they come.

Half the words of a text come in every text, and several stages ask the same of them.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

import numpy as np

from vermeil.arrays import AnyArray, Floats

T = TypeVar("T")

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


class RowMemory:
    """Rows of numbers by key, as one model gives them; when another model asks, all is forgotten.

    >>> lengths, model = RowMemory(), np.zeros(1)
    >>> lengths.of(["a", "bc"], model, lambda keys: np.array([[len(key)] for key in keys])).tolist()
    [[1], [2]]
    """

    def __init__(self) -> None:
        """Know nothing."""
        # Replaced as a whole, never changed, so that threads may share it.
        self._known: tuple[AnyArray | None, dict[str, int], Floats] = None, {}, np.zeros((0, 0))

    def of(
        self, keys: Sequence[str], model: AnyArray, find_out: Callable[[list[str]], Floats]
    ) -> Floats:
        """Tell the rows of keys; those not known yet are found out, all at once.

        ``model`` is an array that no other model has.
        """
        owner, places, table = self._known
        if owner is not model:
            places, table = {}, np.zeros((0, 0))
        new = [key for key in dict.fromkeys(keys) if key not in places]
        if new:
            if len(table) + len(new) > MOST_WORDS:
                new, places, table = list(dict.fromkeys(keys)), {}, np.zeros((0, 0))
            found = find_out(new)
            first, table = len(table), np.concatenate((table, found)) if len(table) else found
            added = dict(zip(new, range(first, len(table)), strict=True))
            kept = {key: place for key, place in added.items() if len(key) <= LONGEST_WORD}
            self._known = model, places | kept, table
            places = places | added
        at = np.fromiter(map(places.__getitem__, keys), dtype=np.int64, count=len(keys))
        rows: Floats = table[at]
        return rows
