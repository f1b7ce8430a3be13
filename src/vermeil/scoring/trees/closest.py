"""What a parser wrote where it missed a production: the closest match of Clegg and Shepherd, 2.3.

For each production of the standard that the parser missed, the first of these that applies:

1. same boundaries and parent, other daughters: the rule written;
2. same boundaries and daughters in order, another parent: the rule written;
3. same boundaries, another parent and other daughters: the rule written;
4. same rule at other boundaries that cover at least one of its words: EXT_ALLMATCH, TRUNC_ALLMATCH;
5. same parent, other daughters at such boundaries: EXT_PARENTMATCH, TRUNC_PARENTMATCH;
6. nothing.

In 4 and 5 only the nearest count: those for which the fewest words have to be added and taken away.
Of m matches that are equally good each counts 1/m.

What the paper leaves open is decided so:

* Only productions that are wrong themselves can stand for one that was missed, unless ``literal``.
* A match that is longer at one end and shorter at the other is both EXT and TRUNC, half each.
* Matches are productions, not rules: two wrong ones with the same rule count twice in m.
* Where the parser found no parse, the outcome is 6, told apart as NO_PARSE.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Ints
from vermeil.columns.overlap import overlapping
from vermeil.columns.trees.productions import Productions
from vermeil.scoring.pairing.names import common_codes
from vermeil.scoring.trees.productions import ProductionMatches
from vermeil.shown import Brief

OUTCOMES = {
    1: "other daughters",
    2: "other parent",
    3: "other parent and daughters",
    4: "same rule, other boundaries",
    5: "same parent, other boundaries",
    6: "nothing",
}

NOTHING, NO_PARSE = "nothing", "no parse"
META_RULES = (
    NO_PARSE,
    NOTHING,
    "TRUNC_PARENTMATCH",
    "EXT_PARENTMATCH",
    "TRUNC_ALLMATCH",
    "EXT_ALLMATCH",
)
"""What can be written besides a rule. Its code is its place counted from the end, below 0."""

_CODES = {name: place - len(META_RULES) for place, name in enumerate(META_RULES)}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Closest(Brief):
    """What stands for each missed production; one that has several matches has several rows.

    ``missed`` numbers the production among those wanted; ``written`` is the code of a rule or, if
    below 0, of META_RULES. A row counts 1 / ``share``; the rows of a production add up to 1.
    """

    missed: Ints
    outcome: Ints
    written: Ints
    share: Ints

    @staticmethod
    def of(missed: Ints, outcome: Ints | int, written: Ints | int, share: Ints | int) -> "Closest":
        """Make rows of columns, any of which but the first may be one number for all."""
        return Closest(missed, *(_column(each, len(missed)) for each in (outcome, written, share)))


def closest_matches(judged: ProductionMatches, *, literal: bool = False) -> Closest:
    """Find what was written in place of each production that was missed.

    To the letter of the paper (``literal``) productions that are right where they stand can be
    matches, too. Rows come in order of the missed productions, otherwise in no order to rely on.
    """
    missed = np.flatnonzero(~judged.found)
    wanted = judged.wanted.keep(missed)
    wrong = judged.predicted if literal else judged.predicted.keep(~judged.right)
    in_place = _in_place(wanted, wrong)
    is_open = np.ones(len(wanted), dtype=bool)
    is_open[in_place.missed] = False
    elsewhere = _elsewhere(wanted, wrong, is_open)
    is_open[elsewhere.missed] = False
    rest = np.flatnonzero(is_open)
    is_failed = judged.failed[wanted.sentence[rest]]
    nothing = Closest.of(rest, 6, np.where(is_failed, _CODES[NO_PARSE], _CODES[NOTHING]), 1)
    parts = (in_place, elsewhere, nothing)
    order = np.argsort(np.concatenate([part.missed for part in parts]), kind="stable")
    place, outcome, written, share = (
        np.concatenate([getattr(part, name) for part in parts])[order]
        for name in ("missed", "outcome", "written", "share")
    )
    return Closest(missed[place], outcome, written, share)


def _in_place(wanted: Productions, wrong: Productions) -> Closest:
    """Find the matches with the same boundaries: outcomes 1 to 3."""
    mine, theirs = common_codes((wanted.start, wrong.start), (wanted.end, wrong.end))
    one, other = overlapping(mine, mine + 1, theirs, theirs + 1)
    daughters = np.array(wanted.rules.daughters, dtype=np.int64)
    same_parent = wanted.label[one] == wrong.label[other]
    same_daughters = daughters[wanted.rule[one]] == daughters[wrong.rule[other]]
    outcome = np.where(same_parent, 1, np.where(same_daughters, 2, 3))
    best = _least(one, outcome, len(wanted))
    one, other, outcome = one[best], other[best], outcome[best]
    return Closest.of(one, outcome, wrong.rule[other], np.bincount(one)[one])


def _elsewhere(wanted: Productions, wrong: Productions, is_open: Flags) -> Closest:
    """Find the nearest matches with the same parent at other boundaries: outcomes 4 and 5."""
    tried = np.flatnonzero(is_open)
    # Labels lie apart on this axis, as sentences do already, so only equal ones overlap.
    width = max(int(side.end.max(initial=0)) for side in (wanted, wrong))
    mine, theirs = wanted.label[tried] * width, wrong.label * width
    one, other = overlapping(
        wanted.start[tried] + mine,
        wanted.end[tried] + mine,
        wrong.start + theirs,
        wrong.end + theirs,
    )
    one = tried[one]
    begins_later = wrong.start[other] - wanted.start[one]
    ends_later = wrong.end[other] - wanted.end[one]
    outcome = np.where(wanted.rule[one] == wrong.rule[other], 4, 5)
    distance = np.abs(begins_later) + np.abs(ends_later)
    best = _least(one, outcome * (2 * width + 1) + distance, len(wanted))
    one, outcome = one[best], outcome[best]
    begins_later, ends_later = begins_later[best], ends_later[best]
    is_longer = (begins_later < 0) | (ends_later > 0)
    is_shorter = (begins_later > 0) | (ends_later < 0)
    share = np.bincount(one)[one] * (1 + (is_longer & is_shorter))
    extended = np.where(outcome == 4, _CODES["EXT_ALLMATCH"], _CODES["EXT_PARENTMATCH"])
    truncated = np.where(outcome == 4, _CODES["TRUNC_ALLMATCH"], _CODES["TRUNC_PARENTMATCH"])
    both = np.append(np.flatnonzero(is_longer), np.flatnonzero(is_shorter))
    written = np.append(extended[is_longer], truncated[is_shorter])
    return Closest.of(one[both], outcome[both], written, share[both])


def _least(group: Ints, rank: Ints, n_groups: int) -> Flags:
    """Tell which have the lowest rank of their group."""
    least = np.full(n_groups, np.iinfo(np.int64).max)
    np.minimum.at(least, group, rank)
    is_least: Flags = rank == least[group]
    return is_least


def _column(value: Ints | int, size: int) -> Ints:
    return np.broadcast_to(np.asarray(value, dtype=np.int64), size)
