"""All scores of one parser against a standard, sentence by sentence and over a corpus.

Failures can be counted, as in Table 3 of Clegg and Shepherd (every constituent missed, every word
0), or left out, as in Table 4 and in EVALB. Sentences whose words do not pair up after preparation
cannot be scored either way; they are left out and counted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from math import nan

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.trees.brackets import unequal_words
from vermeil.columns.trees.lineages import Costs, Lineages, leaf_ancestor
from vermeil.columns.trees.table import TreeTable
from vermeil.scoring.counts import Counts
from vermeil.scoring.trees.constituents import SentenceCounts, compare
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sentences(SentenceCounts):
    """Columns with an entry for each sentence; ``la`` is the sum of its words' scores.

    ``parsed`` tells whether there are two trees to compare. Where there are not, only ``wanted``
    and ``n_words`` are above 0.
    """

    number: Ints
    parsed: Flags
    la: Floats

    def __len__(self) -> int:
        return len(self.number)

    def __add__(self, other: "Sentences") -> "Sentences":
        names = [each.name for each in fields(self)]
        return Sentences(
            *(np.concatenate((getattr(self, name), getattr(other, name))) for name in names)
        )

    def keep(self, rows: Flags | Ints) -> "Sentences":
        """Keep some sentences."""
        return Sentences(*(getattr(self, each.name)[rows] for each in fields(self)))

    def _told(self) -> str:
        figures = f"leaf-ancestor {self.leaf_ancestor:.3f}, F1 {self.counts.f1:.3f}"
        return f"{len(self):,} sentences, {figures}"

    @property
    def counts(self) -> Counts:
        """The constituents of all sentences."""
        matched = int(self.matched.sum())
        return Counts(matched, int(self.predicted.sum()), matched, int(self.wanted.sum()))

    @property
    def unlabelled_counts(self) -> Counts:
        """The same where labels do not matter."""
        matched = int(self.unlabelled.sum())
        return Counts(matched, int(self.predicted.sum()), matched, int(self.wanted.sum()))

    @property
    def leaf_ancestor(self) -> float:
        """The mean score of all words; NaN without words."""
        return _share(float(self.la.sum()), int(self.n_words.sum()))

    @property
    def tagging(self) -> float:
        """The share of words with the right part of speech, of sentences that were parsed."""
        return _share(int(self.right_tags.sum()), int(self.n_words[self.parsed].sum()))

    @property
    def mean_crossing(self) -> float:
        """Crossing brackets a sentence, of sentences that were parsed."""
        return _share(int(self.crossing.sum()), int(self.parsed.sum()))

    def share_crossing_at_most(self, n: int) -> float:
        """The share of parsed sentences with at most so many crossing brackets."""
        return _share(int((self.crossing[self.parsed] <= n).sum()), int(self.parsed.sum()))

    @property
    def perfect(self) -> Flags:
        """Whether a sentence has exactly the constituents of the standard."""
        same = (self.matched == self.predicted) & (self.matched == self.wanted)
        perfect: Flags = same & self.parsed
        return perfect

    @property
    def share_perfect(self) -> float:
        """The share of sentences that are perfect."""
        return _share(int(self.perfect.sum()), len(self))

    @property
    def means(self) -> Mapping[str, Floats]:
        """Scores of each sentence on its own: la, precision, recall, f1; NaN if undefined."""
        both = self.predicted + self.wanted
        return {
            "la": _ratio(self.la, self.n_words),
            "precision": _ratio(self.matched, self.predicted),
            "recall": _ratio(self.matched, self.wanted),
            "f1": _ratio(2 * self.matched, both),
        }

    @property
    def mean_over_sentences(self) -> Mapping[str, float]:
        """The means of ``means``, leaving out where a sentence has no figure."""
        return {
            name: _share(float(np.nansum(column)), int((~np.isnan(column)).sum()))
            for name, column in self.means.items()
        }


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TreeScores(Brief):
    """The scores of one parser. Add two to pool them.

    ``n_without_gold`` sentences have no tree in the standard; those whose numbers are in
    ``unequal`` have other words than it after preparation. Neither are among ``all``. ``labels``
    counts constituents by label.
    ``words`` has for each word how often it came and the sum of its leaf-ancestor scores.
    """

    all: Sentences
    n_without_gold: int
    unequal: Ints
    labels: Mapping[str, Counts]
    words: Mapping[str, tuple[int, float]]

    def __add__(self, other: "TreeScores") -> "TreeScores":
        labels = {
            name: self.labels.get(name, Counts()) + other.labels.get(name, Counts())
            for name in {**self.labels, **other.labels}
        }
        words = dict(self.words)
        for word, (n, total) in other.words.items():
            had = words.get(word, (0, 0.0))
            words[word] = had[0] + n, had[1] + total
        return TreeScores(
            self.all + other.all,
            self.n_without_gold + other.n_without_gold,
            np.concatenate((self.unequal, other.unequal)),
            labels,
            words,
        )

    def _told(self) -> str:
        return f"{self.all._told()}, {self.n_failed:,} failed"

    @property
    def parsed(self) -> Sentences:
        """The sentences that were parsed."""
        return self.all.keep(self.all.parsed)

    @property
    def n_failed(self) -> int:
        """Sentences without a parse."""
        return int((~self.all.parsed).sum())

    def hardest_words(self, n: int, *, at_least: int = 5) -> list[tuple[str, int, float]]:
        """List the words that lose most over all occurrences: word, how often, mean score."""
        frequent = [
            (word, n_times, total / n_times)
            for word, (n_times, total) in self.words.items()
            if n_times >= at_least
        ]
        return sorted(frequent, key=lambda each: (-each[1] * (1 - each[2]), each[0]))[:n]


def score_trees(
    gold: TreeTable,
    parsed: TreeTable,
    *,
    first: int = 1,
    costs: Costs | None = None,
    with_tags: bool = False,
) -> TreeScores:
    """Score the trees of a batch whose first sentence has the number ``first``.

    With ``with_tags`` the lineages of words hold their parts of speech.

    >>> gold = TreeTable.parse(["(S (NP (NN p53)) (VP (VBZ binds)))", "(NP (NN DNA))"])
    >>> parsed = TreeTable.parse(["(S (NN p53) (VP (VBZ binds)))", ""], gold.names)
    >>> scores = score_trees(gold, parsed)
    >>> scores.all.counts.recall, scores.parsed.counts.recall, scores.n_failed
    (0.5, 0.6666666666666666, 1)
    """
    counts = compare(gold, parsed)
    wanted, written = (Lineages.of(table, with_tags=with_tags) for table in (gold, parsed))
    word_scores = leaf_ancestor(wanted, written, costs)
    every = Sentences(
        number=np.arange(first, first + len(gold)),
        parsed=counts.comparable,
        la=np.bincount(gold.sentence_of_word, word_scores, len(gold)).astype(np.float64),
        **{each.name: getattr(counts, each.name) for each in fields(SentenceCounts)},
    )
    unequal = unequal_words(gold, parsed)
    scored = ~gold.failed & ~unequal
    return TreeScores(
        every.keep(scored),
        int(gold.failed.sum()),
        every.number[unequal],
        _labels(counts.by_label, gold),
        _words(word_scores, gold, scored),
    )


def oracle(parsers: Sequence[Sentences]) -> Sentences:
    """Choose for each sentence the parser with the best leaf-ancestor score, of equals the first.

    What an ensemble that chooses one parser a sentence could reach at most. The parsers must have
    been scored on the same sentences.
    """
    best = np.argmax([each.la for each in parsers], axis=0)
    columns = (
        np.stack([getattr(each, name.name) for each in parsers]) for name in fields(parsers[0])
    )
    return Sentences(*(column[best, np.arange(len(best))] for column in columns))


def _labels(by_label: Ints, gold: TreeTable) -> dict[str, Counts]:
    some = np.flatnonzero(by_label.any(axis=1)).tolist()
    rows = by_label[some].tolist()
    names = gold.names.labels.names
    return {
        names[code]: Counts(matched, predicted, matched, wanted)
        for code, (matched, predicted, wanted) in zip(some, rows, strict=True)
    }


def _words(scores: Floats, gold: TreeTable, scored: Flags) -> dict[str, tuple[int, float]]:
    kept = np.repeat(scored, gold.n_words)
    n, total = np.bincount(gold.word[kept]), np.bincount(gold.word[kept], scores[kept])
    some = np.flatnonzero(n).tolist()
    names = gold.names.words.names
    return {
        names[code]: (count, score)
        for code, count, score in zip(some, n[some].tolist(), total[some].tolist(), strict=True)
    }


def _share(part: float, whole: int) -> float:
    return part / whole if whole else nan


def _ratio(above: Ints | Floats, below: Ints) -> Floats:
    ratio: Floats = np.divide(above, below, out=np.full(len(below), np.nan), where=below > 0)
    return ratio
