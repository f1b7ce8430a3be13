"""The exact-span vote: what enough annotators marked, to the character and with the same label.

The baseline of every annotation campaign. A name that two annotators cut differently is two names
here, each with fewer votes. A discontinuous mention votes with each of its fragments.
"""

import numpy as np
from numpy.typing import NDArray

from vermeil.consensus.axis import stretches
from vermeil.consensus.decision import Decision, without_overlaps
from vermeil.span_table import SpanTable


def decide(table: SpanTable, *, min_votes: float = 1.0, min_share: float = 0.5) -> Decision:
    """Keep the spans with ``min_votes`` votes and ``min_share`` of those who looked.

    Half is enough by default. Of spans that overlap the better supported is kept, of equals the
    first, then the longest. The confidence is the share of votes. A span that an annotator gives
    twice is one vote.
    """
    row, start, end = stretches(table)
    document, annotator = table.document[row].astype(np.int64), table.annotator[row]
    kind = table.label[row].astype(np.int64) * max(1, len(table.annotators)) + annotator
    order = np.lexsort((kind, end, start))
    document, kind, start, end = document[order], kind[order], start[order], end[order]
    label = kind // max(1, len(table.annotators))
    new_span = _changes(start, end, label)
    votes = np.bincount(np.cumsum(new_span) - 1, weights=_changes(start, end, kind))
    document, label, start, end = (column[new_span] for column in (document, label, start, end))
    share = votes / table.looked.sum(axis=1)[document]
    origin = table.origin[document]
    spans = Decision(table, document, label, start - origin, end - origin, share)
    return without_overlaps(spans.keep((votes >= min_votes) & (share >= min_share)))


def _changes(*columns: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell where any of the columns differs from the row before."""
    changed = np.ones(len(columns[0]), dtype=bool)
    changed[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return changed
