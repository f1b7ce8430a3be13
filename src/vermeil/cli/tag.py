"""``vermeil tag``: a layer of names with confidences, found by a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vermeil.cli.options.reading import (
    Align,
    From,
    Inputs,
    Options,
    TextPath,
    WatchedCorpus,
    reading,
)
from vermeil.cli.options.recognisers import Model, model_name
from vermeil.cli.options.running import Address, Engine, Resume, ShardSize, Workers
from vermeil.cli.options.writing import check_target, refuse_two_on_stdout
from vermeil.cli.showing.terminal import AsJson, Log, SkipBad, keeping_ledger, print_json

if TYPE_CHECKING:
    pass


def tag(
    inputs: Inputs,
    model: Model,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="OUT", help="Where to write; - for stdout.")
    ],
    threshold: Annotated[
        float, typer.Option(min=0, max=1, help="Confidence that a name needs; see tune.")
    ] = 0.5,
    overlaps: Annotated[
        bool, typer.Option("--overlaps", help="Keep names that overlap surer ones.")
    ] = False,
    standard: Annotated[
        bool, typer.Option("--standard", help="Add boundary distributions, as a standard.")
    ] = False,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="What to call the layer; else like the model.")
    ] = "",
    target_format: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="Format of the output.")
    ] = None,
    source_format: From = None,
    text: TextPath = None,
    align: Align = "exact",
    options: Options = None,
    skip_bad: SkipBad = False,
    log: Log = None,
    engine: Engine = None,
    address: Address = None,
    workers: Workers = None,
    resume: Resume = None,
    shard_size: ShardSize = None,
    as_json: AsJson = False,
) -> None:
    """Find names in texts: one more layer, in which every name has a confidence.

    Without --from, standard input (-) is plain text. Documents stream; other layers are kept.
    """
    from vermeil.cli.long_runs import work_through
    from vermeil.recognise.stage import TagStage
    from vermeil.runs.driver import Engagement, Job
    from vermeil.runs.target import Target

    refuse_two_on_stdout(output, as_json=as_json)
    check_target(output)
    source = reading(inputs, source_format=source_format, text=text, align=align, options=options)
    layer = name or model_name(model)
    side_file = Path(f"{output if output != '-' else 'vermeil'}.bad.jsonl")
    with keeping_ledger(skip_bad=skip_bad, log=log, side_file=side_file) as ledger:
        done = work_through(
            Job(
                TagStage(model, layer, threshold, overlaps, standard),
                _with_plain_input(source),
                ledger=ledger,
                target=Target(output, target_format, own=layer),
                engagement=Engagement(engine, address, workers, resume, shard_size),
            )
        )
    tagged = done.sums
    if output == "-":
        return
    if as_json:
        print_json(
            {
                "output": output,
                "format": done.format,
                "layer": layer,
                "threshold": threshold,
                "documents": tagged.n_documents,
                "names": tagged.n_names,
            }
        )
    else:
        typer.echo(f"{tagged.n_documents:,} documents, {tagged.n_names:,} names in layer {layer!r}")


def _with_plain_input(source: WatchedCorpus) -> WatchedCorpus:
    """Take standard input for plain text where no format was named."""
    sources = [
        replace(each, format="text") if str(each.path) == "-" and each.format is None else each
        for each in source.inputs
    ]
    return replace(source, inputs=sources)
