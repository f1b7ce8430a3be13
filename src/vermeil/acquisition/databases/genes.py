"""Entrez Gene, in either of the two files that its genes come in.

``gene_info`` has a line a gene, columns named in the first line, ``-`` for none. The SQLite file of
a Bioconductor organism package, such as ``org.Hs.eg.sqlite``, is shipped by Debian as
``r-bioc-org.hs.eg.db``: its table ``genes`` gives internal numbers their Entrez ids, ``gene_info``
has symbols and full names, ``alias`` synonyms, ``pubmed`` the articles of each gene.
"""

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from vermeil.acquisition.lexicon.compilation import Entry
from vermeil.errors import FormatError
from vermeil.formats.files.source import Source

NAME_COLUMNS = (
    "Symbol",
    "Synonyms",
    "Symbol_from_nomenclature_authority",
    "Full_name_from_nomenclature_authority",
    "Other_designations",
    "description",
)
"""The columns that hold names; Synonyms and Other_designations hold several, parted by ``|``."""

_NONE = ("", "-")
_PLACE_HOLDER = "NEWENTRY"
_LISTS = ("Synonyms", "Other_designations")

_TABLES = ("genes", "gene_info", "alias", "pubmed")
EVERY = 10_000
"""Steps of SQLite between two looks at how many it has taken."""

STEPS, STEPS_A_BYTE = 1_000, 100
"""A question may take so many times EVERY steps, and so many for each byte of the file."""

_NAMES = """
    SELECT gene_id, symbol FROM genes JOIN gene_info USING (_id)
    UNION SELECT gene_id, gene_name FROM genes JOIN gene_info USING (_id)
    UNION SELECT gene_id, alias_symbol FROM genes JOIN alias USING (_id)
    ORDER BY 1, 2
"""
_LINKS = "SELECT DISTINCT gene_id, pubmed_id FROM genes JOIN pubmed USING (_id) ORDER BY 1, 2"


def read_gene_info(
    path: Path,
    *,
    label: str = "Gene",
    tax_ids: Collection[str] | None = None,
    columns: Sequence[str] = NAME_COLUMNS,
) -> Iterator[Entry]:
    """Read the names of genes, of all organisms or of those in ``tax_ids``.

    The id of an entry is the gene id. A name that stands in several columns is given once.
    """
    lines = Source(path, "").lines()
    _, first = next(lines, (1, ""))
    header = first.lstrip("#").split("\t")
    missing = [name for name in ("tax_id", "GeneID", *columns) if name not in header]
    if missing:
        raise FormatError(
            path, 1, f"the header of a gene_info file was wanted; it lacks {', '.join(missing)}"
        )
    tax, gene = header.index("tax_id"), header.index("GeneID")
    places = [(header.index(name), name in _LISTS) for name in columns]
    for number, line in lines:
        fields = line.split("\t")
        if len(fields) != len(header):
            raise FormatError(path, number, f"{len(header)} columns were wanted, got {len(fields)}")
        if tax_ids is None or fields[tax] in tax_ids:
            for name in _names(fields, places):
                yield Entry(name, fields[gene], label)


def read_gene_database(path: Path, *, label: str = "Gene") -> Iterator[Entry]:
    """Read symbols, full names and synonyms, each once for a gene."""
    for gene, name in _rows(path, _NAMES):
        yield Entry(name.strip(), gene, label)


def read_gene_links(path: Path) -> Iterator[tuple[str, str]]:
    """Read pairs of gene id and PubMed id."""
    yield from _rows(path, _LINKS)


def _names(fields: Sequence[str], places: Sequence[tuple[int, bool]]) -> dict[str, None]:
    """List the distinct names of a line, in order."""
    found: dict[str, None] = {}
    for place, is_list in places:
        value = fields[place]
        for name in value.split("|") if is_list else (value,):
            if name not in _NONE and name != _PLACE_HOLDER:
                found[name.strip()] = None
    return found


def _rows(path: Path, query: str) -> Iterator[tuple[str, str]]:
    """Ask a file that is never written to."""
    if not path.is_file():
        raise FormatError(path, None, "is no file")
    address = f"file:{quote(str(path))}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            _refuse_views(connection)
            n_left = iter(range(STEPS + STEPS_A_BYTE * path.stat().st_size // EVERY))
            connection.set_progress_handler(lambda: next(n_left, None) is None, EVERY)
            for id, value in connection.execute(query):
                yield str(id), str(value)
    except sqlite3.DatabaseError as error:
        raise FormatError(
            path, None, f"a Bioconductor organism database was wanted: {error}"
        ) from error


def _refuse_views(connection: sqlite3.Connection) -> None:
    """Refuse names that stand for a question of the file's own, which may never end."""
    connection.execute("PRAGMA trusted_schema = OFF")
    for name, kind, how in connection.execute("SELECT name, type, sql FROM sqlite_master"):
        if name in _TABLES and (kind != "table" or "virtual" in str(how).lower().split()[:2]):
            raise sqlite3.DatabaseError(f"{name} is no plain table")
