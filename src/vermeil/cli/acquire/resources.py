"""Lexicon, references and tokens as the commands that acquire training data take them."""

from pathlib import Path
from typing import Annotated

from vermeil.cli.options.completion import tokeniser_names
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
TokeniserName = Annotated[
    str | None,
    option(
        "NAME",
        "How texts are cut into tokens, where names begin and end; punctuation unless told.",
        "--tokeniser",
        offered=tokeniser_names,
    ),
]
SyntaxTags = Annotated[
    str | None,
    option(
        "FILE|spacy:NAME",
        "Also tell taggers parts of speech and chunks (Table 1): by trees tagger, or by spaCy.",
        "--tags",
    ),
]
