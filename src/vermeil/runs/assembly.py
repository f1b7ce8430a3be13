"""The documents of all shards as one file, in the order of the shards."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from vermeil.document import Document
from vermeil.formats import read, write
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.sink import open_sink

CHUNK = 1 << 20


def assemble(
    parts: Sequence[Path],
    target: Path,
    *,
    format: str,
    layer: str | None,
    ledger: Ledger,
    options: Mapping[str, str],
) -> None:
    """Write files of JSON Lines as one file of any format, as if they had never been apart.

    Our own lines are copied as they are; for another format the documents are read and written
    one by one, because only all of them show whether it can hold them.
    """
    if format != "jsonl" or layer is not None:
        write(_read(parts), target, format=format, layer=layer, ledger=ledger, options=options)
        return
    with open_sink(target, folder=False, ledger=ledger, options=options) as sink:
        for part in parts:
            with part.open("rb") as stream:
                shutil.copyfileobj(stream, sink.binary, CHUNK)


def _read(parts: Sequence[Path]) -> Iterator[Document]:
    for part in parts:
        yield from read(part, format="jsonl")
