"""Links hidden to see whether they are found again: what a search for missing ones is worth.

No gold is needed. But references are not exhaustive: a link that they lack although the document is
about the record counts as wrong, so precision and average precision are too low, by nobody knows
how much. Recall is of all hidden links; for half of them no likely name stands in an abstract.
"""

from dataclasses import dataclass, field

import numpy as np

from vermeil.acquisition.databases.references import References
from vermeil.arrays import Flags, Floats, Ints
from vermeil.scoring.ranked import Ranking
from vermeil.sequences.tokens.alphabet import hash_words

WIDEST, STEP = 15.0, 0.02
"""Log odds up to which links are told apart, and how finely."""

N_STEPS = round(2 * WIDEST / STEP) + 1


def hide(references: References, share: float, *, seed: int) -> tuple[References, References]:
    """Part references into those that stay and those that are hidden.

    Each link is hidden or not by a hash of itself and the seed, whatever else is there.

    >>> every = References.of([(str(n % 7), str(n)) for n in range(1000)])
    >>> stay, hidden = hide(every, 0.2, seed=0)
    >>> len(stay) + len(hidden), 150 < len(hidden) < 250
    (1000, True)
    """
    number = np.repeat(np.arange(len(references.documents)), np.diff(references.first))
    pairs = [
        (references.ids[id], references.documents[document])
        for document, id in zip(number.tolist(), references.id.tolist(), strict=True)
    ]
    hashes = hash_words([f"{seed} {id} {document}" for id, document in pairs])
    is_hidden = (hashes < np.uint64(min(share * 2.0**64, 2.0**64 - 2048))).tolist()
    parts: tuple[list[tuple[str, str]], ...] = ([], [])
    for pair, hidden in zip(pairs, is_hidden, strict=True):
        parts[hidden].append(pair)
    return References.of(parts[False]), References.of(parts[True])


def _none() -> Ints:
    return np.zeros(N_STEPS, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class LinkTrial:
    """How hidden links came out: by steps of the log odds, all that was found and the hidden ones.

    ``n_hidden`` links were hidden in ``n_documents`` documents of the corpus. Add two to pool them.
    """

    n_documents: int = 0
    n_hidden: int = 0
    n_found: Ints = field(default_factory=_none)
    n_right: Ints = field(default_factory=_none)

    def __add__(self, other: "LinkTrial") -> "LinkTrial":
        return LinkTrial(
            self.n_documents + other.n_documents,
            self.n_hidden + other.n_hidden,
            self.n_found + other.n_found,
            self.n_right + other.n_right,
        )

    @staticmethod
    def of(n_documents: int, n_hidden: int, odds: Floats, is_right: Flags) -> "LinkTrial":
        """Count what was found, and which of it is right."""
        step = np.rint((np.clip(odds, -WIDEST, WIDEST) + WIDEST) / STEP).astype(np.int64)
        n_found = np.bincount(step, minlength=N_STEPS)
        return LinkTrial(
            n_documents, n_hidden, n_found, np.bincount(step[is_right], minlength=N_STEPS)
        )

    @property
    def n_findable(self) -> int:
        """The hidden links for which a name that is not all too unlikely stands in the text."""
        return int(self.n_right.sum())

    @property
    def ranking(self) -> Ranking:
        """What was found, from the surest down; thresholds are probabilities."""
        steps = np.flatnonzero(self.n_found)[::-1]
        right, found = np.cumsum(self.n_right[steps]), np.cumsum(self.n_found[steps])
        odds = steps * STEP - WIDEST
        wanted = np.full(len(steps), self.n_hidden)
        pooled = np.stack((right, found, right, wanted), axis=1).astype(np.float64)
        return Ranking(1 / (1 + np.exp(-odds)), pooled, self.n_hidden)
