"""Many parsers, one tree: fallback, votes, the tree in the middle, and the best of all (section 5).

Members are tables of the same sentences with the same preparation. A method may first observe all
batches (what it sees of two adds), learn from that, and then decides batch by batch, as for spans.
Votes count as votes over spans do; a tree in the middle has no counterpart there, since annotators
of spans are combined name by name.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vermeil.arrays import Flags, Floats, Ints, distinct
from vermeil.columns.trees.table import TreeTable
from vermeil.consensus.tally import changes
from vermeil.consensus.trees.best import BALANCE, EVEN, best_tree
from vermeil.consensus.trees.candidates import BracketSets, bits
from vermeil.consensus.trees.grammar import Grammar
from vermeil.consensus.trees.known import Edge
from vermeil.consensus.trees.noncrossing import heaviest
from vermeil.consensus.trees.pool import Pool
from vermeil.consensus.trees.regression import log_odds
from vermeil.consensus.trees.switching import Affinity, cascaded, choose, first_parsed
from vermeil.consensus.trees.truth_discovery import ParserWeights, SpanPatterns, chosen_brackets
from vermeil.consensus.trees.word_axis import given_tags
from vermeil.consensus.trees.worth import Sightings, Worth
from vermeil.errors import UnknownNameError
from vermeil.tree import Bracket

STANDING_APART = 3.0
"""How sharply a member counts less in a sentence where it has less of what is likely."""

CUT, NAMED = 2.0, 1.0
"""How far a sure name moves the log odds of brackets that cut it, and of those that are it."""


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """What a method can be told; each takes what it has a use for.

    A bracket wins a vote with more than the share ``quorum`` of the weight of the members that
    parsed the sentence (all of it where ``quorum`` is 1). ``weights`` are 1 where not named.
    ``ties`` says what decides between members that are as good: ``order`` or ``measures``. ``gold``
    are right trees of the batch, failures where they are not known, ``names`` those of each
    sentence over its words.
    """

    quorum: float = 0.5
    weights: Mapping[str, float] = field(default_factory=dict)
    ties: str = "order"
    gold: TreeTable | None = None
    names: Sequence[Sequence[Edge]] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TreeDecision:
    """What a method says about a batch.

    ``winner[s]`` is the member whose tree was chosen for a sentence; where it is -1 the tree is
    made of the ``brackets[s]``, or there is none. ``tied`` tells where the first measure could not
    decide. ``trust`` says how far the members agree on the tree, from 0 to 1, as the method
    measures it; NaN where there is nothing to compare. ``tags[s]`` are the parts of speech of a
    sentence's words where the method has chosen them, too.
    """

    winner: Ints
    brackets: Sequence[Sequence[Bracket] | None]
    tied: Flags
    trust: Floats
    tags: Sequence[Sequence[str] | None] = ()


@dataclass(frozen=True, slots=True)
class TreeMethod:
    """A row of TREE_CONSENSUS. Methods without ``observe`` and ``learn`` need no first pass.

    One that takes ``gold`` is given the right trees of a batch, as far as they are known, as a
    further argument of ``observe`` and as one of the options.
    """

    summary: str
    takes: frozenset[str]
    decide: Callable[[Mapping[str, TreeTable], TreeOptions, Any], TreeDecision]
    observe: Callable[..., Any] | None = None
    learn: Callable[[Any], Any] | None = None


def get_tree_method(name: str) -> TreeMethod:
    """Look a method up."""
    if name not in TREE_CONSENSUS:
        raise UnknownNameError("way to combine trees", name, TREE_CONSENSUS)
    return TREE_CONSENSUS[name]


def _fall_back(
    members: Mapping[str, TreeTable], options: TreeOptions, learned: None
) -> TreeDecision:
    winner = first_parsed([~table.failed for table in members.values()])
    nothing = np.full(len(winner), np.nan)
    return TreeDecision(winner, [None] * len(winner), np.zeros(len(winner), dtype=bool), nothing)


def _vote(members: Mapping[str, TreeTable], options: TreeOptions, learned: None) -> TreeDecision:
    pool = Pool.of(members)
    share = pool.shares([options.weights.get(name, 1.0) for name in pool.members])
    # Shares are sums of weights, so what is just the quorum may be off in its last digit.
    wins = share > min(options.quorum, 1.0) + 1e-9 if options.quorum < 1 else share > 1 - 1e-9
    bounds = pool.bounds.tolist()
    found: list[list[Bracket] | None] = []
    ratio = np.full(len(bounds) - 1, np.nan)
    for number in range(len(ratio)):
        has_parse = bool(pool.parsed[number].any())
        rows = slice(bounds[number], bounds[number + 1])
        chosen = np.flatnonzero(wins[rows]) + rows.start
        if options.quorum < 0.5:
            # Brackets without a majority may cross; the best supported that do not are kept.
            brackets = pool.brackets(chosen)
            kept = list(bits(heaviest(brackets, share[chosen].tolist())))
            chosen = chosen[kept]
        found.append(pool.brackets(chosen) if has_parse else None)
        if has_parse and rows.stop > rows.start:
            ratio[number] = len(chosen) / (rows.stop - rows.start)
    return TreeDecision(
        np.full(len(found), -1), found, np.zeros(len(found), dtype=bool), _among_rivals(ratio, pool)
    )


def _switch(by: str) -> Callable[..., TreeDecision]:
    def decide(
        members: Mapping[str, TreeTable], options: TreeOptions, learned: None
    ) -> TreeDecision:
        affinity = Affinity.of(members)
        winner, tied = choose(affinity, by, ties=options.ties)
        return TreeDecision(winner, [None] * len(winner), tied, affinity.closeness(by, winner))

    return decide


def _best(members: Mapping[str, TreeTable], options: TreeOptions, learned: Worth) -> TreeDecision:
    members = _voices(members, learned.voice)
    weights = learned.weights_of_voices
    pool = Pool.of(members)
    worth = learned.of(pool, members, options.gold)
    if options.names:
        worth = _mindful(worth, pool, options.names)
    gain = BALANCE * learned.words_per_right / 2 * (2 * worth - EVEN)
    given = given_tags(list(members.values()))
    grammar = Grammar(learned.rules)
    bounds = pool.bounds.tolist()
    found: list[list[Bracket] | None] = []
    tags: list[tuple[str, ...] | None] = []
    value = np.full(len(bounds) - 1, np.nan)
    for number in range(len(value)):
        rows = slice(bounds[number], bounds[number + 1])
        has = np.flatnonzero(pool.parsed[number])
        if not len(has):
            found.append(None)
            tags.append(None)
            continue
        have = pool.have[rows][:, has]
        candidates = BracketSets(
            int(pool.n_words[number]),
            pool.brackets(rows),
            worth=worth[rows].tolist(),
            members=[_as_set(column) for column in have.T],
            weights=_here(weights[has], have, worth[rows]).tolist(),
            gain=gain[rows].tolist(),
            tags=given[number],
            grammar=grammar,
        )
        best = best_tree(candidates)
        found.append([candidates.brackets[each] for each in bits(best.tree)])
        tags.append(best.tags)
        value[number] = best.expected
        if learned.is_taught:
            value[number] = _expected_f(best.tree, worth[rows], learned.unproposed)
    return TreeDecision(
        np.full(len(found), -1),
        found,
        np.zeros(len(found), dtype=bool),
        _among_rivals(value, pool),
        tags,
    )


def _voices(members: Mapping[str, TreeTable], voice: Ints) -> Mapping[str, TreeTable]:
    """Make one member of those that are copies: where the first has no parse, the next that has."""
    names = list(members)
    found = {}
    for first in distinct(voice).tolist():
        tables = [members[names[copy]] for copy in np.flatnonzero(voice == first).tolist()]
        found[names[first]] = tables[0] if len(tables) == 1 else cascaded(tables)
    return found


def _mindful(worth: Floats, pool: Pool, names: Sequence[Sequence[Edge]]) -> Floats:
    """Move chances by names: brackets over one are likelier, those that cut one less likely."""
    moved = np.zeros(len(worth))
    columns = (pool.sentence, pool.start, pool.end)
    for row, (sentence, start, end) in enumerate(
        zip(*(column.tolist() for column in columns), strict=True)
    ):
        for first, last, chance in names[sentence]:
            if (start, end) == (first, last):
                moved[row] += NAMED * chance
            elif start < first < end < last or first < start < last < end:
                moved[row] -= CUT * chance
    likely = 1 / (1 + np.exp(-(log_odds(worth) + moved)))
    return np.where(moved == 0, worth, likely)


def _expected_f(tree: int, worth: Floats, unproposed: float) -> float:
    """Return the F that a tree is to be expected to have, where chances are those of gold."""
    chosen = list(bits(tree))
    both = len(chosen) + unproposed * float(worth.sum())
    return 2 * float(worth[chosen].sum()) / both if both else 1.0


def _cptam(
    members: Mapping[str, TreeTable], options: TreeOptions, learned: ParserWeights
) -> TreeDecision:
    pool = Pool.of(members)
    found = chosen_brackets(pool, learned)
    n_spans = np.array([len({each[:2] for each in brackets or ()}) for brackets in found])
    is_new = changes(pool.sentence, pool.start, pool.end)
    proposed = np.bincount(pool.sentence[is_new], minlength=len(found))
    ratio = np.divide(n_spans, proposed, out=np.full(len(found), np.nan), where=proposed > 0)
    return TreeDecision(
        np.full(len(found), -1), found, np.zeros(len(found), dtype=bool), _among_rivals(ratio, pool)
    )


def _as_set(column: Flags) -> int:
    return sum(1 << int(number) for number in np.flatnonzero(column))


def _here(weights: Floats, have: Flags, worth: Floats) -> Floats:
    """Weigh members for one sentence: one that has less of what is likely counts less there."""
    right = have.T.astype(np.float64) @ worth
    expected = 2 * right / np.maximum(have.sum(axis=0) + worth.sum(), 1e-9)
    here = weights * np.exp(STANDING_APART * (expected - expected.max()))
    scaled: Floats = here / here.sum()
    return scaled


def _among_rivals(trust: Floats, pool: Pool) -> Floats:
    """Trust needs two members that parsed."""
    return np.where(pool.parsed.sum(axis=1) > 1, trust, np.nan)


TREE_CONSENSUS: dict[str, TreeMethod] = {
    "fallback": TreeMethod("the first member that has a parse", frozenset(), _fall_back),
    "vote": TreeMethod(
        "brackets with more than half of the votes", frozenset({"quorum", "weights"}), _vote
    ),
    "similarity": TreeMethod(
        "the member that shares most brackets with the others",
        frozenset({"ties"}),
        _switch("similarity"),
    ),
    "distance": TreeMethod(
        "the member that differs from the others in fewest brackets",
        frozenset({"ties"}),
        _switch("distance"),
    ),
    "levenshtein": TreeMethod(
        "the member whose words' lineages are most like the others'",
        frozenset({"ties"}),
        _switch("levenshtein"),
    ),
    "cptam": TreeMethod(
        "spans and then labels by weights that truth discovery finds",
        frozenset(),
        _cptam,
        SpanPatterns.of,
        ParserWeights.learn,
    ),
    "best": TreeMethod(
        "the tree expected to score best by brackets and lineages",
        frozenset({"gold", "names"}),
        _best,
        Sightings.of,
        Worth.learn,
    ),
}
