"""The 912 sentences of genia-trees as parsers see them, and figures rounded as recorded."""

import csv
from functools import cache
from pathlib import Path

from vermeil.columns.trees.steps import prepare
from vermeil.columns.trees.table import TreeTable
from vermeil.formats.forests import Forests, read_forests
from vermeil.formats.inputs import Input
from vermeil.scoring.trees.scores import Sentences, TreeScores, score_trees
from vermeil.tree import Tree

PARSERS = ("bikelold", "bikelnew", "charniak", "stansmall")


@cache
def genia_forests(corpora: Path) -> Forests:
    folder = corpora / "genia-trees"
    names = ("gold", *PARSERS, "stansmall-max40")
    [batch] = read_forests([Input.parse(str(folder / f"{name}.mrg")) for name in names])
    return batch


def reference(corpora: Path) -> dict[str, dict[str, float]]:
    """The recorded figures of every system."""
    with (corpora / "genia-trees" / "reference.tsv").open(newline="") as file:
        return {
            row.pop("system"): {name: float(cell) for name, cell in row.items()}
            for row in csv.DictReader(file, delimiter="\t")
        }


def scored(batch: Forests, parsed: TreeTable | list[Tree | None], steps: str) -> TreeScores:
    """Score a parser, or the trees somebody made of parsers', against the batch's gold."""
    gold = batch.tables["gold"]
    table = parsed if isinstance(parsed, TreeTable) else TreeTable.of(parsed, gold.names)
    return score_trees(prepare(gold, [steps]), prepare(table, [steps]), first=batch.first)


def figures(every: Sentences) -> dict[str, float]:
    """The columns of the reference."""
    parsed = every.keep(every.parsed)
    percent = {
        "LA": every.leaf_ancestor,
        "P": every.counts.precision,
        "R": every.counts.recall,
        "F": every.counts.f1,
        "perfect%": every.share_perfect,
        "fail%": float((~every.parsed).mean()),
        "LA_parsed": parsed.leaf_ancestor,
        "R_parsed": parsed.counts.recall,
        "F_parsed": parsed.counts.f1,
    }
    return {
        **{name: round(100 * share, 2) for name, share in percent.items()},
        "crossing": round(every.mean_crossing, 2),
        "matched": every.counts.right,
        "candidate": every.counts.predicted,
        "gold": every.counts.wanted,
    }
