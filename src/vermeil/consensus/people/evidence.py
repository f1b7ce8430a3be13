"""What each annotator who looked says about each heart, as lists: cost follows the votes.

A heart is a peak of plain votes, as in ``vermeil.consensus.evidence``, but labels vote together
where annotators choose between them, so that what a name is called is one more question and not an
election of its own. An annotator votes for a heart with a name that contains it; of several such
names the shortest speaks.
"""

from dataclasses import dataclass, replace

import numpy as np

from vermeil.arrays import Ints, ranges, true_places
from vermeil.columns.axis import Axis, lay_axis
from vermeil.columns.levels import Levels
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.evidence import shortest
from vermeil.consensus.people.known import NOT_THERE, are_settled
from vermeil.consensus.people.sureness import steps_of
from vermeil.consensus.votes import Hearts, containing, find_hearts, names_of


@dataclass(frozen=True, slots=True, eq=False)
class Testimony:
    """Hearts in reading order; heart h has the entries from ``first[h]`` up to ``first[h + 1]``.

    There is an entry for each annotator who looked at the document, in order of annotators, and
    one for the layer that settles where it does.
    ``label`` is what the name is called that contains the heart, ``left`` and ``right`` how many
    places it reaches beyond it; all three are NOT_THERE where there is no such name. ``step`` is
    how sure of it the annotator is (``sureness.py``).
    """

    axis: Axis
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
    axis = lay_axis(table, ignored)
    names = names_of(table, axis, together=together, levels=levels)
    hearts = find_hearts(names, axis)
    order = np.lexsort((hearts.group, -hearts.end, hearts.first))
    name, heart = shortest(table, names, *containing(names, hearts, axis))
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    hearts, heart = hearts.keep(order), place[heart]
    start, end = axis.bounds(hearts.first, hearts.end)
    document = np.searchsorted(table.origin, start, side="right") - 1
    first, annotator = _those_who_looked(table, document)
    n_annotators = max(1, len(table.annotators))
    key = np.repeat(np.arange(len(hearts)), np.diff(first)) * n_annotators + annotator
    own = names.row[name]
    at = np.searchsorted(key, heart * n_annotators + table.annotator[own])
    label, left, right, step = (np.full(len(annotator), NOT_THERE) for _ in range(4))
    label[at] = table.label[own]
    left[at] = hearts.first[heart] - names.first[name]
    right[at] = names.end[name] - hearts.end[heart]
    step[at] = steps_of(table.confidence)[own]
    if settled in table.annotators:
        own = annotator == table.annotators.index(settled)
        own &= (label == NOT_THERE) & ~are_settled(table, settled, start, end)[key // n_annotators]
        size = np.bincount(key[~own] // n_annotators, minlength=len(hearts))
        first = np.concatenate(([0], np.cumsum(size)))
        annotator, label, left, right, step = (
            each[~own] for each in (annotator, label, left, right, step)
        )
    return Testimony(
        axis,
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


def gather_both(
    table: SpanTable, *, ignored: str = "", levels: Levels | None = None, settled: str = ""
) -> tuple[Testimony, Testimony]:
    """List what is said with labels together and each apart; of one label both are the same."""
    pooled = gather(table, together=True, ignored=ignored, levels=levels, settled=settled)
    if len(table.labels) < 2:
        return pooled, pooled
    apart = gather(table, together=False, ignored=ignored, levels=levels, settled=settled)
    return pooled, apart


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
    width = int(reach.max(initial=0)) + 1
    heart = evidence.heart[given]
    key = heart * width + reach[given]
    order = np.argsort(key, kind="stable")
    ranked, own = key[order], heart[order]
    steps = np.ones(len(ranked), dtype=np.int64)
    steps[1:] = ranked[1:] != ranked[:-1]
    number = np.cumsum(steps)
    opens = np.ones(len(own), dtype=bool)
    opens[1:] = own[1:] != own[:-1]
    nearest = number[opens][np.cumsum(opens) - 1]
    ranks[given[order]] = number - nearest
    return ranks


def _those_who_looked(table: SpanTable, document: Ints) -> tuple[Ints, Ints]:
    """List for each heart the annotators who looked at its document, and where its list begins."""
    own, annotator = true_places(table.looked)
    begin = np.searchsorted(own, np.arange(len(table.documents) + 1))
    size = np.diff(begin)[document]
    first = np.concatenate(([0], np.cumsum(size)))
    inside = np.arange(first[-1]) - np.repeat(first[:-1], size)
    return first, annotator[np.repeat(begin[document], size) + inside]
