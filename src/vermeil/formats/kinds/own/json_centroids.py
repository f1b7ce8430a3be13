"""Standards found in the bytes of JSON, those of many lines at once: the twin of ``json_spans``.

After its label a centroid has ``,"votes":R,"left":[[N,R],…],"right":[[N,R],…]``, then a confidence
where it has one. Few have labels or pairs: what such a one ends with is decoded by itself.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from vermeil.arrays import Flags, Ints, ranges
from vermeil.columns.further import RowLists
from vermeil.columns.held_centroids import BlockEdges, CentroidBlock
from vermeil.formats.kinds.own.json_bytes import JsonBytes
from vermeil.formats.kinds.own.json_spans import (
    LIST_CLOSES,
    LIST_OPENS,
    SpanConfidences,
    Things,
    sorted_strings,
)

N_QUOTES = 14
"""Quotes of a centroid up to its boundaries on the right."""


class HeartEnd(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """What few centroids end with."""

    labels: tuple[tuple[str, float], ...] = ()
    pairs: tuple[tuple[int, int, float], ...] = ()
    ids: tuple[str, ...] = ()


_decode_ending = msgspec.json.Decoder(HeartEnd).decode


def find_centroids(
    annotators: Sequence[str], standards: Sequence[Any]
) -> tuple[Flags, CentroidBlock | None]:
    """Read standards, given as well-formed JSON: tell which are plain; if all are, make a block.

    Raises UnicodeDecodeError where a name is no UTF-8.
    """
    if not standards:
        return np.ones(0, dtype=bool), CentroidBlock.none()
    things = Things(standards)
    text, quote, at, named = things.text, things.quote, things.at, things.named()
    good = named.good & (things.n_quotes >= N_QUOTES)
    lefts, rights = quote[at + 10], quote[at + 12]
    good &= text.are(named.after, b',"votes"') & (quote[at + 8] == named.after + 1)
    good &= text.are(lefts - 1, b',"left":') & text.are(rights - 1, b',"right"')
    good &= text.bytes[rights + 7] == ord(":")
    votes, is_real = text.reals(named.after + 9, lefts - 1)
    after = np.where(things.n_quotes == N_QUOTES, things.close, quote[at + N_QUOTES] - 1)
    good &= is_real
    marks = _Marks(text)
    left = _Boundaries(text, marks, lefts + 7, rights - 1)
    right = _Boundaries(text, marks, rights + 8, after)
    good &= left.good & right.good
    confidence = np.full(len(good), np.nan)
    rest = np.flatnonzero(after != things.close)
    sure = SpanConfidences(things, rest, N_QUOTES, after[rest])
    confidence[rest] = sure.value
    good[rest] &= sure.good
    more = sure.after != things.close[rest]
    several = text.are(sure.after + 1, b'"labels"') | text.are(sure.after + 1, b'"pairs":')
    giving = np.flatnonzero(more & ~several)
    rows = rest[giving]
    listed = things.strings_at_end(rows, sure.n_quotes[giving], sure.after[giving], b'"ids":["')
    good[rows] &= listed.good
    ending = np.flatnonzero(more & several & good[rest])
    ends = _endings(things, rest[ending], sure.after[ending])
    good[[row for row, end in ends.items() if end is None]] = False
    plain = things.plain(good)
    if not plain.all():
        return plain, None
    label, labels = sorted_strings(text, named.label_first, named.label_end)
    there = {row: end for row, end in ends.items() if end is not None}
    ids = {row: end.ids for row, end in there.items() if end.ids}
    return plain, CentroidBlock(
        annotators=annotators,
        first=things.first,
        start=named.start,
        end=named.end,
        label=label,
        labels=labels,
        votes=votes,
        confidence=confidence,
        left=left.edges,
        right=right.edges,
        shared={row: end.labels for row, end in there.items() if end.labels},
        pairs={row: end.pairs for row, end in there.items() if end.pairs},
        ids=_together(listed.of(text), ids, len(label)),
        read=standards,
    )


class _Marks:
    """Where lists open, and where commas are, with one behind all."""

    def __init__(self, text: JsonBytes) -> None:
        self.opens: Ints = np.flatnonzero(text.bytes == LIST_OPENS)
        self.commas: Ints = np.append(np.flatnonzero(text.bytes == ord(",")), len(text.bytes) - 1)


class _Boundaries:
    """Boundaries of each row, written between two places; ``good`` where they are such."""

    def __init__(self, text: JsonBytes, marks: "_Marks", first: Ints, end: Ints) -> None:
        opens = marks.opens
        low, high = np.searchsorted(opens, first), np.searchsorted(opens, end)
        n = high - low - 1
        good = (text.bytes[first] == LIST_OPENS) & (n > 0) & (text.bytes[end - 1] == LIST_CLOSES)
        owner, place = ranges(low + 1, np.where(good, high, 0))
        begin = opens[place]
        comma = marks.commas[np.searchsorted(marks.commas, begin)]
        size = np.bincount(owner, minlength=len(first))
        bounds = np.append(0, np.cumsum(size))
        close = np.zeros_like(begin)
        close[:-1] = begin[1:] - 2
        close[bounds[1:][size > 0] - 1] = end[size > 0] - 2
        wrong = begin[bounds[:-1][size > 0]] != first[size > 0] + 1
        good[np.flatnonzero(size)[wrong]] = False
        offset, is_whole = text.wholes(begin + 1, comma)
        value, is_real = text.reals(np.minimum(comma + 1, close), close)
        wrong = ~(is_whole & is_real) | (comma >= close) | (text.bytes[close] != LIST_CLOSES)
        good[owner[wrong]] = False
        follows = owner[1:] == owner[:-1]
        apart = text.bytes[begin[1:] - 1] != ord(",")
        good[owner[1:][follows & apart]] = False
        self.good = good
        self.edges = BlockEdges(bounds, offset, value)


def _endings(things: Things, rows: Ints, place: Ints) -> dict[int, HeartEnd | None]:
    """Decode what some rows end with from a place on; None where we would not write it so."""
    found: dict[int, HeartEnd | None] = {}
    ends = zip(rows.tolist(), place.tolist(), things.close[rows].tolist(), strict=True)
    for row, first, close in ends:
        written = b"{%b" % things.text.whole[first + 1 : close + 1]
        try:
            ending = _decode_ending(written)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            found[row] = None
        else:
            found[row] = ending if msgspec.json.encode(ending) == written else None
    return found


def _together(ids: RowLists, more: dict[int, tuple[str, ...]], n: int) -> RowLists:
    """Put lists of some rows beside those of others."""
    if not more:
        return ids
    own = RowLists.of_strings(list(more.values()))
    others = RowLists(np.fromiter(more, np.int64, len(more)), own.first, own.content, own.names)
    every = np.arange(n)
    return RowLists.moved([ids, others], [0, n], np.concatenate((every, every)))
