"""Which rules the members use, and how well a constituent and its tags keep to them.

A tree put together from brackets of several parsers may be one that no parser would write (Clegg
and Shepherd, section 5.2): a verb phrase without a verb. So each constituent that keeps to no rule
which some member has used somewhere costs something, and one without any daughter that is usual in
constituents of its label costs much. The parts of speech of its words are chosen with it: those
that most members give, or others that some member gives where only these make a rule, which costs a
little.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from vermeil.columns.productions import ARROW, Rules, productions
from vermeil.columns.tree_table import TreeTable

UNHEARD = 0.8
"""What a constituent costs that keeps to no rule, in words of leaf-ancestor score.

One that keeps to a rule used n times costs 1 / (n + 1) of that.
"""

HEADLESS = 0.8
"""What a constituent costs besides that has no daughter of those that its label lives on."""

HEADED = 0.998
"""The share of a label's constituents that have one of these daughters."""

FEW = 5
"""How often a daughter is to be seen before it counts as one that mostly stands under a label."""

UNUSUAL_TAG = 0.3
"""What it costs to give a word a tag with less weight behind it, by that difference."""

MOST_CHOICES = 256
"""Ways to tag the words of a constituent that are tried; beyond that only the first is."""

Tags = tuple[tuple[str, float], ...]
"""The tags that members give a word, the weightiest first, each with its share of the weight."""


@dataclass(frozen=True, slots=True)
class Tagging:
    """How the words of a constituent are tagged, in order, and what it costs with them."""

    cost: float
    tags: tuple[str, ...]


class Grammar:
    """The rules of all members, by their names; the rule of a whole sentence has no parent.

    >>> table = TreeTable.parse(["(S (NP (NN p53)) (VP (VBZ binds)))"])
    >>> grammar = Grammar(used_rules({"a": table}))
    >>> grammar.tagging("VP", [(("NNS", 0.6), ("VBZ", 0.4))]).tags
    ('VBZ',)
    """

    def __init__(self, uses: Mapping[str, int]) -> None:
        self._uses = uses
        self._heads = heads(uses)
        self._known: dict[tuple[str | Tags, ...], Tagging] = {}

    def tagging(self, parent: str, daughters: Sequence[str | Tags]) -> Tagging:
        """Choose the tags of a constituent's own words; other daughters are given by label."""
        key = (parent, *daughters)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._chosen(parent, daughters)
        return found

    def _chosen(self, parent: str, daughters: Sequence[str | Tags]) -> Tagging:
        usual = tuple(each if isinstance(each, str) else each[0][0] for each in daughters)
        words = [n for n, each in enumerate(daughters) if not isinstance(each, str)]
        given = [each for each in daughters if not isinstance(each, str)]
        best = Tagging(self._price(parent, usual), tuple(usual[n] for n in words))
        if not best.cost or prod(map(len, given)) > MOST_CHOICES:
            return best
        for choice in product(*given):
            pairs = zip(given, choice, strict=True)
            cost = UNUSUAL_TAG * sum(tags[0][1] - share for tags, (_, share) in pairs)
            if cost >= best.cost:
                continue
            labels = list(usual)
            for n, (tag, _) in zip(words, choice, strict=True):
                labels[n] = tag
            cost += self._price(parent, labels)
            if cost < best.cost:
                best = Tagging(cost, tuple(tag for tag, _ in choice))
        return best

    def _price(self, parent: str, daughters: Sequence[str]) -> float:
        """Return what a rule costs that was used so often, and has such daughters."""
        price = UNHEARD / (1 + self._uses.get(_spelt(parent, daughters), 0))
        return price + HEADLESS * self._heads.get(parent, frozenset()).isdisjoint(daughters)


def heads(uses: Mapping[str, int]) -> dict[str, frozenset[str]]:
    """Find for each label the daughters of which nearly all its constituents have one.

    Those come first that mostly stand under this label; the last taken is the one with which
    HEADED of the label's constituents have at least one.

    >>> uses = {"VP → VBZ NP": 300, "S → NP VP": 400, "VP → MD VP": 200, "VP → NP": 1}
    >>> sorted(heads(uses)["VP"])
    ['MD', 'VBZ']
    """
    rules = [(*_parts(rule), n) for rule, n in uses.items()]
    under: Counter[tuple[str, str]] = Counter()
    anywhere: Counter[str] = Counter()
    for parent, daughters, n in rules:
        for daughter in daughters:
            under[parent, daughter] += n
            anywhere[daughter] += n
    share = {pair: n / (anywhere[pair[1]] + FEW) for pair, n in under.items()}
    covered: dict[str, Counter[float]] = {}
    for parent, daughters, n in rules:
        best = max(share[parent, daughter] for daughter in daughters)
        covered.setdefault(parent, Counter())[best] += n
    least = {parent: _reached(counts) for parent, counts in covered.items() if parent}
    found: dict[str, set[str]] = {parent: set() for parent in least}
    for (parent, daughter), value in share.items():
        if parent and value >= least[parent]:
            found[parent].add(daughter)
    return {parent: frozenset(daughters) for parent, daughters in found.items()}


def _reached(counts: Counter[float]) -> float:
    """Return the highest value at which enough of what is counted lies at or above it."""
    wanted, n = HEADED * counts.total(), 0
    for value in sorted(counts, reverse=True):
        n += counts[value]
        if n >= wanted:
            break
    return value


def _parts(rule: str) -> tuple[str, frozenset[str]]:
    parent, _, daughters = rule.partition(ARROW)
    return parent, frozenset(daughters.split(" "))


def used_rules(tables: Mapping[str, TreeTable]) -> Counter[str]:
    """Count the rules that members use, those of whole sentences too."""
    found: Counter[str] = Counter()
    for table in tables.values():
        listed = productions(table, Rules(table.names.labels))
        n = np.bincount(listed.rule, minlength=len(listed.rules.names)).tolist()
        found.update(dict(zip(listed.rules.names, n, strict=True)))
        found.update(_of_sentences(table))
    return found


def _of_sentences(table: TreeTable) -> Counter[str]:
    """Count what sentences are made of, under the root that they have not."""
    rows = np.flatnonzero((table.parent == -1) & (table.start < table.end))
    words = np.flatnonzero(table.above == -1)
    sentence = np.concatenate((table.sentence[rows], table.sentence_of_word[words]))
    place = np.concatenate((table.start[rows], words))
    label = np.concatenate((table.label[rows], table.tag[words]))
    order = np.lexsort((place, sentence))
    names = table.names.labels.names
    made: dict[int, list[str]] = {}
    for number, code in zip(sentence[order].tolist(), label[order].tolist(), strict=True):
        made.setdefault(number, []).append(names[code])
    return Counter(_spelt("", labels) for labels in made.values())


def _spelt(parent: str, daughters: Sequence[str]) -> str:
    return parent + ARROW + " ".join(daughters)
