"""Centroids: the hearts of names with the distribution of their boundaries.

Section 4 of Lewin et al., "Centroids: Gold standards with distributional variations". Boundaries
are valued in one of two ways. By ``names``: among those that contain a heart, so many start (end)
at this place; a heart that no name contains (two names that overlap by one character) has its own
edges for boundaries. By ``changes``: "its value is the difference in votes", where votes that rise
again further out belong to another heart; so it is the fall of the fewest votes since the heart.
Both give Figure 4, where plain differences would not give ``l:16:2`` for p75, and where ``r:0:2``
is a misprint for ``r:0:3`` (the values of a side add up to 7).
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from vermeil.arrays import ColumnTable, Flags, Floats, Ints
from vermeil.columns.axis import Axis, lay_axis
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.decision import Decision
from vermeil.consensus.votes import (
    UNIT,
    Hearts,
    VotingNames,
    boundary_values,
    containing,
    edges_by_changes,
    edges_by_names,
    find_hearts,
    fixed,
    names_of,
    widened,
)
from vermeil.document import Centroid, Standard
from vermeil.errors import UnknownNameError

GENERAL_TERMS = frozenset(
    {
        *("antibody", "antigen", "chain", "compound", "disease", "disorder", "domain", "enzyme"),
        *("factor", "family", "gene", "genes", "inhibitor", "kinase", "mRNA", "peptide", "protein"),
        *("proteins", "receptor", "receptors", "subunit", "syndrome", "transcription factor"),
    }
)
"""Hearts that are only one of these come from apposition (section 5.1.1) and may be left out."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How centroids are found.

    A heart needs ``min_votes`` votes and ``min_share`` of the weight of those who looked.
    Neighbouring material joins a heart if its votes are within ``tolerance`` of the peak, or
    within ``tolerance_share`` of the peak's own height; votes, labels and boundaries stay those of
    the peak (of several that join, the highest), so boundaries may lie inside such a heart.
    ``ignored`` characters are left out of the text like white space. ``singles`` keeps names of
    one character that stand alone. ``together`` lets names of all labels vote as one. Hearts in
    ``general_terms`` are left out. ``boundaries`` are counted by ``names`` or by ``changes`` of
    the votes.
    """

    min_votes: float = 0.0
    min_share: float = 0.0
    tolerance: float = 0.0
    tolerance_share: float = 0.0
    ignored: str = ""
    singles: bool = True
    together: bool = False
    general_terms: frozenset[str] = frozenset()
    boundaries: str = "names"


DEFAULTS = Settings()
BOUNDARIES = ("names", "changes")
"""How boundaries can be counted."""

EMITTED = ("modal", "heart", "extent")
"""The spans that can stand for a centroid."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The boundaries on one side of all centroids: centroid, offset in its document, value.

    Ordered by centroid, the innermost first.
    """

    centroid: Ints
    offset: Ints
    value: Floats

    def modal(self) -> Ints:
        """Return for each centroid its best-supported boundary; of equals the innermost."""
        best = np.flatnonzero(self.value == self._best()[self.centroid])
        return self.offset[best[_first_of_each(self.centroid[best])]]

    def farthest(self) -> Ints:
        """Return for each centroid its outermost boundary."""
        last = np.append(_first_of_each(self.centroid)[1:], len(self.offset)) - 1
        outermost: Ints = self.offset[last]
        return outermost

    def share(self) -> Floats:
        """Return for each centroid the share of its support that the best boundary has."""
        return self._best() / np.add.reduceat(self.value, _first_of_each(self.centroid))

    def _best(self) -> Floats:
        return np.maximum.reduceat(self.value, _first_of_each(self.centroid))


@dataclass(frozen=True, slots=True, eq=False)
class CentroidTable(ColumnTable):
    """Centroids of a batch as columns, in order of document and place.

    ``start`` and ``end`` bound the hearts, in offsets of their document. ``looked`` is the weight
    of those who looked at the document. ``label_votes`` holds the votes by label.
    """

    table: SpanTable
    document: Ints
    label: Ints
    start: Ints
    end: Ints
    votes: Floats
    looked: Floats
    left: Side
    right: Side
    label_votes: Floats

    @property
    def share(self) -> Floats:
        """The votes of each heart as a share of the weight of those who looked, at most 1."""
        return np.minimum(1.0, self.votes / np.maximum(self.looked, 1.0 / UNIT))

    def decided(self, emit: str, existence: Floats | None = None) -> Decision:
        """Return a span for each centroid: its ``modal`` span, its ``heart`` or its ``extent``.

        The confidence of a modal span is that of the heart times the shares of support that its
        two boundaries have.
        """
        sure = self.share if existence is None else existence
        start, end = self.start, self.end
        if emit == "modal" and len(self):
            start, end = self.left.modal(), self.right.modal()
            sure = sure * self.left.share() * self.right.share()
        elif emit == "extent" and len(self):
            start = np.minimum(start, self.left.farthest())
            end = np.maximum(end, self.right.farthest())
        elif emit not in EMITTED:
            raise UnknownNameError("kind of span", emit, EMITTED)
        return Decision(self.table, self.document, self.label, start, end, sure)

    def standards(self, confidence: Floats | None = None) -> list[Standard]:
        """Return the standard of each document of the batch."""
        names = self.table.labels
        left, right = _by_centroid(self.left, len(self)), _by_centroid(self.right, len(self))
        sure = (self.share if confidence is None else confidence).tolist()
        several = (self.label_votes > 0).sum(axis=1) > 1
        standards: list[list[Centroid]] = [[] for _ in self.table.documents]
        columns = (self.document, self.start, self.end, self.label, self.votes)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for number, (document, start, end, label, votes) in enumerate(rows):
            labels = self._labels(number) if several[number] else ()
            standards[document].append(
                Centroid(
                    start,
                    end,
                    names[label],
                    votes=votes,
                    left=left[number],
                    right=right[number],
                    confidence=sure[number],
                    labels=labels,
                )
            )
        return [tuple(standard) for standard in standards]

    def _labels(self, number: int) -> tuple[tuple[str, float], ...]:
        values = zip(self.table.labels, self.label_votes[number].tolist(), strict=True)
        return tuple(sorted(((n, v) for n, v in values if v), key=lambda pair: (-pair[1], pair[0])))


def find_centroids(
    table: SpanTable,
    settings: Settings = DEFAULTS,
    *,
    annotator_weight: Floats | None = None,
    by_confidence: bool = False,
) -> CentroidTable:
    """Find the centroids of all spans of a batch.

    ``annotator_weight`` says how much each of ``table.annotators`` counts; with
    ``by_confidence``, a span that has a confidence counts for that much of it.
    """
    weight = weights_of(table, annotator_weight, by_confidence)
    axis = lay_axis(table, settings.ignored)
    names = names_of(table, axis, weight=weight, together=settings.together)
    hearts = find_hearts(names, axis, singles=settings.singles)
    peaks = hearts
    if settings.tolerance or settings.tolerance_share:
        least = fixed(np.array(settings.tolerance))
        slack = np.maximum(least, hearts.votes * settings.tolerance_share)
        hearts, peaks = widened(hearts, names, axis, slack)
    found = _assembled(
        table,
        axis,
        names,
        hearts,
        peaks,
        annotator_weight=annotator_weight,
        by_changes=settings.boundaries == "changes",
    )
    enough = (found.votes >= settings.min_votes) & (found.share >= settings.min_share)
    if settings.general_terms:
        enough &= ~are_general(found, settings.general_terms)
    return found if enough.all() else keep_rows(found, np.flatnonzero(enough))


def weights_of(
    table: SpanTable, annotator_weight: Floats | None, by_confidence: bool
) -> Floats | None:
    """Return the weight of each span's vote, or None where each counts 1."""
    if annotator_weight is None and not by_confidence:
        return None
    weight = np.ones(len(table))
    if annotator_weight is not None:
        weight = annotator_weight[table.annotator]
    if by_confidence:
        weight = weight * np.where(np.isnan(table.confidence), 1.0, table.confidence)
    return weight


