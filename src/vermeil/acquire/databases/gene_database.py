"""The SQLite file of a Bioconductor organism package, such as ``org.Hs.eg.sqlite``.

Debian ships it as ``r-bioc-org.hs.eg.db``. Table ``genes`` gives internal numbers their Entrez ids,
``gene_info`` has symbols and full names, ``alias`` synonyms, ``pubmed`` the articles of each gene.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from vermeil.acquire.databases.entry import Entry
from vermeil.errors import FormatError

_NAMES = """
    SELECT gene_id, symbol FROM genes JOIN gene_info USING (_id)
    UNION SELECT gene_id, gene_name FROM genes JOIN gene_info USING (_id)
    UNION SELECT gene_id, alias_symbol FROM genes JOIN alias USING (_id)
    ORDER BY 1, 2
"""
_LINKS = "SELECT DISTINCT gene_id, pubmed_id FROM genes JOIN pubmed USING (_id) ORDER BY 1, 2"


def read_gene_database(path: Path, *, label: str = "Gene") -> Iterator[Entry]:
    """Read symbols, full names and synonyms, each once for a gene."""
    for gene, name in _rows(path, _NAMES):
        yield Entry(name.strip(), gene, label)


def read_gene_links(path: Path) -> Iterator[tuple[str, str]]:
    """Read pairs of gene id and PubMed id."""
    yield from _rows(path, _LINKS)


def _rows(path: Path, query: str) -> Iterator[tuple[str, str]]:
    """Ask a file that is never written to."""
    if not path.is_file():
        raise FormatError(path, None, "is no file")
    address = f"file:{quote(str(path))}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            for id, value in connection.execute(query):
                yield str(id), str(value)
    except sqlite3.DatabaseError as error:
        raise FormatError(
            path, None, f"a Bioconductor organism database was wanted: {error}"
        ) from error
