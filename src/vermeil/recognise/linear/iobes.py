"""Tags that say where a name ends, too: O, and for each label B, I, E and S.

A name of several tokens is B, any number of I, and E; a name of one token is S (Ratinov and Roth
2009). Code 0 is O, codes 1 to 4 are B, I, E, S of the first label, 5 to 8 of the second, and so on.
A sequence that is allowed is well formed in the scheme ``iobes`` of ``vermeil.text.tags``.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Ints
from vermeil.sequences.tokens.tag_set import TagSet
from vermeil.text.tags import OUTSIDE

LETTERS = "BIES"
FIRST, INSIDE, LAST, SINGLE = range(len(LETTERS))


@dataclass(frozen=True, slots=True)
class Iobes(TagSet):
    """The tags for some labels, in the order of the labels.

    >>> Iobes(("Gene",)).names
    ('O', 'B-Gene', 'I-Gene', 'E-Gene', 'S-Gene')
    """

    def __len__(self) -> int:
        return 1 + len(LETTERS) * len(self.labels)

    @property
    def names(self) -> tuple[str, ...]:
        """The tags as strings, in order of their codes."""
        return OUTSIDE, *(f"{letter}-{label}" for label in self.labels for letter in LETTERS)

    @property
    def begin(self) -> Ints:
        """The tag that begins a name of several tokens, for each label."""
        return 1 + len(LETTERS) * np.arange(len(self.labels))

    @property
    def inner(self) -> Ints:
        """The tag in the middle of a name, for each label."""
        return self.begin + INSIDE

    @property
    def letter(self) -> Ints:
        """The place in LETTERS of each tag; -1 for O."""
        return np.concatenate(([-1], np.tile(np.arange(len(LETTERS)), len(self.labels))))

    @property
    def label(self) -> Ints:
        """The number of the label of each tag; -1 for O."""
        return np.concatenate(([-1], np.repeat(np.arange(len(self.labels)), len(LETTERS))))

    @property
    def allowed_first(self) -> Flags:
        """Whether a sentence may start with the tag."""
        return ~np.isin(self.letter, (INSIDE, LAST))

    @property
    def allowed_last(self) -> Flags:
        """Whether a sentence may end with the tag."""
        return ~np.isin(self.letter, (FIRST, INSIDE))

    @property
    def allowed(self) -> Flags:
        """Whether a tag (row) may be followed by a tag (column)."""
        same = self.label[:, None] == self.label
        goes_on = ~self.allowed_last[:, None] & ~self.allowed_first & same
        allowed: Flags = goes_on | (self.allowed_last[:, None] & self.allowed_first)
        return allowed

    def of_begin_and_inner(self, tag: Ints) -> Ints:
        """Translate codes of a ``TagSet`` of the same labels; they must be well formed.

        >>> Iobes(("Gene",)).of_begin_and_inner(np.array([1, 0, 1, 2, 2])).tolist()
        [4, 0, 1, 2, 3]
        """
        label, is_inner = (tag - 1) // 2, (tag > 0) & (tag % 2 == 0)
        goes_on = np.append(is_inner[1:], np.zeros(min(1, len(tag)), dtype=bool))
        letter = np.where(
            is_inner, np.where(goes_on, INSIDE, LAST), np.where(goes_on, FIRST, SINGLE)
        )
        return np.where(tag > 0, 1 + len(LETTERS) * label + letter, 0)

    def spans(self, tag: Ints, first_token: Ints) -> tuple[Ints, Ints, Ints]:
        """Find start, end and label of the names: S, or B to E; whatever is not whole is none.

        >>> tags = Iobes(("Gene",))
        >>> codes = tags.codes(["S-Gene", "B-Gene", "E-Gene", "B-Gene", "O", "E-Gene"])
        >>> [column.tolist() for column in tags.spans(codes, np.array([0, 6]))]
        [[0, 1], [1, 3], [0, 0]]
        """
        letter, label = self.letter[tag], self.label[tag]
        goes_on = np.zeros(len(tag) + 1, dtype=bool)
        goes_on[1:-1] = self.allowed[tag[:-1], tag[1:]] & ~self.allowed_last[tag[:-1]]
        goes_on[first_token[:-1]] = False
        start = np.flatnonzero(np.isin(letter, (FIRST, SINGLE)))
        stops = np.flatnonzero(~goes_on)
        end = stops[np.searchsorted(stops, start, side="right")]
        whole = self.allowed_last[tag[end - 1]]
        return start[whole], end[whole], label[start[whole]]
