"""Votes over name-internal character pairs, their peaks, and the names around each peak.

The reading of section 4 of Lewin et al., "Centroids", that reproduces its Figure 5: white space
(and any ignored characters) is left out of the text; a name votes for each pair of neighbouring
kept characters inside it; a heart is a maximal run of equal votes strictly above its neighbours.
Pairs, not characters, so that two names side by side stay apart.

Names of different labels vote on axes of their own, and so do those of different levels where names
nest or are broken (``columns/levels.py``). Everything is a few sorts over the columns of
a batch. Weights are counted in units of 2^-32, so sums are exact and no order matters.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import ColumnTable, Flags, Floats, Ints
from vermeil.columns.axis import Axis, extents, stretches
from vermeil.columns.levels import Levels
from vermeil.columns.span_table import SpanTable

UNIT = 1 << 32
"""Votes are whole numbers of 1/UNIT."""


HeartEdges = tuple[Ints, Ints, Ints | int]
"""Heart, offset in the batch and weight: what lies on one side of hearts."""


@dataclass(frozen=True, slots=True, eq=False)
class VotingNames:
    """What votes: one row a stretch, in places of the axis, the end exclusive.

    ``row`` is the row of the SpanTable; a discontinuous span has a row here for each fragment, or
    one for its whole extent where names have levels. ``group`` is the axis a name votes on: its
    label (0 where labels vote together), and ``n_labels`` times its level more. ``weight`` is one
    number where all votes count the same.
    """

    row: Ints
    group: Ints
    first: Ints
    end: Ints
    weight: Ints | int
    n_labels: int

    def weights(self, rows: Ints | Flags) -> Ints | int:
        """Return the weight of some of the names."""
        return self.weight if isinstance(self.weight, int) else self.weight[rows]

    def keep(self, rows: Flags, group: Ints, n_labels: int) -> "VotingNames":
        """Keep some of the names, on other axes."""
        some = (each[rows] for each in (self.row, self.first, self.end))
        row, first, end = some
        return VotingNames(row, group, first, end, self.weights(rows), n_labels)


@dataclass(frozen=True, slots=True, eq=False)
class Hearts(ColumnTable):
    """Peaks of votes, ordered by group and place, the end exclusive."""

    group: Ints
    first: Ints
    end: Ints
    votes: Ints

    def beside(self, other: "Hearts") -> "Hearts":
        """Put two sets of hearts together, in order again."""
        both = Hearts(
            np.concatenate((self.group, other.group)),
            np.concatenate((self.first, other.first)),
            np.concatenate((self.end, other.end)),
            np.concatenate((self.votes, other.votes)),
        )
        if not both.group.any():
            return both.keep(np.argsort(both.first, kind="stable"))
        return both.keep(np.lexsort((both.first, both.group)))


def names_of(
    table: SpanTable,
    axis: Axis,
    *,
    weight: Floats | None = None,
    together: bool = False,
    levels: Levels | None = None,
) -> VotingNames:
    """Find what votes, each with its ``weight`` (1 without); empty ones left out.

    Names vote by fragments, all on one level; or whole, each on its own of the ``levels``.
    """
    has_levels = levels is not None and not levels.is_flat
    row, start, end = extents(table) if has_levels else stretches(table)
    first, last = axis.places(start), axis.places(end)
    group = np.zeros(len(row), dtype=np.int64) if together else table.label[row].astype(np.int64)
    n_labels = 1 if together else max(1, len(table.labels))
    if levels is not None and has_levels:
        group += levels.level[row] * n_labels
    units = UNIT if weight is None else fixed(weight)[row]
    some = last > first if isinstance(units, int) else (last > first) & (units > 0)
    names = VotingNames(row, group, first, last, units, n_labels)
    if some.all():
        return names
    row, group, first, last = row[some], group[some], first[some], last[some]
    return VotingNames(row, group, first, last, names.weights(some), n_labels)


def find_hearts(names: VotingNames, axis: Axis, *, singles: bool = True) -> Hearts:
    """Find all peaks of the votes of ``names``.

    A name of one character has no pair to vote for; with ``singles`` it is a heart where no
    longer name covers that character.
    """
    run, votes = vote_runs(names, axis)
    before = np.concatenate(([0], votes[:-1]))
    peak = np.flatnonzero((votes > before) & (votes > np.append(votes[1:], 0)))
    group, first = np.divmod(run[peak], axis.length)
    # A run ends where the next begins; over its pairs lies one character more.
    end = run[peak + 1] - group * axis.length + 1
    hearts = Hearts(group, first, end, votes[peak])
    return _with_singles(hearts, names, axis, run, votes) if singles else hearts


def widened(hearts: Hearts, names: VotingNames, axis: Axis, slack: Floats) -> tuple[Hearts, Hearts]:
    """Let material beside a heart join it that has at most ``slack`` fewer votes, and no more.

    So many of the names that contain the heart must mark it: nothing grows beyond its supporters.
    A lower peak that lies in what has joined a higher one is part of that heart (of equals, of the
    first); one that does not ends it. Return the hearts, and with each its peak.
    """
    single = hearts.end - hearts.first == 1
    peaks, alone = hearts.keep(~single), hearts.keep(single)
    if not len(peaks):
        return hearts, hearts
    level = np.maximum(peaks.votes - slack[~single], 1)
    first, end = _nearly_as_high(peaks, *vote_runs(names, axis), axis, level)
    name, heart = containing(names, peaks, axis)
    weight = np.broadcast_to(names.weights(name), name.shape)
    first = np.maximum(first, _reached(heart, names.first[name], weight, level, peaks.first))
    end = np.minimum(end, -_reached(heart, -names.end[name], weight, level, -peaks.end))
    rows = _apart(peaks, first, end)
    peaks = peaks.keep(rows)
    wide = replace(peaks, first=first[rows], end=end[rows])
    return wide.beside(alone), peaks.beside(alone)


def _nearly_as_high(
    peaks: Hearts, run: Ints, votes: Ints, axis: Axis, level: Floats
) -> tuple[Ints, Ints]:
    """Go from each peak over the runs that have at least ``level`` votes, and no more than it."""
    place = np.searchsorted(run, peaks.group * axis.length + peaks.first, side="right") - 1
    low, high = place.copy(), place.copy()
    while (more := (low > 0) & (votes[low - 1] >= level) & (votes[low - 1] <= peaks.votes)).any():
        low[more] -= 1
    while (more := (votes[high + 1] >= level) & (votes[high + 1] <= peaks.votes)).any():
        high[more] += 1
    base = peaks.group * axis.length
    return run[low] - base, run[high + 1] - base + 1


def _apart(peaks: Hearts, first: Ints, end: Ints) -> Ints:
    """Choose the peaks that stay hearts, and end each where another begins, in place."""
    begins = np.ones(len(peaks), dtype=bool)
    reach = np.maximum.accumulate(peaks.group * (end.max() + 1) + end)
    begins[1:] = peaks.group[1:] * (end.max() + 1) + first[1:] >= reach[:-1]
    bounds = np.append(np.flatnonzero(begins), len(peaks))
    stays = np.ones(len(peaks), dtype=bool)
    for start in np.flatnonzero(np.diff(bounds) > 1).tolist():
        _divide(peaks, first, end, stays, range(bounds[start], bounds[start + 1]))
    return np.flatnonzero(stays)


def _divide(peaks: Hearts, first: Ints, end: Ints, stays: Flags, rows: range) -> None:
    """Settle peaks that reach each other, the highest first: what joins it, and where it ends."""
    settled: set[int] = set()
    for row in sorted(rows, key=lambda row: (-int(peaks.votes[row]), row)):
        low, high = peaks.first[row], peaks.end[row]
        if any(first[each] <= low and high <= end[each] for each in settled):
            stays[row] = False
            continue
        for other in range(row + 1, rows.stop):
            if other in settled:
                end[row] = max(high, min(end[row], first[other]))
            elif peaks.end[other] > end[row] > peaks.first[other]:
                end[row] = max(high, peaks.first[other])
        for other in range(row - 1, rows.start - 1, -1):
            if other in settled:
                first[row] = min(low, max(first[row], end[other]))
            elif peaks.first[other] < first[row] < peaks.end[other]:
                first[row] = min(low, peaks.end[other])
        settled.add(row)


def _reached(heart: Ints, place: Ints, weight: Ints, level: Floats, own: Ints) -> Ints:
    """Find for each heart the lowest place from which on ``level`` of its supporters begin."""
    order = np.lexsort((place, heart))
    heart, place = heart[order], place[order]
    total = np.cumsum(weight[order])
    begins = np.searchsorted(heart, heart)
    so_far = total - np.concatenate(([0], total))[begins]
    enough = np.flatnonzero(so_far >= level[heart])
    owner, at = np.unique(heart[enough], return_index=True)
    reached = own.copy()
    reached[owner] = np.minimum(place[enough[at]], own[owner])
    return reached


def vote_runs(names: VotingNames, axis: Axis) -> tuple[Ints, Ints]:
    """Return the places (group × length + pair) where votes change, and the votes from there on."""
    begin, stop = _on_one_axis(names.group, names.first, names.end - 1, axis)
    weight = names.weight
    paired = stop > begin
    if not paired.all():
        begin, stop, weight = begin[paired], stop[paired], names.weights(paired)
    if not len(begin):
        return begin, stop
    if isinstance(weight, int):
        # The sign rides along in the lowest bit: sorting values is much faster than rows.
        events = _compact(np.concatenate((begin * 2 + 1, stop * 2)))
        events.sort()
        place, votes = events >> 1, np.cumsum((events & 1) * 2 - 1)
        last = np.append(place[1:] != place[:-1], True)
        place, votes = place[last].astype(np.int64), votes[last]
        changed = votes != np.concatenate(([0], votes[:-1]))
        return place[changed], votes[changed].astype(np.int64) * weight
    place, change = _summed(np.concatenate((begin, stop)), np.concatenate((weight, -weight)))
    place, change = place[change != 0], change[change != 0]
    return place, np.cumsum(change)


def containing(names: VotingNames, hearts: Hearts, axis: Axis) -> tuple[Ints, Ints]:
    """Return all pairs (name, heart) such that the name contains the whole heart."""
    starts, ends = _on_one_axis(hearts.group, hearts.first, hearts.end, axis)
    first, end = _on_one_axis(names.group, names.first, names.end, axis)
    low = np.searchsorted(starts, first)
    high = np.searchsorted(ends, end, side="right")
    n_inside = high - low
    several = np.flatnonzero(n_inside > 1)
    name = np.flatnonzero(n_inside > 0)
    heart = low[name]
    if not len(several):
        return name, heart
    n_more = n_inside[several] - 1
    place = np.arange(n_more.sum()) - np.repeat(np.cumsum(n_more) - n_more, n_more)
    more = np.repeat(low[several] + 1, n_more) + place
    return np.concatenate((name, np.repeat(several, n_more))), np.concatenate((heart, more))


def edges_by_names(
    names: VotingNames, hearts: Hearts, axis: Axis, pairs: tuple[Ints, Ints]
) -> tuple[HeartEdges, HeartEdges]:
    """Find where the names that contain a heart start and end, given all such ``pairs``.

    A heart that no name contains has its own edges.
    """
    name, heart = pairs
    weight = names.weights(name)
    first, end = names.first[name], names.end[name]
    is_bare = np.ones(len(hearts), dtype=bool)
    is_bare[heart] = False
    if is_bare.any():
        bare = np.flatnonzero(is_bare)
        weight = np.concatenate((np.broadcast_to(weight, len(heart)), hearts.votes[bare]))
        heart = np.concatenate((heart, bare))
        first, end = (
            np.concatenate((first, hearts.first[bare])),
            np.concatenate((end, hearts.end[bare])),
        )
    start, stop = axis.bounds(first, end)
    return (heart, start, weight), (heart, stop, weight)


def edges_by_changes(
    names: VotingNames, hearts: Hearts, axis: Axis
) -> tuple[HeartEdges, HeartEdges]:
    """Find where the votes around a heart fall, to the left and to the right."""
    owner, first, gain = vote_falls(names, hearts, axis, outward=-1)
    heart, end, loss = vote_falls(names, hearts, axis, outward=1)
    start, _ = axis.bounds(first, first + 1)
    _, stop = axis.bounds(end - 1, end)
    return (owner, start, gain), (heart, stop, loss)


def boundary_values(heart: Ints, place: Ints, weight: Ints | int) -> tuple[Ints, Ints, Ints]:
    """Sum weights by heart and place; return heart, place and sum, in that order."""
    least = int(place.min(initial=0))
    width = int(place.max(initial=0)) - least + 1
    key, total = _summed(heart * width + place - least, weight)
    heart, place = np.divmod(key, width)
    return heart, place + least, total


def vote_falls(
    names: VotingNames, hearts: Hearts, axis: Axis, *, outward: int
) -> tuple[Ints, Ints, Ints]:
    """Find where votes fall below all those nearer to the heart, going left (-1) or right (1).

    Return heart, place and by how much; the place is that of the first character on the left, and
    behind the last one on the right. What falls adds up to the votes of the heart.
    """
    run, votes = vote_runs(names, axis)
    base = hearts.group * axis.length
    single = np.flatnonzero(hearts.end - hearts.first == 1)  # it has no pair, and stands alone
    edge = hearts.first if outward < 0 else hearts.end
    found = [(single, edge[single], hearts.votes[single])]
    heart = np.flatnonzero(hearts.end - hearts.first > 1)
    at = np.searchsorted(run, (base + hearts.first)[heart], side="right") - 1
    least = hearts.votes[heart]
    while len(heart):
        beyond = at + outward
        there = np.where(beyond < 0, 0, votes[beyond])
        fell = there < least
        place = (run[at] if outward < 0 else run[beyond] + 1) - base[heart]
        found.append((heart[fell], place[fell], (least - there)[fell]))
        going = there > 0
        heart, at = heart[going], beyond[going]
        least = np.minimum(least, there)[going]
    owner, place, fall = (np.concatenate(column) for column in zip(*found, strict=True))
    return owner, place, fall


def fixed(weight: Floats) -> Ints:
    """Count weights in units of 1/UNIT."""
    return np.rint(weight * UNIT).astype(np.int64)


def _with_singles(hearts: Hearts, names: VotingNames, axis: Axis, run: Ints, votes: Ints) -> Hearts:
    single = names.end - names.first == 1
    if not single.any():
        return hearts
    place, _ = _on_one_axis(names.group[single], names.first[single], names.end[single], axis)
    key, total = _summed(place, names.weights(single))
    levels = np.concatenate(([0], votes))
    right = levels[np.searchsorted(run, key, side="right")]
    left = levels[np.searchsorted(run, key - 1, side="right")]
    key, total = key[(left == 0) & (right == 0)], total[(left == 0) & (right == 0)]
    group, first = np.divmod(key, axis.length)
    return hearts.beside(Hearts(group, first, first + 1, total))


def _on_one_axis(group: Ints, first: Ints, end: Ints, axis: Axis) -> tuple[Ints, Ints]:
    """Lay the axes of all groups one after the other."""
    if not group.any():
        return first, end
    base = group * axis.length
    return base + first, base + end


def _summed(key: Ints, value: Ints | int) -> tuple[Ints, Ints]:
    """Add up values of equal keys; return the keys in order with their sums."""
    if not len(key):
        return key, np.zeros(0, dtype=np.int64)
    if isinstance(value, int):
        key = np.sort(_compact(key))
        first = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1])))
        return key[first].astype(np.int64), np.diff(np.append(first, len(key))) * value
    order = np.argsort(key, kind="stable")
    key, value = key[order], value[order]
    first = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1])))
    return key[first], np.add.reduceat(value, first)


def _compact(key: Ints) -> NDArray[np.signedinteger]:
    """Halve the numbers where they fit: they are sorted in half the time."""
    return key.astype(np.int32) if key.max(initial=0) < 1 << 31 else key
