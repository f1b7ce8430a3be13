"""What few spans have beside their place and label, as columns: fragments, ids and attributes.

``RowLists`` are lists that some rows of a table have. ``FurtherSpans`` are the spans with any of
them: whoever looks at one gets the span, made then; whoever wants columns takes the lists.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Floats, Ints, distinct, ranges
from vermeil.document import Span
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RowLists(Brief, Mapping[int, tuple[Any, ...]]):
    """Lists of a few rows: that of ``row[k]`` has the items from ``first[k]`` to ``first[k + 1]``.

    Rows rise. Items are numbers, or codes into ``names``; two in a row of ``content`` are
    a pair. As a mapping, a list is a tuple of strings or pairs.
    """

    row: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    first: Ints = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    content: Ints = field(default_factory=lambda: np.zeros((0, 1), dtype=np.int64))
    names: tuple[str, ...] | None = None

    @staticmethod
    def of_strings(lists: Sequence[Sequence[str]]) -> "RowLists":
        """Lay out the strings of each row, of which most have none.

        >>> dict(RowLists.of_strings([(), ("7157", "22059"), ()]))
        {1: ('7157', '22059')}
        """
        names, codes = _coded(list(chain.from_iterable(lists)))
        return _laid_out(lists, codes[:, None], names)

    @staticmethod
    def of_pairs(lists: Sequence[Sequence[tuple[Any, Any]]]) -> "RowLists":
        """Lay out the pairs of each row, of strings or of numbers."""
        flat = list(chain.from_iterable(chain.from_iterable(lists)))
        if flat and isinstance(flat[0], str):
            names, codes = _coded(flat)
            return _laid_out(lists, codes.reshape(-1, 2), names)
        return _laid_out(lists, np.array(flat, dtype=np.int64).reshape(-1, 2), None)

    def __len__(self) -> int:
        return len(self.row)

    def __iter__(self) -> Iterator[int]:
        return iter(self.row.tolist())

    def __getitem__(self, row: int) -> tuple[Any, ...]:
        return self.within(row, row + 1)[row]

    def within(self, first: int, last: int) -> dict[int, tuple[Any, ...]]:
        """Return the lists of the rows from ``first`` up to ``last``.

        >>> RowLists.of_strings([("a",), (), ("b",), ("c",)]).within(1, 3)
        {2: ('b',)}
        """
        here, there = np.searchsorted(self.row, (first, last)).tolist()
        if here == there:
            return {}
        bounds = self.first[here : there + 1].tolist()
        content = self.content[bounds[0] : bounds[-1]]
        flat: list[Any] = (content[:, 0] if content.shape[1] == 1 else content.ravel()).tolist()
        if self.names is not None:
            flat = [self.names[code] for code in flat]
        if content.shape[1] == 2:
            flat = list(zip(flat[::2], flat[1::2], strict=True))
        rows = self.row[here:there].tolist()
        return dict(zip(rows, tuples(flat, self.first[here : there + 1]), strict=True))

    def each(self, n: int) -> list[tuple[Any, ...]]:
        """List what each of ``n`` rows has.

        >>> RowLists.of_strings([(), ("7157",)]).each(3)
        [(), ('7157',), ()]
        """
        lists = self.within(0, n)
        return list(lists.values()) if len(lists) == n else listed(lists, n)

    def at(self, rows: Ints) -> list[tuple[Any, ...]]:
        """List what each of some rows has; rows rise.

        >>> RowLists.of_strings([(), ("7157",), ("672",)]).at(np.array([0, 2]))
        [(), ('672',)]
        """
        place = np.full(int(max(self.row[-1:].sum(), rows[-1:].sum())) + 1, -1)
        place[rows] = np.arange(len(rows))
        return RowLists.moved([self], [0], place).each(len(rows))

    @staticmethod
    def moved(parts: Sequence["RowLists"], base: Sequence[int], place: Ints) -> "RowLists":
        """Put lists together: row r of a part becomes ``place[base + r]``, or goes (-1).

        >>> ids = RowLists.of_strings([("1",), ("2",)])
        >>> dict(RowLists.moved([ids, ids], [0, 2], np.array([-1, 1, 0, -1])))
        {0: ('1',), 1: ('2',)}
        """
        own = [(each, start) for each, start in zip(parts, base, strict=True) if len(each)]
        if not own:
            return RowLists()
        row = place[np.concatenate([each.row + start for each, start in own])]
        sizes = np.concatenate([np.diff(each.first) for each, _ in own])
        chosen = np.argsort(row, kind="stable")
        chosen = chosen[np.searchsorted(row[chosen], 0) :]

        def items() -> Items:
            first = np.cumsum(sizes) - sizes
            names, every = _renamed([each for each, _ in own])
            _, at = ranges(first[chosen], first[chosen] + sizes[chosen])
            return every[at], names

        ends = np.concatenate(([0], np.cumsum(sizes[chosen])))
        return AskedLists(row[chosen], ends, items)


Items: TypeAlias = tuple[Ints, tuple[str, ...] | None]
"""What lists hold: their ``content`` and ``names``."""


class AskedLists(RowLists):
    """Lists whose rows and sizes are known, and whose items are read when they are asked for.

    Hardly any stage asks for the ids of names.
    """

    __slots__ = ("_items", "_read")
    _items: Items | None
    _read: Callable[[], Items]

    def __init__(self, row: Ints, first: Ints, read: Callable[[], Items]) -> None:
        for name, value in (("row", row), ("first", first), ("_read", read), ("_items", None)):
            object.__setattr__(self, name, value)

    @property
    def content(self) -> Ints:
        """Numbers or codes, as of any lists."""
        return self._asked()[0]

    @property
    def names(self) -> tuple[str, ...] | None:
        """What codes stand for."""
        return self._asked()[1]

    def _asked(self) -> Items:
        if self._items is None:
            object.__setattr__(self, "_items", self._read())
            object.__setattr__(self, "_read", None)
        assert self._items is not None, "they were just read"
        return self._items


def listed(lists: Mapping[int, tuple[Any, ...]], n: int) -> list[tuple[Any, ...]]:
    """List what each of ``n`` rows has; nothing where no list is given.

    >>> listed({1: ("7157",)}, 3)
    [(), ('7157',), ()]
    """
    every: list[tuple[Any, ...]] = [()] * n
    for row, own in lists.items():
        every[row] = own
    return every


def tuples(items: Sequence[Any], first: Ints) -> list[tuple[Any, ...]]:
    """Cut items into tuples, each from ``first[k]`` to ``first[k + 1]``; most have one item.

    ``first`` may count from elsewhere than 0.

    >>> tuples("abc", np.array([5, 6, 6, 8]))
    [('a',), (), ('b', 'c')]
    """
    at = first - first[0]
    several = np.flatnonzero(np.diff(at) != 1)
    if not len(several):
        return list(zip(items))
    padded = [*items, None]
    cut: list[tuple[Any, ...]] = list(zip([padded[place] for place in at[:-1].tolist()]))
    bounds = zip(several.tolist(), at[several].tolist(), at[several + 1].tolist(), strict=True)
    for place, low, high in bounds:
        cut[place] = tuple(items[low:high])
    return cut


class SpanColumns(NamedTuple):
    """The columns of all spans of a table or block, by row."""

    start: Ints
    end: Ints
    label: NDArray[np.integer[Any]]
    labels: Sequence[str]
    confidence: Floats


def fields_of(columns: SpanColumns) -> tuple[list[int], list[int], list[str], list[float | None]]:
    """List starts, ends, labels and confidences, as objects have them."""
    start, end, label, labels, confidence = columns
    names: list[str] = [labels[code] for code in label.tolist()]
    sure: list[float | None] = confidence.tolist()
    for row in np.flatnonzero(np.isnan(confidence)).tolist():
        sure[row] = None
    return start.tolist(), end.tolist(), names, sure


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FurtherSpans(Brief, Mapping[int, Span]):
    """Spans with fragments, ids or attributes by row, in order of rows.

    They were ``made`` already, or are made of the ``columns`` of their table.
    """

    fragments: RowLists = field(default_factory=RowLists)
    ids: RowLists = field(default_factory=RowLists)
    attributes: RowLists = field(default_factory=RowLists)
    columns: SpanColumns | None = None
    made: Mapping[int, Span] = field(default_factory=dict)

    @staticmethod
    def of(spans: Mapping[int, Span]) -> "FurtherSpans":
        """Lay out spans that are made already, given in order of rows."""
        row = np.fromiter(spans, np.int64, len(spans))
        lists = [
            RowLists.of_pairs([span.fragments for span in spans.values()]),
            RowLists.of_strings([span.ids for span in spans.values()]),
            RowLists.of_pairs([span.attributes for span in spans.values()]),
        ]
        fragments, ids, attributes = (
            RowLists(row[each.row], each.first, each.content, each.names) for each in lists
        )
        return FurtherSpans(fragments, ids, attributes, None, spans)

    @property
    def rows(self) -> Ints:
        """The rows that have any of it."""
        every = [each.row for each in self.lists if len(each)]
        return every[0] if len(every) == 1 else distinct(np.concatenate([self.ids.row, *every]))

    @property
    def lists(self) -> tuple[RowLists, RowLists, RowLists]:
        """Fragments, ids and attributes."""
        return self.fragments, self.ids, self.attributes

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        return any(len(each) for each in self.lists)

    def __iter__(self) -> Iterator[int]:
        return iter(self.rows.tolist())

    def __getitem__(self, row: int) -> Span:
        return self.within(row, row + 1)[row]

    def within(self, first: int, last: int) -> dict[int, Span]:
        """Return the spans of the rows from ``first`` up to ``last``."""
        if self.columns is None:
            return {row: span for row, span in self.made.items() if first <= row < last}
        own = [each.within(first, last) for each in self.lists]
        rows = sorted({*chain.from_iterable(own)})
        if not rows:
            return {}
        start, end, label, labels, confidence = self.columns
        fields = fields_of(
            SpanColumns(start[rows], end[rows], label[rows], labels, confidence[rows])
        )
        rest = ([each.get(row, ()) for row in rows] for each in own)
        return dict(zip(rows, map(Span, *fields, *rest), strict=True))

    def every(self) -> Mapping[int, Span]:
        """Return all of them."""
        return self.made if self.columns is None else self.within(0, len(self.columns.start))

    @staticmethod
    def moved(
        parts: Sequence["FurtherSpans"], base: Sequence[int], place: Ints, columns: SpanColumns
    ) -> "FurtherSpans":
        """Put spans of several tables together, as ``RowLists.moved`` does, under new columns."""
        if not any(parts):
            return FurtherSpans()
        fragments, ids, attributes = (
            RowLists.moved(side, base, place)
            for side in zip(*(each.lists for each in parts), strict=True)
        )
        return FurtherSpans(fragments, ids, attributes, columns)


def _coded(strings: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """Number strings as they first come."""
    codes: dict[str, int] = {}
    numbers = [codes.setdefault(each, len(codes)) for each in strings]
    return tuple(codes), np.array(numbers, dtype=np.int64)


def _laid_out(
    lists: Sequence[Sequence[Any]], items: Ints, names: tuple[str, ...] | None
) -> RowLists:
    if not len(items):
        return RowLists()
    sizes = np.fromiter(map(len, lists), np.int64, len(lists))
    row = np.flatnonzero(sizes)
    return RowLists(row, np.concatenate(([0], np.cumsum(sizes[row]))), items, names)


def _renamed(parts: Sequence[RowLists]) -> tuple[tuple[str, ...] | None, Ints]:
    """Put the items of several lists together, their names numbered alike."""
    if parts[0].names is None or len(parts) == 1:
        return parts[0].names, np.concatenate([each.content for each in parts])
    known: dict[str, int] = {}
    items = []
    for each in parts:
        codes = _numbered(each.names or (), known)
        items.append(codes[each.content])
    return tuple(known), np.concatenate(items)


def _numbered(names: Iterable[str], known: dict[str, int]) -> Ints:
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.int64)
