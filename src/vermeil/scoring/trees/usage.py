"""What a treebank is made of, and where parsers fail: figures that add up over batches.

Clegg and Shepherd, section 3 (Tables 1 and 2, Figures 3 and 4) and 4.3 (Figure 5). The length of a
sentence is its number of words, its complexity the number of its constituents, both as they are
after preparation. Other measures of complexity that section 3.1 names are given beside it: depth
and constituents a word. Constituents without words are not counted, and a sentence without a tree
only as such.

The paper does not say how it counted for Tables 1 and 2. What fits the GENIA treebank:

* Its productions count one more for each word's part of speech (``n_nodes``): 44.87 a sentence
  there, 45.85 in the 912 sentences at hand. The frequencies of Table 2 are shares of that sum, so
  ``PP → IN NP`` has 6.36% there, 6.22% at hand. Here shares are of ``n_productions`` (13.17%).
* Its 5.47 "distinct rules a sentence" are too few for rules (15.87 at hand). The mean number of
  distinct constituent labels fits (5.41 at hand). Both are given.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from math import nan
from typing import Any, NamedTuple

import numpy as np

from vermeil.arrays import Flags, Ints, distinct
from vermeil.columns.trees.productions import Rules, productions
from vermeil.columns.trees.table import TreeTable
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, repr=False)
class Usage(Brief):
    """What the trees of a treebank are made of. Add two to pool them.

    ``lengths``, ``complexities`` and ``depths`` count sentences with a tree, ``labels``
    constituents and ``rules`` productions. A word is as deep as there are constituents above it,
    and a sentence as its deepest word; ``n_above`` adds up the depths of words. ``n_rule_uses`` and
    ``n_label_uses`` add up how many distinct rules and labels each sentence has.

    >>> table = TreeTable.parse(["(NP (NP (NN p53)) (CC and) (NP (NN DNA)))", "()"])
    >>> usage = describe(table)
    >>> usage.n_failed, usage.rules.most_common(1), usage.rules_per_sentence
    (1, [('NP → NN', 2)], 2.0)
    """

    n_failed: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    complexities: Counter[int] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    n_rule_uses: int = 0
    n_label_uses: int = 0
    depths: Counter[int] = field(default_factory=Counter)
    n_above: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(*_added(self, other))

    def _told(self) -> str:
        return f"{self.n_sentences:,} sentences, {self.n_words:,} words, {len(self.rules):,} rules"

    @property
    def n_sentences(self) -> int:
        """Sentences with a tree."""
        return self.lengths.total()

    @property
    def n_words(self) -> int:
        """Words of the sentences with a tree."""
        return sum(length * n for length, n in self.lengths.items())

    @property
    def n_productions(self) -> int:
        """Productions, which are as many as constituents."""
        return self.rules.total()

    @property
    def n_nodes(self) -> int:
        """Productions, with one for each word's part of speech, as the paper counts them."""
        return self.n_productions + self.n_words

    @property
    def rules_per_sentence(self) -> float:
        """Mean number of distinct rules of a sentence; NaN without sentences."""
        return self.per_sentence(self.n_rule_uses)

    @property
    def labels_per_sentence(self) -> float:
        """Mean number of distinct constituent labels of a sentence; NaN without sentences."""
        return self.per_sentence(self.n_label_uses)

    @property
    def constituents_per_word(self) -> float:
        """How many constituents there are for each word; NaN without words."""
        return self.n_productions / self.n_words if self.n_words else nan

    @property
    def mean_depth(self) -> float:
        """Mean depth of a word; NaN without words."""
        return self.n_above / self.n_words if self.n_words else nan

    def per_sentence(self, n: int) -> float:
        """Share a number out among the sentences with a tree; NaN where there are none."""
        return n / self.n_sentences if self.n_sentences else nan

    def ranks(self) -> dict[str, int]:
        """Rank each rule from 1 on by number of uses; rules used equally often share it.

        >>> Usage(rules=Counter({"NP → NN": 5, "S → NP VP": 2, "NP → DT NN": 5})).ranks()
        {'NP → DT NN': 1, 'NP → NN': 1, 'S → NP VP': 3}
        """
        ordered = ranked(self.rules)
        n_first: dict[int, int] = {}
        for rank, rule in enumerate(ordered, start=1):
            n_first.setdefault(self.rules[rule], rank)
        return {rule: n_first[self.rules[rule]] for rule in ordered}


