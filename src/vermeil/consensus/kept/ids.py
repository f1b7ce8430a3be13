"""Database ids of a consensus: those that at least half of the supporters who give ids give.

An annotator supports a name, or a heart, with the name of the same label (any, where labels vote
together) that shares most characters with it; of equals the shortest, then the first.
"""

from collections.abc import Sequence
from itertools import islice
from typing import TypeVar

import msgspec
import numpy as np

from vermeil.arrays import Ints, ranges
from vermeil.columns.further import RowLists
from vermeil.columns.overlap import overlapping
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.tally import are_repeated
from vermeil.document import Centroid, Span

Named = TypeVar("Named", Span, Centroid)


def with_ids(
    table: SpanTable, named: Sequence[Sequence[Named]], *, together: bool = False
) -> list[tuple[Named, ...]]:
    """Put the ids that annotators vote for on the names (or centroids) of each document.

    >>> from vermeil.document import Document
    >>> p53 = [Span(0, 3, "Gene", ids=ids) for ids in (("7157",), ("7157", "22059"), ())]
    >>> layers = dict(zip("abc", ((span,) for span in p53)))
    >>> table = SpanTable.from_documents([Document(id="1", text="p53", layers=layers)])
    >>> with_ids(table, [[Span(0, 3, "Gene")]])[0][0].ids
    ('7157', '22059')
    """
    flat = [each for names in named for each in names]
    codes = {label: code for code, label in enumerate(table.labels)}
    elected = elected_ids(
        table,
        np.repeat(np.arange(len(named)), [len(names) for names in named]),
        np.array([codes[each.label] for each in flat], dtype=np.int64),
        np.array([each.start for each in flat], dtype=np.int64),
        np.array([each.end for each in flat], dtype=np.int64),
        together=together,
    )
    for place, ids in elected.within(0, len(flat)).items():
        flat[place] = msgspec.structs.replace(flat[place], ids=ids)
    rest = iter(flat)
    return [tuple(islice(rest, len(names))) for names in named]


def elected_ids(
    table: SpanTable, document: Ints, label: Ints, start: Ints, end: Ints, *, together: bool = False
) -> RowLists:
    """Find the ids that annotators vote for, by the place of the name; those that have any.

    Names are given by document, code of the label, and offsets of their document.
    """
    given = table.further.ids
    if not len(given):
        return given
    origin = table.origin[document]
    names = (label, start + origin, end + origin)
    supported, rows = _supporters(table, *names, given.row, together=together)
    return _elected(given, supported, rows)


def _supporters(
    table: SpanTable, label: Ints, start: Ints, end: Ints, giving: Ints, *, together: bool
) -> tuple[Ints, Ints]:
    """Find who of those who give ids supports what: pairs of a name and a row.

    There is at most one for an annotator.
    """
    # Only whoever gives ids in a document needs to be looked at there: no other's name gives any.
    gives = np.zeros_like(table.looked)
    gives[table.document[giving], table.annotator[giving]] = True
    rows = np.flatnonzero(gives[table.document, table.annotator])
    origin = table.origin[table.document[rows]]
    first, last = table.start[rows] + origin, table.end[rows] + origin
    name, place = overlapping(start, end, first, last)
    if not together:
        same = label[name] == table.label[rows[place]]
        name, place = name[same], place[same]
    giver = name * max(1, len(table.annotators)) + table.annotator[rows[place]]
    again = are_repeated(giver)
    some = np.flatnonzero(again)
    if len(some):
        name_of, at = name[some], place[some]
        shared = np.minimum(end[name_of], last[at]) - np.maximum(start[name_of], first[at])
        order = np.lexsort((at, (last - first)[at], -shared, giver[some]))
        ordered = giver[some][order]
        best = np.concatenate(([True], ordered[1:] != ordered[:-1]))
        kept = np.concatenate((np.flatnonzero(~again), some[order[best]]))
        name, place = name[kept], place[kept]
    return name, rows[place]


def _elected(given: RowLists, supported: Ints, rows: Ints) -> RowLists:
    """Count the ids that supporters of names give; keep those that half of the givers give.

    Those that more give come first, of equals by the alphabet.
    """
    names = given.names
    assert names is not None, "ids are strings"
    places = sorted(range(len(names)), key=names.__getitem__)
    ids = tuple([names[place] for place in places])
    alphabetical = np.empty(len(ids), dtype=np.int64)
    alphabetical[places] = np.arange(len(ids))
    code = alphabetical[given.content[:, 0]]
    place = np.minimum(np.searchsorted(given.row, rows), len(given) - 1)
    gives = given.row[place] == rows
    name, place = supported[gives], place[gives]
    n_givers = np.bincount(name)
    giver, at = ranges(given.first[place], given.first[place + 1])
    once = code[at]
    if len(at) > len(place):
        # Who gives an id twice for the same name has one vote.
        giver, once = np.divmod(np.unique(giver * len(ids) + once), len(ids))
    votes, n = np.unique(name[giver] * len(ids) + once, return_counts=True)
    name, code = np.divmod(votes, len(ids))
    kept = 2 * n >= n_givers[name]
    name, code, n = name[kept], code[kept], n[kept]
    several = np.flatnonzero(are_repeated(name))
    order = np.arange(len(name))
    order[several] = several[np.lexsort((code[several], -n[several], name[several]))]
    first = np.flatnonzero(np.concatenate(([True], name[1:] != name[:-1]))) if len(name) else name
    return RowLists(name[first], np.append(first, len(name)), code[order][:, None], ids)
