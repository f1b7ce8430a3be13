"""What can be wrong with a gold standard, found with a few sorts over all of it.

A standard is core names (a layer) and other acceptable names (its alternatives). Names of different
labels are looked at apart. A discontinuous name counts by its whole extent, but votes for hearts
with its fragments. Sections 3 to 5 of Lewin et al., "Centroids".
"""

from bisect import insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Ints
from vermeil.columns.axis import lay_axis
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.votes import Hearts, VotingNames, containing, find_hearts, names_of
from vermeil.document import ALTERNATIVES, Document, Span, reading_order
from vermeil.shown import Brief

KINDS: dict[str, str] = {
    "duplicate": "a name is given twice",
    "crossing cores": "two core names overlap and neither contains the other",
    "nested cores": "a core name lies within another",
    "alternative without a core": "overlaps no core name, so that no scorer makes use of it",
    "name without a heart": "a name of two or more characters around no peak of the votes",
    "heart that is no name": "what names have in common is neither core nor alternative",
    "disjoint alternatives": "two alternatives of a core name lie apart: either alone finds it",
    "alternative of several cores": "overlaps core names that lie apart: it alone finds them all",
    "missing alternative": "its left and right boundaries are listed, but not together",
    "unannotated repeat": "a string stands here without annotation, and with it elsewhere",
}
"""What can be found, and what it means."""

_N_LISTED = 3


@dataclass(frozen=True, slots=True, repr=False)
class Finding(Brief):
    """Something to look at. The first of ``spans`` is what it is about and has ``text``."""

    kind: str
    document: str
    spans: tuple[Span, ...]
    text: str
    detail: str

    @staticmethod
    def about(kind: str, document: Document, spans: Sequence[Span], detail: str) -> "Finding":
        """Make a finding; ``{}`` in ``detail`` is replaced by the texts of the further spans."""
        text, *others = (span.marked(document.text) for span in spans)
        listed = ", ".join(map(repr, others[:_N_LISTED]))
        if len(others) > _N_LISTED:
            listed += f" and {len(others) - _N_LISTED} more"
        return Finding(kind, document.id, tuple(spans), text, detail.replace("{}", listed))


class Columns:
    """The names of a standard as columns, on an axis that has a stretch for every label.

    Every document has both the layer and its alternatives, and no name twice.
    """

    def __init__(self, documents: Sequence[Document], layer: str) -> None:
        self.documents = documents
        self.table = SpanTable.from_documents(documents)
        further = self.table.further.every()
        self.spans = [further.get(row, span) for row, span in enumerate(self.table.spans())]
        self.axis = lay_axis(self.table)
        group = self.table.label.astype(np.int64) * self.axis.length
        base = self.table.origin[self.table.document] + group
        self.start, self.end = self.table.start + base, self.table.end + base
        core, alternative = (self.rows_of(name) for name in (layer, layer + ALTERNATIVES))
        self.cores, self.alternatives = core, alternative
        self.names = names_of(self.table, self.axis)
        self.hearts = find_hearts(self.names, self.axis)

    def rows_of(self, annotator: str) -> Ints:
        """Find the rows of a layer."""
        if annotator not in self.table.annotators:
            return np.zeros(0, dtype=np.int64)
        return np.flatnonzero(self.table.annotator == self.table.annotators.index(annotator))

    def finding(self, kind: str, rows: Sequence[int], detail: str) -> Finding:
        """Report on the name of the first row."""
        document = self.documents[self.table.document[rows[0]]]
        return Finding.about(kind, document, [self.spans[row] for row in rows], detail)

    def heart_spans(self, which: Ints) -> list[tuple[Document, Span]]:
        """Make spans of hearts, with their documents."""
        start, end = self.axis.bounds(self.hearts.first[which], self.hearts.end[which])
        document = np.searchsorted(self.table.origin, start, side="right") - 1
        origin = self.table.origin[document]
        columns = (document, start - origin, end - origin, self.hearts.group[which])
        return [
            (self.documents[number], Span(first, last, self.table.labels[label]))
            for number, first, last, label in zip(*(c.tolist() for c in columns), strict=True)
        ]


def find_lonely_alternatives(columns: Columns) -> Iterator[Finding]:
    """Find alternatives that overlap no core name."""
    start, end, rows = columns.start, columns.end, columns.alternatives
    cores = columns.cores[np.argsort(start[columns.cores], kind="stable")]
    reach = np.maximum.accumulate(np.concatenate(([-1], end[cores])))
    n_before = np.searchsorted(start[cores], end[rows], side="left")
    for row in rows[reach[n_before] <= start[rows]].tolist():
        yield columns.finding("alternative without a core", [row], "overlaps no core name")


