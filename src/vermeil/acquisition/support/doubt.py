"""What stands against a match whatever references say: doubts that lower its score.

A score tells how much a match looks like supported ones, and being supported is not being a name.
Three kinds of names look better than they are, by what every curator knows of them: abbreviations
of two or three characters, which stand for many things; names of families, which a database lists
with each member and references support (``STAT``); and short names with capitals of which no record
has a reference at all, so that nothing ever spoke for them. How much each lowers the score, a log
odds, was chosen on GE abstracts (decision 11).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.acquisition.databases.references import Links
from vermeil.arrays import Flags, Floats, Ints

FEW_CHARACTERS, FEW = 3, 1.0
FAMILY = 1.0
UNLINKED_CHARACTERS, UNLINKED = 6, 1.5


@dataclass(frozen=True, slots=True, eq=False)
class NameDoubts:
    """For each key, whether some record of it has a reference, and whether it names a family."""

    is_linked: Flags
    is_family: Flags

    @staticmethod
    def of(links: Links) -> "NameDoubts":
        """Look up the keys of a lexicon."""
        return NameDoubts(links.linked_keys, links.lexicon.is_family)

    def about(self, strings: Sequence[str], key: Ints) -> Floats:
        """Say how much lower the scores of matches are."""
        n_characters = np.array([len(each) for each in strings], dtype=np.int64)
        has_capital = np.array([each != each.lower() for each in strings], dtype=bool)
        few = has_capital & (n_characters <= FEW_CHARACTERS)
        unlinked = has_capital & (n_characters <= UNLINKED_CHARACTERS) & ~self.is_linked[key]
        lower: Floats = FEW * few + FAMILY * self.is_family[key] + UNLINKED * unlinked
        return lower
