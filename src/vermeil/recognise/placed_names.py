"""Candidate names of a batch of documents, placed in their texts, and which of them are right."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from vermeil.arrays import Flags
from vermeil.document import Document, Span
from vermeil.sequences.chains.candidates import (
    THRESHOLD,
    Candidates,
    blocked_by,
    without_overlaps,
)
from vermeil.sequences.tokens.axis import TokenAxis

BATCH = 200
"""Documents that are compared with a standard at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedNames:
    """Candidates of a batch of documents, and where their tokens lie.

    ``blocked`` tells which overlap surer ones, where that was settled before they were rescored.
    """

    axis: TokenAxis
    candidates: Candidates
    blocked: Flags | None = None

    @property
    def is_blocked(self) -> Flags:
        """Which candidates overlap surer ones."""
        if self.blocked is not None:
            return self.blocked
        overlapped: Flags = blocked_by(self.candidates) >= 0
        return overlapped

    def apart(self, threshold: float = 0.0) -> Candidates:
        """Keep the candidates so sure that overlap no surer one."""
        sure = self.candidates.confidence >= threshold
        if self.blocked is not None:
            return self.candidates.keep(sure & ~self.blocked)
        return without_overlaps(self.candidates.keep(sure))

    def spans(self, number: int, candidates: Candidates, *, shift: int = 0) -> list[Span]:
        """Return candidates of one document as spans, ``shift`` characters further on."""
        tokens = self.axis.first_of_document[number : number + 2]
        rows = slice(*np.searchsorted(candidates.start, tokens).tolist())
        start = self.axis.start[candidates.start[rows]] + shift
        end = self.axis.end[candidates.end[rows] - 1] + shift
        columns = (start, end, candidates.label[rows], candidates.confidence[rows])
        return [
            Span(first, last, candidates.labels[code], confidence=confidence)
            for first, last, code, confidence in zip(
                *(column.tolist() for column in columns), strict=True
            )
        ]


class Finder(Protocol):
    """What finds names: every recogniser does."""

    def find(self, documents: Sequence[Document], *, threshold: float = THRESHOLD) -> PlacedNames:
        """Find every candidate of a batch of documents, overlapping ones too."""


def are_right(
    names: PlacedNames, documents: Sequence[Document], annotator: str, *, alternatives: bool = False
) -> Flags:
    """Tell which candidates are names of the annotator, to the character and with their label.

    With ``alternatives``, so are the other spans the annotator accepts. Discontinuous names cannot
    be found.
    """
    axis, candidates = names.axis, names.candidates
    wanted = {
        (number, span.start, span.end, span.label)
        for number, document in enumerate(documents)
        for span in (
            *document.layers.get(annotator, ()),
            *(document.alternatives(annotator) if alternatives else ()),
        )
        if not span.fragments
    }
    of = np.searchsorted(axis.first_of_document, candidates.start, side="right") - 1
    keys = zip(
        of.tolist(),
        axis.start[candidates.start].tolist(),
        axis.end[candidates.end - 1].tolist(),
        (candidates.labels[code] for code in candidates.label.tolist()),
        strict=True,
    )
    return np.fromiter((key in wanted for key in keys), dtype=bool, count=len(candidates))
