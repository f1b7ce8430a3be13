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

import numpy as np

from vermeil.arrays import ColumnTable, Flags, Floats, Ints, distinct
from vermeil.columns.axis import trimmed
from vermeil.columns.levels import Levels
from vermeil.columns.span_table import SpanTable, codes_of
from vermeil.consensus.decision import Decision
from vermeil.consensus.kept.sides import BoundaryPairs, Side
from vermeil.consensus.voted_hearts import VotedHearts, weights_of
from vermeil.consensus.votes import (
    UNIT,
    Hearts,
    boundary_values,
    containing,
    edges_by_changes,
    edges_by_names,
    fixed,
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
    Neighbouring material joins a heart if its votes are within ``tolerance`` of the heart's, or
    within ``tolerance_share`` of them, and not above, and names that contain the heart gave as
    many; a lower peak in such material is part of the heart. Votes, labels and boundaries stay
    those of the peak, so boundaries may lie inside such a heart.
    ``ignored`` characters are left out of the text like white space. ``singles`` keeps names of
    one character that stand alone. ``together`` lets names of all labels vote as one. Hearts in
    ``general_terms`` are left out. ``boundaries`` are counted by ``names`` or by ``changes`` of
    the votes. With ``levels``, which methods ask for, nested and discontinuous names are names of
    their own; without, they vote piece by piece on one level, as in the paper. Where reliabilities
    were learned, ``extents`` says what boundaries are worth: ``votes``, or their ``posterior``
    chance (which is also meant where nothing is said). Of the boundaries of a side the fewest are
    kept that have ``mass`` of its support; where nothing is said, all that have votes, and LIKELY
    of what is a chance.
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
    levels: bool = True
    extents: str = ""
    mass: float | None = None

    def plain(self, *, together: bool) -> "Settings":
        """Return what hearts and boundaries are found by, leaving out what chooses among them."""
        return Settings(ignored=self.ignored, together=together, boundaries=self.boundaries)


DEFAULTS = Settings()
BOUNDARIES = ("names", "changes")
"""How boundaries can be counted."""

EXTENTS = ("posterior", "votes")
"""What boundaries can be worth where reliabilities were learned."""

LIKELY = 0.99
"""Of the chances of boundaries so much is kept: one annotator who always cuts wide no longer
stretches every extent, and on real taggers nothing is lost (``benchmarks/extents.py``)."""

EMITTED = ("modal", "heart", "extent")
"""The spans that can stand for a centroid."""


@dataclass(frozen=True, slots=True, eq=False)
class CentroidTable(ColumnTable):
    """Centroids of a batch as columns, in order of document and place.

    ``start`` and ``end`` bound the hearts, in offsets of their document. ``looked`` is the weight
    of those who looked at the document. ``label_votes`` holds the votes by label, ``pairs`` the
    boundaries that were given together, ``level`` the level on which names voted.
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
    pairs: BoundaryPairs
    level: Ints
    levels: Levels | None
    together: bool

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
        spans = Decision(self.table, self.document, self.label, start, end, sure, level=self.level)
        return spans.whole(self.levels, together=self.together)

    def standards(self, confidence: Floats | None = None) -> list[Standard]:
        """Return the standard of each document of the batch."""
        names = self.table.labels
        n = len(self)
        left, right = self.left.by_centroid(n), self.right.by_centroid(n)
        pairs = self.pairs.by_centroid()
        sure = (self.share if confidence is None else confidence).tolist()
        several = (self.label_votes > 0).sum(axis=1) > 1
        standards: list[list[Centroid]] = [[] for _ in self.table.documents]
        columns = (self.document, self.start, self.end, self.label, self.votes)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for number, (document, start, end, label, votes) in enumerate(rows):
            labels = self.labels_of(number) if several[number] else ()
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
                    pairs=pairs.get(number, ()),
                )
            )
        return [tuple(standard) for standard in standards]

    def pruned(self, mass: float | None) -> "CentroidTable":
        """Keep the fewest boundaries on each side that have this share of its support."""
        if mass is None or mass >= 1 or not len(self):
            return self
        left, right = self.left.pruned(mass), self.right.pruned(mass)
        return replace(self, left=left, right=right, pairs=self.pairs.between(left, right))

    def labels_of(self, number: int) -> tuple[tuple[str, float], ...]:
        """List the labels that a centroid has votes for, most votes first."""
        values = zip(self.table.labels, self.label_votes[number].tolist(), strict=True)
        return tuple(sorted(((n, v) for n, v in values if v), key=lambda pair: (-pair[1], pair[0])))


def find_centroids(
    table: SpanTable,
    settings: Settings = DEFAULTS,
    *,
    annotator_weight: Floats | None = None,
    by_confidence: bool = False,
    levels: Levels | None = None,
    votes: VotedHearts | None = None,
) -> CentroidTable:
    """Find the centroids of all spans of a batch, level by level where there are ``levels``.

    ``annotator_weight`` says how much each of ``table.annotators`` counts; with
    ``by_confidence``, a span that has a confidence counts for that much of it. The ``votes``
    may be counted already.
    """
    if votes is None:
        votes = VotedHearts.of(
            table,
            ignored=settings.ignored,
            weight=weights_of(table, annotator_weight, by_confidence),
            together=settings.together,
            singles=settings.singles,
            levels=levels,
        )
    hearts, names, axis = votes.hearts, votes.names, votes.axis
    if settings.tolerance or settings.tolerance_share:
        least = fixed(np.array(settings.tolerance))
        slack = np.maximum(least, hearts.votes * settings.tolerance_share)
        hearts, peaks = widened(hearts, names, axis, slack)
        votes = VotedHearts.around(peaks, names, axis)
        if axis.offset is None:  # where a heart ends because another begins, there may be a space
            first, end = trimmed(codes_of(table), hearts.first, hearts.end)
            hearts = replace(hearts, first=first, end=end)
    found = _assembled(
        table,
        hearts,
        votes,
        levels=levels,
        annotator_weight=annotator_weight,
        by_changes=settings.boundaries == "changes",
    )
    enough = (found.votes >= settings.min_votes) & (found.share >= settings.min_share)
    if settings.general_terms:
        enough &= ~are_general(found, settings.general_terms)
    return found if enough.all() else keep_rows(found, np.flatnonzero(enough))


def _assembled(
    table: SpanTable,
    hearts: Hearts,
    votes: VotedHearts,
    *,
    levels: Levels | None,
    annotator_weight: Floats | None,
    by_changes: bool,
) -> CentroidTable:
    """Put centroids together: ``hearts`` with what supports the peaks of ``votes``."""
    axis, names, peaks = votes.axis, votes.names, votes.hearts
    start, end = axis.bounds(hearts.first, hearts.end)
    document = np.searchsorted(table.origin, start, side="right") - 1
    origin = table.origin[document]
    (owner, reach, gain), (heart, stop, loss) = (
        edges_by_changes(names, peaks, axis)
        if by_changes
        else edges_by_names(names, peaks, axis, (votes.name, votes.heart))
    )
    # Distances from the heart, so that sorting puts the innermost first on both sides.
    left = boundary_values(owner, start[owner] - reach, gain)
    right = boundary_values(heart, stop - end[heart], loss)
    sides = (
        Side(left[0], (start - origin)[left[0]] - left[1], left[2] / UNIT),
        Side(right[0], (end - origin)[right[0]] + right[1], right[2] / UNIT),
    )
    looks = table.looked if annotator_weight is None else table.looked * annotator_weight
    label_votes = _label_votes(table, votes)
    level, label = np.divmod(hearts.group, names.n_labels)
    together = names.n_labels < len(table.labels)
    found = CentroidTable(
        table,
        document=document,
        label=label_votes.argmax(axis=1) if together else label,
        start=start - origin,
        end=end - origin,
        votes=hearts.votes / UNIT,
        looked=looks.sum(axis=1)[document].astype(np.float64),
        left=sides[0],
        right=sides[1],
        label_votes=label_votes,
        pairs=_pairs(votes, origin, sides),
        level=level,
        levels=levels,
        together=together,
    )
    if (hearts.group == hearts.group[:1]).all():
        return found  # one axis is in reading order already
    order = np.lexsort((hearts.group, -found.end, found.start, found.document))
    return keep_rows(found, order)


def _pairs(votes: VotedHearts, origin: Ints, sides: tuple[Side, Side]) -> BoundaryPairs:
    """Find which boundaries were given together, where both sides have several."""
    n = len(votes.hearts)
    several = (sides[0].numbers(n) > 1) & (sides[1].numbers(n) > 1)
    if not several.any():
        return BoundaryPairs.none()
    some = votes.only(several)
    inner_start, inner_end = some.axis.bounds(some.hearts.first, some.hearts.end)
    (owner, start, weight), (_, end, _) = edges_by_names(
        some.names, some.hearts, some.axis, (some.name, some.heart)
    )
    # Distances from the peak: they are small, and sorting puts the innermost first.
    before, after = inner_start[owner] - start, end - inner_end[owner]
    width = int(after.max(initial=0)) + 1
    owner, key, total = boundary_values(owner, before * width + after, weight)
    before, after = np.divmod(key, width)
    start, end = inner_start[owner] - before, inner_end[owner] + after
    owner = np.flatnonzero(several)[owner]
    start, end = start - origin[owner], end - origin[owner]
    return BoundaryPairs(owner, start, end, total / UNIT)


def _label_votes(table: SpanTable, votes: VotedHearts) -> Floats:
    """Count, for each heart, the votes by label of all names of its level that contain it."""
    names, hearts, n_labels = votes.names, votes.hearts, max(1, len(table.labels))
    if n_labels == 1:
        return hearts.votes[:, None] / UNIT
    label = table.label[names.row]
    if names.n_labels == 1:  # all names of a level voted together
        weight = np.broadcast_to(names.weights(votes.name), votes.name.shape) / UNIT
        key = votes.heart * n_labels + label[votes.name]
        together = np.bincount(key, weight, len(hearts) * n_labels)
        return together.reshape(-1, n_labels).astype(np.float64)
    count = np.zeros((len(hearts), n_labels))
    level = names.group // names.n_labels
    for group in distinct(hearts.group).tolist():
        here = np.flatnonzero(hearts.group == group)
        is_near = level == group // names.n_labels
        everybody = replace(names, group=np.where(is_near, group, -1))
        name, heart = containing(everybody, hearts.keep(here), votes.axis)
        np.add.at(count, (here[heart], label[name]), names.weights(name) / UNIT)
    return count


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
    columns = ("document", "label", "start", "end", "votes", "looked", "label_votes", "level")
    return replace(
        found,
        left=found.left.placed(place),
        right=found.right.placed(place),
        pairs=found.pairs.placed(place),
        **{name: getattr(found, name)[order] for name in columns},
    )
