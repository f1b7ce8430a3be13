"""Candidate names with confidences, overlapping ones included, and which of them block which.

Sections 3.5 and 3.6 of Corbett and Copestake. The confidence of a candidate is the probability that
exactly these tokens are one name of the label, summed over all that the rest of the sentence may
be. Candidates that share a token exclude each other, so their confidences add up to at most 1.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import ColumnTable, Floats, Ints, ranges
from vermeil.sequences.chains.lattice import Lattice

THRESHOLD = 0.0003
"""Candidates less probable than this are not looked for."""

LONGEST = 256
"""Tokens of the longest candidate that is looked for. No name has so many; a text that repeats
itself may look like one name from end to end, and every part of it like another."""

CROWDED = 512
"""Candidates that a sentence may have beside one for two tokens. The densest sentence of BC5CDR,
ChemProt and BioCreative has 305; one that repeats a word may have twelve for each token."""

SURE_ENOUGH = 0.1
"""Candidates that are at least so probable stay in a crowded sentence, too; a token is in ten of
them at the most."""

_ROUNDS = 8
"""Rounds in which candidates block each other side by side; prose has four."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates(ColumnTable):
    """Names of a batch as columns, in reading order: by start, the longer first, then by label.

    ``start`` and ``end`` are half-open and count tokens on the axis of the batch; ``label`` is a
    code into ``labels``.
    """

    labels: tuple[str, ...]
    sentence: Ints
    start: Ints
    end: Ints
    label: Ints
    confidence: Floats


def find_candidates(lattice: Lattice, *, threshold: float = THRESHOLD) -> Candidates:
    """Find every name of up to LONGEST tokens whose confidence is at least ``threshold``, above 0.

    Names are made longer token by token. The probability that a name is at least so long never
    rises with its length, so those that fall below the threshold can be left behind.
    """
    n_labels = len(lattice.tags.labels)
    starts = lattice.starts.reshape(-1)
    after_begin, after_inner = _flat(lattice, 0), _flat(lattice, 1)
    place = np.flatnonzero((starts >= threshold) & (starts > 0))
    so_far = starts[place]
    first, after, goes_on = place, place + n_labels, after_begin
    names: list[tuple[Ints, Ints, Floats]] = []
    while len(first) and len(names) < LONGEST:
        further = goes_on[after]
        confidence = so_far * (1.0 - further)
        sure = (confidence >= threshold) & (confidence > 0)
        names.append((first[sure], after[sure], confidence[sure]))
        so_far = so_far * further
        alive = (so_far >= threshold) & (so_far > 0)
        first, after, so_far = first[alive], after[alive] + n_labels, so_far[alive]
        goes_on = after_inner
    none = np.zeros(0, dtype=np.int64)
    columns = zip(*names, strict=True) if names else ((none,), (none,), (np.zeros(0),))
    begin, stop, confidence = (np.concatenate(column) for column in columns)
    start, label = np.divmod(begin, max(1, n_labels))
    end = stop // max(1, n_labels)
    return in_reading_order(
        lattice.tags.labels, lattice.first_token, start, end, label, confidence=confidence
    )


def uncrowded(candidates: Candidates, first_token: Ints) -> Candidates:
    """Leave out the least probable of sentences that have too many, so that work is bounded.

    Those stay that are SURE_ENOUGH, or more probable than all but the first CROWDED and one for two
    tokens. Equals stay or go together, wherever they stand.
    """
    n_tokens = np.diff(first_token)
    n_own = np.bincount(candidates.sentence, minlength=len(n_tokens))
    room = CROWDED + n_tokens // 2
    crowded = np.flatnonzero(n_own > room)
    if not len(crowded):
        return candidates
    kept = np.ones(len(candidates), dtype=bool)
    first = np.cumsum(n_own) - n_own
    for sentence in crowded.tolist():
        rows = slice(first[sentence], first[sentence] + n_own[sentence])
        own = candidates.confidence[rows]
        beyond = np.sort(own)[-1 - room[sentence]]
        kept[rows] = (own > beyond) | (own >= SURE_ENOUGH)
    return candidates.keep(kept)


def in_reading_order(
    labels: tuple[str, ...],
    first_token: Ints,
    start: Ints,
    end: Ints,
    label: Ints,
    *,
    confidence: Floats,
) -> Candidates:
    """Make candidates of columns in any order; sentences begin at ``first_token``."""
    sentence: Ints = np.searchsorted(first_token, start, side="right") - 1
    names = Candidates(
        labels, sentence=sentence, start=start, end=end, label=label, confidence=confidence
    )
    return names.keep(np.lexsort((label, -end, start)))


def blocked_by(candidates: Candidates) -> Ints:
    """Find for each candidate the row of the one that blocks it, or -1 where none does.

    The most confident candidate blocks all that share a token with it, whatever their labels; then
    the most confident of those left, and so on. Of equals the first comes first, then the longer,
    then the earlier label. A blocked candidate blocks nothing.
    """
    order = np.lexsort(
        (candidates.label, -candidates.end, candidates.start, -candidates.confidence)
    )
    n = len(order)
    rank = np.empty(n, dtype=np.int64)
    rank[order] = np.arange(n)
    offset = int(candidates.start.min(initial=0))
    start, end = candidates.start - offset, candidates.end - offset
    holder = _holders(start, end, rank)
    _, token = ranges(start, end)
    foremost = _least(holder[token], end - start)
    return np.where(foremost < rank, order[foremost], -1)


def _holders(start: Ints, end: Ints, rank: Ints) -> Ints:
    """Find for each token the rank of the candidate that holds it, or their number if none does.

    In each round those hold their tokens whose rank is the lowest at all of them, and those that
    share a token with them are out. After a few rounds few are left, unless a text repeats itself.
    """
    n = len(rank)
    holder = np.full(int(end.max(initial=0)), n)
    left = np.arange(n)
    for _ in range(_ROUNDS):
        if not len(left):
            return holder
        length = (end - start)[left]
        owner, token = ranges(start[left], end[left])
        ranks = rank[left][owner]
        lowest = np.full(len(holder), n)
        np.minimum.at(lowest, token, ranks)
        holds = (_least(lowest[token], length) == rank[left])[owner]
        holder[token[holds]] = ranks[holds]
        left = left[_least(holder[token], length) == n]
    held = holder.tolist()
    for one in left[np.argsort(rank[left])].tolist():
        tokens = slice(start[one], end[one])
        if min(held[tokens]) == n:
            held[tokens] = [int(rank[one])] * (tokens.stop - tokens.start)
    return np.array(held, dtype=np.int64)


def _least(values: Ints, length: Ints) -> Ints:
    """Find the least of each stretch of values; none is empty."""
    if not len(length):
        return np.zeros(0, dtype=np.int64)
    least: Ints = np.minimum.reduceat(values, np.cumsum(length) - length)
    return least


def without_overlaps(candidates: Candidates) -> Candidates:
    """Keep the candidates that none blocks."""
    return candidates.keep(blocked_by(candidates) < 0)


def _flat(lattice: Lattice, place: int) -> Floats:
    return np.ascontiguousarray(lattice.goes_on[:, place]).reshape(-1)
