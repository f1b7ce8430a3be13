"""Boundaries of centroids with the chance of each, where it was learned how annotators cut.

Plain votes let the one annotator who always cuts wide stretch every extent. What was learned of
annotators says how likely each proposed boundary is to be the true one; of several names that an
annotator has around a heart, the shortest speaks, as in ``evidence``.
"""

from dataclasses import replace

import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.consensus.centroids import CentroidTable
from vermeil.consensus.evidence import NOT_THERE, Evidence, ranked
from vermeil.consensus.kept.sides import Side
from vermeil.consensus.reliability import Cuts, Reliability
from vermeil.consensus.tally import distinct

DIGITS = 6
"""Chances are kept with so many digits."""


def with_posteriors(
    found: CentroidTable, evidence: Evidence, reliability: Reliability
) -> CentroidTable:
    """Replace the votes of boundaries by chances; those of a side add up to 1.

    Rows of ``evidence`` are the centroids, and its columns the annotators of ``reliability``.
    """
    if not len(found):
        return found
    axis, hearts = evidence.axis, evidence.hearts
    origin = found.table.origin[found.document]
    heart, reach, chance = _chances(evidence.left, reliability.left)
    start, _ = axis.bounds(hearts.first[heart] - reach, hearts.end[heart])
    left = Side(heart, start - origin[heart], chance)
    heart, reach, chance = _chances(evidence.right, reliability.right)
    _, end = axis.bounds(hearts.first[heart], hearts.end[heart] + reach)
    right = Side(heart, end - origin[heart], chance)
    return replace(found, left=left, right=right, pairs=found.pairs.between(left, right))


def _chances(reach: Ints, cuts: Cuts) -> tuple[Ints, Ints, Floats]:
    """List all proposed boundaries, the innermost of each heart first: heart, reach and chance.

    A heart that is in no name has its own edge.
    """
    farthest = np.maximum(reach.max(axis=1), 0)
    nearest = np.where(reach == NOT_THERE, farthest[:, None], reach).min(axis=1)
    alike, apart = np.flatnonzero(nearest == farthest), np.flatnonzero(nearest < farthest)
    ranks, reach = ranked(reach[apart]), reach[apart]
    patterns, pattern = distinct(ranks)
    posterior = np.round(cuts.posterior(patterns), DIGITS)
    heart, annotator = np.nonzero(ranks != NOT_THERE)
    rank, place = ranks[heart, annotator].astype(np.int64), reach[heart, annotator]
    _, first = np.unique(heart * posterior.shape[1] + rank, return_index=True)
    heart, rank, place = heart[first], rank[first], place[first]
    chance = posterior[pattern[heart], rank]
    heart = np.concatenate((alike, apart[heart]))
    order = np.argsort(heart, kind="stable")
    place = np.concatenate((farthest[alike], place))
    chance = np.concatenate((np.ones(len(alike)), chance))
    return heart[order], place[order], chance[order]
