"""Lexicon and references as the commands that acquire training data take them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from vermeil.acquire.databases.references import Links
    from vermeil.acquire.lexicon.compilation import Lexicon

LexiconPath = Annotated[
    Path, typer.Option("--lexicon", metavar="LEXICON", help="Made by acquire lexicon.")
]
ReferencesPath = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="gene2pubmed, SQLite of Bioconductor, or TSV: id, document."),
]


def open_links(lexicon: Lexicon, references: Path | None) -> Links | None:
    """Bring a lexicon and the references of a command together."""
    from vermeil.acquire import stage as label_stage

    return label_stage.open_links(lexicon, references)
