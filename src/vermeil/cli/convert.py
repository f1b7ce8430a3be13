"""``vermeil convert``: any format to any other."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from vermeil.cli.reading import Align, From, Inputs, Options, TextPath, parsed_options, reading
from vermeil.cli.terminal import AsJson, Log, SkipBad, keeping_ledger, print_json, print_table
from vermeil.cli.writing import refuse_two_on_stdout
from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats import FEATURES, all_formats, get_format, guess_format, write
from vermeil.formats.corpus import Input
from vermeil.formats.ledger import Ledger
from vermeil.formats.sink import file_name

LAYER = "{layer}"


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
    as_json: AsJson = False,
    show_list: Annotated[
        bool, typer.Option("--list", help="Show the formats and what each can carry.")
    ] = False,
) -> None:
    """Rewrite files in any format as one file in any other.

    Several inputs are brought together by document id. With {layer} in OUT, each layer goes
    to a file of its own.
    """
    if show_list:
        _show_formats(as_json)
        return
    if not inputs or not output:
        raise typer.BadParameter("give at least one input and -o OUT, or --list")
    refuse_two_on_stdout(output, as_json=as_json)
    target = Path(output)
    to = target_format or guess_format(target, exists=False)
    chosen = parsed_options(options)
    for_writing = {key: value for key, value in chosen.items() if key in get_format(to).options}
    source = reading(inputs, source_format=source_format, text=text, align=align, options=None)
    source = replace(source, options=_readers_options(chosen, for_writing, source.sources))

    side_file = Path(f"{output if output != '-' else 'vermeil'}.bad.jsonl".replace(LAYER, "all"))
    with keeping_ledger(skip_bad=skip_bad, log=log, side_file=side_file) as ledger:
        counted = _Counted()
        if LAYER not in output:
            stream = counted.passing(source.documents(ledger))
            write(stream, target, format=to, layer=layer, ledger=ledger, options=for_writing)
        else:
            names = sorted({name for each in source.documents(ledger) for name in each.layers})
            if not names:
                raise UsageError(f"{output}: there is no layer to write; leave {LAYER} out")
            for name in names:
                stream = counted.passing(source.documents(Ledger(skip_bad=skip_bad)))
                path = Path(output.replace(LAYER, file_name(name)))
                write(stream, path, format=to, layer=name, ledger=ledger, options=for_writing)
    if as_json:
        summary = {
            "output": output,
            "format": to,
            "documents": counted.n_documents,
            "spans": counted.n_spans,
            "notes": [
                {"deed": deed, "what": what, "n": n} for (deed, what), n in ledger.counts.items()
            ],
        }
        print_json(summary)


class _Counted:
    """How much has passed."""

    def __init__(self) -> None:
        self.n_documents = self.n_spans = 0

    def passing(self, documents: Iterator[Document]) -> Iterator[Document]:
        for document in documents:
            self.n_documents += 1
            self.n_spans += sum(map(len, document.layers.values()))
            yield document


def _readers_options(
    chosen: dict[str, str], for_writing: dict[str, str], sources: list[Input]
) -> dict[str, str]:
    """Give the options the inputs know; those that only the output knows are not for them."""
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
