"""What each annotator who looked says about each heart, as lists: cost follows the votes.

A heart is a peak of plain votes, as in ``vermeil.consensus.evidence``, but labels vote together
where annotators choose between them, so that what a name is called is one more question and not an
election of its own. An annotator votes for a heart with a name that contains it; of several such
names the shortest speaks.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from vermeil.arrays import Flags, Ints, ranges, true_places
from vermeil.columns.axis import Axis, connected
from vermeil.columns.levels import Levels
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.evidence import shortest
from vermeil.consensus.people.known import NOT_THERE, are_settled
from vermeil.consensus.people.sureness import steps_of
from vermeil.consensus.voted_hearts import VotedHearts
from vermeil.consensus.votes import Hearts


@dataclass(frozen=True, slots=True, eq=False)
class Testimony:
    """Hearts in reading order; heart h has the entries from ``first[h]`` up to ``first[h + 1]``.

    There is an entry for each annotator who looked at the document, in order of annotators, and
    one for the layer that settles where it does.
    ``label`` is what the name is called that contains the heart, ``left`` and ``right`` how many
    places it reaches beyond it; all three are NOT_THERE where there is no such name. ``step`` is
    how sure of it the annotator is (``sureness.py``). ``votes`` are what made the hearts.
    """

    votes: VotedHearts
    hearts: Hearts
    document: Ints
    first: Ints
    annotator: Ints
    label: Ints
    left: Ints
    right: Ints
    step: Ints
    n_labels: int
    levels: Levels | None = None

    def __len__(self) -> int:
        return len(self.document)

    @property
    def axis(self) -> Axis:
        """Where hearts lie."""
        return self.votes.axis

    @property
    def heart(self) -> Ints:
        """The heart of each entry."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    def chosen(self, hearts: Ints) -> "Testimony":
        """Keep some hearts, in this order."""
        owner, at = ranges(self.first[hearts], self.first[hearts + 1])
        return replace(
            self,
            hearts=self.hearts.keep(hearts),
            document=self.document[hearts],
            first=np.searchsorted(owner, np.arange(len(hearts) + 1)),
            annotator=self.annotator[at],
            label=self.label[at],
            left=self.left[at],
            right=self.right[at],
            step=self.step[at],
        )


class Testimonies(NamedTuple):
    """What is said of the hearts of a batch, labels together (``pooled``) and each ``apart``.

    Of the hearts that are ``shared`` both say the same: all names around are of one label.
    """

    shared: Testimony
    pooled: Testimony
    apart: Testimony


def gather(
    table: SpanTable,
    *,
    together: bool,
    ignored: str = "",
    levels: Levels | None = None,
    settled: str = "",
) -> Testimony:
    """List what the annotators of a batch say about all its hearts, level by level if given.

    Names of the layer ``settled`` make hearts, too.
    """
    votes = VotedHearts.of(table, ignored=ignored, together=together, levels=levels)
    return _said_of(votes, table, levels, settled)


def gather_both(
    table: SpanTable, *, ignored: str = "", levels: Levels | None = None, settled: str = ""
) -> Testimonies:
    """List what is said with labels together and each apart; of one label both are the same."""
    pooled = gather(table, together=True, ignored=ignored, levels=levels, settled=settled)
    nothing = np.zeros(0, dtype=np.int64)
    if len(table.labels) < 2:
        return Testimonies(pooled, pooled.chosen(nothing), pooled.chosen(nothing))
    votes, names = pooled.votes, pooled.votes.names
    place, is_mixed = _places_of_labels(table)
    own = is_mixed[place[names.row]]
    level = names.group[own] * len(table.labels)
    some = names.keep(own, table.label[names.row[own]] + level, len(table.labels))
    apart = _said_of(VotedHearts.by(some, votes.axis), table, levels, settled)
    # A heart lies where a name does, and all of a place lies between its first name and the next.
    at = np.full(len(is_mixed), votes.axis.length, dtype=np.int64)
    np.minimum.at(at, place[names.row], names.first)
    at = np.minimum.accumulate(at[::-1])[::-1]
    mixed = is_mixed[np.searchsorted(at, pooled.hearts.first, side="right") - 1]
    return Testimonies(
        pooled.chosen(np.flatnonzero(~mixed)), pooled.chosen(np.flatnonzero(mixed)), apart
    )


