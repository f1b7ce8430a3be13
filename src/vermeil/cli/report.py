"""``vermeil report``: one page with all there is to see about annotators, parsers, or both."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from vermeil.cli.options.chance import Resamples, Seed
from vermeil.cli.options.declaring import argument, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import ReadingOptions
from vermeil.cli.options.scope import Scopes
from vermeil.cli.options.writing import AsJson, check_output
from vermeil.cli.showing.terminal import print_json, say
from vermeil.cli.trees.reading import Prepare, TreeReading, TreeReadingOptions, steps_of
from vermeil.errors import UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.replacement import replacing
from vermeil.scope import parse_scopes

if TYPE_CHECKING:
    from vermeil.reports.trees.findings import TreeFindings
    from vermeil.scoring.trees.porting import Ported
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
    versus: Annotated[
        list[str] | None,
        option("TREES", "The same parsers at home, the treebank first, or a folder of them."),
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
    """Write one self-contained page of scores, votes and trees.

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
    if versus and not trees:
        raise UsageError("--versus is compared with --trees; give both")
    check_output(output, as_json=as_json)
    if output != "-" and not output.endswith(SUFFIXES):
        raise UsageError(f"{output}: the report is a page; call it {output}.html")
    spans = parsers = None
    with keeping.ledger() as ledger:
        if inputs:
            spans = find_spans(
                reading.of(inputs).documents(ledger),
                gold=gold,
                annotators=_names(layers),
                told=parse_scopes(scope or ()),
                n_resamples=n_resamples,
                seed=seed,
                progress=_tell,
            )
        if trees:
            source = TreeReadingOptions().of(trees)
            ported = _ported(source, versus, prepare, ledger, n_resamples, seed) if versus else None
            parsers = _parsers(source, treebanks or (), prepare, ledger, ported, n_resamples)
    said = title or title_of(spans, parsers)
    page = make_page(
        said,
        spans=spans,
        trees=parsers,
        max_documents=max_documents,
        inputs=[*inputs, *reading.words()] if inputs else (),
        tree_inputs=trees or (),
    )
    _write(page, output)
    if as_json:
        print_json(report_data(spans, parsers, Doubts(n_resamples, None, seed)))
    elif output != "-":
        say(f"{output}: {len(page.encode()):,} bytes")


def _tell(step: str) -> None:
    if sys.stderr.isatty():
        say(f"vermeil: {step} …")


def _ported(
    source: TreeReading,
    versus: Sequence[str],
    prepare: str,
    ledger: Ledger,
    n_resamples: int,
    seed: int,
) -> Ported:
    from vermeil.cli.trees.portability import versus_reading
    from vermeil.scoring.trees.porting import ported

    there = versus_reading(source, versus, TreeReadingOptions())
    steps = steps_of(prepare)
    return ported(source, there, steps, ledger=ledger, n_resamples=n_resamples, seed=seed)


def _parsers(
    source: TreeReading,
    treebanks: Sequence[str],
    prepare: str,
    ledger: Ledger,
    ported: Ported | None,
    n_resamples: int,
) -> TreeFindings:
    from vermeil.reports.trees.findings import find_trees
    from vermeil.verbs.reporting import usage_of

    steps = steps_of(prepare)
    others: dict[str, Usage] = {}
    for each in treebanks:
        other = TreeReadingOptions().of([each])
        [name] = other.names
        if name in (*source.names, *others):
            raise UsageError(f"two inputs are called {name!r}; tell them apart with NAME=PATH")
        others[name] = usage_of(other.batches(ledger), name, steps)
    return find_trees(
        source.batches(ledger),
        gold=source.names[0],
        steps=steps,
        others=others,
        ported=ported,
        n_resamples=n_resamples,
    )


def _names(listed: str) -> list[str] | None:
    return [name.strip() for name in listed.split(",") if name.strip()] or None


def _write(page: str, output: str) -> None:
    if output == "-":
        sys.stdout.buffer.write(page.encode())
        return
    with replacing(Path(output)) as stream:
        stream.write(page.encode())
