"""``vermeil report``: one page with all there is to see about annotators, parsers, or both."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vermeil.cli.options.chance import Resamples, Seed
from vermeil.cli.options.declaring import argument, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import ReadingOptions
from vermeil.cli.options.scope import Scopes
from vermeil.cli.options.writing import AsJson, check_output
from vermeil.cli.showing.terminal import print_json
from vermeil.cli.trees.reading import Prepare, TreeReadingOptions, steps_of
from vermeil.errors import UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.sink import replacing
from vermeil.scope import parse_scopes

if TYPE_CHECKING:
    from vermeil.reports.trees.findings import TreeFindings
    from vermeil.scoring.trees.usage import Usage

SUFFIXES = (".html", ".htm")


def report(
    *,
    inputs: Annotated[
        list[str], argument("IN…", "Files or folders; name=PATH names the annotator.")
    ] = [],  # noqa: B006  (typer reads the default, nobody changes it)
    output: Annotated[
        str, option("FILE", "File for the page; - is stdout.", "-o", "--output")
    ] = "report.html",
    gold: Annotated[
        str | None,
        option(
            "LAYER",
            "Layer to score against; without this gold, or the consensus.",
            "--gold",
            "--standard",
        ),
    ] = None,
    layers: Annotated[str, option("A,B,…", "Show only these annotators; all without this.")] = "",
    scope: Scopes = None,
    trees: Annotated[
        list[str] | None,
        option("TREES", "File of trees; the first is the treebank, others are parsers."),
    ] = None,
    treebanks: Annotated[
        list[str] | None,
        option("TREES", "Another treebank, to compare the first with.", "--treebank"),
    ] = None,
    prepare: Prepare = "clegg",
    title: Annotated[str, option("TEXT", "Title of the page.")] = "",
    max_documents: Annotated[int | None, option("N", "Show at most N of the texts.", min=0)] = None,
    n_resamples: Resamples = 1000,
    seed: Seed = 0,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Write one self-contained page: scores, agreement, votes, trees.

    It opens from disk and needs no network. With --json the numbers behind it are printed.
    """
    from vermeil.reports.page import make_page
    from vermeil.reports.spans.findings import find_spans
    from vermeil.verbs.reporting import report_data, title_of
    from vermeil.verbs.tables.scores import Doubts

    if not inputs and not trees:
        raise UsageError("there is nothing to report on; give annotated files, or --trees, or both")
    if trees and len(trees) < 2:
        raise UsageError("--trees needs a treebank and a parser: --trees gold.mrg --trees a=a.mrg")
    if treebanks and not trees:
        raise UsageError("--treebank is compared with that of --trees; give both")
    check_output(output, as_json=as_json)
    if output != "-" and not output.endswith(SUFFIXES):
        raise UsageError(f"{output}: the report is a page; call it {output}.html")
    spans = parsers = None
    with keeping.ledger() as ledger:
        if inputs:
            source = reading.of(inputs)
            spans = find_spans(
                source.documents(ledger),
                gold=gold,
                annotators=_names(layers),
                told=parse_scopes(scope or ()),
                n_resamples=n_resamples,
                seed=seed,
                progress=_tell,
            )
        if trees:
            parsers = _parsers(trees, treebanks or (), prepare, ledger)
    said = title or title_of(spans, parsers)
    page = make_page(said, spans=spans, trees=parsers, max_documents=max_documents)
    _write(page, output)
    if as_json:
        print_json(report_data(spans, parsers, Doubts(n_resamples, None, seed)))
    elif output != "-":
        typer.echo(f"{output}: {len(page.encode()):,} bytes", err=True)


def _tell(step: str) -> None:
    if sys.stderr.isatty():
        typer.echo(f"vermeil: {step} …", err=True)


def _parsers(
    trees: Sequence[str], treebanks: Sequence[str], prepare: str, ledger: Ledger
) -> TreeFindings:
    from vermeil.reports.trees.findings import find_trees
    from vermeil.verbs.reporting import usage_of

    steps = steps_of(prepare)
    source = TreeReadingOptions().of(trees)
    others: dict[str, Usage] = {}
    for each in treebanks:
        other = TreeReadingOptions().of([each])
        [name] = other.names
        if name in (*source.names, *others):
            raise UsageError(f"two inputs are called {name!r}; tell them apart with NAME=PATH")
        others[name] = usage_of(other.batches(ledger), name, steps)
    return find_trees(source.batches(ledger), gold=source.names[0], steps=steps, others=others)


def _names(listed: str) -> list[str] | None:
    return [name.strip() for name in listed.split(",") if name.strip()] or None


def _write(page: str, output: str) -> None:
    if output == "-":
        sys.stdout.buffer.write(page.encode())
        return
    with replacing(Path(output)) as stream:
        stream.write(page.encode())
