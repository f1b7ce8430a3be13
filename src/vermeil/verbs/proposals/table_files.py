"""Tables of proposals as files: tab-separated, or JSON where the name ends so."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from vermeil.formats.files.replacement import replacing

JOINED = " | "
"""What stands between several values of one cell."""


def as_lines(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Write rows under a heading, separated by tabs.

    >>> as_lines(["id", "names"], [{"id": "672", "names": ["BRCA1", "RNF53"]}])
    'id\\tnames\\n672\\tBRCA1 | RNF53\\n'
    """
    lines = ["\t".join(columns)]
    lines += ["\t".join(_cell(row[name]) for name in columns) for row in rows]
    return "\n".join([*lines, ""])


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Store rows; the file appears when it is complete."""
    if path.suffix == ".json":
        content = msgspec.json.format(msgspec.json.encode(list(rows)), indent=1) + b"\n"
    else:
        content = as_lines(columns, rows).encode()
    with replacing(path) as stream:
        stream.write(content)


def _cell(value: Any) -> str:
    whole = JOINED.join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return " ".join(whole.split())
