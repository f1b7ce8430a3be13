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
        help="Format of the inputs, if not told by content.",
        autocompletion=source_formats,
    ),
]
FormatOptions = Annotated[
    list[str] | None,
    typer.Option("-O", metavar="NAME=VALUE", help="Set an option of a format; see convert --list."),
]


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How documents are read."""

    source_format: SourceFormat = None
    text: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="Texts of inputs that hold only offsets."),
    ] = None
    align: Annotated[
        str,
        typer.Option(
            metavar="exact|fuzzy",
            help="Let texts of a document differ in white space only, or in more.",
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
        typer.Option("--skip-bad", help="Set bad records aside in a file, and go on."),
    ] = False
    log: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write all repairs, changes and losses to FILE."),
    ] = None

    def ledger(self, *, beside: Path | str = "-") -> AbstractContextManager[Ledger]:
        """Open a ledger whose bad records go to a file beside the output of the command."""
        name = "vermeil" if str(beside) == "-" else str(beside)
        return keeping_ledger(
            skip_bad=self.skip_bad, log=self.log, side_file=Path(f"{name}.bad.jsonl")
        )
