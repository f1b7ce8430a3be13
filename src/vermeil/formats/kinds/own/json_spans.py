"""Layers found in the bytes of JSON, those of many lines at once, without a record for a span.

A span as we write it is ``{"start":N,"end":N,"label":"…"``, then ``,"confidence":R`` and
``,"ids":["…",…]`` where it has them, and ``}``; where quotes and braces are tells the rest. Layers
with anything else in them, be it a blank or an escape, are not plain, and are read otherwise. What
is plain would be written with the same bytes.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from vermeil.arrays import Flags, Ints, ranges
from vermeil.columns.further import AskedLists, FurtherSpans, Items, RowLists, SpanColumns
from vermeil.columns.held import SpanBlock
from vermeil.formats.kinds.own.json_bytes import JsonBytes

QUOTE, OPENS, CLOSES = map(ord, '"{}')
LIST_OPENS, LIST_CLOSES = map(ord, "[]")

FAR = 24
"""So many quotes after the last are looked for, and are not there."""


def find_spans(annotators: Sequence[str], layers: Sequence[Any]) -> tuple[Flags, SpanBlock | None]:
    """Read layers, given as well-formed JSON: tell which are plain, and if all are, make a block.

    Raises UnicodeDecodeError where a name is no UTF-8.
    """
    things = Things(layers)
    text, named = things.text, things.named()
    good, after = named.good, named.after
    confidence = np.full(len(good), np.nan)
    rest = np.flatnonzero(after != things.close)
    sure = SpanConfidences(things, rest, 8, after[rest])
    confidence[rest] = sure.value
    good[rest] &= sure.good
    giving = np.flatnonzero(sure.after != things.close[rest])
    rows = rest[giving]
    listed = things.strings_at_end(rows, sure.n_quotes[giving], sure.after[giving], b'"ids":["')
    good[rows] &= listed.good
    plain = things.plain(good)
    if not plain.all():
        return plain, None
    label, labels = sorted_strings(text, named.label_first, named.label_end)
    columns = SpanColumns(named.start, named.end, label, labels, confidence)
    return plain, SpanBlock(
        annotators=annotators,
        first=things.first,
        start=named.start,
        end=named.end,
        label=label,
        labels=labels,
        confidence=confidence,
        further=FurtherSpans(RowLists(), listed.of(text), RowLists(), columns),
        read=layers,
    )


class Named(NamedTuple):
    """What all things have: place and label, and where what follows begins; whether it is so."""

    good: Flags
    start: Ints
    end: Ints
    label_first: Ints
    label_end: Ints
    after: Ints


class Listed(NamedTuple):
    """Lists of strings at the end of some things: their rows, and the place of each string."""

    good: Flags
    row: Ints
    first: Ints
    string_first: Ints
    string_end: Ints

    def of(self, text: JsonBytes) -> RowLists:
        """Read the strings, those of ASCII when they are asked for: there can be nothing wrong."""
        if not len(self.row):
            return RowLists()
        lists = AskedLists(self.row, self.first, partial(self._read, text))
        if not text.whole.isascii():
            _ = lists.content
        return lists

    def _read(self, text: JsonBytes) -> Items:
        code, names = text.strings(self.string_first, self.string_end)
        return code[:, None], tuple(names)


class Things:
    """Spans or centroids in the bytes of lists: a row for each brace that opens.

    ``quote`` has the places of quotes, those of a row from ``at`` on, ``n_quotes`` of them;
    ``close`` is where its closing brace must be. Lists are the rows from ``first[g]`` on.
    """

    def __init__(self, lists: Sequence[Any]) -> None:
        self.text = text = JsonBytes(lists)
        marks = np.flatnonzero((text.bytes == QUOTE) | (text.bytes == OPENS))
        place = np.flatnonzero(text.bytes[marks] == OPENS)
        # Between two braces that open are quotes alone, as long as the rows are as we write them.
        self.quote: Ints = np.concatenate((marks, np.full(FAR, len(text.bytes) - FAR)))
        self.at: Ints = place + 1
        self.open: Ints = marks[place]
        self.n_quotes: Ints = np.diff(place, append=len(marks)) - 1
        self.first: Ints = np.append(np.searchsorted(self.open, text.first), len(place))
        self.close: Ints = np.zeros_like(self.open)
        self.close[:-1] = self.open[1:] - 2
        full = np.flatnonzero(np.diff(self.first))
        self.close[self.first[full + 1] - 1] = text.end[full] - 2

    def named(self) -> Named:
        """Read what things begin with."""
        text, quote, at = self.text, self.quote, self.at
        ends, labels = quote[at + 2], quote[at + 4]
        good = text.are(self.open, b'{"start"') & (text.bytes[self.open + 8] == ord(":"))
        good &= text.are(ends - 1, b',"end":') & text.are(labels - 1, b',"label"')
        start, is_start = text.wholes(self.open + 9, ends - 1)
        end, is_end = text.wholes(ends + 6, labels - 1)
        opens, closes = quote[at + 6], quote[at + 7]
        good &= is_start & is_end & (opens == labels + 8) & (self.n_quotes >= 8)
        return Named(good, start, end, opens + 1, closes, closes + 1)

    def strings_at_end(self, rows: Ints, n_before: Ints, place: Ints, key: bytes) -> Listed:
        """Find the strings of a list that ends some rows, ``n_before`` quotes after they began."""
        text, last = self.text, self.at[rows] + self.n_quotes[rows]
        first = self.at[rows] + n_before + 2
        n = (last - first) // 2
        good = (text.bytes[place] == ord(",")) & text.are(place + 1, key)
        good &= ((last - first) % 2 == 0) & (n > 0)
        good &= (self.quote[last - 1] == self.close[rows] - 2) & (self.n_quotes[rows] > n_before)
        good &= text.bytes[self.close[rows] - 1] == LIST_CLOSES
        owner, string = ranges(np.zeros_like(n), np.where(good, n, 0))
        string = first[owner] + 2 * string
        opens, closes = self.quote[string] + 1, self.quote[string + 1]
        # Two strings of a list are a comma apart; a blank would make it more.
        apart = (opens[1:] - closes[:-1] != 3) & (owner[1:] == owner[:-1])
        good[owner[1:][apart]] = False
        return Listed(good, rows, np.append(0, np.cumsum(np.where(good, n, 0))), opens, closes)

    def plain(self, good: Flags) -> Flags:
        """Tell which lists are written as we do, given which of their rows are so far."""
        text, size = self.text, np.diff(self.first)
        good &= text.bytes[self.close] == CLOSES
        plain: Flags = text.bytes[text.first] == LIST_OPENS
        full = np.flatnonzero(size)
        plain[full] &= self.open[self.first[full]] == text.first[full] + 1
        plain[size == 0] &= (text.end - text.first == 2)[size == 0]
        owner = np.repeat(np.arange(len(size)), size)
        plain[owner[~good]] = False
        # Between two rows of a list is a comma.
        apart = np.flatnonzero(text.bytes[self.open[1:] - 1] != ord(",")) + 1
        plain[owner[apart[owner[apart] == owner[apart - 1]]]] = False
        if b"\\" in text.whole:
            escapes = np.flatnonzero(text.bytes == ord("\\"))
            plain[np.searchsorted(text.first, escapes, side="right") - 1] = False
        return plain


class SpanConfidences:
    """The confidences of rows, which come after so many quotes, at a place; NaN of others.

    ``after`` is the place after them, ``n_quotes`` the quotes that came until there.
    """

    def __init__(self, things: Things, rows: Ints, n_quotes: int, place: Ints) -> None:
        text, at, close = things.text, things.at[rows], things.close[rows]
        sure = text.are(place + 1, b'"confide') & text.are(place + 9, b'nce":')
        last = np.where(
            things.n_quotes[rows] == n_quotes + 2, close, things.quote[at + n_quotes + 2] - 1
        )
        self.n_quotes = np.where(sure, n_quotes + 2, n_quotes)
        self.after = np.where(sure, last, place)
        self.good = text.bytes[place] == ord(",")
        self.value = np.full(len(rows), np.nan)
        own = np.flatnonzero(sure)
        self.value[own], is_real = text.reals(place[own] + 14, last[own])
        self.good[own] &= is_real


def sorted_strings(text: JsonBytes, first: Ints, end: Ints) -> tuple[Ints, list[str]]:
    """Number strings in alphabetical order."""
    code, names = text.strings(first, end)
    order = sorted(range(len(names)), key=names.__getitem__)
    place = np.empty(len(names), dtype=np.int64)
    place[order] = np.arange(len(names))
    return place[code], [names[number] for number in order]
