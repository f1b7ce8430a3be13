"""What each annotator says about each heart: whether a name is there, and where it begins and ends.

A heart is a peak of plain votes. An annotator votes for it with a name that contains it; of several
such names the shortest speaks. What is learned from evidence depends only on who looked, who voted
and the order of the boundaries they propose, so equal rows are counted, not kept: a corpus of any
size shrinks to its few distinct patterns, and the patterns of two parts of it can be added.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vermeil.consensus.axis import Axis, Ints, lay_axis
from vermeil.consensus.votes import Hearts, Names, containing, find_hearts, names_of
from vermeil.span_table import SpanTable

NOT_THERE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """A row a heart, in reading order; a column an annotator.

    ``left`` and ``right`` hold how many places beyond the heart the annotator's name reaches,
    NOT_THERE where there is none. ``looked`` says who looked at the heart's document.
    """

    axis: Axis
    hearts: Hearts
    document: Ints
    left: Ints
    right: Ints
    looked: NDArray[np.bool_]

    @property
    def voted(self) -> NDArray[np.bool_]:
        """Who has a name that contains the heart."""
        voted: NDArray[np.bool_] = self.left != NOT_THERE
        return voted


def gather(table: SpanTable, *, ignored: str = "", together: bool = False) -> Evidence:
    """Gather what the annotators of a batch say about all its hearts."""
    axis = lay_axis(table, ignored)
    names = names_of(table, axis, together=together)
    hearts = find_hearts(names, axis)
    name, heart = _shortest(table, names, *containing(names, hearts, axis))
    annotator = table.annotator[names.row[name]]
    shape = (len(hearts), len(table.annotators))
    left, right = np.full(shape, NOT_THERE), np.full(shape, NOT_THERE)
    left[heart, annotator] = hearts.first[heart] - names.first[name]
    right[heart, annotator] = names.end[name] - hearts.end[heart]
    start, _ = axis.bounds(hearts.first, hearts.end)
    document = np.searchsorted(table.origin, start, side="right") - 1
    order = np.lexsort((hearts.group, -hearts.end, hearts.first))
    return Evidence(
        axis,
        hearts.keep(order),
        document[order],
        left[order],
        right[order],
        table.looked[document[order]],
    )


def ranked(reach: Ints) -> NDArray[np.int8]:
    """Replace each row's distances by their rank among the distinct ones, the nearest 0.

    >>> ranked(np.array([[4, -1, 0, 4]])).tolist()
    [[1, -1, 0, 1]]
    """
    order = np.argsort(reach, axis=1, kind="stable")
    ordered = np.take_along_axis(reach, order, axis=1)
    is_new = np.ones_like(ordered, dtype=bool)
    is_new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    is_new &= ordered != NOT_THERE
    rank = np.empty(reach.shape, dtype=np.int8)
    np.put_along_axis(rank, order, (np.cumsum(is_new, axis=1) - 1).astype(np.int8), axis=1)
    return rank


def _shortest(table: SpanTable, names: Names, name: Ints, heart: Ints) -> tuple[Ints, Ints]:
    """Keep one name for each annotator and heart."""
    owner = heart * max(1, len(table.annotators)) + table.annotator[names.row[name]]
    order = np.lexsort((names.first[name], (names.end - names.first)[name], owner))
    owner = owner[order]
    first = np.concatenate(([True], owner[1:] != owner[:-1])) if len(owner) else owner.astype(bool)
    return name[order[first]], heart[order[first]]
