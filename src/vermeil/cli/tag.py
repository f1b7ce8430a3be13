"""``vermeil tag``: a layer of names with confidences, found by a model."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import typer

from vermeil.cli.options.declaring import flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions, WatchedCorpus
from vermeil.cli.options.recognisers import Model, model_name
from vermeil.cli.options.running import RunningOptions
from vermeil.cli.options.writing import AsJson, Output, TargetFormat, check_output
from vermeil.cli.showing.terminal import print_json
from vermeil.formats.files.source import head
from vermeil.formats.files.streams import is_stream
from vermeil.formats.known import may_be_prose


def tag(
    inputs: Inputs,
    model: Model,
    output: Output,
    *,
    target_format: TargetFormat = None,
    threshold: Annotated[
        float | None,
        option(
            "P",
            "Confidence that a name needs; without this the model's, 0.5 or as it was trained.",
            min=0,
            max=1,
        ),
    ] = None,
    overlaps: Annotated[
        bool, flag("Also keep names that overlap surer ones.", "--overlaps")
    ] = False,
    standard: Annotated[
        bool, flag("Also write a standard: how likely each boundary is.", "--standard")
    ] = False,
    n_best: Annotated[
        int,
        option(
            "N",
            "Instead of sure names, take the N best readings of each sentence as a whole, a layer "
            "each.",
            min=0,
        ),
    ] = 0,
    corpus_wide: Annotated[
        bool,
        flag(
            "Read the texts twice and judge names by the other texts too; for models trained so.",
            "--corpus-wide",
        ),
    ] = False,
    name: Annotated[str, option("NAME", "Name of the new layer; without this the model's.")] = "",
    reading: ReadingOptions,
    keeping: LedgerOptions,
    running: RunningOptions,
    as_json: AsJson = False,
) -> None:
    """Find names in texts, each with a confidence.

    They are written as one more layer; other layers are kept. Standard input (-) that looks like no
    format is plain text.
    """
    from vermeil.cli.showing.long_runs import work_through
    from vermeil.recognise.stage import CorpusTagStage, TagStage, check_n_best
    from vermeil.runs.driver import Job
    from vermeil.runs.target import Target

    check_output(output, as_json=as_json)
    check_n_best(n_best, overlaps=overlaps, standard=standard, corpus_wide=corpus_wide)
    source = _with_plain_input(reading.of(inputs, written=(output, keeping.log)))
    layer = name or model_name(model)
    alone = TagStage(model, layer, threshold, overlaps, standard, n_best)
    stage: Any = alone
    if corpus_wide:
        stage = CorpusTagStage(model, layer, threshold, overlaps, standard)
    with keeping.ledger(beside=output) as ledger:
        done = work_through(
            Job(
                stage,
                source,
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
                "threshold": alone.asked_of(alone.known(None)),
                "documents": tagged.n_documents,
                "names": tagged.n_names,
            }
        )
    else:
        typer.echo(f"{tagged.n_documents:,} documents, {tagged.n_names:,} names in layer {layer!r}")


def _with_plain_input(source: WatchedCorpus) -> WatchedCorpus:
    """Take a stream that may be prose for plain text where no format was named."""
    sources = [
        replace(each, format="text")
        if each.format is None and is_stream(each.path) and may_be_prose(head(each.path))
        else each
        for each in source.inputs
    ]
    return replace(source, inputs=sources)
