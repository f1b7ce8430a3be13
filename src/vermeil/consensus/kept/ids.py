"""Database ids of a consensus: those that at least half of the supporters who give ids give.

An annotator supports a name, or a heart, with the name of the same label (any, where labels vote
together) that shares most characters with it; of equals the shortest, then the first.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TypeVar

import msgspec
import numpy as np

from vermeil.arrays import Ints
from vermeil.columns.overlap import overlapping
from vermeil.columns.span_table import SpanTable
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
    given: dict[int, tuple[str, ...]] = {n: s.ids for n, s in table.further.items() if s.ids}
    if not given:
        return [tuple(each) for each in named]
    flat = [each for names in named for each in names]
    document = np.repeat(np.arange(len(named)), [len(names) for names in named])
    supported, rows = _supporters(table, flat, document, np.array([*given]), together=together)
    for place, ids in _elected(given, supported, rows).items():
        flat[place] = msgspec.structs.replace(flat[place], ids=ids)
    rest = iter(flat)
    return [tuple(islice(rest, len(names))) for names in named]


def _supporters(
    table: SpanTable, flat: Sequence[Named], document: Ints, giving: Ints, *, together: bool
) -> tuple[Ints, Ints]:
    """Find who supports what: pairs of a name and a row, at most one an annotator."""
    codes = {label: code for code, label in enumerate(table.labels)}
    label = np.array([codes[each.label] for each in flat], dtype=np.int64)
    start = np.array([each.start for each in flat], dtype=np.int64) + table.origin[document]
    end = np.array([each.end for each in flat], dtype=np.int64) + table.origin[document]
    # Only documents in which somebody gives ids need to be looked at.
    rows = np.flatnonzero(np.isin(table.document, table.document[giving]))
    origin = table.origin[table.document[rows]]
    first, last = table.start[rows] + origin, table.end[rows] + origin
    name, place = overlapping(start, end, first, last)
    if not together:
        same = label[name] == table.label[rows[place]]
        name, place = name[same], place[same]
    shared = np.minimum(end[name], last[place]) - np.maximum(start[name], first[place])
    annotator = table.annotator[rows[place]].astype(np.int64)
    order = np.lexsort((place, (last - first)[place], -shared, annotator, name))
    name, place, annotator = name[order], place[order], annotator[order]
    best = np.ones(len(name), dtype=bool)
    best[1:] = (name[1:] != name[:-1]) | (annotator[1:] != annotator[:-1])
    return name[best], rows[place[best]]


def _elected(
    given: Mapping[int, tuple[str, ...]], supported: Ints, rows: Ints
) -> dict[int, tuple[str, ...]]:
    """Count the ids that supporters of names give; keep those that half of the givers give."""
    votes: dict[int, Counter[str]] = {}
    n_givers: Counter[int] = Counter()
    for place, row in zip(supported.tolist(), rows.tolist(), strict=True):
        if row in given:
            votes.setdefault(place, Counter()).update({*given[row]})
            n_givers[place] += 1
    ranked = {place: sorted((-n, id) for id, n in each.items()) for place, each in votes.items()}
    return {
        place: tuple(id for less, id in each if -2 * less >= n_givers[place])
        for place, each in ranked.items()
    }
