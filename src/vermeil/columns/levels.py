"""Levels: which names can be weighed against each other where names nest, cross or are broken.

Names of one annotator that overlap are several names, not several opinions on one; names of
different annotators that overlap are opinions on one name, unless somebody shows that they are two.
So where own names overlap, or a name has a gap, each name gets a level, and names vote within it.

Places (connected stretches of overlapping names) are looked at one by one. Equal names are one,
with all their voters; names are put together pair by pair, those that share most first (characters
of both over characters of either), and never two that one annotator holds apart. Two sets of names
that some hold apart, while more mark only the one and more only the other, are taken for opinions
after all. Sets held apart get different levels, the widest the lowest. A name with a gap shares its
level with nothing in its whole extent but names that mean the same.

No order and no name of an annotator matters. Elsewhere every name is on level 0, and to see that
costs one look at all names. A layer of alternatives holds nothing apart: it lists opinions.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Floats, Ints, distinct
from vermeil.columns.axis import connected, extents, stretches
from vermeil.columns.overlap import overlapping
from vermeil.columns.span_table import SpanTable
from vermeil.document import ALTERNATIVES
from vermeil.shown import Brief

ALIKE = 0.5
"""Names that share so much mean the same name, if nothing speaks against it."""

Pieces = tuple[tuple[int, int], ...]
"""The stretches of a name, in order."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Levels(Brief):
    """The level of every row of a table; ``is_flat`` where that is 0 and no name has a gap.

    ``pieces`` are the stretches of the rows that have a gap, in offsets of the row's document,
    without white space at their edges.
    """

    level: Ints
    is_flat: bool
    pieces: Mapping[int, Pieces]

    def _told(self) -> str:
        return f"{len(self.level):,} names on {int(self.level.max(initial=0)) + 1} levels"


def levels_of(table: SpanTable) -> Levels:
    """Find the levels of the names of a batch.

    >>> from vermeil.document import Document, Span
    >>> twice = (Span(0, 9, "Gene"), Span(6, 9, "Gene"))
    >>> layers = {"anna": twice, "ben": twice, "cleo": (Span(5, 9, "Gene"),)}
    >>> table = SpanTable.from_documents([Document(id="1", text="human p53", layers=layers)])
    >>> levels_of(table).level.tolist()
    [0, 1, 0, 1, 1]
    """
    level = np.zeros(len(table), dtype=np.int64)
    pieces = _broken(table)
    is_crossed = _crossed(table)
    if not pieces and not is_crossed.any():
        return Levels(level, True, pieces)
    is_crossed[list(pieces)] = True
    row, place = connected(table)
    is_wanted = np.zeros(int(place.max(initial=0)) + 1, dtype=bool)
    is_wanted[place[is_crossed[row]]] = True
    here = np.flatnonzero(is_wanted[place])
    row, start, end = (each[here] for each in extents(table))
    if not len(row):
        return Levels(level, True, pieces)
    names, number = _Names.of(table, row, start, end, pieces)
    level[row] = _coloured(names)[number]
    return Levels(level, not pieces and not level.any(), pieces)


def _crossed(table: SpanTable) -> Flags:
    """Tell which rows begin inside a row before, of the same annotator and document.

    Rows are in reading order, so where there is none no two names of an annotator overlap. The row
    before may be of white space only and no name, so all before count.
    """
    own = np.zeros(len(table), dtype=bool)
    if not len(own):
        return own
    begins = np.zeros(len(table), dtype=bool)
    begins[1:] = table.annotator[1:] != table.annotator[:-1]
    begins[1:] |= table.document[1:] != table.document[:-1]
    layer = np.cumsum(begins) * (int(table.end.max()) + 1)
    reach = np.maximum.accumulate(table.end + layer)
    own[1:] = table.start[1:] + layer[1:] < reach[:-1]
    return own & _speaks(table)[table.annotator] if own.any() else own


def _speaks(table: SpanTable) -> Flags:
    """Tell which annotators hold names apart: all but layers of alternatives."""
    return np.array([not name.endswith(ALTERNATIVES) for name in table.annotators], dtype=bool)


