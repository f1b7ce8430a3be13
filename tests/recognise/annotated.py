"""Documents with names in them, for the tests of recognisers."""

import json
import re
from pathlib import Path

from vermeil import Document, Span


def marked(id: str, text: str) -> Document:
    """Make a document of a text in which ``[C:name]`` is a name with the label C, by gold."""
    plain, spans = "", []
    for part in re.split(r"(\[\w+:[^\]]+\])", text):
        if part.startswith("["):
            label, _, name = part[1:-1].partition(":")
            spans.append(Span(len(plain), len(plain) + len(name), label))
            part = name
        plain += part
    return Document(id=id, text=plain, layers={"gold": tuple(spans)})


def read_chemicals(path: Path) -> list[Document]:
    """Read a file of the corpora's folder ``chem``."""
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        Document(
            id=row["id"],
            text=row["text"],
            layers={"gold": tuple(Span(*entity) for entity in row["ents"])},
        )
        for row in rows
    ]
