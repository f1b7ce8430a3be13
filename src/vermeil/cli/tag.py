"""``vermeil tag``: a layer of names with confidences, found by a model."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from vermeil.cli.options.declaring import flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions, WatchedCorpus
from vermeil.cli.options.recognisers import Model, model_name
from vermeil.cli.options.running import RunningOptions
from vermeil.cli.options.writing import AsJson, Output, TargetFormat, check_output
from vermeil.cli.showing.terminal import print_json


def tag(
    inputs: Inputs,
    model: Model,
    output: Output,
    *,
    target_format: TargetFormat = None,
    threshold: Annotated[
        float, option("P", "Confidence that a name needs; tune chooses it.", min=0, max=1)
    ] = 0.5,
    overlaps: Annotated[
        bool, flag("Also keep names that overlap surer ones.", "--overlaps")
    ] = False,
    standard: Annotated[
        bool, flag("Also write a standard: how likely each boundary is.", "--standard")
    ] = False,
    name: Annotated[str, option("NAME", "Name of the new layer; without this the model's.")] = "",
    reading: ReadingOptions,
    keeping: LedgerOptions,
    running: RunningOptions,
    as_json: AsJson = False,
) -> None:
    """Find names in texts, each with a confidence.

    They are written as one more layer; other layers are kept. Without --from, standard input (-) is
    plain text.
    """
    from vermeil.cli.long_runs import work_through
    from vermeil.recognise.stage import TagStage
    from vermeil.runs.driver import Job
    from vermeil.runs.target import Target

    check_output(output, as_json=as_json)
    source = reading.of(inputs)
    layer = name or model_name(model)
    with keeping.ledger(beside=output) as ledger:
        done = work_through(
            Job(
                TagStage(model, layer, threshold, overlaps, standard),
                _with_plain_input(source),
                ledger=ledger,
                target=Target(output, target_format, own=layer),
                engagement=running.engagement(),
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