def _broken(table: SpanTable) -> dict[int, Pieces]:
    """Find the pieces of the names that have a gap."""
    rows = table.further.fragments.row
    if not len(rows):
        return {}
    row, start, end = stretches(table)
    some = np.flatnonzero(np.isin(row, rows))
    some = some[np.lexsort((start[some], row[some]))]
    origin = table.origin[table.document[row[some]]]
    found: dict[int, list[tuple[int, int]]] = {}
    columns = (row[some], start[some] - origin, end[some] - origin)
    for owner, first, last in zip(*(column.tolist() for column in columns), strict=True):
        found.setdefault(owner, []).append((first, last))
    return {owner: tuple(each) for owner, each in found.items() if len(each) > 1}


@dataclass(frozen=True, slots=True, eq=False)
class _Names:
    """Distinct names, in order of place and label, with who marked each.

    ``one`` and ``other`` are the pairs that overlap in their whole extents; their ``likeness`` is
    the share of their characters that both have.
    """

    start: Ints
    end: Ints
    label: Ints
    is_broken: Flags
    voters: list[frozenset[int]]
    one: Ints
    other: Ints
    likeness: Floats

    @staticmethod
    def of(
        table: SpanTable, row: Ints, start: Ints, end: Ints, pieces: Mapping[int, Pieces]
    ) -> tuple["_Names", Ints]:
        """Bring equal names together; tell also which of them each row is."""
        broken = {n: pieces[each] for n, each in enumerate(row.tolist()) if each in pieces}
        ranks = {each: rank for rank, each in enumerate(sorted(set(broken.values())), 1)}
        shape = np.zeros(len(row), dtype=np.int64)
        shape[list(broken)] = [ranks[each] for each in broken.values()]
        columns = (start, end, table.label[row].astype(np.int64), shape)
        order = np.lexsort(columns[::-1])
        opens = np.ones(len(order), dtype=bool)
        opens[1:] = np.any([each[order][1:] != each[order][:-1] for each in columns], axis=0)
        first, number = order[opens], np.empty(len(order), dtype=np.int64)
        number[order] = np.cumsum(opens) - 1
        begin, stop, label, shape = (each[first] for each in columns)
        marked: list[set[int]] = [set() for _ in first]
        speaks = _speaks(table).tolist()
        for name, voter in zip(number.tolist(), table.annotator[row].tolist(), strict=True):
            if speaks[voter]:
                marked[name].add(voter)
        one, other = overlapping(begin, stop, begin, stop)
        one, other = one[one < other], other[one < other]
        likeness = _likeness(begin, stop, one, other)
        spelt = {name: broken.get(at, ()) for name, at in enumerate(first.tolist())}
        origin = table.origin[table.document[row[first]]]
        for at in np.flatnonzero((shape[one] > 0) | (shape[other] > 0)).tolist():
            both = (
                spelt[name] or ((int(begin[name] - origin[name]), int(stop[name] - origin[name])),)
                for name in (int(one[at]), int(other[at]))
            )
            likeness[at] = _likeness_of_pieces(*both)
        voters = [frozenset(each) for each in marked]
        made = _Names(
            start=begin,
            end=stop,
            label=label,
            is_broken=shape > 0,
            voters=voters,
            one=one,
            other=other,
            likeness=likeness,
        )
        return made, number

    def order(self, pairs: Ints) -> list[tuple[int, int]]:
        """List pairs of names, those that share most first, then those that more have marked."""
        votes = np.array([len(each) for each in self.voters])
        one, other = self.one[pairs], self.other[pairs]
        keys = (other, one, -(votes[one] + votes[other]), -self.likeness[pairs])
        ranked = np.lexsort(keys)
        return list(zip(one[ranked].tolist(), other[ranked].tolist(), strict=True))


