"""Rows of JSON read as a format of JSON Lines."""

import json
from pathlib import Path
from typing import Any

from vermeil import Document
from vermeil.formats import Ledger, read


def load_rows(
    folder: Path,
    *rows: Any,
    format: str,
    annotator: str,
    ledger: Ledger | None = None,
    **options: str,
) -> list[Document]:
    """Write rows to a file, one a line, and read them."""
    path = folder / "file.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return list(read(path, format=format, annotator=annotator, ledger=ledger, options=options))