def _places_of_labels(table: SpanTable) -> tuple[Ints, Flags]:
    """Number the places where names overlap, by row, and tell which hold several labels."""
    row, place = connected(table)
    order = np.argsort(place, kind="stable")
    label, ordered = table.label[row][order], place[order]
    differs = (label[1:] != label[:-1]) & (ordered[1:] == ordered[:-1])
    is_mixed = np.zeros(int(place.max(initial=0)) + 1, dtype=bool)
    is_mixed[ordered[1:][differs]] = True
    of_row = np.zeros(len(table), dtype=np.int64)
    of_row[row] = place
    return of_row, is_mixed


def _said_of(
    votes: VotedHearts, table: SpanTable, levels: Levels | None, settled: str
) -> Testimony:
    """List what is said of hearts."""
    hearts, names, axis = votes.hearts, votes.names, votes.axis
    name, heart = shortest(table, votes)
    if hearts.group.any():
        order = np.lexsort((hearts.group, -hearts.end, hearts.first))
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        hearts, heart = hearts.keep(order), place[heart]
    start, end = axis.bounds(hearts.first, hearts.end)
    document = np.searchsorted(table.origin, start, side="right") - 1
    first, annotator = _those_who_looked(table, document)
    own = names.row[name]
    rank = np.cumsum(table.looked, axis=1) - 1
    at = first[heart] + rank[document[heart], table.annotator[own]]
    label, left, right, step = (np.full(len(annotator), NOT_THERE) for _ in range(4))
    label[at] = table.label[own]
    left[at] = hearts.first[heart] - names.first[name]
    right[at] = names.end[name] - hearts.end[heart]
    step[at] = table.once(_steps)[own]
    if settled in table.annotators:
        row = np.repeat(np.arange(len(hearts)), np.diff(first))
        own = annotator == table.annotators.index(settled)
        own &= (label == NOT_THERE) & ~are_settled(table, settled, start, end)[row]
        size = np.bincount(row[~own], minlength=len(hearts))
        first = np.concatenate(([0], np.cumsum(size)))
        annotator, label, left, right, step = (
            each[~own] for each in (annotator, label, left, right, step)
        )
    return Testimony(
        votes,
        hearts,
        document,
        first,
        annotator=annotator,
        label=label,
        left=left,
        right=right,
        step=step,
        n_labels=names.n_labels,
        levels=levels,
    )


def _steps(table: SpanTable) -> Ints:
    return steps_of(table.confidence)


def ranks_of(evidence: Testimony, reach: Ints) -> Ints:
    """Replace distances by their rank among the distinct ones of the heart, the nearest 0.

    >>> from vermeil.document import Document, Span
    >>> layers = {"a": (Span(0, 9, "Gene"),), "b": (Span(3, 9, "Gene"),), "c": ()}
    >>> table = SpanTable.from_documents([Document(id="1", text="c-mycgene", layers=layers)])
    >>> evidence = gather(table, together=True)
    >>> ranks_of(evidence, evidence.left).tolist(), ranks_of(evidence, evidence.right).tolist()
    ([1, 0, -1], [0, 0, -1])
    """
    ranks = np.full(len(reach), NOT_THERE)
    given = np.flatnonzero(reach != NOT_THERE)
    ranks[given] = 0
    heart, away = evidence.heart[given], reach[given]
    differs = np.zeros(len(evidence), dtype=bool)
    differs[heart[1:][(away[1:] != away[:-1]) & (heart[1:] == heart[:-1])]] = True
    some = np.flatnonzero(differs[heart])
    given, heart, away = given[some], heart[some], away[some]
    order = np.argsort(heart * (int(away.max(initial=0)) + 1) + away, kind="stable")
    ranked, own = away[order], heart[order]
    opens = np.ones(len(own), dtype=bool)
    opens[1:] = own[1:] != own[:-1]
    steps = opens.copy()
    steps[1:] |= ranked[1:] != ranked[:-1]
    number = np.cumsum(steps)
    ranks[given[order]] = number - number[opens][np.cumsum(opens) - 1]
    return ranks


def _those_who_looked(table: SpanTable, document: Ints) -> tuple[Ints, Ints]:
    """List for each heart the annotators who looked at its document, and where its list begins."""
    own, annotator = true_places(table.looked)
    begin = np.searchsorted(own, np.arange(len(table.documents) + 1))
    size = np.diff(begin)[document]
    first = np.concatenate(([0], np.cumsum(size)))
    inside = np.arange(first[-1]) - np.repeat(first[:-1], size)
    return first, annotator[np.repeat(begin[document], size) + inside]
