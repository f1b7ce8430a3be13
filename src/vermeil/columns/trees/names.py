"""The names behind the codes of trees: labels, words, and words as brackets spell them."""

from collections.abc import Callable, Sequence

import numpy as np

from vermeil.arrays import Ints, distinct
from vermeil.tree import unescape


class NameCodes(dict[str, int]):
    """Numbers names in the order in which they are first looked up.

    >>> codes = NameCodes()
    >>> codes["p53"], codes["binds"], codes["p53"], codes.names
    (0, 1, 0, ['p53', 'binds'])
    """

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __missing__(self, name: str) -> int:
        self[name] = code = len(self.names)
        self.names.append(name)
        return code


class TreeNames:
    """The names behind the codes of tables that belong together.

    Constituents and parts of speech share ``labels``; ``words`` have their escapes undone.
    ``spellings`` are all of these as brackets spell them.

    >>> names = TreeNames()
    >>> names.words_of(names.coded(["-LRB-", "p53", "("])).tolist(), names.words.names
    ([0, 1, 0], ['(', 'p53'])
    """

    def __init__(self) -> None:
        self.labels, self.words, self.spellings = NameCodes(), NameCodes(), NameCodes()
        self._labels, self._words = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)

    def __repr__(self) -> str:
        return f"TreeNames({len(self.labels.names):,} labels, {len(self.words.names):,} words)"

    def coded(self, tokens: Sequence[str]) -> Ints:
        """Number tokens by their spelling."""
        codes = map(self.spellings.__getitem__, tokens)
        return np.fromiter(codes, dtype=np.int64, count=len(tokens))

    def labels_of(self, spellings: Ints) -> Ints:
        """Number the labels that are spelt so."""
        self._labels = self._filled(self._labels, spellings, self.labels.__getitem__)
        return self._labels[spellings]

    def words_of(self, spellings: Ints) -> Ints:
        """Number the words that are spelt so; different spellings may mean the same word."""
        self._words = self._filled(
            self._words, spellings, lambda spelling: self.words[unescape(spelling)]
        )
        return self._words[spellings]

    def _filled(self, known: Ints, spellings: Ints, code: Callable[[str], int]) -> Ints:
        """Find the codes behind spellings that were not met before; the others are ``known``."""
        names = self.spellings.names
        known = np.append(known, np.full(len(names) - len(known), -1))
        for spelling in distinct(spellings[known[spellings] < 0]).tolist():
            known[spelling] = code(names[spelling])
        return known
