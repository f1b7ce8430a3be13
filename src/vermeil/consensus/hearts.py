"""Hearts with learned reliabilities: the default consensus, with no threshold to tune.

For each heart, the chance that it is a name, and on each side the best-supported boundary and its
chance; a span is worth the product. Spans worth at least LEAST are kept, the best first, without
overlaps.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.decision import Decision, without_overlaps
from vermeil.consensus.evidence import Evidence, ranked
from vermeil.consensus.reliability import Cuts, Reliability, sigmoid
from vermeil.consensus.tally import distinct

LEAST = 0.45
"""A span pays for F1 if its chance is above half of the F1 reached (Lipton et al. 2014). Consensus
reaches .8 to .95; between .4 and .5 the choice changes F1 by less than .003 on real taggers."""


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """All hearts of a batch in reading order: the best span of each, and how sure it is.

    ``existence`` is the chance that there is a name, ``proposed.confidence`` that there is one
    with exactly these boundaries.
    """

    existence: Floats
    proposed: Decision

    def keep(self, rows: Flags) -> "Verdict":
        """Keep some of the hearts."""
        return Verdict(self.existence[rows], self.proposed.keep(rows))

    def decided(self, least: float = LEAST) -> Decision:
        """Keep what is worth at least this much, the best first, without overlaps."""
        return without_overlaps(self.proposed.keep(self.proposed.rank >= least))


def judge(table: SpanTable, evidence: Evidence, reliability: Reliability) -> Verdict:
    """Judge every heart of a batch, trusting its annotators as was learned."""
    reliability = reliability.among(table.annotators)
    existence = chance_of_name(evidence, reliability)
    reach_left, sure_left = _best(evidence.left, reliability.left)
    reach_right, sure_right = _best(evidence.right, reliability.right)
    hearts = evidence.hearts
    start, end = evidence.axis.bounds(hearts.first - reach_left, hearts.end + reach_right)
    origin = table.origin[evidence.document]
    value = existence * sure_left * sure_right
    level, label = np.divmod(hearts.group, evidence.n_labels)
    proposed = Decision(
        table, evidence.document, label, start - origin, end - origin, value, level=level
    )
    return Verdict(existence, proposed.whole(evidence.levels, together=evidence.n_labels == 1))


def chance_of_name(evidence: Evidence, reliability: Reliability) -> Floats:
    """Return the chance that each heart is a name."""
    voted, looked = evidence.voted.astype(float), evidence.looked.astype(float)
    return sigmoid(reliability.existence.logit(voted, looked))


def _best(reach: Ints, cuts: Cuts) -> tuple[Ints, Floats]:
    """Return the best boundary of each heart, as places beyond it, and its chance."""
    ranks = ranked(reach)
    if not len(ranks):
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    patterns, pattern = distinct(ranks)
    posterior = cuts.posterior(patterns)
    best, chance = posterior.argmax(axis=1), posterior.max(axis=1)
    proposer = (ranks == best[pattern][:, None]).argmax(axis=1)
    # A heart in no name, whose first boundary nobody proposes, has its own edge.
    chosen = np.maximum(reach[np.arange(len(reach)), proposer], 0)
    return chosen, chance[pattern]
