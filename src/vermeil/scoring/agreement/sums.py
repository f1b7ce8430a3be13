"""The agreement of a corpus of any size: what each batch adds up to, without its documents."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from vermeil.document import Document
from vermeil.scoring.agreement.examples import Disagreements, confused
from vermeil.scoring.agreement.keyed import KeyedCounts
from vermeil.scoring.agreement.left_out import BY_ANNOTATOR, FEW, Stored, judge_left_out
from vermeil.scoring.agreement.meetings import BY_LABEL, BY_PAIR, Meetings
from vermeil.scoring.agreement.totals import Totals
from vermeil.scoring.agreement.votes import Votes, Words
from vermeil.shown import Brief

Worst = tuple[float, int, str, int]
"""Exact agreement on a document, less the names compared, its id, and how many looked at it."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AgreementSums(Brief):
    """Everything that was counted; codes are those of one ``Words``. Add two to pool them.

    ``looked`` counts the documents by who looked, where annotators are few. The ``n_worst``
    documents with the least agreement are kept.
    """

    n_documents: int
    n_shared: int
    by_pair: KeyedCounts
    by_label: KeyedCounts
    by_annotator: KeyedCounts
    confusion: KeyedCounts
    totals: Totals
    examples: Disagreements
    looked: Mapping[tuple[int, ...], int] = field(default_factory=dict)
    n_worst: int = 0
    worst: tuple[Worst, ...] = ()

    @staticmethod
    def none(n_resamples: int = 0, n_worst: int = 0) -> "AgreementSums":
        """Count nothing."""
        return AgreementSums(
            n_documents=0,
            n_shared=0,
            by_pair=KeyedCounts.none(len(BY_PAIR)),
            by_label=KeyedCounts.none(len(BY_LABEL)),
            by_annotator=KeyedCounts.none(len(BY_ANNOTATOR)),
            confusion=KeyedCounts.none(1),
            totals=Totals.none(n_resamples),
            examples=Disagreements(),
            n_worst=n_worst,
        )

    @staticmethod
    def of(
        documents: Sequence[Document],
        votes: Votes,
        words: Words,
        *,
        n_resamples: int,
        seed: int,
        n_worst: int,
        leave_one_out: bool,
        learned: Mapping[str, Stored],
    ) -> "AgreementSums":
        """Count a batch."""
        meetings = Meetings.of(votes, words)
        by_annotator = KeyedCounts.none(len(BY_ANNOTATOR))
        if leave_one_out:
            by_annotator = judge_left_out(documents, votes, words, learned)
        return AgreementSums(
            n_documents=len(documents),
            n_shared=int((votes.n_slots == words.n_annotators).sum()),
            by_pair=meetings.by_pair,
            by_label=meetings.by_label,
            by_annotator=by_annotator,
            confusion=confused(votes, meetings.told, words),
            totals=Totals.of(
                votes,
                meetings,
                n_annotators=words.n_annotators,
                n_resamples=n_resamples,
                seed=seed,
            ),
            examples=Disagreements.of(votes, meetings.told, words),
            looked=_looked(votes) if words.n_annotators <= FEW else {},
            n_worst=n_worst,
            worst=_worst(votes, meetings, n_worst),
        )

    def __add__(self, other: "AgreementSums") -> "AgreementSums":
        looked = Counter(self.looked)
        looked.update(other.looked)
        return AgreementSums(
            n_documents=self.n_documents + other.n_documents,
            n_shared=self.n_shared + other.n_shared,
            by_pair=self.by_pair + other.by_pair,
            by_label=self.by_label + other.by_label,
            by_annotator=self.by_annotator + other.by_annotator,
            confusion=self.confusion + other.confusion,
            totals=self.totals + other.totals,
            examples=self.examples + other.examples,
            looked=dict(looked),
            n_worst=self.n_worst,
            worst=tuple(sorted((*self.worst, *other.worst))[: self.n_worst]),
        )


def _looked(votes: Votes) -> dict[tuple[int, ...], int]:
    """Count documents by who looked at them."""
    ends = (votes.first + votes.n_slots).tolist()
    codes = votes.annotator.tolist()
    pairs = zip(votes.first.tolist(), ends, strict=True)
    return dict(Counter(tuple(codes[first:end]) for first, end in pairs))


def _worst(votes: Votes, meetings: Meetings, n: int) -> tuple[Worst, ...]:
    """Find the documents with the least exact agreement; of equals those with the most names."""
    matched, compared = meetings.matches.T
    known = np.flatnonzero(compared)
    share = matched[known] / compared[known]
    rows = [
        (f1, -less, votes.documents[number].id, n_looked)
        for f1, less, number, n_looked in zip(
            share.tolist(),
            compared[known].tolist(),
            known.tolist(),
            votes.n_slots[known].tolist(),
            strict=True,
        )
    ]
    return tuple(sorted(rows)[:n])
