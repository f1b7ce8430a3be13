"""Agreement beyond chance over character pairs: Cohen, Fleiss, Krippendorff.

What is annotated are pairs of neighbouring characters of a text without its white space, the unit
of the votes for centroids: a name that is cut one word wider differs in some pairs only, and two
names side by side are not one. The category of a pair is the label of the name that contains both
characters, or none. Of several names of one annotator the longest decides; of equals the first,
then the first label of the alphabet. A name of one character contains no pair.

Texts are long and names few, so nothing is done pair by pair: between two boundaries of names all
pairs are alike, and stretches that are alike are added up. What remains are the few distinct
combinations of categories, each with the number of its pairs.

Undefined is NaN: where nothing was looked at by two, and where only one category was ever used.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.axis import Axis, lay_axis
from vermeil.scoring.pairing.columns import packed
from vermeil.scoring.pairing.names import Names, ScoringBatch
from vermeil.shown import Brief

NOT_LOOKED = -1
NO_NAME = 0


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Units(Brief):
    """Distinct combinations of categories, and how often each occurs.

    ``category[u, a]`` is what annotator ``a`` says in combination ``u``: NOT_LOOKED, NO_NAME or a
    label from 1 on. ``n[i]`` pairs of document ``document[i]`` are of combination ``unit[i]``.
    """

    category: Ints
    document: Ints
    unit: Ints
    n: Ints

    @staticmethod
    def of(rows: Ints) -> "Units":
        """Take units one by one, a row each and a column an annotator, each a document."""
        places = np.arange(len(rows))
        return Units(rows, places, places, np.ones(len(rows), dtype=np.int64))

    @property
    def weight(self) -> Floats:
        """How many pairs each combination has."""
        return np.bincount(self.unit, self.n, len(self.category)).astype(np.float64)


def character_pairs(batch: ScoringBatch) -> Units:
    """Count the character pairs of all texts by what the annotators say of them."""
    table = batch.table
    axis = lay_axis(table, " ") if table.documents else Axis(0)
    if axis.before is None:
        nothing = np.zeros(0, dtype=np.int64)
        category = np.zeros((0, len(table.annotators)), dtype=np.int64)
        return Units(category, nothing, nothing, nothing)
    layers = [_stretches(batch.names(name), axis.before) for name in table.annotators]
    first = axis.before[table.origin]
    stop = np.append(first[1:], axis.length) - 2  # a free place, and one pair less than characters
    edge = _distinct(
        [first, np.maximum(first, stop), *(side for each in layers for side in each[:2])]
    )
    document = np.searchsorted(first, edge[:-1], side="right") - 1
    inside = edge[:-1] < stop[document]
    document, length = document[inside], np.diff(edge)[inside]
    columns = [
        np.where(table.looked[document, code], _categories(*layer, edge)[inside], NOT_LOOKED)
        for code, layer in enumerate(layers)
    ]
    number = packed(column - NOT_LOOKED for column in columns)
    example, unit = _same(np.broadcast_to(number, len(document)))
    category = np.zeros((len(example), len(columns)), dtype=np.int64)
    for code, column in enumerate(columns):
        category[:, code] = column[example]
    return Units(category, document, unit, length)


def cohen(units: Units, first: int, second: int, *, weight: Floats | None = None) -> Floats:
    """Compute Cohen's kappa (1960) of two annotators over what both looked at.

    ``weight`` may hold other counts of the combinations, a row for each kappa wanted.
    """
    a, b = units.category[:, first], units.category[:, second]
    both = (a != NOT_LOOKED) & (b != NOT_LOOKED)
    a, b = a[both], b[both]
    n = (units.weight if weight is None else weight)[..., both]
    total = n.sum(axis=-1)
    used_a, used_b = n @ _one_hot(a, units), n @ _one_hot(b, units)
    expected = (used_a * (total[..., None] - used_b)).sum(axis=-1)
    return 1 - _ratio(total * (n @ (a != b).astype(float)), expected)


def fleiss(units: Units, *, weight: Floats | None = None) -> Floats:
    """Compute Fleiss' kappa (1971) over what every annotator looked at."""
    everybody = (units.category != NOT_LOOKED).all(axis=1)
    differing, expected, total = _disagreement(units, everybody, weight)
    return 1 - _ratio(total * differing, expected)


def krippendorff(units: Units, *, weight: Floats | None = None) -> Floats:
    """Compute Krippendorff's alpha for nominal data; who did not look is missing.

    Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section D. Where everybody
    looked at everything it is Fleiss' kappa but for a correction for few units.
    """
    everything = np.ones(len(units.category), dtype=bool)
    differing, expected, total = _disagreement(units, everything, weight)
    return 1 - _ratio((total - 1) * differing, expected)


def _disagreement(
    units: Units, chosen: Flags, weight: Floats | None
) -> tuple[Floats, Floats, Floats]:
    """Sum up the disagreement found, that expected times all values, and the number of values.

    Both are sums of products that are 0 where there is no disagreement, so 0 is exact.
    """
    counts = _counts(units)
    n_looked = counts.sum(axis=1)
    chosen = chosen & (n_looked > 1)
    counts, n_looked = counts[chosen], n_looked[chosen]
    n = (units.weight if weight is None else weight)[..., chosen]
    differing = n @ ((counts * (n_looked[:, None] - counts)).sum(axis=1) / (n_looked - 1))
    used = n @ counts
    total = used.sum(axis=-1)
    return differing, (used * (total[..., None] - used)).sum(axis=-1), total