def _assembled(
    table: SpanTable,
    axis: Axis,
    names: VotingNames,
    hearts: Hearts,
    peaks: Hearts,
    *,
    annotator_weight: Floats | None,
    by_changes: bool,
) -> CentroidTable:
    """Put centroids together: ``hearts`` with what supports their ``peaks``."""
    start, end = axis.bounds(hearts.first, hearts.end)
    document = np.searchsorted(table.origin, start, side="right") - 1
    origin = table.origin[document]
    edges = edges_by_changes if by_changes else edges_by_names
    (owner, reach, gain), (heart, stop, loss) = edges(names, peaks, axis)
    # Distances from the heart, so that sorting puts the innermost first on both sides.
    left = boundary_values(owner, start[owner] - reach, gain)
    right = boundary_values(heart, stop - end[heart], loss)
    looks = table.looked if annotator_weight is None else table.looked * annotator_weight
    label_votes = _label_votes(table, axis, names, peaks)
    label = hearts.group if len(table.labels) < 2 else label_votes.argmax(axis=1)
    found = CentroidTable(
        table,
        document=document,
        label=label if _is_together(names, table) else hearts.group,
        start=start - origin,
        end=end - origin,
        votes=hearts.votes / UNIT,
        looked=looks.sum(axis=1)[document].astype(np.float64),
        left=Side(left[0], (start - origin)[left[0]] - left[1], left[2] / UNIT),
        right=Side(right[0], (end - origin)[right[0]] + right[1], right[2] / UNIT),
        label_votes=label_votes,
    )
    if (hearts.group == hearts.group[:1]).all():
        return found  # one axis is in reading order already
    order = np.lexsort((found.label, -found.end, found.start, found.document))
    return keep_rows(found, order)


