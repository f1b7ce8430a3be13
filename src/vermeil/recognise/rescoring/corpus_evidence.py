"""What a whole corpus says of a string: how sure it is in other documents, and what it stands for.

The rescorer of Corbett and Copestake looks at a document; their introduction thinks of the corpus,
too. In a first pass each document votes once for each label and string (case folded) that it has as
an unblocked candidate, with the best log odds there, and with what its long form is worth where it
is defined as a short form. In a second pass a candidate is told what the other documents voted; its
own document's vote is taken off.

Votes are whole numbers of thousandths, so that sums do not depend on how documents were cut into
parts. Strings are kept as hashes.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Floats, Ints

UNIT = 1000
N_SUMS = 5


@dataclass(frozen=True, slots=True, eq=False)
class CorpusEvidence:
    """Votes by string, one row each, by rising ``key``. Add two to pool them.

    The columns of ``sums``: documents, their log odds and confidences, documents that define the
    string as a short form, and the fits of their long forms.
    """

    key: NDArray[np.uint64]
    sums: Ints

    @staticmethod
    def nothing() -> "CorpusEvidence":
        """Return what no document says."""
        return CorpusEvidence(np.zeros(0, dtype=np.uint64), np.zeros((0, N_SUMS), dtype=np.int64))

    @staticmethod
    def of(votes: "DocumentVotes") -> "CorpusEvidence":
        """Sum the votes of documents up."""
        return _summed(votes.key, votes.ballots)

    def __add__(self, other: "CorpusEvidence") -> "CorpusEvidence":
        return _summed(
            np.concatenate((self.key, other.key)), np.concatenate((self.sums, other.sums))
        )

    def elsewhere(self, votes: "DocumentVotes") -> dict[str, Floats]:
        """Tell each candidate what the documents other than its own voted."""
        at = np.searchsorted(self.key, votes.key).clip(max=max(len(self.key) - 1, 0))
        total = np.zeros_like(votes.ballots)
        if len(self.key):
            known = self.key[at] == votes.key
            total[known] = self.sums[at[known]]
        n, odds, sure, n_short, fit = np.maximum(total - votes.ballots, _LEAST)[votes.row].T
        return {
            "corpus: how often": np.log1p(n),
            "corpus: mean": _mean(odds, n),
            # As if one more document had been of two minds.
            "corpus: sure": (sure / UNIT + 0.5) / (n + 1),
            "corpus: short form": np.log1p(n_short),
            "corpus: fit of long form": _mean(fit, n_short),
        }


_LEAST = np.array([0, np.iinfo(np.int64).min, 0, 0, 0])
"""What others can have voted at the least; log odds may be below zero."""


@dataclass(frozen=True, slots=True, eq=False)
class DocumentVotes:
    """What each document votes for each string in it; ``row`` is the ballot of each candidate."""

    key: NDArray[np.uint64]
    ballots: Ints
    row: Ints

    @staticmethod
    def of(
        key: NDArray[np.uint64], document: Ints, logit: Floats, fit: Floats, voting: Flags
    ) -> "DocumentVotes":
        """Let documents vote; of candidates with the same ``key`` the surest that votes counts."""
        order = np.lexsort((key, document))
        ordered_key, ordered_document = key[order], document[order]
        new = np.ones(len(order), dtype=bool)
        new[1:] = (np.diff(ordered_document) != 0) | (ordered_key[1:] != ordered_key[:-1])
        row = np.empty(len(order), dtype=np.int64)
        row[order] = np.cumsum(new) - 1
        n_ballots = int(new.sum())
        best, best_fit = np.full(n_ballots, -np.inf), np.full(n_ballots, -np.inf)
        np.maximum.at(best, row[voting], logit[voting])
        is_short = ~np.isnan(fit)
        np.maximum.at(best_fit, row[is_short], fit[is_short])
        votes, defines = np.isfinite(best), np.isfinite(best_fit)
        best, best_fit = np.where(votes, best, 0.0), np.where(defines, best_fit, 0.0)
        sure = votes / (1 + np.exp(-best))
        columns = (votes, best * UNIT, sure * UNIT, defines, best_fit * UNIT)
        ballots = np.stack([np.rint(column).astype(np.int64) for column in columns], axis=1)
        return DocumentVotes(ordered_key[new], ballots, row)


def _summed(key: NDArray[np.uint64], sums: Ints) -> CorpusEvidence:
    distinct, which = np.unique(key, return_inverse=True)
    total = np.zeros((len(distinct), N_SUMS), dtype=np.int64)
    np.add.at(total, which, sums)
    return CorpusEvidence(distinct, total)


def _mean(total: Ints, n: Ints) -> Floats:
    mean: Floats = np.divide(total / UNIT, n, out=np.full(len(n), np.nan), where=n > 0)
    return mean
