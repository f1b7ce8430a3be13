"""The candidates of a probabilistic tagger as a standard: hearts with boundary distributions.

Each candidate counts for as much as its confidence, and hearts and boundaries are those of several
annotators (``vermeil.consensus.centroids``; section 4 of Lewin et al., "Centroids"), with two
decisions of our own:

* Tokens vote, not characters. On the axis of votes each token has two places: one pair inside, one
  pair to the next token. So a name of one letter has a vote like any other, and hearts begin and
  end where tokens do.
* All that can be reached from a peak without falling by more than ``tolerance``, a share of its
  votes, belongs to its heart. If something higher can be reached so, the peak is a ripple on
  another's slope and no heart. The small probability that a sure name is shorter or that part of it
  is a name by itself would else cut it up.

Names that contain a heart exclude each other, so the values of its left boundaries are the
probabilities that a name around the heart starts there, and add up to at most 1; so do the right.
"""

from dataclasses import replace

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.axis import Axis
from vermeil.consensus import votes as voting
from vermeil.consensus.votes import Hearts, VotingNames
from vermeil.document import Centroid, Standard
from vermeil.sequences.chains.candidates import Candidates


def boundary_standard(
    candidates: Candidates,
    token_start: Ints,
    token_end: Ints,
    *,
    min_confidence: float = 0.5,
    tolerance: float = 0.1,
) -> Standard:
    """Find the centroids of one document's candidates, in characters.

    ``token_start`` and ``token_end`` are the offsets of the tokens that candidates count. The votes
    and the confidence of a heart are the probability that its best-supported token is in a name of
    the label; hearts below ``min_confidence`` are left out. A heart that no candidate contains has
    its own edges for boundaries.
    """
    axis = Axis(2 * len(token_start) + 1)
    names = _names_of(candidates)
    hearts = _widened(
        voting.find_hearts(names, axis), *voting.vote_runs(names, axis), axis, tolerance
    )
    hearts = hearts.keep(hearts.votes >= min_confidence * voting.UNIT)
    left, right = _sides(names, hearts, axis)
    labels = _label_votes(names, hearts, axis, len(candidates.labels))
    columns = zip(*(c.tolist() for c in (hearts.group, hearts.first, hearts.end)), strict=True)
    standard = [
        Centroid(
            int(token_start[first // 2]),
            int(token_end[end // 2 - 1]),
            candidates.labels[group],
            votes=_probability(hearts.votes[number]),
            left=tuple((int(token_start[at // 2]), value) for at, value in left[number]),
            right=tuple((int(token_end[at // 2 - 1]), value) for at, value in right[number]),
            confidence=_probability(hearts.votes[number]),
            labels=_ranked(candidates.labels, labels[number]),
        )
        for number, (group, first, end) in enumerate(columns)
    ]
    return tuple(sorted(standard, key=lambda each: (each.start, -each.end, each.label)))


def _names_of(candidates: Candidates) -> VotingNames:
    weight = voting.fixed(candidates.confidence)
    row = np.flatnonzero(weight)
    first, end = 2 * candidates.start[row], 2 * candidates.end[row]
    n_labels = max(1, len(candidates.labels))
    return VotingNames(row, candidates.label[row], first, end, weight[row], n_labels)


def _widened(peaks: Hearts, run: Ints, votes: Ints, axis: Axis, tolerance: float) -> Hearts:
    """Widen peaks to all that is nearly as high; leave out those that reach something higher."""
    level = np.maximum(1.0, peaks.votes * (1 - tolerance))
    place = np.searchsorted(run, peaks.group * axis.length + peaks.first, side="right") - 1
    low, high = place.copy(), place.copy()
    while (more := _lies_between(votes[np.maximum(low - 1, 0)], level, peaks) & (low > 0)).any():
        low[more] -= 1
    while (more := _lies_between(votes[high + 1], level, peaks)).any():
        high[more] += 1
    beyond = np.maximum(votes[np.maximum(low - 1, 0)] * (low > 0), votes[high + 1])
    rows = np.flatnonzero(beyond <= peaks.votes)
    rows = rows[np.unique(low[rows], return_index=True)[1]]  # equal peaks may make one heart
    base = peaks.group[rows] * axis.length
    first, end = run[low[rows]] - base, run[high[rows] + 1] - base + 1
    return Hearts(peaks.group[rows], first, end, peaks.votes[rows])


def _lies_between(votes: Ints, level: Floats, peaks: Hearts) -> Flags:
    between: Flags = (votes >= level) & (votes <= peaks.votes)
    return between


def _sides(
    names: VotingNames, hearts: Hearts, axis: Axis
) -> tuple[list[list[tuple[int, float]]], list[list[tuple[int, float]]]]:
    """List the boundaries of each heart, nearest first, as places of the axis."""
    name, heart = voting.containing(names, hearts, axis)
    weight = names.weights(name)
    left: list[list[tuple[int, float]]] = [[] for _ in range(len(hearts))]
    right: list[list[tuple[int, float]]] = [[] for _ in range(len(hearts))]
    before = voting.boundary_values(heart, hearts.first[heart] - names.first[name], weight)
    after = voting.boundary_values(heart, names.end[name] - hearts.end[heart], weight)
    for number, distance, value in zip(*(column.tolist() for column in before), strict=True):
        left[number].append((int(hearts.first[number]) - distance, _probability(value)))
    for number, distance, value in zip(*(column.tolist() for column in after), strict=True):
        right[number].append((int(hearts.end[number]) + distance, _probability(value)))
    for number in np.setdiff1d(np.arange(len(hearts)), heart).tolist():
        value = _probability(hearts.votes[number])
        left[number].append((int(hearts.first[number]), value))
        right[number].append((int(hearts.end[number]), value))
    return left, right


def _label_votes(names: VotingNames, hearts: Hearts, axis: Axis, n_labels: int) -> Ints:
    """Count, for each heart, the votes by label of all names that contain it."""
    votes = np.zeros((len(hearts), n_labels), dtype=np.int64)
    for label in range(n_labels if n_labels > 1 else 0):
        here = np.flatnonzero(hearts.group == label)
        everybody = replace(names, group=np.full_like(names.group, label))
        name, heart = voting.containing(everybody, hearts.keep(here), axis)
        np.add.at(votes, (here[heart], names.group[name]), names.weights(name))
    return votes


def _ranked(labels: tuple[str, ...], votes: Ints) -> tuple[tuple[str, float], ...]:
    """List the labels with votes, the best first, where there are several."""
    shares = [(labels[code], _probability(votes[code])) for code in np.flatnonzero(votes).tolist()]
    return tuple(sorted(shares, key=lambda each: (-each[1], each[0]))) if len(shares) > 1 else ()


def _probability(votes: float) -> float:
    # Each vote is rounded, so what is certain may add up to a little more than 1.
    return min(1.0, float(votes) / voting.UNIT)
