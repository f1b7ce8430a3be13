"""Entries of lexical databases: a name, the id it stands for and the label it gets.

LEXICONS holds the readers. Each takes a path and yields entries as a stream, in the order of the
file and as they stand there: what is no use as a name is removed by ``acquire.lexicon``,
which counts what it removes. A file that breaks its format gives one line with file and line.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from vermeil.acquisition.databases.genes import read_gene_database, read_gene_info
from vermeil.acquisition.databases.name_table import read_name_table
from vermeil.acquisition.databases.obo import read_obo
from vermeil.acquisition.lexicon.compilation import Entry
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.source import COMPRESSED

Reader: TypeAlias = Callable[..., Iterator[Entry]]

GENE_INFO = "gene-info"

LEXICONS: dict[str, Reader] = {
    GENE_INFO: read_gene_info,
    "gene-database": read_gene_database,
    "obo": read_obo,
    "tsv": read_name_table,
}

_ENDINGS = {
    GENE_INFO: ("gene_info", "gene_info.tsv", "gene_info.txt"),
    "gene-database": (".sqlite", ".sqlite3", ".db"),
    "obo": (".obo",),
    "tsv": (".tsv", ".txt", ".tab"),
}


def read_entries(path: Path, *, kind: str | None = None, **options: Any) -> Iterator[Entry]:
    """Read a lexical database with the row ``kind`` of LEXICONS, or the one its name suggests.

    ``options`` go to the reader: ``label`` to any, ``tax_ids`` and ``columns`` to gene-info,
    ``scopes`` to obo.
    """
    kind = kind or guess_kind(path)
    if kind not in LEXICONS:
        raise UnknownNameError("kind of lexicon", kind, LEXICONS)
    return LEXICONS[kind](path, **options)


def guess_kind(path: Path) -> str:
    """Tell from its name which reader a file wants.

    >>> guess_kind(Path("Homo_sapiens.gene_info.gz")), guess_kind(Path("go-basic.obo"))
    ('gene-info', 'obo')
    """
    name = path.name.lower()
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    for kind, endings in _ENDINGS.items():
        if name.endswith(endings):
            return kind
    raise UsageError(
        f"{path}: the name does not tell what lexicon this is; say which of {', '.join(LEXICONS)}"
    )
