"""Columns of spans made comparable: equal rows get equal numbers."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Ints
from vermeil.columns.further import FurtherSpans, SpanColumns
from vermeil.columns.span_table import SpanTable

_ROOM = 1 << 62


def packed(columns: Iterable[NDArray[np.integer]]) -> Ints:
    """Number each row; rows are ordered by it as by their columns, and equal if equal.

    Columns hold whole numbers from 0 on.

    >>> packed([np.array([1, 0, 1]), np.array([0, 5, 0])]).tolist()
    [6, 5, 6]
    """
    number: Ints = np.zeros(1, dtype=np.int64)
    size = 1
    for column in columns:
        base = int(column.max(initial=0)) + 1
        if size * base > _ROOM:
            distinct, number = np.unique(number, return_inverse=True)
            size = len(distinct)
        number = number * base + column
        size *= base
    return number


def shapes(table: SpanTable) -> Ints:
    """Number the fragments of each row; 0 is a span in one piece."""
    codes = np.zeros(len(table), dtype=np.int64)
    numbers = shape_numbers(table)
    for row, fragments in table.further.fragments.within(0, len(table)).items():
        codes[row] = numbers[fragments]
    return codes


def shape_numbers(table: SpanTable) -> dict[tuple[tuple[int, int], ...], int]:
    """Number the ways in which spans of a table are broken, from 1 on; 0 is not at all."""
    broken = set(table.further.fragments.within(0, len(table)).values())
    return {(): 0} | {fragments: n for n, fragments in enumerate(sorted(broken), start=1)}


def only(table: SpanTable, annotators: Sequence[int]) -> SpanTable:
    """Keep some annotators of a table, named by their codes in rising order."""
    if len(annotators) == len(table.annotators):
        return table
    code = np.full(len(table.annotators), -1, dtype=np.int32)
    code[list(annotators)] = np.arange(len(annotators), dtype=np.int32)
    annotator = code[table.annotator]
    rows = np.flatnonzero(annotator >= 0)
    place = np.where(annotator >= 0, np.cumsum(annotator >= 0) - 1, -1)
    label, sure = table.label[rows], table.confidence[rows]
    start, end = table.start[rows], table.end[rows]
    columns = SpanColumns(start, end, label, table.labels, sure)
    return SpanTable(
        documents=table.documents,
        annotators=tuple(table.annotators[n] for n in annotators),
        labels=table.labels,
        document=table.document[rows],
        annotator=annotator[rows],
        label=label,
        start=start,
        end=end,
        confidence=sure,
        looked=table.looked[:, list(annotators)],
        origin=table.origin,
        further=FurtherSpans.moved([table.further], [0], place, columns),
        loose=place[table.loose[annotator[table.loose] >= 0]],
    )
