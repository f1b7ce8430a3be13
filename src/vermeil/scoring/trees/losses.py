"""What one parser loses on one treebank, sentence by sentence, and why.

A constituent of the standard that the parser misses is put down to the first of these causes:

* ``failure``: the sentence has no parse;
* ``vocabulary``: a word that is its own daughter has the wrong part of speech (Clegg and Shepherd,
  section 6.2);
* ``attachment``: it is crossed by a constituent of the parser, or it is or holds a clause, a verb
  phrase or a prepositional phrase: what belongs together is seen otherwise;
* ``convention``: the rest, phrases of nouns, adjectives, adverbs and numbers, coordinated or not,
  that the parser marks more or less finely or calls something else (section 6.4).

The causes add up to what is missed. Where conventions end and attachment begins is our reading: the
paper tells them apart by eye.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.trees.brackets import Brackets, comparable
from vermeil.columns.trees.lineages import Lineages, leaf_ancestor
from vermeil.columns.trees.productions import Rules
from vermeil.columns.trees.table import TreeTable
from vermeil.scoring.pairing.names import common_codes
from vermeil.scoring.trees.constituents import crosses
from vermeil.scoring.trees.productions import has_like, judge
from vermeil.scoring.trees.scores import Sentences, score_trees
from vermeil.shown import Brief

CAUSES = ("failure", "vocabulary", "attachment", "convention")

_HOLDING = ("S", "VP", "PP", "WHPP", "RRC", "FRAG", "X")
"""How the labels begin of constituents that attachment is about; S stands for all clauses."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Losses(Brief):
    """What one parser does on one treebank, a row a sentence that is scored. Add two to pool them.

    ``missed`` has a column for each of CAUSES. ``tagged`` has four: words rightly tagged and the
    sum of their leaf-ancestor scores, words wrongly tagged and theirs. ``tags`` counts words by
    the tag they should have: how many, and how many of them rightly. ``rules`` has a row for each
    rule that a sentence uses on either side: which row that sentence has, the number of the rule in
    ``names``, and how many productions are found, predicted and wanted.
    """

    sentences: Sentences
    missed: Ints
    tagged: Floats
    tags: Mapping[str, tuple[int, int]]
    rules: Ints
    names: Sequence[str]

    def _told(self) -> str:
        return self.sentences._told()

    def __add__(self, other: "Losses") -> "Losses":
        tags = dict(self.tags)
        for tag, (n, right) in other.tags.items():
            had = tags.get(tag, (0, 0))
            tags[tag] = had[0] + n, had[1] + right
        later = other.rules.copy()
        later[:, 0] += len(self.sentences)
        longer = max(self.names, other.names, key=len)
        return Losses(
            self.sentences + other.sentences,
            np.concatenate((self.missed, other.missed)),
            np.concatenate((self.tagged, other.tagged)),
            tags,
            np.concatenate((self.rules, later)),
            longer,
        )

    @property
    def wanted(self) -> Counter[str]:
        """How often the standard uses each rule."""
        n = np.bincount(self.rules[:, 1], self.rules[:, 4], len(self.names))
        return Counter({name: int(n[code]) for code, name in enumerate(self.names) if n[code]})


def losses(gold: TreeTable, parsed: TreeTable, rules: Rules, *, first: int = 1) -> Losses:
    """See what a parser loses on a batch; tables are prepared alike, ``rules`` shared by batches.

    >>> gold = TreeTable.parse(["(S (NP (NP (NN p53)) (PP (IN in) (NP (NN DNA)))) (VP (VBZ is)))"])
    >>> other = TreeTable.parse(["(S (NP (NN p53)) (PP (IN in) (NP (JJ DNA))) (VP (VBZ is)))"])
    >>> parsed = TreeTable.of([other.tree_as_read(0)], gold.names)
    >>> dict(zip(CAUSES, losses(gold, parsed, Rules(gold.names.labels)).missed[0].tolist()))
    {'failure': 0, 'vocabulary': 0, 'attachment': 1, 'convention': 0}
    """
    sentences = score_trees(gold, parsed, first=first).all
    both = comparable(gold, parsed)
    wrong = np.zeros(len(gold.word), dtype=bool)
    in_gold = np.repeat(both, gold.n_words)
    wrong[in_gold] = gold.tag[in_gold] != parsed.tag[np.repeat(both, parsed.n_words)]
    kept = sentences.number - first
    return Losses(
        sentences,
        _missed(gold, parsed, wrong, both)[kept],
        _tagged(gold, parsed, wrong, both)[kept],
        _tags(gold, wrong, both),
        _rules(gold, parsed, rules, kept),
        rules.names,
    )


