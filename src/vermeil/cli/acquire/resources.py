"""Lexicon and references as the commands that acquire training data take them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vermeil.errors import UsageError

if TYPE_CHECKING:
    from vermeil.acquire.lexicon import Lexicon
    from vermeil.acquire.references import Links

LexiconPath = Annotated[
    Path, typer.Option("--lexicon", metavar="LEXICON", help="Made by acquire lexicon.")
]
ReferencesPath = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="gene2pubmed, SQLite of Bioconductor, or TSV: id, document."),
]


def open_links(lexicon: "Lexicon", references: Path | None) -> "Links | None":
    """Bring a lexicon and the references of a command together."""
    from vermeil.acquire.references import Links, read_references

    if references is None:
        return None
    if not references.exists():
        raise UsageError(f"{references}: no such file")
    links = Links.of(lexicon, read_references(references))
    if not len(links.pairs):
        raise UsageError(f"{references}: none of its ids is in the lexicon")
    return links
