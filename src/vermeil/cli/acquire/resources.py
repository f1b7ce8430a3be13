"""Lexicon and references as the commands that acquire training data take them."""

from pathlib import Path
from typing import Annotated

from vermeil.cli.options.declaring import option

LexiconPath = Annotated[
    Path, option("LEXICON", "The names: a file that acquire lexicon made.", "--lexicon")
]
ReferencesPath = Annotated[
    Path | None,
    option(
        "FILE", "Which document is about which id: gene2pubmed, SQLite of Bioconductor, or TSV."
    ),
]
