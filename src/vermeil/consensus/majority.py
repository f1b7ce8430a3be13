"""The exact-span vote: what enough annotators marked, to the character and with the same label.

The baseline of every annotation campaign. A name that two annotators cut differently is two names
here, each with fewer votes; so is one that they break differently. Where names have levels, those
that nest are kept each; without, the fragments of a name vote one by one.
"""

from collections.abc import Mapping

import numpy as np

from vermeil.arrays import Ints
from vermeil.columns.axis import extents, stretches
from vermeil.columns.broken_names import ObjectColumn
from vermeil.columns.levels import Levels, Pieces
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.decision import Decision, without_overlaps
from vermeil.consensus.tally import tally


def decide(
    table: SpanTable,
    *,
    min_votes: float = 1.0,
    min_share: float = 0.5,
    levels: Levels | None = None,
) -> Decision:
    """Keep the spans with ``min_votes`` votes and ``min_share`` of those who looked.

    Half is enough by default. Of spans that overlap the better supported is kept, of equals the
    first, then the longest. The confidence is the share of votes. A span that an annotator gives
    twice is one vote.
    """
    row, start, end = stretches(table) if levels is None else extents(table)
    document, label = table.document[row].astype(np.int64), table.label[row].astype(np.int64)
    annotator = table.annotator[row].astype(np.int64)
    shape, pieces = _shapes(row, levels.pieces if levels else {})
    rows, voted, _ = tally((start, end, label, shape), annotator, len(table.annotators))
    votes = voted.sum(axis=1)
    document, label, start, end = (column[rows] for column in (document, label, start, end))
    share = votes / table.looked.sum(axis=1)[document]
    origin = table.origin[document]
    spans = Decision(
        table,
        document,
        label,
        start - origin,
        end - origin,
        share,
        level=levels.level[row[rows]] if levels else None,
        pieces=None if pieces is None else pieces[shape[rows]],
    )
    return without_overlaps(spans.keep((votes >= min_votes) & (share >= min_share)))


def _shapes(row: Ints, broken: Mapping[int, Pieces]) -> tuple[Ints, ObjectColumn | None]:
    """Number the ways in which names are broken, from 1 on, and list them; 0 is not at all."""
    shape = np.zeros(len(row), dtype=np.int64)
    if not broken:
        return shape, None
    ways = [(), *sorted(set(broken.values()))]
    number = {way: code for code, way in enumerate(ways)}
    some = np.flatnonzero(np.isin(row, list(broken)))
    shape[some] = [number[broken[each]] for each in row[some].tolist()]
    listed = np.empty(len(ways), dtype=object)
    listed[:] = ways
    return shape, listed
