"""Copies among annotators: who says nearly the same as another is no second witness.

Agreement alone is no sign of a copy: two who know what they do agree, too. But where others say
something else, even they differ in a fifth of the names or more, in whether they see, how they cut
and what they call them; a copy differs in hardly any. So two annotators are compared on the
disputed answers that either has marked. They are copies of each other if they differ on less than
half of ALIKE of these, and in part up to ALIKE. Each then has the voice 1 / (1 + its copies).

Three runs of one program by themselves cannot be told from three good annotators.
"""

import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.consensus.people.answers import AnswerRows
from vermeil.consensus.people.known import NOT_THERE

ALIKE = 0.2
"""The share of disputed answers on which independent annotators differ at the least. Of the twelve
taggers, and of the annotators of the samples, the two most alike differ on half as many again."""

LEAST_DISPUTED = 50
"""Disputed answers below which nobody is said to be a copy."""

MOST_COMPARED, MOST_ROWS = 64, 50_000
"""Annotators that are compared with each other at the most, and rows on which they are."""


def voices(rows: AnswerRows, n_annotators: int) -> Floats:
    """Return how much each annotator counts: 1, or less for those who copy or are copied."""
    if not 2 < n_annotators <= MOST_COMPARED:
        return np.ones(n_annotators)
    rows = rows.chosen(_disputed(rows)[:MOST_ROWS])
    said = np.zeros((len(rows), n_annotators), dtype=np.int64)
    said[rows.row, rows.annotator] = _codes(rows)
    marked = said > 1
    voice = np.ones(n_annotators)
    for one in range(n_annotators):
        both = (said[:, one] > 0)[:, None] & (said > 0) & (marked | marked[:, one, None])
        n_disputed = rows.count @ both
        n_apart = rows.count @ (both & (said != said[:, one, None]))
        apart = np.where(n_disputed >= LEAST_DISPUTED, n_apart / np.maximum(n_disputed, 1), 1.0)
        apart[one] = 1.0
        voice[one] = 1 / (1 + np.clip(2 - 2 * apart / ALIKE, 0.0, 1.0).sum())
    return voice


def _disputed(rows: AnswerRows) -> Ints:
    """Find the rows on which not all who looked say the same."""
    if not len(rows.annotator):
        return np.zeros(0, dtype=np.int64)
    some = np.flatnonzero(np.diff(rows.first))
    codes, begin = _codes(rows), rows.first[some]
    lowest, highest = (each.reduceat(codes, begin) for each in (np.minimum, np.maximum))
    disputed: Ints = some[lowest != highest]
    return disputed


def _codes(rows: AnswerRows) -> Ints:
    """Number what entries say: 1 for no name, more for a name with its label and boundaries."""
    columns = (rows.label, rows.left, rows.right)
    label, left, right = (column.astype(np.int64) - NOT_THERE for column in columns)
    return (label << 16) + (left << 8) + right + 1
