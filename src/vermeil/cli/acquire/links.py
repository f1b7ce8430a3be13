"""``vermeil acquire links``: what documents are about without a reference saying so."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vermeil.cli.acquire.resources import LexiconPath
from vermeil.cli.options.chance import Seed
from vermeil.cli.options.completion import tokeniser_names
from vermeil.cli.options.declaring import option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions
from vermeil.cli.options.running import RunningOptions
from vermeil.cli.options.writing import AsJson, check_output, check_target
from vermeil.cli.showing.terminal import print_blocks, print_json, say
from vermeil.errors import UsageError


def links(
    inputs: Inputs,
    lexicon: LexiconPath,
    references: Annotated[
        Path,
        option(
            "FILE", "Which document is about which id: gene2pubmed, SQLite of Bioconductor, or TSV."
        ),
    ],
    output: Annotated[
        str, option("TABLE", "Where to write the links: .tsv or .json.", "-o", "--output")
    ] = "-",
    *,
    marked: Annotated[
        Path | None,
        option(
            "FILE",
            "Write the texts to be linked there, with the names that say so in the layer links; "
            "vermeil review takes them.",
        ),
    ] = None,
    learned: Annotated[
        Path | None,
        option("FILE", "Read what was learned from this file, or write it if there is none."),
    ] = None,
    threshold: Annotated[
        float,
        option(
            "P",
            "Propose links that those who made the references would have made with at least this "
            "probability.",
            min=0,
            max=1,
        ),
    ] = 0.5,
    tokeniser: Annotated[
        str,
        option(
            "NAME",
            "How texts are cut into tokens, where names begin and end.",
            offered=tokeniser_names,
        ),
    ] = "punctuation",
    judge: Annotated[
        float | None,
        option(
            "PART",
            "Hide this share of the links, and tell how well they are found again, instead of "
            "proposing any.",
        ),
    ] = None,
    seed: Seed = 0,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    running: RunningOptions,
    as_json: AsJson = False,
) -> None:
    """Find what documents are about without a reference saying so.

    A table of documents and ids, from the surest down, learned from the references that there are:
    how sure the names in the text are, and how often documents with such a name are linked to this
    id and not to another. --judge needs no gold; links that the references lack count as wrong.
    """
    from vermeil.cli.showing.long_runs import work_through
    from vermeil.runs.driver import Job
    from vermeil.runs.target import Target
    from vermeil.verbs.proposals.links import (
        COLUMNS,
        found_data,
        link_data,
        link_stage,
        trial_blocks,
    )
    from vermeil.verbs.proposals.table_files import as_lines, write_rows

    check_output(None if output == "-" else output, as_json=as_json)
    check_target(marked)
    if judge is not None and (output != "-" or marked is not None):
        raise UsageError("--judge proposes no links; leave -o and --marked out")
    source = reading.of(inputs)
    stage = link_stage(
        lexicon,
        references,
        learned=learned,
        threshold=threshold,
        tokeniser=tokeniser,
        judge=judge,
        seed=seed,
    )
    with keeping.ledger(beside=marked or output) as ledger:
        target = Target(str(marked)) if marked is not None else None
        job = Job(stage, source, ledger=ledger, target=target, engagement=running.engagement())
        found = work_through(job).sums
    if as_json:
        print_json(found_data(found, None if judge is None else found.trial, threshold))
    if judge is not None:
        if not as_json:
            print_blocks(trial_blocks(found.trial, threshold))
        return
    rows = map(link_data, found.ranked)
    if output != "-":
        write_rows(Path(output), COLUMNS, rows)
        say(f"{output}: {len(found.links):,} links")
    elif not as_json:
        typer.echo(as_lines(COLUMNS, rows), nl=False)
