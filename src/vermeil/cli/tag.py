"""``vermeil tag``: a layer of names with confidences, found by a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vermeil.cli.options.reading import Align, From, Inputs, Options, Reading, TextPath, reading
from vermeil.cli.options.recognisers import Model, model_name, open_model
from vermeil.cli.options.running import (
    Address,
    Engagement,
    Engine,
    Resume,
    ShardSize,
    Workers,
    guess_target,
    only_layer,
    shard_reading,
)
from vermeil.cli.options.writing import check_target, refuse_two_on_stdout
from vermeil.cli.showing.terminal import AsJson, Log, SkipBad, keeping_ledger, print_json
from vermeil.formats import write

if TYPE_CHECKING:
    from vermeil.formats.files.ledger import Ledger
    from vermeil.recognise.stage import Tagged, TagOptions


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
    from vermeil.recognise.stage import TagOptions

    refuse_two_on_stdout(output, as_json=as_json)
    check_target(output)
    engagement = Engagement(engine, address, workers, resume, shard_size)
    in_shards = engagement.is_wanted(inputs)
    read = shard_reading if in_shards else reading
    source = read(inputs, source_format=source_format, text=text, align=align, options=options)
    to = target_format or guess_target(output, in_shards=in_shards)
    layer = name or model_name(model)
    asked = TagOptions(model, layer, threshold, overlaps, standard)
    side_file = Path(f"{output if output != '-' else 'vermeil'}.bad.jsonl")
    with keeping_ledger(skip_bad=skip_bad, log=log, side_file=side_file) as ledger:
        tagged = (
            _tag_shards(engagement, source, asked, output, to, ledger)
            if in_shards
            else _tag(_with_plain_input(source), asked, output, to, ledger)
        )
    if output == "-":
        return
    if as_json:
        print_json(
            {
                "output": output,
                "format": to,
                "layer": layer,
                "threshold": threshold,
                "documents": tagged.n_documents,
                "names": tagged.n_names,
            }
        )
    else:
        typer.echo(f"{tagged.n_documents:,} documents, {tagged.n_names:,} names in layer {layer!r}")


def _tag(source: Reading, options: TagOptions, output: str, to: str, ledger: Ledger) -> Tagged:
    from vermeil.recognise.stage import Tagged, tag_documents

    recogniser, tagged = open_model(options.model), Tagged(options.layer)
    stream = tag_documents(recogniser, tagged.before(source.documents(ledger)), options)
    layer = only_layer(to, options.layer)
    write(tagged.after(stream), Path(output), format=to, layer=layer, ledger=ledger)
    return tagged


def _tag_shards(
    engagement: Engagement,
    source: Reading,
    options: TagOptions,
    output: str,
    to: str,
    ledger: Ledger,
) -> Tagged:
    from vermeil.cli.shard_runs import worked_through
    from vermeil.recognise.stage import Tagged
    from vermeil.runs.results import read_result

    tagged, layer = Tagged(options.layer), only_layer(to, options.layer)
    with worked_through(
        engagement,
        "tag",
        options,
        source,
        skip_bad=ledger.skip_bad,
        target=output,
        output=(to, layer, {}),
    ) as job:
        for path in job.results:
            facts = read_result(path).facts
            tagged.n_documents += facts["n_documents"]
            tagged.n_names += facts["n_names"]
        job.add_ledgers(ledger)
        job.write(output, to=to, layer=layer, ledger=ledger, options={})
    return tagged


def _with_plain_input(source: Reading) -> Reading:
    """Take standard input for plain text where no format was named."""
    sources = [
        replace(each, format="text") if str(each.path) == "-" and each.format is None else each
        for each in source.sources
    ]
    return replace(source, sources=sources)