def _is_together(names: VotingNames, table: SpanTable) -> bool:
    return len(table.labels) > 1 and not names.group.any()


def _label_votes(table: SpanTable, axis: Axis, names: VotingNames, hearts: Hearts) -> Floats:
    """Count, for each heart, the votes by label of all names that contain it."""
    n_labels = max(1, len(table.labels))
    votes = np.zeros((len(hearts), n_labels))
    if n_labels == 1:
        votes[:, 0] = hearts.votes / UNIT
        return votes
    label = table.label[names.row]
    for group in np.unique(hearts.group).tolist():
        here = np.flatnonzero(hearts.group == group)
        everybody = replace(names, group=np.full_like(names.group, group))
        name, heart = containing(everybody, hearts.keep(here), axis)
        np.add.at(votes, (here[heart], label[name]), names.weights(name) / UNIT)
    return votes


def are_general(found: CentroidTable, terms: frozenset[str]) -> Flags:
    """Tell which hearts are only a general term, in upper or lower case."""
    if not terms:
        return np.zeros(len(found), dtype=bool)
    folded = {term.casefold() for term in terms}
    return np.array([text.casefold() in folded for text in _texts(found)], dtype=bool)


@dataclass(frozen=True, slots=True)
class GeneralHearts:
    """Hearts that were only a general term: how often each term, and the names that lose by it.

    A name loses that holds one of them and no heart that stays: against this standard it is wrong.
    Add two to pool them.
    """

    terms: dict[str, int] = field(default_factory=dict)
    n_names: int = 0

    @staticmethod
    def of(found: CentroidTable, dropped: Flags, kept: Flags, *, together: bool) -> "GeneralHearts":
        """Count the hearts that are dropped, and the names that hold none of those kept."""
        if not dropped.any():
            return GeneralHearts()
        gone = keep_rows(found, np.flatnonzero(dropped))
        near = kept & np.isin(found.document, gone.document)
        table, stays = found.table, keep_rows(found, np.flatnonzero(near))
        rows = np.flatnonzero(np.isin(table.document, gone.document))
        columns = (table.document, table.label, table.start, table.end)
        names = set(zip(*(column[rows].tolist() for column in columns), strict=True))

        def holds(name: tuple[int, int, int, int], hearts: CentroidTable) -> bool:
            document, label, start, end = name
            inside = (hearts.start >= start) & (hearts.end <= end) & (hearts.document == document)
            return bool((inside & (together | (hearts.label == label))).any())

        losing = [name for name in names if holds(name, gone) and not holds(name, stays)]
        return GeneralHearts(dict(Counter(map(str.casefold, _texts(gone)))), len(losing))

    def __add__(self, other: "GeneralHearts") -> "GeneralHearts":
        terms = Counter(self.terms) + Counter(other.terms)
        return GeneralHearts(dict(terms), self.n_names + other.n_names)


def _texts(found: CentroidTable) -> list[str]:
    texts = [document.text for document in found.table.documents]
    places = zip(found.document.tolist(), found.start.tolist(), found.end.tolist(), strict=True)
    return [texts[number][start:end] for number, start, end in places]


def keep_rows(found: CentroidTable, order: Ints) -> CentroidTable:
    """Keep these centroids, in this order."""
    place = np.full(len(found), -1)
    place[order] = np.arange(len(order))

    def side(old: Side) -> Side:
        number = place[old.centroid]
        rows = np.flatnonzero(number >= 0)
        rows = rows[np.argsort(number[rows], kind="stable")]
        return Side(number[rows], old.offset[rows], old.value[rows])

    columns = ("document", "label", "start", "end", "votes", "looked", "label_votes")
    return replace(
        found,
        left=side(found.left),
        right=side(found.right),
        **{name: getattr(found, name)[order] for name in columns},
    )


def _by_centroid(side: Side, n: int) -> list[tuple[tuple[int, float], ...]]:
    pairs = list(zip(side.offset.tolist(), side.value.tolist(), strict=True))
    bounds = np.searchsorted(side.centroid, np.arange(n + 1)).tolist()
    return [tuple(pairs[low:high]) for low, high in pairwise(bounds)]


def _first_of_each(centroid: Ints) -> Ints:
    return np.flatnonzero(np.concatenate(([True], centroid[1:] != centroid[:-1])))
