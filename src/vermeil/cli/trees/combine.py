"""``vermeil trees combine``: one tree a sentence from several parsers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vermeil.cli.options.completion import TREE_METHODS
from vermeil.cli.options.declaring import option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import parsed_weights
from vermeil.cli.options.writing import AsJson, Output, TargetFormat, check_output
from vermeil.cli.showing.terminal import print_json, print_table
from vermeil.cli.trees.reading import (
    Cascades,
    Prepare,
    TreeInputs,
    TreeReading,
    TreeReadingOptions,
    cascades_of,
    steps_of,
)
from vermeil.document import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import get_format, guess_format, write
from vermeil.formats.files.ledger import Ledger

if TYPE_CHECKING:
    from vermeil.consensus.trees import TreeOptions
    from vermeil.consensus.trees.ensembles import Combined, Ensemble

By = Annotated[
    str, option("METHOD", f"How to combine: {', '.join(TREE_METHODS)}.", offered=TREE_METHODS)
]
Members = Annotated[
    str, option("A,B…", "Who takes part; without this cascades, and parsers in none.")
]


def combine(
    inputs: TreeInputs,
    *,
    output: Output,
    target_format: TargetFormat = None,
    by: By = "best",
    cascade: Cascades = None,
    members: Members = "",
    quorum: Annotated[
        float,
        option("SHARE", "By vote: share of the votes that a bracket must exceed.", min=0, max=1),
    ] = 0.5,
    weight: Annotated[
        list[str] | None,
        option("NAME=N", "By vote: what the vote of a parser counts; 1 without this."),
    ] = None,
    ties: Annotated[
        str,
        option(
            "order|measures",
            "Who wins a tie: who is named first, or who wins by the other measures.",
        ),
    ] = "order",
    prepare: Prepare = "clegg",
    name: Annotated[str, option("NAME", "Name of the combined trees.")] = "consensus",
    reading: TreeReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Combine the trees of several parsers into one a sentence.

    The default, best, learns from all sentences how far to trust parsers and brackets; it needs no
    gold. With similarity, distance, levenshtein and fallback the tree of one parser is chosen.
    """
    from vermeil.consensus.trees import TreeOptions
    from vermeil.consensus.trees.worth import Worth

    check_output(output, as_json=as_json)
    choices = TreeOptions(quorum, parsed_weights(weight), ties)
    ensemble = ensemble_of(by, cascade, members, prepare, choices)
    source = reading.of(inputs)
    refuse_stdin(source, ensemble)
    to = target_format or ("penn" if output == "-" else guess_format(Path(output), exists=False))
    if "trees" not in get_format(to).carries:
        raise UsageError(f"{output}: {to} holds no parse trees; try a name that ends in .mrg")
    if output != "-" and Path(output) in (each.path for each in source.inputs):
        raise UsageError(f"{output}: is one of the inputs; write to another file")
    summary = _Summary()
    with keeping.ledger(beside=output) as ledger:
        learned = learn(source, ensemble, skip_bad=keeping.skip_bad)
        documents = _documents(source, ensemble, learned, summary, name, ledger)
        write(documents, output, format=to, ledger=ledger)
    if isinstance(learned, Worth):
        summary.weights = dict(zip(summary.members, learned.weights.tolist(), strict=True))
    if as_json:
        print_json(summary.as_data(by))
    elif output != "-":
        summary.print(by, output)


def ensemble_of(
    by: str,
    cascade: Sequence[str] | None,
    members: str,
    prepare: str,
    choices: TreeOptions,
) -> Ensemble:
    """Make an ensemble of options; refuse what the method would ignore."""
    from vermeil.consensus.trees import TREE_CONSENSUS, TreeOptions, get_tree_method
    from vermeil.consensus.trees.ensembles import Ensemble
    from vermeil.consensus.trees.switching import TIES

    method, usual = get_tree_method(by), TreeOptions()
    if choices.ties not in TIES:
        raise UsageError(f"--ties takes {' or '.join(TIES)}, not {choices.ties!r}")
    asked = {
        "quorum": choices.quorum != usual.quorum,
        "weight": bool(choices.weights),
        "ties": choices.ties != usual.ties,
    }
    for name, given in asked.items():
        taken = name if name != "weight" else "weights"
        if given and taken not in method.takes:
            able = [each for each, row in TREE_CONSENSUS.items() if taken in row.takes]
            raise UsageError(f"{by} has no use for --{name}; try --by {' or '.join(able)}")
    chosen = tuple(each.strip() for each in members.split(",") if each.strip())
    return Ensemble(by, chosen, cascades_of(cascade), steps_of(prepare), choices)


