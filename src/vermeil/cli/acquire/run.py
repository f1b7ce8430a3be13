"""``vermeil acquire run``: all steps to a recogniser, in a folder that can be gone on with."""

from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import Annotated

import typer

from vermeil.cli.acquire.resources import LexiconPath
from vermeil.cli.options.chance import Seed
from vermeil.cli.options.completion import RECOGNISERS
from vermeil.cli.options.declaring import flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions
from vermeil.cli.options.writing import AsJson
from vermeil.cli.showing.terminal import print_json, print_table, say
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.streams import is_stream


def run(
    inputs: Inputs,
    lexicon: LexiconPath,
    references: Annotated[
        Path,
        option(
            "FILE", "Which document is about which id: gene2pubmed, SQLite of Bioconductor, or TSV."
        ),
    ],
    folder: Annotated[
        Path, option("FOLDER", "Where the model and all steps to it go.", "-o", "--output")
    ],
    *,
    by: Annotated[
        str,
        option(
            "KIND",
            "What is trained in the end: committee, cascade, linear or crf.",
            offered=RECOGNISERS,
        ),
    ] = "committee",
    n_documents: Annotated[
        int,
        option(
            "N",
            "Learn from at most N documents, those with references first.",
            "--documents",
            min=12,
        ),
    ] = 8000,
    threshold: Annotated[
        float | None,
        option(
            "SCORE",
            "Score from which a match of the lexicon is labelled as a name; the model learns "
            "from names with 0.25 more. Lower finds more, and more that is wrong.  [default: -2.5]",
        ),
    ] = None,
    unlisted: Annotated[
        bool, flag("Find more names that no database has, at the cost of precision.", "--unlisted")
    ] = False,
    seed: Seed = 0,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Make a recogniser from a lexicon, its references and texts.

    No annotation is needed. The model is FOLDER/model.zip; vermeil tag takes it. A run that was
    ended goes on when the same command is given again.
    """
    from vermeil.acquisition.acquisition import AcquisitionPlan, acquire
    from vermeil.acquisition.databases.references import open_links
    from vermeil.acquisition.lexicon.files import load_lexicon
    from vermeil.formats.inputs import files_of
    from vermeil.recognise.recogniser import RECOGNISERS as KNOWN

    if by not in KNOWN:
        raise UnknownNameError("recogniser", by, KNOWN)
    source = reading.of(inputs)
    given = [each for each in (*source.inputs, source.text) if each is not None]
    if any(is_stream(each.path) for each in given):
        raise UsageError("the texts are read more than once, so they cannot come from -")
    names = load_lexicon(lexicon)
    links = open_links(names, references)
    plan = AcquisitionPlan(by=by, n_documents=n_documents, unlisted=unlisted, seed=seed)
    if threshold is not None:
        plan = plan.with_threshold(threshold)
    begun = monotonic()
    with keeping.ledger(beside=folder) as ledger:
        done = acquire(
            lambda: source.documents(ledger),
            names,
            links,
            plan,
            folder=folder,
            files=[lexicon, references, *(file.path for each in given for file in files_of(each))],
            reading={"inputs": inputs, "skip_bad": keeping.skip_bad, **asdict(reading)},
            say=lambda step: say(f"{monotonic() - begun:6.0f} s  {step}"),
        )
    if as_json:
        print_json({"model": str(done.path), "documents": done.n_documents, "names": done.n_names})
        return
    rows = [["documents learned from", done.n_documents], ["names in them", done.n_names]]
    print_table(f"{done.path}", ["", "n"], rows)
    typer.echo(f"next: vermeil tag --model {done.path} texts.jsonl -o tagged.jsonl")
