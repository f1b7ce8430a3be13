"""The tags of a sequence model: O, and for each label one tag to begin a name and one to go on.

A tag is a code, its place in ``TagSet.names``: 0 is O, 1 and 2 begin and continue the first label,
3 and 4 the second, and so on. A name goes on only after a tag of its own label, so a sequence that
is allowed is well formed in the scheme ``iob2`` of ``vermeil.text.tags``.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Ints
from vermeil.errors import UnknownNameError
from vermeil.text.tags import OUTSIDE


@dataclass(frozen=True, slots=True)
class TagSet:
    """The tags for some labels, in the order of the labels.

    >>> tags = TagSet(("Gene", "Cell"))
    >>> tags.names
    ('O', 'B-Gene', 'I-Gene', 'B-Cell', 'I-Cell')
    >>> tags.begin.tolist(), tags.inner.tolist()
    ([1, 3], [2, 4])
    """

    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(set(self.labels)) < len(self.labels):
            raise ValueError(f"labels must differ, got {', '.join(self.labels)}")

    def __len__(self) -> int:
        return 1 + 2 * len(self.labels)

    @property
    def names(self) -> tuple[str, ...]:
        """The tags as strings, in order of their codes."""
        pairs = ((f"B-{label}", f"I-{label}") for label in self.labels)
        return OUTSIDE, *(tag for pair in pairs for tag in pair)

    @property
    def begin(self) -> Ints:
        """The tag that begins a name, for each label."""
        return 1 + 2 * np.arange(len(self.labels))

    @property
    def inner(self) -> Ints:
        """The tag that continues a name, for each label."""
        return 2 + 2 * np.arange(len(self.labels))

    @property
    def allowed_first(self) -> Flags:
        """Whether a sentence may start with the tag."""
        allowed = np.ones(len(self), dtype=np.bool_)
        allowed[self.inner] = False
        return allowed

    @property
    def allowed(self) -> Flags:
        """Whether a tag (row) may be followed by a tag (column)."""
        allowed = np.tile(self.allowed_first, (len(self), 1))
        allowed[self.begin, self.inner] = True
        allowed[self.inner, self.inner] = True
        return allowed

    def codes(self, tags: Iterable[str]) -> Ints:
        """Return the codes of tags.

        >>> TagSet(("Gene",)).codes(["O", "B-Gene", "I-Gene"]).tolist()
        [0, 1, 2]
        """
        known = {tag: code for code, tag in enumerate(self.names)}
        try:
            return np.array([known[tag] for tag in tags], dtype=np.int64)
        except KeyError as error:
            raise UnknownNameError("tag", error.args[0], known) from None
