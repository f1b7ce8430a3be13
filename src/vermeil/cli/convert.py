"""``vermeil convert``: any format to any other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from vermeil.cli.options.reading import (
    Align,
    From,
    Inputs,
    Options,
    TextPath,
    parsed_options,
    reading,
)
from vermeil.cli.options.running import Address, Engine, Resume, ShardSize, Workers
from vermeil.cli.options.writing import refuse_two_on_stdout
from vermeil.cli.showing.terminal import (
    AsJson,
    Log,
    SkipBad,
    keeping_ledger,
    print_json,
    print_table,
)
from vermeil.errors import UsageError
from vermeil.formats import FEATURES, all_formats, get_format, guess_format
from vermeil.formats.inputs import Input


def convert(
    inputs: Inputs = [],  # noqa: B006  (typer reads the default, nobody changes it)
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="OUT", help="Where to write; - for stdout.")
    ] = "",
    source_format: From = None,
    target_format: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="Format of the output.")
    ] = None,
    text: TextPath = None,
    layer: Annotated[
        str | None, typer.Option(metavar="NAME", help="Write only this annotator's layer.")
    ] = None,
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
    show_list: Annotated[
        bool, typer.Option("--list", help="Show the formats and what each can carry.")
    ] = False,
) -> None:
    """Rewrite files in any format as one file in any other.

    Several inputs are brought together by document id. With {layer} in OUT, each layer goes
    to a file of its own.
    """
    from vermeil.cli.long_runs import work_through
    from vermeil.conversion import ConvertStage
    from vermeil.runs.driver import Engagement, Job
    from vermeil.runs.target import LAYER, Target

    if show_list:
        _show_formats(as_json)
        return
    if not inputs or not output:
        raise typer.BadParameter("give at least one input and -o OUT, or --list")
    refuse_two_on_stdout(output, as_json=as_json)
    chosen = parsed_options(options)
    source = reading(inputs, source_format=source_format, text=text, align=align)
    to = Target(output, target_format, layer)
    known = get_format(to.kind).options
    for_writing = {key: value for key, value in chosen.items() if key in known}
    source = replace(source, options=_readers_options(chosen, for_writing, source.inputs))
    side_file = Path(f"{output if output != '-' else 'vermeil'}.bad.jsonl".replace(LAYER, "all"))
    with keeping_ledger(skip_bad=skip_bad, log=log, side_file=side_file) as ledger:
        done = work_through(
            Job(
                ConvertStage(),
                source,
                ledger=ledger,
                target=replace(to, options=for_writing),
                engagement=Engagement(engine, address, workers, resume, shard_size),
            )
        )
    if as_json:
        summary = {
            "output": output,
            "format": done.format,
            "documents": done.sums.n_documents,
            "spans": done.sums.n_spans,
            "notes": [
                {"deed": deed, "what": what, "n": n}
                for (deed, what), n in sorted(ledger.counts.items())
            ],
        }
        print_json(summary)


def _readers_options(
    chosen: dict[str, str], for_writing: dict[str, str], sources: Sequence[Input]
) -> dict[str, str]:
    """Give the options the inputs know; those that only the output knows are not for them."""
    if not chosen:
        return {}
    known = {
        key
        for each in sources
        for key in get_format(each.format or guess_format(each.path)).options
    }
    for key in chosen:
        if key not in known and key not in for_writing:
            raise UsageError(f"no format of these files has an option {key!r}; see convert --list")
    return {key: value for key, value in chosen.items() if key in known}


def _show_formats(as_json: bool) -> None:
    rows = all_formats()
    if as_json:
        listed = {
            name: {
                "summary": row.summary,
                "reads": bool(row.read or row.annotate),
                "writes": bool(row.write),
                "stand-off": bool(row.annotate),
                "suffixes": row.suffixes,
                "carries": sorted(row.carries),
                "options": row.options,
            }
            for name, row in rows.items()
        }
        print_json(listed)
        return
    print_table(
        "Formats",
        ["format", "reads", "writes", "suffixes", "what it is"],
        [
            [
                name,
                "stand-off" if row.annotate else bool(row.read),
                bool(row.write),
                " ".join(row.suffixes),
                row.summary,
            ]
            for name, row in rows.items()
        ],
        wide="what it is",
    )
    typer.echo()
    print_table(
        "What each carries",
        ["format", *_SHOWN.values()],
        [[name, *(feature in row.carries for feature in _SHOWN)] for name, row in rows.items()],
    )
    typer.echo()
    with_options = [(name, row) for name, row in rows.items() if row.options]
    print_table(
        "Options (-O NAME=VALUE), default first",
        ["format", "option", "values"],
        [
            [name, option, " ".join(values) or "any"]
            for name, row in with_options
            for option, values in row.options.items()
        ],
        wide="values",
    )


_SHOWN = {
    "text": "text",
    "layers": "layers",
    "abstention": "abst.",
    "nested": "nested",
    "discontinuous": "discont.",
    "confidence": "conf.",
    "ids": "ids",
    "attributes": "attr.",
    "distributions": "distrib.",
    "trees": "trees",
}
assert set(FEATURES) >= set(_SHOWN)
