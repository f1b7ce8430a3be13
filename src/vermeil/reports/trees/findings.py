"""All there is to say about several parsers of the same sentences, found by the library.

What the commands ``trees score``, ``diagnose``, ``compare`` and ``trust`` give for the same files.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from vermeil.arrays import Floats
from vermeil.columns.trees.productions import Rules
from vermeil.columns.trees.steps import prepare
from vermeil.columns.trees.table import TreeTable
from vermeil.consensus.trees.doubt import DoubtfulWords, doubtful_words
from vermeil.consensus.trees.ensembles import Ensemble
from vermeil.errors import UsageError
from vermeil.formats.forests import Forests
from vermeil.reports.trees.svg import Exhibit
from vermeil.scoring.trees.diagnosis import Diagnosis, diagnose
from vermeil.scoring.trees.porting import Ported
from vermeil.scoring.trees.scores import TreeScores, score_trees
from vermeil.scoring.trees.trust import correlation
from vermeil.scoring.trees.usage import Failures, Usage, describe, failures
from vermeil.shown import Brief

COMBINED = "combined"

FEWEST, MOST = 3, 8
"""Parsers that are left out of the combined tree in turn, to see which one it can do without."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Trust(Brief):
    """The tree made of all parsers' trees: its scores, and the trust in each sentence scored.

    ``doubtful`` are the stretches on which parsers agree least, the worst first.
    """

    scores: TreeScores
    trust: Floats
    doubtful: tuple[DoubtfulWords, ...] = ()

    @property
    def correlation(self) -> float:
        """How trust goes with the true leaf-ancestor score, as Pearson's r."""
        return correlation(self.trust, self.scores.all.means["la"])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TreeFindings(Brief):
    """Parsers against the treebank ``gold``; ``trust`` needs two of them.

    ``usages`` are those of gold, of each parser and of other treebanks. ``trees`` are the prepared
    tables, batch by batch, with the number of the first sentence of each. ``others`` names the
    other treebanks, ``ported`` has what the parsers lose against one they are at home in.
    ``without`` has the leaf-ancestor score of the tree combined without each. Intervals are from
    ``n_resamples``, none if 0.
    """

    gold: str
    scores: dict[str, TreeScores]
    failures: dict[str, Failures]
    usages: dict[str, Usage]
    diagnoses: dict[str, Diagnosis]
    trust: Trust | None
    trees: list[tuple[int, dict[str, TreeTable]]]
    others: Sequence[str] = ()
    ported: Ported | None = None
    without: Mapping[str, float] = field(default_factory=dict)
    n_resamples: int = 0

    def _told(self) -> str:
        return (
            f"{len(self.scores):,} parsers against {self.gold}, "
            f"{self.usages[self.gold].n_sentences:,} sentences"
        )

    def exhibit(self, number: int, parser: str) -> Exhibit:
        """Show a sentence with the trees of gold and of a parser."""
        first, tables = next(pair for pair in reversed(self.trees) if pair[0] <= number)
        trees = tuple(tables[name].tree(number - first) for name in (self.gold, parser))
        return Exhibit(f"sentence {number}", (self.gold, parser), trees)

    def worst(self, parser: str, n: int) -> list[int]:
        """Number the parsed sentences with the worst leaf-ancestor scores."""
        parsed = self.scores[parser].parsed
        order = np.argsort(parsed.means["la"], kind="stable")[:n].tolist()
        return [int(parsed.number[row]) for row in order]


def find_trees(
    batches: Iterable[Forests],
    *,
    gold: str,
    steps: Sequence[str] = ("clegg",),
    others: Mapping[str, Usage] | None = None,
    ported: Ported | None = None,
    n_resamples: int = 0,
) -> TreeFindings:
    """Find out all about the parsers of ``batches``; all that are not ``gold`` are parsers.

    ``others`` say what further treebanks are made of, whatever sentences they hold. The batches
    are held in memory: the trust in a tree is learned from all sentences.
    """
    held = list(batches)
    if not held:
        raise UsageError(f"{gold}: holds no trees")
    parsers = [name for name in held[0].tables if name != gold]
    if not parsers:
        raise UsageError(f"there is no parser to compare with {gold}; give its trees as well")
    found = TreeFindings(
        gold=gold,
        scores={},
        failures={},
        usages={},
        diagnoses={},
        trust=_trust(held, gold, parsers, steps),
        trees=[],
        others=tuple(others or ()),
        ported=ported,
        without=_without_each(held, gold, parsers, steps),
        n_resamples=n_resamples,
    )
    rules: Rules | None = None
    for batch in held:
        tables = batch.prepared(steps, standard=gold)
        rules = rules or Rules(tables[gold].names.labels)
        _add(found, batch.first, tables, parsers, rules)
    found.usages.update(others or {})
    return found


def _add(
    found: TreeFindings,
    first: int,
    tables: dict[str, TreeTable],
    parsers: Sequence[str],
    rules: Rules,
) -> None:
    gold = tables[found.gold]
    found.trees.append((first, tables))
    for name, table in tables.items():
        found.usages[name] = found.usages.get(name, Usage()) + describe(table)
    for name in parsers:
        some = score_trees(gold, tables[name], first=first)
        found.scores[name] = found.scores[name] + some if name in found.scores else some
        missed = failures(gold, tables[name])
        found.failures[name] = found.failures.get(name, Failures()) + missed
        told = diagnose(gold, tables[name], rules, first=first)
        found.diagnoses[name] = found.diagnoses.get(name, Diagnosis()) + told


def _without_each(
    held: Sequence[Forests], gold: str, parsers: Sequence[str], steps: Sequence[str]
) -> dict[str, float]:
    """Combine the trees of all parsers but one, and score them; nothing for too few or many."""
    if not FEWEST <= len(parsers) <= MOST:
        return {}
    scores: dict[str, float] = {}
    for left_out in parsers:
        others = [each for each in parsers if each != left_out]
        trust = _trust(held, gold, others, steps, lists_doubts=False)
        assert trust is not None, "two are left"
        scores[left_out] = trust.scores.all.leaf_ancestor
    return scores


def _trust(
    held: Sequence[Forests],
    gold: str,
    parsers: Sequence[str],
    steps: Sequence[str],
    *,
    lists_doubts: bool = True,
) -> Trust | None:
    if len(parsers) < 2:
        return None
    ensemble = Ensemble(members=tuple(parsers), steps=tuple(steps))
    learned = ensemble.learn(held)
    scores: TreeScores | None = None
    trust: list[float] = []
    doubtful: list[DoubtfulWords] = []
    for batch in held:
        combined = ensemble.combine(batch, learned)
        if lists_doubts:
            doubtful += doubtful_words(combined, steps, first=batch.first)
        lines = ["" if tree is None else str(tree) for tree in combined.trees]
        names = batch.tables[gold].names
        table = prepare(TreeTable.parse(lines, names), steps)
        standard = prepare(batch.tables[gold], steps, is_standard=True)
        some = score_trees(standard, table, first=batch.first)
        scores = some if scores is None else scores + some
        trust += combined.decision.trust.tolist()
    assert scores is not None
    doubtful.sort(key=lambda each: (each.agreement, each.sentence))
    return Trust(scores, np.array(trust)[scores.all.number - 1], tuple(doubtful))
