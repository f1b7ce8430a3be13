"""The token vote: each annotator tags every token, and each token gets what most say.

Two votes a token, over the tags of the IOB2 scheme: first which label the token is part of, then,
among those who say so, whether a name begins here or goes on. So two names side by side stay apart
where most annotators keep them apart.

Names reach out to the tokens they touch. Of names of one annotator that overlap in a token, the
first is tagged, of those that begin together the longest, then by label. A discontinuous mention is
tagged by its fragments. Tokenising is a loop over documents; all else is sorts over the batch.
"""

from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.axis import stretches
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.decision import Decision
from vermeil.errors import UnknownNameError
from vermeil.text.tokens import TOKENISERS

OUTSIDE = 0
"""The code of the tag O. Label ``k`` begins with the tag 2·k + 1 and goes on with 2·k + 2."""


@dataclass(frozen=True, slots=True, eq=False)
class Ballot:
    """The tokens of a batch, and the tags annotators gave them other than O.

    ``document``, ``start`` and ``end`` are columns of tokens, in order, from the documents that
    anybody looked at. ``token``, ``annotator`` and ``tag`` are columns of votes.
    """

    table: SpanTable
    document: Ints
    start: Ints
    end: Ints
    token: Ints
    annotator: Ints
    tag: Ints


def decide(
    table: SpanTable, *, by: str = "fine", min_votes: float = 1.0, min_share: float = 0.5
) -> Decision:
    """Put the tokens with ``min_votes`` votes and ``min_share`` of those who looked into names.

    Half is enough by default; of labels with equal votes the first in the alphabet wins. A name is
    parted only where more say that one begins than that it goes on. The confidence of a name is
    the mean share of votes of its tokens. ``by`` is a row of TOKENISERS.
    """
    ballot = collect(table, by=by)
    n_labels = max(1, len(table.labels))
    label, goes_on = np.divmod(ballot.tag - 1, 2)
    choice, place, votes = np.unique(
        ballot.token * n_labels + label, return_inverse=True, return_counts=True
    )
    n_going_on = np.bincount(place.ravel(), weights=goes_on, minlength=len(choice))
    token, label = np.divmod(choice, n_labels)
    order = np.lexsort((label, -votes, token))
    best = order[np.flatnonzero(np.diff(token[order], prepend=-1))]
    n_looked = table.looked.sum(axis=1)[ballot.document[token[best]]]
    best, n_looked = (
        column[(votes[best] >= min_votes) & (votes[best] / n_looked >= min_share)]
        for column in (best, n_looked)
    )
    begins = 2 * n_going_on[best] < votes[best]
    return names(ballot, token[best], label[best], begins, votes[best], n_looked)


def collect(table: SpanTable, *, by: str = "fine") -> Ballot:
    """Tokenise the documents of a batch and tag them as each annotator marked them."""
    document, start, end = _tokens(table, by)
    origin = table.origin[document]
    row, first, last = stretches(table)
    first = np.searchsorted(end + origin, first, side="right")
    last = np.searchsorted(start + origin, last, side="left")
    touching = last > first
    row, first, last = row[touching], first[touching], last[touching]
    flat = _without_overlaps(
        table.annotator[row] * len(start) + first, last - first, table.label[row]
    )
    row, first, length = row[flat], first[flat], (last - first)[flat]
    opening = np.cumsum(length) - length
    token = np.arange(length.sum()) + np.repeat(first - opening, length)
    tag = np.repeat(2 * table.label[row].astype(np.int64) + 2, length)
    tag[opening] -= 1
    annotator = np.repeat(table.annotator[row].astype(np.int64), length)
    return Ballot(
        table,
        document=document,
        start=start,
        end=end,
        token=token,
        annotator=annotator,
        tag=tag,
    )


def names(
    ballot: Ballot,
    token: Ints,
    label: Ints,
    begins: Flags,
    value: Floats | Ints,
    weight: Floats | Ints,
) -> Decision:
    """Join neighbouring tokens of one label to names; one that ``begins`` always opens another.

    ``token`` is in order. The confidence of a name is the sum of ``value`` over its tokens, out
    of the sum of ``weight``.
    """
    document = ballot.document[token]
    opens = begins.copy()
    opens[:1] = True
    opens[1:] |= (np.diff(token) != 1) | (np.diff(label) != 0) | (np.diff(document) != 0)
    first = np.flatnonzero(opens)
    last = np.append(first[1:], len(token))[: len(first)] - 1
    name = np.cumsum(opens) - 1
    confidence = np.bincount(name, weights=value) / np.bincount(name, weights=weight)
    return Decision(
        ballot.table,
        document[first],
        label[first],
        ballot.start[token[first]],
        ballot.end[token[last]],
        confidence,
    )


def _tokens(table: SpanTable, by: str) -> tuple[Ints, Ints, Ints]:
    """Return the document, start and end of all tokens of the documents anybody looked at."""
    if by not in TOKENISERS:
        raise UnknownNameError("tokeniser", by, TOKENISERS)
    tokeniser = TOKENISERS[by]
    looked = np.flatnonzero(table.looked.any(axis=1)).tolist()
    found = [tokeniser(table.documents[number].text) for number in looked]
    n_tokens = np.array([len(tokens) for tokens in found], dtype=np.int64)
    document = np.repeat(np.array(looked, dtype=np.int64), n_tokens)
    bounds = np.fromiter(chain.from_iterable(chain.from_iterable(found)), dtype=np.int64)
    return document, bounds[::2].copy(), bounds[1::2].copy()


def _without_overlaps(start: Ints, length: Ints, label: NDArray[np.int32]) -> Ints:
    """Return the places of stretches, in order, leaving out each that overlaps one before it."""
    order = np.lexsort((label, -length, start))
    start, end = start[order], (start + length)[order]
    reach = np.concatenate(([0], np.maximum.accumulate(end)))[:-1]
    if (start >= reach).all():
        return order
    kept, place = [], 0
    for number, (first, last) in enumerate(zip(start.tolist(), end.tolist(), strict=True)):
        if first >= place:
            kept.append(number)
            place = last
    return order[kept]
