"""Every set of three or more of five parsers combined, with gold to learn from and without.

Constants were chosen on the odd sentences; figures are those of the even ones (``odd`` shows the
others, ``all`` both). For each set: the best single parser by each measure, the vote's F, the
leaf-ancestor score of Levenshtein switching, CPTAM, ``best``, and ``best`` that learned from gold,
each sentence judged by the others. Then what ``best`` is ahead by, perfect sentences against the
best single parser's, verb phrases without a verb, trust against the truth, and the CPU time of a
sentence.

    python -m benchmarks.tree_sets [odd|all]
"""

import sys
from collections.abc import Sequence
from itertools import combinations
from time import process_time

from benchmarks.trees import CORPUS, MEMBERS
from vermeil.columns.trees.productions import productions
from vermeil.columns.trees.steps import prepare
from vermeil.columns.trees.table import TreeTable
from vermeil.consensus.trees.ensembles import Combined, Ensemble
from vermeil.consensus.trees.known import GoldTrees
from vermeil.formats.forests import Forests, read_forests
from vermeil.formats.inputs import Input
from vermeil.scoring.trees.scores import Sentences, score_trees
from vermeil.scoring.trees.trust import correlation

PARSERS = (*MEMBERS, "stansmall-max40")
SHORT = dict(zip(PARSERS, ("old", "new", "cha", "stan", "s40"), strict=True))
HALVES = {"even": 0, "odd": 1, "all": None}
VERBAL = ("VB", "VP", "MD", "TO")


def main(half: str) -> None:
    """Print a line a set and method."""
    files = [Input(CORPUS / f"{name}.mrg", name) for name in ("gold", *PARSERS)]
    [batch] = read_forests(files)
    bench = Bench(batch, HALVES[half])
    print(f"{half} sentences; VPs without a verb and r of all")
    heads = f"{'set':22}{'by':12}{'LA':>7}{'F':>7}{'perfect':>9}"
    print(heads + f"{'VPs':>6}{'r LA':>6}{'r F':>6}{'ms':>6}")
    for size in (3, 4, 5):
        for members in combinations(PARSERS, size):
            bench.show(members)


class Bench:
    """The sentences, and the half of them that is told; None tells all."""

    def __init__(self, batch: Forests, half: int | None) -> None:
        self.batch, self.half = batch, half
        self.standard = prepare(batch.tables["gold"], ["clegg"], is_standard=True)
        self.gold = GoldTrees.read([batch.of(["gold"])])

    def show(self, members: Sequence[str]) -> None:
        """Print the lines of one set."""
        name = " ".join(SHORT[each] for each in members)
        single = [figures(self.half_of(self.batch.tables[each])) for each in members]
        best_single = [max(column) for column in zip(*single, strict=True)]
        print(f"{name:22}{'single':12}" + cells(best_single))
        told: dict[str, list[float]] = {}
        for by in ("vote", "levenshtein", "cptam", "best", "learned"):
            begun = process_time()
            made = self.combined("best" if by == "learned" else by, members, by == "learned")
            seconds = process_time() - begun
            table = TreeTable.of(made.trees, self.standard.names)
            every = score_trees(self.standard, prepare(table, ["clegg"])).all
            trust = made.decision.trust[every.number - 1]
            r = [correlation(trust, every.means[each]) for each in ("la", "f1")]
            told[by] = figures(self.half_of(table))
            print(
                f"{'':22}{by:12}{cells(told[by])}{100 * headless(table):>6.2f}"
                f"{r[0]:>6.2f}{r[1]:>6.2f}{1000 * seconds / len(table):>6.2f}"
            )
        for by in ("best", "learned"):
            la, f, perfect = told[by]
            print(
                f"{'':22}{by}: {f - told['vote'][1]:+.2f} F over the vote, "
                f"{la - told['levenshtein'][0]:+.2f} LA over Levenshtein, "
                f"{perfect - best_single[2]:+.2f} perfect",
                flush=True,
            )

    def half_of(self, table: TreeTable) -> Sentences:
        """Score a table on the sentences that are told."""
        every = score_trees(self.standard, prepare(table, ["clegg"])).all
        return every if self.half is None else every.keep(every.number % 2 == self.half)

    def combined(self, by: str, members: Sequence[str], learns: bool) -> Combined:
        """Combine some parsers."""
        ensemble = Ensemble(by, tuple(members), gold=self.gold if learns else None)
        some = self.batch.of(members)
        return ensemble.combine(some, ensemble.learn([some]))


def figures(sentences: Sentences) -> list[float]:
    """Return LA, F and perfect sentences in %."""
    rates = sentences.leaf_ancestor, sentences.counts.f1, sentences.share_perfect
    return [100 * rate for rate in rates]


def cells(rates: Sequence[float]) -> str:
    """Lay figures out."""
    la, f, perfect = rates
    return f"{la:>7.2f}{f:>7.2f}{perfect:>9.2f}"


def headless(table: TreeTable) -> float:
    """Return the share of verb phrases with neither a verb nor a verb phrase."""
    listed = productions(prepare(table, ["clegg"]))
    rules = [listed.rules.names[code].split() for code in listed.rule.tolist()]
    phrases = [daughters for label, _, *daughters in rules if label == "VP"]
    sound = sum(any(each.startswith(VERBAL) for each in said) for said in phrases)
    return 1 - sound / max(1, len(phrases))


if __name__ == "__main__":
    main(next((each for each in sys.argv[1:] if each in HALVES), "even"))