@dataclass(frozen=True, slots=True, repr=False)
class Failures(Brief):
    """Sentences of a standard by length and complexity, and those a parser failed on."""

    lengths: Counter[int] = field(default_factory=Counter)
    failed_lengths: Counter[int] = field(default_factory=Counter)
    complexities: Counter[int] = field(default_factory=Counter)
    failed_complexities: Counter[int] = field(default_factory=Counter)

    def __add__(self, other: "Failures") -> "Failures":
        return Failures(*_added(self, other))

    @property
    def n_failed(self) -> int:
        """Sentences of the standard without a parse."""
        return self.failed_lengths.total()


class Bin(NamedTuple):
    """The values from ``low`` up to and including ``high``, and how often each of some counts."""

    low: int
    high: int
    n: tuple[int, ...]


def describe(table: TreeTable, rules: Rules | None = None) -> Usage:
    """Describe the trees of a prepared table.

    ``rules`` may be shared by batches with the same vocabularies; that only saves time.
    """
    found = productions(table, rules)
    has_tree = ~table.failed
    depth = _depths(table)
    deepest = np.zeros(len(table), dtype=np.int64)
    np.maximum.at(deepest, table.sentence_of_word, depth)
    return Usage(
        n_failed=int(table.failed.sum()),
        lengths=_counted(table.n_words[has_tree]),
        complexities=_counted(np.bincount(found.sentence, minlength=len(table))[has_tree]),
        labels=_named(found.label, table.names.labels.names),
        rules=_named(found.rule, found.rules.names),
        n_rule_uses=_n_pairs(found.sentence, found.rule),
        n_label_uses=_n_pairs(found.sentence, found.label),
        depths=_counted(deepest[has_tree]),
        n_above=int(depth.sum()),
    )


def failures(gold: TreeTable, parsed: TreeTable) -> Failures:
    """Tell how long and complex the sentences are that a parser failed on, as the standard sees it.

    Sentences without a tree in the standard are left out.
    """
    held = gold.start < gold.end
    complexity = np.bincount(gold.sentence[held], minlength=len(gold))

    def counted(sentences: Flags) -> tuple[Counter[int], Counter[int]]:
        return _counted(gold.n_words[sentences]), _counted(complexity[sentences])

    lengths, complexities = counted(~gold.failed)
    failed_lengths, failed_complexities = counted(~gold.failed & parsed.failed)
    return Failures(lengths, failed_lengths, complexities, failed_complexities)


def ranked(counts: Mapping[str, int]) -> list[str]:
    """Order names by how often they are counted, and by name where that is the same."""
    return sorted(counts, key=lambda name: (-counts[name], name))


def binned(counts: Iterable[Mapping[int, int]], *, width: int) -> list[Bin]:
    """Gather counts by value into bins of ``width`` values, from the first used to the last.

    >>> binned([{1: 3, 4: 1, 12: 1}, {6: 2}], width=5)
    [Bin(low=0, high=4, n=(4, 0)), Bin(low=5, high=9, n=(0, 2)), Bin(low=10, high=14, n=(1, 0))]
    """
    gathered: list[Counter[int]] = []
    for each in counts:
        gathered.append(Counter())
        for value, n in each.items():
            gathered[-1][value // width] += n
    used = sorted({place for each in gathered for place in each})
    return [
        Bin(place * width, place * width + width - 1, tuple(each[place] for each in gathered))
        for place in (range(used[0], used[-1] + 1) if used else ())
    ]


def median(counts: Mapping[int, int]) -> float:
    """Find the middle of values of which there are so many; NaN without any.

    >>> median({1: 3, 9: 1}), median({1: 1, 2: 1})
    (1.0, 1.5)
    """
    values = np.repeat(sorted(counts), [counts[value] for value in sorted(counts)])
    return float(np.median(values)) if len(values) else nan


def _depths(table: TreeTable) -> Ints:
    """Count the constituents above each word."""
    change = np.zeros(len(table.word) + 1, dtype=np.int64)
    np.add.at(change, table.start, 1)
    np.add.at(change, table.end, -1)
    found: Ints = np.cumsum(change)[:-1]
    return found


def _added(one: Usage | Failures, other: Usage | Failures) -> Iterator[Any]:
    """Add two up field by field."""
    for each in fields(one):
        yield getattr(one, each.name) + getattr(other, each.name)


def _counted(values: Ints) -> Counter[int]:
    return Counter(values.tolist())


def _named(codes: Ints, names: list[str]) -> Counter[str]:
    n = np.bincount(codes, minlength=len(names))
    return Counter({names[code]: int(n[code]) for code in np.flatnonzero(n).tolist()})


def _n_pairs(sentence: Ints, code: Ints) -> int:
    """Count how many codes each sentence has, each once, and add up."""
    return len(distinct(sentence * (int(code.max(initial=0)) + 1) + code))
