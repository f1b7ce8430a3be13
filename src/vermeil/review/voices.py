"""Who voted for each heart and how they cut it: all that a document's place in the queue needs.

Reliabilities are learned from the votes and the order of the boundaries (``Patterns``), and what a
document would teach follows from the same; so these few bytes stand for the document, and a new
order of the whole queue reads no text.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Ints
from vermeil.columns.levels import levels_of
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.evidence import NOT_THERE, gather, ranked
from vermeil.consensus.reliability import Patterns, Rows
from vermeil.scope import Scope
from vermeil.shown import Brief

Ranks = NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Voices(Brief):
    """The votes of several documents: a row a heart, a column an annotator.

    ``left`` and ``right`` hold the rank of the boundary of each who voted, NOT_THERE of the others.
    ``document`` numbers the documents from 0, of which there are ``n_documents``. ``labels`` are
    those of the hearts.
    """

    annotators: tuple[str, ...]
    n_documents: int
    document: Ints
    left: Ranks
    right: Ranks
    looked: Flags
    labels: tuple[str, ...]

    @staticmethod
    def of(table: SpanTable) -> "Voices":
        """Hear the annotators of a batch."""
        evidence = gather(table, levels=levels_of(table))
        return Voices(
            annotators=table.annotators,
            n_documents=len(table.documents),
            document=evidence.document,
            left=ranked(evidence.left),
            right=ranked(evidence.right),
            looked=evidence.looked,
            labels=tuple(
                table.labels[group % evidence.n_labels] for group in evidence.hearts.group.tolist()
            ),
        )

    @property
    def voted(self) -> Flags:
        """Who has a name that contains the heart."""
        voted: Flags = self.left != NOT_THERE
        return voted

    def within(self, scopes: Sequence[Scope]) -> "Voices":
        """Let only those have looked who look for the label of a heart; a scope a document."""
        place: dict[tuple[int, str], int] = {}
        looks: list[list[bool]] = []
        kind: list[int] = []
        for document, label in zip(self.document.tolist(), self.labels, strict=True):
            scope = scopes[document]
            key = id(scope), label  # to compare whole scopes for every heart would take long
            if key not in place:
                place[key] = len(looks)
                looks.append([scope.looks_for(name, label) for name in self.annotators])
            kind.append(place[key])
        if not kind:
            return self
        looked: Flags = self.looked & np.array(looks, dtype=bool)[kind]
        return replace(self, looked=looked | self.voted)

    def patterns(self) -> Patterns:
        """Count equal rows, to learn from."""
        looked = self.looked.astype(np.int8)
        kinds = (self.voted.astype(np.int8), self.left, self.right)
        rows = (Rows(kind, looked, np.ones(len(kind))).summed() for kind in kinds)
        return Patterns(self.annotators, *rows)

    def packed(self) -> list[bytes]:
        """Pack each document into bytes; ``unpacked`` undoes it."""
        rows = np.concatenate((self.left, self.right, self.looked.astype(np.int8)), axis=1)
        order = np.argsort(self.document, kind="stable")
        cuts = np.searchsorted(self.document[order], np.arange(1, self.n_documents))
        return [part.tobytes() for part in np.split(rows[order], cuts)]

    def labels_by_document(self) -> list[list[str]]:
        """List the labels of the hearts of each document, in the order of ``packed``."""
        labels: list[list[str]] = [[] for _ in range(self.n_documents)]
        for document, label in zip(self.document.tolist(), self.labels, strict=True):
            labels[document].append(label)
        return labels


def unpacked(
    annotators: tuple[str, ...], packed: Sequence[bytes], labels: Iterable[Sequence[str]]
) -> Voices:
    """Put the bytes of several documents with the same annotators together again."""
    width = 3 * len(annotators)
    n_hearts = [len(each) // width if width else 0 for each in packed]
    rows = np.frombuffer(b"".join(packed), dtype=np.int8).reshape(sum(n_hearts), width)
    left, right, looked = np.split(rows, 3, axis=1)
    document = np.repeat(np.arange(len(packed)), n_hearts)
    return Voices(
        annotators=annotators,
        n_documents=len(packed),
        document=document,
        left=left,
        right=right,
        looked=looked.astype(bool),
        labels=tuple(chain.from_iterable(labels)),
    )
