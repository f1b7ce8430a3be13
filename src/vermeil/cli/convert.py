"""``vermeil convert``: any format to any other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import typer

from vermeil.cli.options.declaring import flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions, parsed_options
from vermeil.cli.options.running import RunningOptions
from vermeil.cli.options.writing import AsJson, Output, TargetFormat, refuse_two_on_stdout
from vermeil.cli.showing.terminal import print_json, print_table
from vermeil.errors import UsageError
from vermeil.formats import FEATURES, all_formats, get_format, guess_format
from vermeil.formats.inputs import LAYER, Input
from vermeil.scope import parse_scopes


def convert(
    inputs: Inputs = [],  # noqa: B006  (typer reads the default, nobody changes it)
    *,
    output: Output = "",
    target_format: TargetFormat = None,
    layer: Annotated[str | None, option("NAME", "Write only the layer of this annotator.")] = None,
    scope: Annotated[
        list[str] | None,
        option(
            "NAME=LABEL,…",
            "Write into every document which labels an annotator looked for; * is all.",
            "--scope",
        ),
    ] = None,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    running: RunningOptions,
    as_json: AsJson = False,
    show_list: Annotated[
        bool, flag("Show the formats, what each carries, and its options.", "--list")
    ] = False,
) -> None:
    """Rewrite files in any format as one file in any other.

    Several inputs are brought together by document id. With {layer} in OUT, each layer goes
    to a file of its own.
    """
    from vermeil.cli.showing.long_runs import work_through
    from vermeil.conversion import ConvertStage
    from vermeil.runs.driver import Job
    from vermeil.runs.target import Target

    if show_list:
        _show_formats(as_json)
        return
    if not inputs or not output:
        raise typer.BadParameter("give at least one input and -o OUT, or --list")
    refuse_two_on_stdout(output, as_json=as_json)
    chosen = parsed_options(reading.options)
    source = replace(reading, options=None).of(inputs, written=(output, keeping.log))
    to = Target(output, target_format, layer)
    known = get_format(to.kind).options
    for_writing = {key: value for key, value in chosen.items() if key in known}
    source = replace(source, options=_readers_options(chosen, for_writing, source.inputs))
    stage = ConvertStage(parse_scopes(scope or ()))
    with keeping.ledger(beside=output.replace(LAYER, "all")) as ledger:
        done = work_through(
            Job(
                stage,
                source,
                ledger=ledger,
                target=replace(to, options=for_writing),
                engagement=running.engagement(),
            )
        )
        for note in stage.unused(done.sums):
            ledger.note(*note)
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
    """Pick the options the inputs know; those that only the output knows are not for them."""
    if not chosen:
        return {}
    known = {
        key
        for each in sources
        for key in get_format(each.format or guess_format(each.path)).options
    }
    for key in chosen:
        if _bare(key) not in known and key not in for_writing:
            raise UsageError(f"no format of these files has an option {key!r}; see convert --list")
    return {key: value for key, value in chosen.items() if _bare(key) in known}


def _bare(key: str) -> str:
    """Name an option without the input it is for."""
    return key.rpartition(":")[2]


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
        ["format", "what it is", "reads", "writes"],
        [
            [
                name,
                row.summary,
                "stand-off" if row.annotate else bool(row.read),
                bool(row.write),
            ]
            for name, row in rows.items()
        ],
        wide="what it is",
    )
    typer.echo()
    print_table(
        "Names of files",
        ["format", "suffixes"],
        [[name, " ".join(row.suffixes)] for name, row in rows.items()],
        wide="suffixes",
    )
    typer.echo()
    print_table(
        "What each carries",
        ["format", *FEATURES],
        [[name, *(feature in row.carries for feature in FEATURES)] for name, row in rows.items()],
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
