"""How much a document is about a name: what decides, beside being a name, whether curators link it.

References are made to what a paper is about, not to all it mentions. A name that stands in the
title or comes up again and again is linked far more often than one in passing, and neither makes it
more of a name. So this is kept apart from what a match looks like (see ``support``).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.acquire.match_features import half_doublings, hashed
from vermeil.acquire.matching import Matches
from vermeil.document import Document
from vermeil.recognise.tag_set import Flags, Ints
from vermeil.text.sentences import sentences

FAMILY = 200
"""The first family of these features; those of the match have smaller numbers."""

LONGEST_TITLE = 500


@dataclass(frozen=True, slots=True, eq=False)
class Prominence:
    """For each match, how often its key stands in its document, and whether in the title."""

    times: Ints
    in_title: Flags

    @staticmethod
    def of(matches: Matches, documents: Sequence[Document]) -> "Prominence":
        """Count; all matches of a key in a document are alike."""
        ends = np.array([_title_end(document.text) for document in documents], dtype=np.int64)
        n_keys = int(matches.key.max(initial=0)) + 1
        pair, of, n = np.unique(
            matches.document * n_keys + matches.key, return_inverse=True, return_counts=True
        )
        in_title = np.zeros(len(pair), dtype=bool)
        in_title[of[matches.start < ends[matches.document]]] = True
        return Prominence(n[of], in_title[of])

    @property
    def is_high(self) -> Flags:
        """Whether the document may be about the name: in the title, or more than once."""
        high: Flags = self.in_title | (self.times > 1)
        return high

    @property
    def columns(self) -> Ints:
        """Hashed features, as ``match_features`` has them."""
        times, title = half_doublings(self.times), self.in_title.astype(np.int64)
        values = (times, title, 2 * times + title)
        return np.stack([hashed(FAMILY + n, value) for n, value in enumerate(values)], axis=1)


def _title_end(text: str) -> int:
    """Give the end of the first sentence."""
    first = sentences(text[:LONGEST_TITLE])
    return first[0][1] if first else 0
