"""``trees combine`` as a stage: batches of sentences, as all parsers see them, to documents.

Sentences are known by their place alone. To be cut into shards they are stored in the folder of the
run, a line a sentence with what stands in every file; what is said about a tree still names its own
file and line.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from pathlib import Path
from typing import Any, ClassVar, get_type_hints

import msgspec

from vermeil.consensus.trees import TreeOptions, get_tree_method
from vermeil.consensus.trees.doubt import META, stretches_in_text
from vermeil.consensus.trees.ensembles import Combined, Ensemble
from vermeil.consensus.trees.known import NamedTexts, read_gold
from vermeil.document import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import read
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.replacement import replacing
from vermeil.formats.forests import Forests, HeldLines, Line, lines_in_step, read_forests
from vermeil.formats.inputs import in_step, input_name
from vermeil.runs.manifest import GIVEN
from vermeil.runs.parts import Part, opened
from vermeil.runs.results import Result, put_together
from vermeil.runs.shards import Shard
from vermeil.runs.stages import Stage
from vermeil.runs.tasks import Reading

SHARD = 1 << 20
"""Most bytes of a shard: some hundreds of sentences, for combining takes longer than reading."""

CONSENSUS_NAME = "consensus"


@dataclass(slots=True)
class TreeSummary:
    """What an ensemble did, over all batches. Add two to pool them."""

    members: list[str] = field(default_factory=list)
    n_sentences: int = 0
    n_failed: int = 0
    n_tied: int = 0
    chosen: dict[str, int] = field(default_factory=dict)
    trust: list[float | None] = field(default_factory=list)

    def __add__(self, other: "TreeSummary") -> "TreeSummary":
        return TreeSummary(
            self.members or other.members,
            self.n_sentences + other.n_sentences,
            self.n_failed + other.n_failed,
            self.n_tied + other.n_tied,
            {
                name: self.chosen.get(name, 0) + other.chosen.get(name, 0)
                for name in {**self.chosen, **other.chosen}
            },
            self.trust + other.trust,
        )

    def add(self, combined: Combined) -> None:
        """Count a batch."""
        self.members = list(combined.members.tables)
        self.n_sentences += len(combined.trees)
        self.n_failed += sum(tree is None for tree in combined.trees)
        self.n_tied += int(combined.decision.tied.sum())
        winners = combined.decision.winner
        for number, name in enumerate(self.members):
            self.chosen[name] = self.chosen.get(name, 0) + int((winners == number).sum())
        self.trust += [None if isnan(each) else each for each in combined.decision.trust.tolist()]

    @property
    def mean_trust(self) -> float:
        """Trust over the sentences where it is known; NaN where it is nowhere."""
        known = [each for each in self.trust if each is not None]
        return sum(known) / len(known) if known else float("nan")


class CombineStage(Stage[Any, Any, TreeSummary], frozen=True):
    """Who is combined and how; options are those of ``Ensemble``.

    ``gold`` is a file of right trees to learn from, ``names`` one of documents with names in their
    texts, ``layer`` what the trees made are called.
    ``with_trust`` says whether documents carry it, by sentence and by stretch.
    """

    name: ClassVar[str] = "trees combine"
    observes: ClassVar[bool] = True
    decides: ClassVar[bool] = True
    noun: ClassVar[str] = "sentences"

    by: str = "best"
    members: tuple[str, ...] = ()
    cascades: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    steps: tuple[str, ...] = ("clegg",)
    quorum: float = 0.5
    weights: dict[str, float] = msgspec.field(default_factory=dict)
    ties: str = "order"
    gold: str = ""
    gold_format: str | None = None
    names: str = ""
    layer: str = CONSENSUS_NAME
    with_trust: bool = True

    @property
    def ensemble(self) -> Ensemble:
        """The members at work."""
        options = TreeOptions(self.quorum, self.weights, self.ties)
        gold = read_gold(self.gold, self.gold_format) if self.gold else None
        named = NamedTexts.of(read(Path(self.names))) if self.names else None
        return Ensemble(
            by=self.by,
            members=self.members,
            cascades=self.cascades,
            steps=self.steps,
            options=options,
            gold=gold,
            names=named,
        )

    def files(self) -> list[str]:
        """Name the treebank that is learned from, and the file of names."""
        return [path for path in (self.gold, self.names) if path]

    def observe(self, items: Iterator[Forests]) -> Any:
        """See what the method learns from; None where it learns nothing, and nothing is read."""
        return self.ensemble.observe(items)

    def finish(self, seen: Any) -> Any:
        """Learn from all sentences."""
        known = self.ensemble.finish(seen)
        if self.gold and not known.is_taught:
            raise UsageError(f"{self.gold}: has none of these sentences; they are found by words")
        return known

    def nothing(self) -> TreeSummary:
        """Make the summary of no sentence."""
        return TreeSummary()

    def decide(
        self, documents: Iterator[Forests], known: Any, sums: TreeSummary
    ) -> Iterator[Document]:
        """Yield a document a sentence with the tree that was made, and how far it is trusted."""
        ensemble = self.ensemble
        for batch in documents:
            members = ensemble.gather(batch).tables
            for weighted in self.weights:
                if weighted not in members:
                    raise UnknownNameError("parser", weighted, members)
            combined = ensemble.combine(batch, known)
            sums.add(combined)
            sure = combined.decision.trust.tolist()
            where = stretches_in_text(combined, self.steps) if self.with_trust else ()
            for number, (tree, trust) in enumerate(zip(combined.trees, sure, strict=True)):
                text = " ".join(tree.words) if tree is not None else ""
                meta: dict[str, Any] = {}
                if self.with_trust and not isnan(trust):
                    meta["trust"] = round(trust, 4)
                    if where[number]:
                        meta[META] = [list(stretch) for stretch in where[number]]
                id, trees = str(batch.first + number), {self.layer: (tree,)}
                yield Document(id=id, text=text, trees=trees, meta=meta)

    def shards(self, source: Any, folder: Path, size: int) -> list[Shard]:
        """Store what stands in the files, and cut it between sentences."""
        path = folder / GIVEN
        shards: list[Shard] = []
        place, number = 0, 1
        with replacing(path) as stream:
            for inputs in in_step(source.inputs):
                files = tuple(
                    Part(str(each.path), each.format, input_name(each), end=0) for each in inputs
                )
                begun, first = place, number
                for row in lines_in_step(inputs, source.options):
                    place += stream.write(msgspec.json.encode(row) + b"\n")
                    number += 1
                    if place - begun >= min(size, SHARD):
                        shards.append(_shard(path, files, begun, place, first))
                        begun, first = place, number
                if place > begun:
                    shards.append(_shard(path, files, begun, place, first))
        return shards

    def read(self, shard: Shard, reading: Reading, ledger: Ledger) -> Iterator[Forests]:
        """Read the sentences of a shard."""
        given, *files = shard.parts
        with opened(Path(given.path)) as stream:
            stream.seek(given.start)
            lines = stream.read(given.end - given.start).splitlines()
        rows = [msgspec.json.decode(line, type=list[Line]) for line in lines]
        held = [
            HeldLines(file.annotator or "", Path(file.path), column)
            for file, column in zip(files, zip(*rows, strict=True), strict=True)
        ]
        return read_forests(held, ledger=ledger, options=reading.options, first=given.first)

    def n_in(self, item: Forests) -> int:
        """Count the sentences of a batch."""
        return len(item)

    def seen_in(self, result: Result) -> Any:
        """Undo ``kept`` for what the method has seen."""
        observe = get_tree_method(self.by).observe
        return None if observe is None else put_together(_returned(observe), result)

    def known_in(self, result: Result) -> Any:
        """Undo ``kept`` for what the method has learned."""
        learn = get_tree_method(self.by).learn
        return None if learn is None else put_together(_returned(learn), result)

    def kept(self, value: Any) -> Result:
        """Lay out what was seen, learned or counted; nothing where there is nothing."""
        return Result() if value is None else Stage.kept(self, value)


def _shard(path: Path, files: Sequence[Part], start: int, end: int, first: int) -> Shard:
    given = Part(str(path), "jsonl", start=start, end=end, first=first, size=end - start)
    return Shard((given, *files))


def _returned(function: Any) -> Any:
    """Say what kind of thing a function returns."""
    hints: Mapping[str, Any] = get_type_hints(function)
    return hints["return"]
