"""The options about documents that commands share, as groups: how they are read, what is noted."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from vermeil.cli.options.completion import offering, source_formats
from vermeil.cli.options.reading import WatchedCorpus, reading
from vermeil.cli.showing.terminal import keeping_ledger
from vermeil.formats.files.ledger import Ledger

SourceFormat = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="FORMAT",
        help="Format of the inputs; without this it is told by their content.",
        autocompletion=source_formats,
    ),
]
FormatOptions = Annotated[
    list[str] | None,
    typer.Option("-O", metavar="NAME=VALUE", help="Set an option of a format: convert --list."),
]


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How documents are read."""

    source_format: SourceFormat = None
    text: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="Where the texts are, if the inputs hold only offsets."),
    ] = None
    align: Annotated[
        str,
        typer.Option(
            metavar="exact|fuzzy",
            help="Whether texts of a document may differ in white space only, or in more.",
            autocompletion=offering("exact", "fuzzy"),
        ),
    ] = "exact"
    options: FormatOptions = None

    def of(self, inputs: Sequence[str]) -> WatchedCorpus:
        """Describe the stream of documents in ``inputs``."""
        return reading(
            inputs,
            source_format=self.source_format,
            text=self.text,
            align=self.align,
            options=self.options,
        )


@dataclass(frozen=True, slots=True)
class LedgerOptions:
    """What becomes of bad records and of notes."""

    skip_bad: Annotated[
        bool,
        typer.Option("--skip-bad", help="Go on after bad records, and keep them in a side file."),
    ] = False
    log: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write every repair, change and loss to FILE, as JSON lines."
        ),
    ] = None

    def ledger(self, *, beside: Path | str = "-") -> AbstractContextManager[Ledger]:
        """Open a ledger whose bad records go to a file beside the output of the command."""
        name = "vermeil" if str(beside) == "-" else str(beside)
        return keeping_ledger(
            skip_bad=self.skip_bad, log=self.log, side_file=Path(f"{name}.bad.jsonl")
        )
