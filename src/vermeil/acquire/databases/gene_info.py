"""Entrez Gene's ``gene_info``: a line a gene, columns named in the first line, ``-`` for none."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from vermeil.acquire.databases.entry import Entry
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


def _names(fields: Sequence[str], places: Sequence[tuple[int, bool]]) -> dict[str, None]:
    """Give the distinct names of a line, in order."""
    found: dict[str, None] = {}
    for place, is_list in places:
        value = fields[place]
        for name in value.split("|") if is_list else (value,):
            if name not in _NONE and name != _PLACE_HOLDER:
                found[name.strip()] = None
    return found