class _Sets:
    """Names put together, and which sets of them are held apart."""

    def __init__(self, n: int) -> None:
        self.foes: list[set[int]] = [set() for _ in range(n)]
        self._above = list(range(n))

    def of(self, name: int) -> int:
        """Return the set of a name, which is known by one of its names."""
        while self._above[name] != name:
            self._above[name] = self._above[self._above[name]]
            name = self._above[name]
        return name

    def hold_apart(self, one: int, other: int) -> None:
        """Keep two sets from ever being one."""
        self.foes[one].add(other)
        self.foes[other].add(one)

    def reconcile(self, one: int, other: int) -> None:
        """Let two sets become one again."""
        self.foes[one].discard(other)
        self.foes[other].discard(one)

    def join(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Put the sets of these names together, in this order, where nothing holds them apart."""
        for name, other in pairs:
            one, two = self.of(name), self.of(other)
            if one == two or two in self.foes[one]:
                continue
            self._above[two] = one
            for foe in self.foes[two]:
                self.foes[foe].discard(two)
                self.foes[foe].add(one)
            self.foes[one] |= self.foes[two]


def _coloured(names: _Names) -> Ints:
    """Return the level of each name."""
    sets = _Sets(len(names.start))
    pairs = list(zip(names.one.tolist(), names.other.tolist(), strict=True))
    # Of names that all nest in each other every two are a pair, so little is done for each.
    masks = [sum(1 << voter for voter in each) for each in names.voters]
    is_own = np.array([masks[a] & masks[b] != 0 for a, b in pairs], dtype=bool)
    own = [pairs[at] for at in np.flatnonzero(is_own).tolist()]
    for one, other in own:
        sets.hold_apart(one, other)
    is_same = names.label[names.one] == names.label[names.other]
    is_alike, has_gap = (
        names.likeness >= ALIKE,
        (names.is_broken[names.one] | names.is_broken[names.other]),
    )
    sets.join(names.order(np.flatnonzero(is_same & is_alike & ~is_own)))
    sets.join(names.order(np.flatnonzero(has_gap & is_alike & ~is_own)))
    broken = {sets.of(name) for name in np.flatnonzero(names.is_broken).tolist()}
    if _reconcile(sets, masks, own, broken):
        is_own[:] = False
    for name, other in pairs if broken else ():
        one, two = sets.of(name), sets.of(other)
        if one != two and not broken.isdisjoint((one, two)):
            sets.hold_apart(one, two)
    sets.join(names.order(np.flatnonzero(is_same & ~is_alike & (names.likeness > 0) & ~is_own)))
    sets.join(names.order(np.flatnonzero(~is_same & is_alike & ~is_own)))
    return _levels(sets, names)


def _reconcile(
    sets: _Sets, masks: Sequence[int], own: Iterable[tuple[int, int]], broken: set[int]
) -> bool:
    """Let go of what fewer hold apart than mark only the one, and fewer than only the other.

    ``masks`` have a bit for each who marked a name. Tell whether anything was let go.
    """
    n = len(masks)
    owner = [sets.of(name) for name in range(n)]
    voters = [0] * n
    for name, each in enumerate(masks):
        voters[owner[name]] |= each
    n_voters = [each.bit_count() for each in voters]
    apart: dict[int, int] = {}
    is_let_go = False
    for name, other in own:
        one, two = owner[name], owner[other]
        key = one * n + two if one < two else two * n + one
        apart[key] = apart.get(key, 0) | (masks[name] & masks[other])
    for key, both in apart.items():
        one, two = divmod(key, n)
        n_both = both.bit_count()
        alone = min(n_voters[one], n_voters[two]) - n_both
        if n_both < alone and broken.isdisjoint((one, two)):
            sets.reconcile(one, two)
            is_let_go = True
    return is_let_go


def _levels(sets: _Sets, names: _Names) -> Ints:
    """Put sets that are held apart on different levels: the widest first, each as low as it can."""
    n = len(names.start)
    owner = np.array([sets.of(name) for name in range(n)], dtype=np.int64)
    start, end = np.full(n, np.iinfo(np.int64).max), np.zeros(n, dtype=np.int64)
    np.minimum.at(start, owner, names.start)
    np.maximum.at(end, owner, names.end)
    first = np.full(n, n)
    np.minimum.at(first, owner, np.arange(n))
    ranked = distinct(owner)
    ranked = ranked[np.lexsort((first[ranked], start[ranked], (start - end)[ranked]))]
    level = [-1] * n
    for one in ranked.tolist():
        taken = {level[foe] for foe in sets.foes[one]}
        level[one] = next(each for each in range(len(taken) + 1) if each not in taken)
    found: Ints = np.array(level, dtype=np.int64)[owner]
    return found


def _likeness(start: Ints, end: Ints, one: Ints, other: Ints) -> Floats:
    """Return the share of the characters of two names without a gap that both have."""
    shared = np.minimum(end[one], end[other]) - np.maximum(start[one], start[other])
    total = end[one] - start[one] + end[other] - start[other] - shared
    likeness: Floats = shared / total
    return likeness


def _likeness_of_pieces(one: Pieces, other: Pieces) -> float:
    """Return the share of the characters of two names that both have."""
    shared = sum(
        max(0, min(last, end) - max(first, start)) for first, last in one for start, end in other
    )
    total = sum(end - start for pieces in (one, other) for start, end in pieces)
    return shared / (total - shared)