def find_disjoint(columns: Columns) -> Iterator[Finding]:
    """Find core names with alternatives that lie apart, and alternatives with such core names.

    Figure 6 of the paper has one of each. A name is reported once, with the first and the last.
    """
    cores, alternatives = columns.cores, columns.alternatives
    for rows in _held_together(columns, cores, alternatives):
        yield columns.finding("disjoint alternatives", rows, "overlaps {}")
    for rows in _held_together(columns, alternatives, cores):
        yield columns.finding("alternative of several cores", rows, "overlaps {}")


def find_overlapping_cores(columns: Columns) -> Iterator[Finding]:
    """Find core names that cross, or lie within, one that begins before them.

    Each is reported once of a kind, with one of those it crosses or lies within.
    """
    start, end, cores = columns.start, columns.end, columns.cores
    rows = cores[np.lexsort((-end[cores], start[cores]))]
    open_names: list[tuple[int, int]] = []
    for row, first, last in zip(
        rows.tolist(), start[rows].tolist(), end[rows].tolist(), strict=True
    ):
        while open_names and open_names[0][0] <= first:
            open_names.pop(0)
        if open_names and open_names[0][0] < last:
            yield columns.finding("crossing cores", [row, open_names[0][1]], "crosses {}")
        if open_names and open_names[-1][0] >= last:
            yield columns.finding("nested cores", [row, open_names[-1][1]], "lies within {}")
        insort(open_names, (last, row))


def find_nameless_hearts(columns: Columns) -> Iterator[Finding]:
    """Find hearts that are no names, with the names that share them.

    Names that overlap by one character have a heart that reaches over both and that none contains.
    """
    names, hearts = columns.names, columns.hearts
    name, heart = containing(names, hearts, columns.axis)
    same = (names.first[name] == hearts.first[heart]) & (names.end[name] == hearts.end[heart])
    nameless = np.setdiff1d(np.arange(len(hearts)), heart[same])
    order = np.argsort(heart, kind="stable")
    row, heart = names.row[name[order]], heart[order]
    low, high = np.searchsorted(heart, nameless), np.searchsorted(heart, nameless, side="right")
    for (document, span), first, last in zip(
        columns.heart_spans(nameless), low.tolist(), high.tolist(), strict=True
    ):
        around = sorted((columns.spans[n] for n in row[first:last].tolist()), key=reading_order)
        detail = "shared by {}" if around else "no name contains it"
        yield Finding.about("heart that is no name", document, [span, *around], detail)


def find_heartless_names(columns: Columns) -> Iterator[Finding]:
    """Find names of two or more characters that contain no heart, with the hearts they cut."""
    names, hearts, length = columns.names, columns.hearts, columns.axis.length
    has_heart = np.zeros(len(columns.table), dtype=bool)
    has_heart[names.row[containing(names, hearts, columns.axis)[0]]] = True
    stretch = np.flatnonzero(~has_heart[names.row] & (names.end - names.first > 1))
    low, high = _overlapped(names, hearts, stretch, length)
    cut: dict[int, list[Span]] = {}
    for row, first, last in zip(
        names.row[stretch].tolist(), low.tolist(), high.tolist(), strict=True
    ):
        spans = [span for _, span in columns.heart_spans(np.arange(first, last))]
        cut.setdefault(row, []).extend(spans)
    for row, spans in cut.items():
        document = columns.documents[columns.table.document[row]]
        detail = "overlaps the heart {}" if spans else "overlaps no heart"
        yield Finding.about("name without a heart", document, [columns.spans[row], *spans], detail)


def _held_together(columns: Columns, rows: Ints, others: Ints) -> list[list[int]]:
    """Find each row that overlaps two others that are apart, with the first and last such others.

    Of all others that overlap a name, some two are apart if and only if the one that ends first
    and the one that begins last are.
    """
    if not len(others):
        return []
    start, end = columns.start, columns.end
    by_start = others[np.lexsort((-end[others], start[others]))]
    by_end = others[np.lexsort((start[others], end[others]))]
    last = by_start[np.searchsorted(start[by_start], end[rows], side="left") - 1]
    place = np.searchsorted(end[by_end], start[rows], side="right")
    first = by_end[np.minimum(place, len(by_end) - 1)]
    apart = (start[rows] < end[first]) & (end[first] <= start[last]) & (start[last] < end[rows])
    held: list[list[int]] = np.stack((rows, first, last), axis=1)[apart].tolist()
    return held


def _overlapped(names: VotingNames, hearts: Hearts, which: Ints, length: int) -> tuple[Ints, Ints]:
    """Find the range of hearts that some of the names share a character with."""
    base, group = names.group[which] * length, hearts.group * length
    low = np.searchsorted(group + hearts.end, base + names.first[which], side="right")
    high = np.searchsorted(group + hearts.first, base + names.end[which], side="left")
    return low, high
