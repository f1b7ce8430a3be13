"""Constituents as labelled brackets that can be compared across tables.

Two tables hold the same sentences. A sentence can be compared where both have a tree with the same
number of words; after a preparation that drops words by part of speech they may not.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Ints
from vermeil.columns.trees.table import TreeTable
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Brackets(Brief):
    """The constituents that hold words, one row each; places count from the sentence's start.

    >>> table = TreeTable.parse(["(S (NP (NN p53)) (VP (VBZ binds)))", "(NP (NN DNA))"])
    >>> brackets = Brackets.of(table)
    >>> brackets.sentence.tolist(), brackets.start.tolist(), brackets.end.tolist()
    ([0, 0, 0, 1], [0, 0, 1, 0], [2, 1, 2, 1])
    """

    sentence: Ints
    start: Ints
    end: Ints
    label: Ints

    @staticmethod
    def of(table: TreeTable, sentences: Flags | None = None) -> "Brackets":
        """Take the constituents of a table, of some sentences only where these are given."""
        sentence = table.sentence
        kept = table.start < table.end
        if sentences is not None:
            kept &= sentences[np.minimum(sentence, len(table) - 1)]
        sentence = sentence[kept]
        origin = table.first_word[sentence]
        return Brackets(
            sentence, table.start[kept] - origin, table.end[kept] - origin, table.label[kept]
        )

    def _told(self) -> str:
        return f"{len(self):,} constituents of {len(np.unique(self.sentence)):,} sentences"

    def __len__(self) -> int:
        return len(self.sentence)

    def keys(self, n_places: int, n_labels: int = 0) -> Ints:
        """Number brackets, equal ones alike, in order of sentence and start.

        ``n_places`` exceeds every end and ``n_labels`` every label; without it labels are left
        out.
        """
        keys = (self.sentence * n_places + self.start) * n_places + self.end
        return keys * n_labels + self.label if n_labels else keys


def comparable(gold: TreeTable, parsed: TreeTable) -> Flags:
    """Tell which sentences have two trees over the same number of words."""
    has_both = ~gold.failed & ~parsed.failed
    found: Flags = has_both & (gold.n_words == parsed.n_words)
    return found


def unequal_words(gold: TreeTable, parsed: TreeTable) -> Flags:
    """Tell which sentences have two trees that cannot be compared."""
    found: Flags = ~gold.failed & ~parsed.failed & (gold.n_words != parsed.n_words)
    return found


def n_places(*tables: TreeTable) -> int:
    """Return a number above every place in any sentence."""
    return 1 + max(int(table.n_words.max(initial=0)) for table in tables)


def shared(first: Ints, second: Ints) -> tuple[Ints, Ints]:
    """Find the keys that two multisets share, and how often.

    >>> keys, n = shared(np.array([4, 2, 2, 2]), np.array([2, 4, 2, 7]))
    >>> keys.tolist(), n.tolist()
    ([2, 4], [2, 1])
    """
    keys, n = np.unique(first, return_counts=True)
    other, n_other = np.unique(second, return_counts=True)
    both, here, there = np.intersect1d(keys, other, assume_unique=True, return_indices=True)
    return both, np.minimum(n[here], n_other[there])
