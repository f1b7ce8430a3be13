"""What each annotator says about each heart: whether a name is there, and where it begins and ends.

A heart is a peak of plain votes. An annotator votes for it with a name that contains it; of several
such names the shortest speaks. What is learned from evidence depends only on who looked, who voted
and the order of the boundaries they propose, so equal rows are counted, not kept: a corpus of any
size shrinks to its few distinct patterns, and the patterns of two parts of it can be added.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Ints
from vermeil.columns.axis import Axis
from vermeil.columns.levels import Levels
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.tally import are_repeated
from vermeil.consensus.voted_hearts import VotedHearts
from vermeil.consensus.votes import Hearts

NOT_THERE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """A row a heart, in reading order; a column an annotator.

    ``left`` and ``right`` hold how many places beyond the heart the annotator's name reaches,
    NOT_THERE where there is none. ``looked`` says who looked at the heart's document. A heart's
    group is its label and, times ``n_labels``, its level. ``votes`` are what made the hearts.
    """

    votes: VotedHearts
    hearts: Hearts
    document: Ints
    left: Ints
    right: Ints
    looked: Flags
    n_labels: int
    levels: Levels | None = None

    @property
    def axis(self) -> Axis:
        """Where hearts lie."""
        return self.votes.axis

    @property
    def voted(self) -> Flags:
        """Who has a name that contains the heart."""
        voted: Flags = self.left != NOT_THERE
        return voted


def gather(
    table: SpanTable, *, ignored: str = "", together: bool = False, levels: Levels | None = None
) -> Evidence:
    """Gather what the annotators of a batch say about all its hearts, level by level if given."""
    votes = VotedHearts.of(table, ignored=ignored, together=together, levels=levels)
    names, hearts, axis = votes.names, votes.hearts, votes.axis
    name, heart = shortest(table, votes)
    annotator = table.annotator[names.row[name]]
    shape = (len(hearts), len(table.annotators))
    left, right = np.full(shape, NOT_THERE), np.full(shape, NOT_THERE)
    left[heart, annotator] = hearts.first[heart] - names.first[name]
    right[heart, annotator] = names.end[name] - hearts.end[heart]
    start, _ = axis.bounds(hearts.first, hearts.end)
    document = np.searchsorted(table.origin, start, side="right") - 1
    if hearts.group.any():
        order = np.lexsort((hearts.group, -hearts.end, hearts.first))
        hearts, document, left, right = (
            hearts.keep(order),
            document[order],
            left[order],
            right[order],
        )
    return Evidence(
        votes,
        hearts,
        document,
        left=left,
        right=right,
        looked=table.looked[document],
        n_labels=names.n_labels,
        levels=levels,
    )


def ranked(reach: Ints) -> NDArray[np.int8]:
    """Replace each row's distances by their rank among the distinct ones, the nearest 0.

    Columns are compared pair by pair, which for the usual handful beats sorting each row.

    >>> ranked(np.array([[4, -1, 0, 4]])).tolist()
    [[1, -1, 0, 1]]
    """
    is_small = int(reach.max(initial=0)) <= np.iinfo(np.int16).max
    columns = np.ascontiguousarray(reach.T, dtype=np.int16 if is_small else np.int64)
    n_annotators = len(columns)
    is_first = columns != NOT_THERE
    for later in range(n_annotators):
        for earlier in range(later):
            is_first[later] &= columns[earlier] != columns[later]
    rank = np.full(columns.shape, NOT_THERE, dtype=np.int8)
    for one in range(n_annotators):
        nearer = np.zeros(columns.shape[1], dtype=np.int8)
        for other in range(n_annotators):
            nearer += is_first[other] & (columns[other] < columns[one])
        rank[one] = np.where(columns[one] == NOT_THERE, NOT_THERE, nearer)
    return np.ascontiguousarray(rank.T)


def shortest(table: SpanTable, votes: VotedHearts) -> tuple[Ints, Ints]:
    """Keep of the pairs of a name and a heart one for each annotator and heart."""
    names, name, heart = votes.names, votes.name, votes.heart
    owner = heart * max(1, len(table.annotators)) + table.annotator[names.row[name]]
    repeated = are_repeated(owner)
    if not repeated.any():
        return name, heart
    some = np.flatnonzero(repeated)
    length = (names.end - names.first)[name[some]]
    some = some[np.lexsort((names.first[name[some]], length, owner[some]))]
    first = np.concatenate(([True], owner[some][1:] != owner[some][:-1]))
    kept = np.concatenate((np.flatnonzero(~repeated), some[first]))
    return name[kept], heart[kept]
