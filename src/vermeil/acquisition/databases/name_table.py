"""Names in a plain table: lines of id, name and label, parted by tabs."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from vermeil.acquisition.lexicon.compilation import Entry
from vermeil.errors import FormatError
from vermeil.formats.files.source import Source

COLUMNS = {"id": 0, "name": 1, "label": 2}
"""Where the columns stand in a file that does not name them."""


def read_name_table(path: Path, *, label: str = "Name") -> Iterator[Entry]:
    """Read a table; ``label`` serves the lines that have none.

    A first line that names the columns ``id`` and ``name`` may put them in any order. Blank lines
    and lines that begin with ``#`` are skipped.
    """
    columns: Mapping[str, int] = COLUMNS
    is_first = True
    for number, line in Source(path, "").lines():
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("\t")]
        if is_first and {"id", "name"} <= set(fields):
            columns = {name: place for place, name in enumerate(fields)}
        else:
            yield _entry(path, number, fields, columns, label)
        is_first = False


def _entry(
    path: Path, number: int, fields: Sequence[str], columns: Mapping[str, int], label: str
) -> Entry:
    id_at, name_at = columns["id"], columns["name"]
    if len(fields) <= max(id_at, name_at) or not fields[id_at]:
        found = "\t".join(fields)[:40]
        raise FormatError(path, number, f"an id, a tab and a name were wanted, got {found!r}")
    at = columns.get("label", len(fields))
    own = fields[at] if at < len(fields) else ""
    return Entry(fields[name_at], fields[id_at], own or label)
