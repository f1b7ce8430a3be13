"""``vermeil trees combine``: one tree a sentence from several parsers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from vermeil.cli.options.completion import TREE_METHODS
from vermeil.cli.options.declaring import option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import parsed_weights
from vermeil.cli.options.running import RunningOptions
from vermeil.cli.options.writing import AsJson, Output, TargetFormat, check_output
from vermeil.cli.showing.terminal import print_blocks, print_json
from vermeil.cli.trees.reading import (
    Cascades,
    Prepare,
    TreeInputs,
    TreeReadingOptions,
    cascades_of,
    tree_inputs,
    use_one_thread,
)
from vermeil.errors import UsageError
from vermeil.formats import get_format, guess_format

if TYPE_CHECKING:
    from vermeil.consensus.trees import TreeOptions
    from vermeil.consensus.trees.ensembles import Ensemble

By = Annotated[
    str, option("METHOD", f"How to combine: {', '.join(TREE_METHODS)}.", offered=TREE_METHODS)
]
Members = Annotated[
    str, option("A,B…", "Who takes part; without this cascades, and parsers in none.")
]
Learn = Annotated[
    str | None,
    option("GOLD", "By best: learn from the right trees of some sentences.", "--learn"),
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
    gold: Learn = None,
    names: Annotated[
        str | None, option("FILE", "By best: avoid cutting the names of these documents in two.")
    ] = None,
    prepare: Prepare = "clegg",
    name: Annotated[str, option("NAME", "Name of the combined trees.")] = "consensus",
    reading: TreeReadingOptions,
    keeping: LedgerOptions,
    running: RunningOptions,
    as_json: AsJson = False,
) -> None:
    """Combine the trees of several parsers into one a sentence.

    The default, best, learns from all sentences how far to trust parsers and brackets; it needs no
    gold. With similarity, distance, levenshtein and fallback the tree of one parser is chosen.
    """
    use_one_thread()
    from vermeil.cli.showing.long_runs import work_through
    from vermeil.consensus.trees import TreeOptions
    from vermeil.runs.driver import Job
    from vermeil.runs.target import Target
    from vermeil.verbs.trees.combining import combine_blocks, combine_data, stage_of

    check_output(output, as_json=as_json)
    choices = TreeOptions(quorum, parsed_weights(weight), ties)
    ensemble = ensemble_of(
        by,
        cascade,
        members,
        prepare,
        choices,
        {"learn": gold is not None, "names": names is not None},
    )
    source = reading.of(inputs)
    to = target_format or ("penn" if output == "-" else guess_format(Path(output), exists=False))
    if "trees" not in get_format(to).carries:
        raise UsageError(f"{output}: {to} holds no parse trees; try a name that ends in .mrg")
    if output != "-" and Path(output) in (each.path for each in source.inputs):
        raise UsageError(f"{output}: is one of the inputs; write to another file")
    [right] = tree_inputs([gold], source_format=reading.source_format) if gold else [None]
    stage = stage_of(
        ensemble,
        layer=name,
        with_trust="meta" in get_format(to).carries,
        gold=str(right.path) if right else "",
        gold_format=right.format if right else None,
        names=names or "",
    )
    with keeping.ledger(beside=output) as ledger:
        job = Job(
            stage,
            source,
            ledger=ledger,
            target=Target(output, to),
            engagement=running.engagement(),
        )
        done = work_through(job)
    if as_json:
        print_json(combine_data(stage, done.sums, done.known))
    elif output != "-":
        print_blocks([*combine_blocks(stage, done.sums, done.known), f"written to {output}"])


def ensemble_of(
    by: str,
    cascade: Sequence[str] | None,
    members: str,
    prepare: str,
    choices: TreeOptions,
    also: Mapping[str, bool] | None = None,
) -> Ensemble:
    """Make an ensemble of options; refuse what the method would ignore."""
    from vermeil.verbs.trees import combining

    chosen = [each.strip() for each in members.split(",") if each.strip()]
    return combining.ensemble_of(by, cascades_of(cascade), chosen, prepare, choices, also)
