"""Lexicon and references as the commands that acquire training data take them."""

from pathlib import Path
from typing import Annotated

import typer

LexiconPath = Annotated[
    Path,
    typer.Option(
        "--lexicon", metavar="LEXICON", help="The names: a file that acquire lexicon made."
    ),
]
ReferencesPath = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Which document is about which id: gene2pubmed, SQLite of Bioconductor, or TSV.",
    ),
]
