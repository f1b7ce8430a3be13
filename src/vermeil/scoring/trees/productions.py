"""Which productions of a parser are right.

Clegg and Shepherd, section 2.3: a production is right if the standard has one with the same
boundaries, parent and daughters; how wide the daughters are does not matter, as they are judged
themselves. Productions are multisets: of two that are the same, one found leaves the other missed.
"""

from dataclasses import dataclass, replace

import numpy as np

from vermeil.arrays import Flags, Ints
from vermeil.columns.trees.brackets import comparable
from vermeil.columns.trees.productions import Productions, Rules, productions
from vermeil.columns.trees.table import TreeTable
from vermeil.scoring.counts import Counts
from vermeil.scoring.pairing.names import common_codes
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ProductionMatches(Brief):
    """The productions of a standard and of a parser, and which have their like on the other side.

    Both lie on the axis of the standard. ``scored`` tells which sentences are compared, ``failed``
    for which the standard has a tree and the parser none.
    """

    wanted: Productions
    predicted: Productions
    found: Flags
    right: Flags
    scored: Flags
    failed: Flags

    @property
    def counts(self) -> Counts:
        """All productions counted."""
        n_found = int(self.found.sum())
        return Counts(n_found, len(self.predicted), n_found, len(self.wanted))

    @property
    def by_rule(self) -> dict[str, Counts]:
        """The productions of each rule counted; rules that neither side uses are left out."""
        names = self.wanted.rules.names
        n_wanted, n_predicted, n_found = (
            np.bincount(rule, minlength=len(names)).tolist()
            for rule in (self.wanted.rule, self.predicted.rule, self.wanted.rule[self.found])
        )
        return {
            name: Counts(n_found[code], n_predicted[code], n_found[code], n_wanted[code])
            for code, name in enumerate(names)
            if n_wanted[code] or n_predicted[code]
        }


def judge(
    gold: TreeTable, parsed: TreeTable, rules: Rules | None = None, *, parsed_only: bool = False
) -> ProductionMatches:
    """Find out which productions of a parser are right, given tables that were prepared alike.

    Where the parser failed, all the standard's productions are missed, or with ``parsed_only``
    left out. Sentences without a standard, or with another number of words, are left out.

    >>> gold = TreeTable.parse(["(S (NP (DT The) (NN cell)) (VP (VBZ divides)))"])
    >>> parsed = TreeTable.parse(["(S (NP (DT The) (JJ cell)) (VP (VBZ divides)))"], gold.names)
    >>> judge(gold, parsed).by_rule["NP → DT JJ"]
    Counts(right=0, predicted=1, found=0, wanted=0)
    """
    both, failed = comparable(gold, parsed), parsed.failed & ~gold.failed
    wanted = productions(gold, rules)
    predicted = productions(parsed, wanted.rules)
    scored = both if parsed_only else both | failed
    wanted = wanted.keep(scored[wanted.sentence])
    predicted = predicted.keep(both[predicted.sentence])
    shift = (gold.first_word - parsed.first_word)[predicted.sentence]
    predicted = replace(predicted, start=predicted.start + shift, end=predicted.end + shift)
    mine, theirs = common_codes(
        *((getattr(wanted, name), getattr(predicted, name)) for name in ("start", "end", "rule"))
    )
    return ProductionMatches(
        wanted=wanted,
        predicted=predicted,
        found=has_like(mine, theirs),
        right=has_like(theirs, mine),
        scored=scored,
        failed=failed,
    )


def has_like(codes: Ints, others: Ints) -> Flags:
    """Tell which codes have one of the others for themselves; the first of equals goes first."""
    order = np.argsort(codes, kind="stable")
    ordered, others = codes[order], np.sort(others)
    copy = np.arange(len(codes)) - np.searchsorted(ordered, ordered)
    n_others = np.searchsorted(others, ordered, side="right") - np.searchsorted(others, ordered)
    has_like = np.empty(len(codes), dtype=bool)
    has_like[order] = copy < n_others
    return has_like
