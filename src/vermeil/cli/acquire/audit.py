"""``vermeil acquire audit``: what texts say about a database of names."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from vermeil.cli.acquire.resources import LexiconPath
from vermeil.cli.options.completion import tokeniser_names
from vermeil.cli.options.declaring import option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions
from vermeil.cli.options.writing import AsJson, check_target
from vermeil.cli.showing.terminal import print_blocks, print_json, say, watched
from vermeil.errors import UsageError
from vermeil.formats import write


def audit(
    inputs: Inputs,
    lexicon: LexiconPath,
    references: Annotated[
        Path,
        option(
            "FILE", "Which document is about which id: gene2pubmed, SQLite of Bioconductor, or TSV."
        ),
    ],
    output: Annotated[
        Path | None,
        option("TABLE", "Write all findings there: .tsv or .json.", "-o", "--output"),
    ] = None,
    *,
    marked: Annotated[
        Path | None,
        option(
            "FILE",
            "Write some texts there with the findings in layers unsupported and unlisted; vermeil "
            "review takes them.",
        ),
    ] = None,
    layer: Annotated[
        str | None,
        option(
            "LAYER",
            "What a recogniser found in these texts; without it no name is reported that "
            "the database lacks.",
        ),
    ] = None,
    least: Annotated[int, option("N", "Report names in at least N documents.", min=1)] = 10,
    sure: Annotated[
        float, option("P", "Confidence that names of the layer need.", min=0, max=1)
    ] = 0.9,
    examples: Annotated[int, option("N", "Show and mark N documents for each name.", min=1)] = 3,
    tokeniser: Annotated[
        str,
        option(
            "NAME",
            "How texts are cut into tokens, where names begin and end.",
            offered=tokeniser_names,
        ),
    ] = "punctuation",
    reading: ReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Find names a database should not have, and names it lacks.

    The first stand in documents that references know, and never with one of theirs. The others are
    names that a recogniser is sure of and no record has. Both are proposals for a curator.
    """
    from vermeil.formats.files.ledger import Ledger
    from vermeil.verbs.proposals.audit import COLUMNS, audit_blocks, finding_data, made_audit
    from vermeil.verbs.proposals.table_files import write_rows

    for path in (output, marked):
        if path is not None and str(path) == "-":
            raise UsageError("findings go to a file, not to standard output; --json prints them")
        check_target(path)
    source = reading.of(inputs)
    with keeping.ledger(beside=output or marked or "-") as ledger:
        made = made_audit(
            watched(source.documents(ledger), noun="documents"),
            lexicon,
            references,
            layer=layer,
            least=least,
            sure=sure,
            examples=examples,
            tokeniser=tokeniser,
        )
        rows = [finding_data(each) for each in made.findings]
        if output is not None:
            write_rows(output, COLUMNS, rows)
            say(f"{output}: {len(rows):,} findings")
        if marked is not None:
            # What was mended on the way was told when the texts were read first.
            again = Ledger(skip_bad=ledger.skip_bad)
            write(made.marked(source.documents(again)), marked, ledger=ledger)
    if as_json:
        print_json({"findings": rows})
    elif output is None:
        print_blocks(audit_blocks(made.findings))
