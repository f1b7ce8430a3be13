"""``trees score`` as a stage: files of trees for the same sentences, scored part by part.

Trees are aligned by position, so shards are files: the third file of each parser is about the same
sentences as the third of the standard. Sentences are numbered through all of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from vermeil.columns.trees.lineages import Costs
from vermeil.columns.trees.table import TreeTable
from vermeil.consensus.trees.ensembles import Ensemble
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.forests import Forests, read_forests
from vermeil.runs.shards import Shard, plan_in_step
from vermeil.runs.stages import Stage
from vermeil.runs.tasks import Reading
from vermeil.scoring.trees.scores import TreeScores, score_trees
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, repr=False)
class TreeSums(Brief):
    """The scores of parsers on some sentences. Add two to pool them, numbered through.

    ``tags`` are the parts of speech there are, where they take part.
    """

    n_sentences: int = 0
    parsers: Mapping[str, TreeScores] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()

    def __add__(self, other: "TreeSums") -> "TreeSums":
        later = {name: _moved(each, self.n_sentences) for name, each in other.parsers.items()}
        return TreeSums(
            self.n_sentences + other.n_sentences,
            _pooled(self.parsers, later),
            self.tags | other.tags,
        )


class TreeScoreStage(Stage[TreeSums, TreeSums, None], frozen=True):
    """The name of the standard, what is done to trees first, and the prices of substitutions."""

    name: ClassVar[str] = "trees score"
    observes: ClassVar[bool] = True
    noun: ClassVar[str] = "sentences"

    standard: str
    members: tuple[str, ...]
    cascades: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    steps: tuple[str, ...] = ("clegg",)
    substitution: float = 1.0
    pairs: tuple[tuple[str, str, float], ...] = ()
    with_tags: bool = False

    @property
    def costs(self) -> Costs:
        """The prices as the leaf-ancestor measure takes them."""
        return Costs(self.substitution, {(one, other): price for one, other, price in self.pairs})

    def observe(self, items: Iterator[Forests]) -> TreeSums:
        """Score every parser over batches of sentences."""
        sums = TreeSums()
        for batch in items:
            scores, tags = self._scored(batch)
            sums = TreeSums(
                sums.n_sentences + len(batch), _pooled(sums.parsers, scores), sums.tags | tags
            )
        return sums

    def finish(self, seen: TreeSums) -> TreeSums:
        """There is nothing to learn."""
        return seen

    def shards(self, source: Any, folder: Path, size: int) -> Sequence[Shard]:
        """Take files as they are: no sentence says what it is about."""
        return plan_in_step(source.inputs)

    def read(self, shard: Shard, reading: Reading, ledger: Ledger) -> Iterator[Forests]:
        """Read the files of a shard in step."""
        inputs = [part.input for part in shard.parts]
        return read_forests(inputs, ledger=ledger, options=reading.options)

    def n_in(self, item: Forests) -> int:
        """Count the sentences of a batch."""
        return len(item)

    def _scored(self, batch: Forests) -> tuple[dict[str, TreeScores], frozenset[str]]:
        standard = self.standard
        ensemble = Ensemble(members=self.members, cascades=self.cascades)
        members = ensemble.gather(batch.without(standard)).prepared(self.steps)
        gold = batch.of([standard]).prepared(self.steps, standard=standard)[standard]
        scores = {
            name: score_trees(
                gold, table, first=batch.first, costs=self.costs, with_tags=self.with_tags
            )
            for name, table in members.items()
        }
        return scores, _tags([gold, *members.values()]) if self.with_tags else frozenset()


def _tags(tables: Sequence[TreeTable]) -> frozenset[str]:
    names = tables[0].names.labels.names
    return frozenset(names[code] for table in tables for code in set(table.tag.tolist()))


def _pooled(
    some: Mapping[str, TreeScores], others: Mapping[str, TreeScores]
) -> dict[str, TreeScores]:
    pooled = dict(some)
    for name, each in others.items():
        pooled[name] = pooled[name] + each if name in pooled else each
    return pooled


def _moved(scores: TreeScores, n_before: int) -> TreeScores:
    """Number sentences on from those before."""
    if not n_before:
        return scores
    return replace(
        scores,
        all=replace(scores.all, number=scores.all.number + n_before),
        unequal=scores.unequal + n_before,
    )