def flattened(begin: Ints, stop: Ints, label: Ints) -> tuple[Ints, Ints, Ints]:
    """Cut stretches so that they lie apart, in order; where some overlap, one of them decides.

    >>> begin, stop, label = flattened(np.array([3, 0]), np.array([5, 9]), np.array([1, 0]))
    >>> begin.tolist(), stop.tolist(), label.tolist()
    ([0], [9], [0])
    """
    order = np.argsort(begin, kind="stable")
    if not _overlap(begin[order], stop[order]):
        return begin[order], stop[order], label[order]
    edge = _distinct([begin, stop])
    order = _by_rank(begin, stop, label)
    low, high = np.searchsorted(edge, begin[order]), np.searchsorted(edge, stop[order])
    winner = _painted(low, high, len(edge) - 1)
    # A stretch of one label may lie on both sides of an edge; it stays whole.
    new = np.append(True, winner[1:] != winner[:-1])
    first = np.flatnonzero(new)
    end = np.append(first[1:], len(winner))
    some = winner[first] > 0
    first, end = first[some], end[some]
    return edge[first], edge[end], label[order[winner[first] - 1]]


def _stretches(names: Names, before: Ints) -> tuple[Ints, Ints, Ints]:
    """Find the pairs that names contain, half-open, and their labels."""
    begin, stop = before[names.pieces.start], before[names.pieces.end] - 1
    some = stop > begin
    return begin[some], stop[some], names.label[names.pieces.name[some]]


def _categories(begin: Ints, stop: Ints, label: Ints, edge: Ints) -> Ints:
    """Say what one annotator's names make of each stretch between two edges."""
    order = np.argsort(begin, kind="stable")
    if _overlap(begin[order], stop[order]):
        order = _by_rank(begin, stop, label)
    low, high = np.searchsorted(edge, begin[order]), np.searchsorted(edge, stop[order])
    winner = _painted(low, high, len(edge) - 1)
    return np.concatenate(([NO_NAME], label[order] + 1))[winner]


def _overlap(begin: Ints, stop: Ints) -> bool:
    """Tell whether any stretches overlap, of those in order of where they begin."""
    return bool((begin[1:] < np.maximum.accumulate(stop)[:-1]).any()) if len(begin) else False


def _by_rank(begin: Ints, stop: Ints, label: Ints) -> Ints:
    """Put what decides last: the longest, of equals the first, then the first label."""
    return np.lexsort((-label, -begin, stop - begin))


def _painted(low: Ints, high: Ints, size: int) -> Ints:
    """Find for each of ``size`` cells the last of the half-open ranges over it, from 1; 0 if none.

    A range is two overlapping ones whose length is a power of two; each level hands down to the
    next the two halves of what it has. So the cost does not depend on how deep ranges nest.
    """
    top: Ints = np.zeros(size, dtype=np.int64)
    number = np.arange(1, len(low) + 1)
    level = np.frexp((high - low).astype(np.float64))[1] - 1
    for power in range(int(level.max(initial=0)), -1, -1):
        here = level == power
        np.maximum.at(top, low[here], number[here])
        np.maximum.at(top, high[here] - (1 << power), number[here])
        if power:
            half = 1 << (power - 1)
            top = np.maximum(top, np.concatenate((np.zeros(half, np.int64), top[:-half])))
    return top


def _same(number: Ints) -> tuple[Ints, Ints]:
    """Find an example row of each distinct number, in rising order, and which each row has."""
    size = int(number.max(initial=-1)) + 1
    if size > max(len(number), 1 << 20):
        _, example, unit = np.unique(number, return_index=True, return_inverse=True)
        return example, unit
    place = np.full(size, -1)
    place[number[::-1]] = np.arange(len(number))[::-1]
    known = place >= 0
    return place[known], (np.cumsum(known) - 1)[number]


def _distinct(values: list[Ints]) -> Ints:
    """Sort and drop repetitions, faster than numpy.unique."""
    ordered = np.sort(np.concatenate(values))
    return ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))]


def _counts(units: Units) -> Floats:
    """Count the annotators by combination and category."""
    n_categories = int(units.category.max(initial=0)) + 1
    columns = [(units.category == code).sum(axis=1) for code in range(n_categories)]
    return np.stack(columns, axis=1).astype(np.float64)


def _one_hot(category: Ints, units: Units) -> Floats:
    n_categories = int(units.category.max(initial=0)) + 1
    is_it: Flags = category[:, None] == np.arange(n_categories)
    return is_it.astype(np.float64)


def _ratio(above: Floats, below: Floats) -> Floats:
    """Divide; NaN where the divisor is 0."""
    above, below = np.asarray(above, dtype=float), np.asarray(below, dtype=float)
    ratio: Floats = np.full(below.shape, np.nan)
    np.divide(above, below, out=ratio, where=below != 0)
    return ratio
