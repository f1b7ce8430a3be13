"""What was found out about words, kept for the next time they come.

Half the words of a text come in every text, and several stages ask the same of them.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

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