def _missed(gold: TreeTable, parsed: TreeTable, wrong: Flags, both: Flags) -> Ints:
    """Count the missed constituents of each sentence by cause."""
    filled = gold.start < gold.end
    table = gold.without_rows(~filled)
    wanted, predicted = Brackets.of(table), Brackets.of(parsed, both)
    names = ("sentence", "start", "end", "label")
    mine, theirs = common_codes(
        *((getattr(wanted, name), getattr(predicted, name)) for name in names)
    )
    is_missed = ~has_like(mine, theirs)
    held = np.zeros(len(wanted), dtype=bool)
    owner = table.above[wrong & (table.above >= 0)]
    held[owner] = True
    cause = np.select(
        [~both[wanted.sentence], held, crosses(wanted, predicted, gold) | _holding(table)],
        [0, 1, 2],
        3,
    )
    code = wanted.sentence * len(CAUSES) + cause
    n = np.bincount(code[is_missed], minlength=len(gold) * len(CAUSES))
    found: Ints = n.reshape(len(gold), len(CAUSES))
    return found


def _holding(table: TreeTable) -> Flags:
    """Tell which constituents are or hold one that attachment is about; all hold words."""
    names = table.names.labels.names
    kind = np.array([name.startswith(_HOLDING) for name in names] or [False])
    total = np.concatenate(([0], np.cumsum(kind[table.label])))
    # Depth first, what a constituent holds are the rows up to the first that begins beyond it.
    beyond = np.searchsorted(table.start, table.end)
    found: Flags = total[beyond] > total[: len(table.label)]
    return found


def _tagged(gold: TreeTable, parsed: TreeTable, wrong: Flags, both: Flags) -> Floats:
    """Count words and add up their scores, by sentence, for those tagged rightly and wrongly."""
    scores = leaf_ancestor(Lineages.of(gold), Lineages.of(parsed))
    sentence, there = gold.sentence_of_word, np.repeat(both, gold.n_words)
    columns: list[Floats] = []
    for which in (there & ~wrong, there & wrong):
        columns.append(np.bincount(sentence[which], minlength=len(gold)).astype(np.float64))
        total: Floats = np.bincount(sentence[which], scores[which], len(gold)).astype(np.float64)
        columns.append(total)
    return np.stack(columns, axis=1)


def _tags(gold: TreeTable, wrong: Flags, both: Flags) -> dict[str, tuple[int, int]]:
    there = np.repeat(both, gold.n_words)
    names = gold.names.labels.names
    n = np.bincount(gold.tag[there], minlength=len(names))
    right = np.bincount(gold.tag[there & ~wrong], minlength=len(names))
    return {names[code]: (int(n[code]), int(right[code])) for code in np.flatnonzero(n).tolist()}


def _rules(gold: TreeTable, parsed: TreeTable, rules: Rules, kept: Ints) -> Ints:
    judged = judge(gold, parsed, rules)
    sides = (judged.wanted.keep(judged.found), judged.predicted, judged.wanted)
    sentence = np.concatenate([side.sentence for side in sides])
    rule = np.concatenate([side.rule for side in sides])
    column = np.repeat(np.arange(len(sides)), [len(side.rule) for side in sides])
    size = max(1, len(rules.names))
    codes, number = np.unique(sentence * size + rule, return_inverse=True)
    counts = np.zeros((len(codes), len(sides)), dtype=np.int64)
    np.add.at(counts, (number.ravel(), column), 1)
    row = np.full(len(gold), -1)
    row[kept] = np.arange(len(kept))
    found: Ints = np.column_stack((row[codes // size], codes % size, counts))
    return found
