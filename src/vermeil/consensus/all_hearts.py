"""Every heart of a document, also those that the consensus does not believe in, and every span.

Nested and discontinuous names are names of their own, as for the methods (``columns.levels``): a
heart has a level, and a name with a gap votes whole. An annotator has one vote for a heart.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.levels import Pieces, levels_of
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.centroids import CentroidTable, Settings, find_centroids
from vermeil.consensus.evidence import Evidence, gather
from vermeil.consensus.hearts import chance_of_name
from vermeil.consensus.people.crowd import Crowd
from vermeil.consensus.people.evidence import Testimony
from vermeil.consensus.people.evidence import gather as gather_people
from vermeil.consensus.people.known import NOT_THERE
from vermeil.consensus.people.reading import judge_reading
from vermeil.consensus.reliability import Reliability
from vermeil.consensus.voters import tables, voting
from vermeil.document import Centroid, Document
from vermeil.scope import Scope
from vermeil.shown import Brief

Extent = tuple[int, int, str]
"""Start, end and label."""


@dataclass(frozen=True, slots=True, repr=False)
class FoundHeart(Brief):
    """A heart with its level, and who have a name on that level which contains it.

    ``fragments`` are those of its modal span where that has a gap.
    """

    centroid: Centroid
    level: int
    fragments: Pieces
    annotators: tuple[str, ...]

    @property
    def start(self) -> int:
        """Where the heart begins."""
        return self.centroid.start

    @property
    def end(self) -> int:
        """Where the heart ends."""
        return self.centroid.end

    @property
    def label(self) -> str:
        """What the name is called."""
        return self.centroid.label

    def _told(self) -> str:
        return f"{self.start}-{self.end} {self.label!r}, {len(self.annotators)} annotators"


def every_heart(
    documents: Sequence[Document],
    annotators: Sequence[str] | None = None,
    learned: Reliability | Crowd | None = None,
    scope: Scope | None = None,
) -> list[tuple[FoundHeart, ...]]:
    """Find all the hearts of each document, likely or not, so that what is contested is seen.

    The confidence is the chance that there is a name, as ``learned`` (by the method ``hearts`` or
    ``people``) has it; without it, the share of the votes. Given a ``scope``, who does not look for
    the label of a heart is not counted among those who looked. No two hearts of a document have
    the same start, end and label.
    """
    found: list[tuple[FoundHeart, ...]] = []
    if isinstance(learned, Crowd):
        learned = learned.for_names
    for table in tables(voting(document, annotators) for document in documents):
        if isinstance(learned, Crowd):
            table = table.labelled(learned.labels)
        levels = levels_of(table)
        if isinstance(learned, Crowd):
            crowd = learned.among(table.annotators)
            testimony = gather_people(table, together=crowd.together, levels=levels)
            judged = judge_reading(table, testimony, crowd)
            settings = Settings(together=crowd.together)
            centroids = find_centroids(table, settings, levels=levels, votes=testimony.votes)
            centroids = replace(centroids, label=judged.label)
            found += _found(table, centroids, _Votes.told(testimony), judged.existence)
        else:
            evidence = gather(table, levels=levels)
            centroids = find_centroids(table, levels=levels, votes=evidence.votes)
            if scope is not None:
                evidence = replace(evidence, looked=_within(scope, centroids, evidence))
            if learned is not None:
                chance = chance_of_name(evidence, learned.among(table.annotators))
            else:
                chance = _share(evidence)
            found += _found(table, centroids, _Votes.seen(evidence), chance)
    return found


def likely_spans(documents: Iterable[Document], crowd: Crowd) -> list[dict[Extent, float]]:
    """Return for each document the chances of all spans with the likeliest label of their heart.

    The documents hold the layers that vote. The chance is that of a name, times that of each of
    its boundaries; of several hearts in a span the likeliest counts.
    """
    likely: list[dict[Extent, float]] = []
    for each in tables(iter(documents)):
        table, here = each.labelled(crowd.labels), crowd.among(each.annotators)
        evidence = gather_people(table, together=here.together, levels=levels_of(table))
        judged = judge_reading(table, evidence, here)
        settings = Settings(together=here.together)
        found = find_centroids(table, settings, levels=evidence.levels, votes=evidence.votes)
        found = judged.centroids(found, posterior=here.is_learned)
        for standard in found.standards(judged.there):
            spans: dict[Extent, float] = {}
            for heart in standard:
                n_left, n_right = (
                    sum(value for _, value in side) for side in (heart.left, heart.right)
                )
                for start, left in heart.left:
                    for end, right in heart.right:
                        chance = (heart.confidence or 0.0) * left / n_left * right / n_right
                        key = start, end, heart.label
                        spans[key] = max(spans.get(key, 0.0), chance)
            likely.append(spans)
    return likely


@dataclass(frozen=True, slots=True, eq=False)
class _Votes:
    """Who has a name that contains a heart, and how far it reaches beyond: heart h has the entries
    from ``first[h]`` up to ``first[h + 1]``, in order of annotators."""

    evidence: Evidence | Testimony
    first: Ints
    annotator: Ints
    left: Ints
    right: Ints

    @staticmethod
    def seen(evidence: Evidence) -> "_Votes":
        heart, annotator = np.nonzero(evidence.voted)
        reach = evidence.left[heart, annotator], evidence.right[heart, annotator]
        return _Votes.listed(evidence, heart, annotator, *reach)

    @staticmethod
    def told(testimony: Testimony) -> "_Votes":
        marked = np.flatnonzero(testimony.label != NOT_THERE)
        columns = (testimony.heart, testimony.annotator, testimony.left, testimony.right)
        return _Votes.listed(testimony, *(column[marked] for column in columns))

    @staticmethod
    def listed(
        evidence: Evidence | Testimony, heart: Ints, annotator: Ints, left: Ints, right: Ints
    ) -> "_Votes":
        first = np.searchsorted(heart, np.arange(len(evidence.document) + 1))
        return _Votes(evidence, first, annotator, left, right)

    def of(self, heart: int) -> slice:
        """Return where the entries of a heart are."""
        return slice(int(self.first[heart]), int(self.first[heart + 1]))


def _within(scope: Scope, centroids: CentroidTable, evidence: Evidence) -> Flags:
    """Tell who looked for the label of each heart."""
    table = centroids.table
    kinds, kind = np.unique(
        np.stack((centroids.document, centroids.label), axis=1), axis=0, return_inverse=True
    )
    looks = [
        [
            scope.looks_for(who, table.labels[label], table.documents[document])
            for who in table.annotators
        ]
        for document, label in kinds.tolist()
    ]
    if not looks:
        return evidence.looked
    looked: Flags = (evidence.looked & np.array(looks)[kind.ravel()]) | evidence.voted
    return looked


def _share(evidence: Evidence) -> Floats:
    votes, looks = evidence.voted.sum(axis=1), evidence.looked.sum(axis=1)
    share: Floats = votes / np.maximum(looks, 1)
    return share


def _found(
    table: SpanTable, centroids: CentroidTable, votes: _Votes, chance: Floats
) -> list[tuple[FoundHeart, ...]]:
    pieces = centroids.decided("modal").pieces
    gaps = [()] * len(centroids) if pieces is None else pieces.tolist()
    hearts: list[list[FoundHeart]] = [[] for _ in table.documents]
    places: list[set[tuple[int, int, str]]] = [set() for _ in table.documents]
    standards = iter(each for standard in centroids.standards(chance) for each in standard)
    for row, centroid in enumerate(standards):
        document = int(centroids.document[row])
        voters = votes.annotator[votes.of(row)].tolist()
        if len(voters) != centroid.votes and voters:
            centroid = _once_each(table, votes, row, centroid)
        if (place := _place(centroid)) in places[document]:
            # The same stretch on two levels: what is proposed tells the second from the first.
            modal = centroid.modal
            centroid = msgspec.structs.replace(centroid, start=modal.start, end=modal.end)
            if (place := _place(centroid)) in places[document]:
                continue
        places[document].add(place)
        who = tuple(sorted(table.annotators[voter] for voter in voters))
        hearts[document].append(FoundHeart(centroid, int(centroids.level[row]), gaps[row], who))
    return [tuple(each) for each in hearts]


def _once_each(table: SpanTable, votes: _Votes, row: int, centroid: Centroid) -> Centroid:
    """Count one name for each annotator: the shortest that contains the heart."""
    evidence, own = votes.evidence, votes.of(row)
    first = evidence.hearts.first[row] - votes.left[own]
    last = evidence.hearts.end[row] + votes.right[own]
    start, end = evidence.axis.bounds(first, last)
    origin = table.origin[evidence.document[row]]
    left, right = Counter((start - origin).tolist()), Counter((end - origin).tolist())
    return msgspec.structs.replace(
        centroid,
        votes=float(len(start)),
        left=tuple((at, float(left[at])) for at in sorted(left, reverse=True)),
        right=tuple((at, float(right[at])) for at in sorted(right)),
        labels=(),
        pairs=(),
    )


def _place(centroid: Centroid) -> tuple[int, int, str]:
    return centroid.start, centroid.end, centroid.label
