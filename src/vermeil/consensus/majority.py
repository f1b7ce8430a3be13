"""The exact-span vote: what enough annotators marked, to the character and with the same label.

The baseline of every annotation campaign. A name that two annotators cut differently is two names
here, each with fewer votes. A discontinuous mention votes with each of its fragments.
"""

import numpy as np

from vermeil.columns.axis import stretches
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.decision import Decision, without_overlaps
from vermeil.consensus.tally import tally


def decide(table: SpanTable, *, min_votes: float = 1.0, min_share: float = 0.5) -> Decision:
    """Keep the spans with ``min_votes`` votes and ``min_share`` of those who looked.

    Half is enough by default. Of spans that overlap the better supported is kept, of equals the
    first, then the longest. The confidence is the share of votes. A span that an annotator gives
    twice is one vote.
    """
    row, start, end = stretches(table)
    document, label = table.document[row].astype(np.int64), table.label[row].astype(np.int64)
    annotator = table.annotator[row].astype(np.int64)
    rows, voted, _ = tally((start, end, label), annotator, len(table.annotators))
    votes = voted.sum(axis=1)
    document, label, start, end = (column[rows] for column in (document, label, start, end))
    share = votes / table.looked.sum(axis=1)[document]
    origin = table.origin[document]
    spans = Decision(table, document, label, start - origin, end - origin, share)
    return without_overlaps(spans.keep((votes >= min_votes) & (share >= min_share)))
