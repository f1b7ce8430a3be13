"""``vermeil acquire run``: all steps to a recogniser, in a folder that can be gone on with."""

from pathlib import Path
from time import monotonic
from typing import Annotated

import typer

from vermeil.cli.acquire.resources import LexiconPath, open_links
from vermeil.cli.options.reading import Align, From, Inputs, Options, TextPath, reading
from vermeil.cli.showing.terminal import (
    AsJson,
    Log,
    SkipBad,
    keeping_ledger,
    print_json,
    print_table,
)
from vermeil.errors import UnknownNameError


def run(
    inputs: Inputs,
    lexicon: LexiconPath,
    references: Annotated[
        Path,
        typer.Option(metavar="FILE", help="gene2pubmed, SQLite of Bioconductor, or TSV."),
    ],
    folder: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="Where all of it goes.")
    ],
    by: Annotated[
        str, typer.Option(metavar="KIND", help="committee, cascade, linear or crf.")
    ] = "committee",
    n_documents: Annotated[
        int, typer.Option("--documents", metavar="N", min=12, help="Learn from so many at most.")
    ] = 8000,
    threshold: Annotated[
        float | None, typer.Option(help="Score that a name needs.  [default: -2.5]")
    ] = None,
    unlisted: Annotated[
        bool, typer.Option("--unlisted", help="Look harder for names that no database has.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of what is drawn at random.")] = 0,
    source_format: From = None,
    text: TextPath = None,
    align: Align = "exact",
    options: Options = None,
    skip_bad: SkipBad = False,
    log: Log = None,
    as_json: AsJson = False,
) -> None:
    """Make a recogniser from a lexicon, its references and plain text, all steps in one.

    The model is FOLDER/model.zip; vermeil tag takes it. A run that was ended goes on when the same
    command is given again.
    """
    from dataclasses import replace

    from vermeil.acquire.acquisition import AcquisitionPlan, acquire
    from vermeil.acquire.lexicon.files import load_lexicon
    from vermeil.acquire.run_folder import fingerprint
    from vermeil.recognise.recogniser import RECOGNISERS

    if by not in RECOGNISERS:
        raise UnknownNameError("recogniser", by, RECOGNISERS)
    source = reading(inputs, source_format=source_format, text=text, align=align, options=options)
    names = load_lexicon(lexicon)
    links = open_links(names, references)
    assert links is not None
    plan = AcquisitionPlan(by=by, n_documents=n_documents, unlisted=unlisted, seed=seed)
    if threshold is not None:
        plan = replace(
            plan,
            labelling=replace(plan.labelling, threshold=threshold),
            belief=replace(plan.belief, name=threshold, unknown=threshold - 1),
        )
    side_file = Path(f"{folder}.bad.jsonl")
    begun = monotonic()
    with keeping_ledger(skip_bad=skip_bad, log=log, side_file=side_file) as ledger:
        done = acquire(
            lambda: source.documents(ledger),
            names,
            links,
            plan,
            folder=folder,
            made_from=fingerprint([lexicon, references, *(each.path for each in source.sources)]),
            say=lambda step: typer.echo(f"{monotonic() - begun:6.0f} s  {step}", err=True),
        )
    if as_json:
        print_json({"model": str(done.path), "documents": done.n_documents, "names": done.n_names})
        return
    rows = [["documents learned from", done.n_documents], ["names in them", done.n_names]]
    print_table(f"{done.path}", ["", "n"], rows)
    typer.echo(f"next: vermeil tag --model {done.path} texts.jsonl -o tagged.jsonl")
