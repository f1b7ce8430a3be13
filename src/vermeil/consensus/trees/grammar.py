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

from vermeil.columns.trees.productions import ARROW, Rules, productions
from vermeil.columns.trees.table import TreeTable

UNHEARD = 0.8
"""What a constituent costs that keeps to no rule, in words of leaf-ancestor score.

One that keeps to a rule used n times costs 1 / (n + 1) of that, and of HEADLESS.
"""

HEADLESS = 2.0
"""What a constituent costs besides that has no daughter of those that its label lives on."""

HEADED = 0.995
"""The share of a label's constituents that have one of these daughters."""

OWN = 3
"""How sharply a daughter that also stands elsewhere is marked down as one that a label lives on."""

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
        is_headless = self._heads.get(parent, frozenset()).isdisjoint(daughters)
        price = UNHEARD + HEADLESS * is_headless
        return price / (1 + self._uses.get(_spelt(parent, daughters), 0))


def heads(uses: Mapping[str, int]) -> dict[str, frozenset[str]]:
    """Find for each label the few daughters of which nearly all its constituents have one.

    The one is taken first that most have and that mostly stands under this label, then of those
    constituents which have none yet, until HEADED of all have one.

    >>> uses = {"VP → VBZ NP": 300, "S → NP VP": 400, "VP → MD VP": 200, "VP → NP": 1}
    >>> sorted(heads(uses)["VP"])
    ['MD', 'VBZ']
    """
    made_of: dict[str, Counter[frozenset[str]]] = {}
    under: Counter[tuple[str, str]] = Counter()
    anywhere: Counter[str] = Counter()
    for rule, n in uses.items():
        parent, _, spelt = rule.partition(ARROW)
        daughters = frozenset(spelt.split(" "))
        made_of.setdefault(parent, Counter())[daughters] += n
        for daughter in daughters:
            under[parent, daughter] += n
            anywhere[daughter] += n
    found: dict[str, frozenset[str]] = {}
    for parent, left in made_of.items():
        allowed, taken = (1 - HEADED) * left.total(), set[str]()
        while left.total() > allowed:
            having: Counter[str] = Counter()
            for daughters, n in left.items():
                for daughter in daughters:
                    having[daughter] += n
            worth = {
                daughter: n * (under[parent, daughter] / anywhere[daughter]) ** OWN
                for daughter, n in having.items()
            }
            best = min(worth, key=lambda daughter: (-worth[daughter], daughter))
            taken.add(best)
            left = Counter({each: n for each, n in left.items() if best not in each})
        found[parent] = frozenset(taken)
    return {parent: daughters for parent, daughters in found.items() if parent}


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