def refuse_stdin(source: TreeReading, ensemble: Ensemble) -> None:
    """Methods that learn read everything twice."""
    from vermeil.consensus.trees import get_tree_method

    reads_twice = get_tree_method(ensemble.by).learn is not None
    if reads_twice and any(str(each.path) == "-" for each in source.inputs):
        raise UsageError(f"{ensemble.by} reads its inputs twice; give files instead of -")


def learn(source: TreeReading, ensemble: Ensemble, *, skip_bad: bool) -> Any:
    """Let the method learn what it needs from all sentences."""
    from vermeil.consensus.trees import get_tree_method

    if get_tree_method(ensemble.by).learn is None:
        return None
    return ensemble.learn(source.batches(Ledger(skip_bad=skip_bad), noun="batches to learn from"))


@dataclass(slots=True)
class _Summary:
    """What happened, over all batches."""

    members: list[str] = field(default_factory=list)
    n_sentences: int = 0
    n_failed: int = 0
    n_tied: int = 0
    chosen: Counter[str] = field(default_factory=Counter)
    trust: list[float] = field(default_factory=list)
    weights: dict[str, float] = field(default_factory=dict)

    def add(self, combined: Combined) -> None:
        self.members = list(combined.members.tables)
        self.n_sentences += len(combined.trees)
        self.n_failed += sum(tree is None for tree in combined.trees)
        self.n_tied += int(combined.decision.tied.sum())
        winners = combined.decision.winner
        for number, name in enumerate(self.members):
            self.chosen[name] += int((winners == number).sum())
        self.trust.extend(combined.decision.trust.tolist())

    @property
    def mean_trust(self) -> float:
        known = [each for each in self.trust if each == each]
        return sum(known) / len(known) if known else float("nan")

    def as_data(self, by: str) -> dict[str, Any]:
        return {
            "by": by,
            "members": self.members,
            "sentences": self.n_sentences,
            "without_parse": self.n_failed,
            "ties": self.n_tied,
            "chosen": dict(self.chosen),
            "weights": self.weights,
            "mean_trust": self.mean_trust,
        }

    def print(self, by: str, output: str) -> None:
        import numpy as np

        is_choice = any(self.chosen.values())
        rows = [
            [
                name,
                *([self.chosen[name]] if is_choice else []),
                *([f"{self.weights[name]:.3f}"] if self.weights else []),
            ]
            for name in self.members
        ]
        columns = ["member", *(["chosen"] if is_choice else []), *(["weight"] * bool(self.weights))]
        print_table(f"{self.n_sentences:,} sentences combined by {by}", columns, rows)
        if is_choice and by != "fallback":
            typer.echo(f"{self.n_tied:,} ties between different trees")
        if self.n_failed:
            typer.echo(f"{self.n_failed:,} sentences without any parse")
        if not np.isnan(self.mean_trust):
            typer.echo(f"mean trust {self.mean_trust:.3f}; see vermeil trees trust")
        typer.echo(f"written to {output}")


def _documents(
    source: TreeReading,
    ensemble: Ensemble,
    learned: Any,
    summary: _Summary,
    name: str,
    ledger: Ledger,
) -> Iterator[Document]:
    for batch in source.batches(ledger):
        for weighted in ensemble.options.weights:
            if weighted not in ensemble.gather(batch).tables:
                raise UnknownNameError("parser", weighted, ensemble.gather(batch).tables)
        combined = ensemble.combine(batch, learned)
        summary.add(combined)
        for number, tree in enumerate(combined.trees, start=batch.first):
            text = " ".join(tree.words) if tree is not None else ""
            yield Document(id=str(number), text=text, trees={name: (tree,)})
