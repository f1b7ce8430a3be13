"""``trees score`` by shards: files of trees for the same sentences, scored part by part.

Trees are aligned by position, so shards are files: the third file of each parser is about the same
sentences as the third of the standard. Sentences are numbered through all of them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

import msgspec

from vermeil.columns.lineages import Costs
from vermeil.consensus.trees.ensembles import Ensemble
from vermeil.formats.forests import Forests, read_forests
from vermeil.runs.ledgers import new_ledger, with_ledger
from vermeil.runs.results import Result
from vermeil.runs.stages import Stage, Step
from vermeil.runs.tasks import Task
from vermeil.scoring.counts import Counts
from vermeil.scoring.trees.scores import Sentences, TreeScores, score_trees


class TreeScoreOptions(msgspec.Struct, frozen=True):
    """The name of the standard, what is done to trees first, and the prices of substitutions."""

    standard: str
    members: tuple[str, ...]
    cascades: dict[str, tuple[str, ...]] = {}
    steps: tuple[str, ...] = ("clegg",)
    substitution: float = 1.0
    pairs: tuple[tuple[str, str, float], ...] = ()

    @property
    def ensemble(self) -> Ensemble:
        """The parsers that are scored."""
        return Ensemble(members=self.members, cascades=self.cascades)

    @property
    def costs(self) -> Costs:
        """The prices as the leaf-ancestor measure takes them."""
        return Costs(self.substitution, {(one, other): price for one, other, price in self.pairs})


Scored = dict[str, TreeScores]


def score_batches(batches: Iterable[Forests], options: TreeScoreOptions) -> Scored:
    """Score every parser over all batches; nothing where there are none."""
    scores: Scored = {}
    for batch in batches:
        for name, some in _score_batch(batch, options).items():
            scores[name] = scores[name] + some if name in scores else some
    return scores


def score_shard(task: Task, options: TreeScoreOptions) -> Result:
    """Score the trees of a shard."""
    ledger = new_ledger(skip_bad=task.reading.skip_bad)
    inputs = [part.input for part in task.shard.parts]
    n_sentences = 0

    def counted(batches: Iterator[Forests]) -> Iterator[Forests]:
        nonlocal n_sentences
        for batch in batches:
            n_sentences += len(batch)
            yield batch

    batches = read_forests(inputs, ledger=ledger, options=task.reading.options)
    scores = score_batches(counted(batches), options)
    said: dict[str, Any] = {}
    arrays = {}
    for place, each in enumerate(scores.values()):
        said[str(place)] = {
            "n_without_gold": each.n_without_gold,
            "labels": {label: _row(counts) for label, counts in each.labels.items()},
            "words": each.words,
        }
        arrays[f"{place}.unequal"] = each.unequal
        for column in fields(Sentences):
            arrays[f"{place}.{column.name}"] = getattr(each.all, column.name)
    facts = {"n_documents": n_sentences, "parsers": list(scores), "scores": said}
    return with_ledger(Result(facts, arrays), ledger)


def scores_in(results: Iterable[Result]) -> Scored:
    """Add up the scores of shards, numbering sentences through."""
    scores: Scored = {}
    n_before = 0
    for result in results:
        for name, some in _scores_of(result, n_before).items():
            scores[name] = scores[name] + some if name in scores else some
        n_before += result.facts["n_documents"]
    return scores


def _score_batch(batch: Forests, options: TreeScoreOptions) -> Scored:
    standard, steps = options.standard, options.steps
    parsers = Forests(
        batch.first,
        {name: lines for name, lines in batch.lines.items() if name != standard},
        {name: table for name, table in batch.tables.items() if name != standard},
    )
    members = options.ensemble.gather(parsers)
    gold = Forests(batch.first, {}, {standard: batch.tables[standard]}).prepared(steps)[standard]
    costs = options.costs
    return {
        name: score_trees(gold, table, first=batch.first, costs=costs)
        for name, table in members.prepared(steps).items()
    }


def _scores_of(result: Result, n_before: int) -> Scored:
    scores: Scored = {}
    for place, name in enumerate(result.facts["parsers"]):
        facts, arrays = result.facts["scores"][str(place)], result.arrays
        columns = [arrays[f"{place}.{column.name}"] for column in fields(Sentences)]
        every = Sentences(*columns)
        scores[name] = TreeScores(
            replace(every, number=every.number + n_before),
            facts["n_without_gold"],
            arrays[f"{place}.unequal"] + n_before,
            {label: Counts(*row) for label, row in facts["labels"].items()},
            {word: (n, total) for word, (n, total) in facts["words"].items()},
        )
    return scores


def _row(counts: Counts) -> Sequence[float]:
    return counts.right, counts.predicted, counts.found, counts.wanted


STAGE = Stage("trees-score", __name__, TreeScoreOptions, (Step("score", score_shard),))
