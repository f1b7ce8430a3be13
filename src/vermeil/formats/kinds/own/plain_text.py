"""Plain text, as files or as lines; no annotation.

``text``: a ``.txt`` file is one document, called like the file; a folder holds many, and folders
inside it become part of the id, as in ``train/PMID-1``. Every character counts, line ends included.

``lines``: each line is one document, called by its number; an empty line is an empty document.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from vermeil.document import Document
from vermeil.formats.files.members import inside
from vermeil.formats.files.sink import Sink, document_id
from vermeil.formats.files.source import COMPRESSED, Source, stem

SUFFIX = ".txt"
CARRIES = frozenset({"text", "line breaks", "control"})
CARRIES_LINES = CARRIES - {"line breaks"}

_BOM = "\ufeff"


def read(source: Source) -> Iterator[Document]:
    """Yield the document of a file, or those of the ``.txt`` files of a folder by name."""
    if not source.path.is_dir():
        yield from _read_file(source, document_id(stem(source.path)))
        return
    first: dict[str, Path] = {}
    for path in _members(source):
        folders = path.relative_to(source.path).parent.parts
        id = "/".join([*folders, document_id(stem(path))])
        if id in first:
            source.member(path).bad(None, path.name, f"{first[id]} has the same id")
            continue
        first[id] = path
        yield from _read_file(source.member(path), id)


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write each document to its own file in a folder."""
    for document in documents:
        sink.file(document.id, SUFFIX).write_bytes(_protected(document.text).encode())


def read_lines(source: Source) -> Iterator[Document]:
    """Yield one document a line."""
    for number, line in source.lines():
        with source.guard(number, line):
            yield Document(id=str(number), text=line)


def write_lines(documents: Iterable[Document], sink: Sink) -> None:
    """Write one text a line; ids other than the line number are lost and counted."""
    with sink.text() as stream:
        for number, document in enumerate(documents, start=1):
            if document.id != str(number):
                sink.ledger.note("dropped", "document ids", document.id)
            stream.write(_protected(document.text) if number == 1 else document.text)
            stream.write("\n")


def _read_file(source: Source, id: str) -> Iterator[Document]:
    with source.guard(None, id):
        yield Document(id=id, text=source.text())


def _members(source: Source) -> list[Path]:
    paths = inside(source)
    members = [path for path in paths if _is_text(path.name)]
    if paths and not members:
        raise source.error(None, f"there is no {SUFFIX} file in this folder")
    return members


def _is_text(name: str) -> bool:
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    return name.endswith(SUFFIX)


def _protected(text: str) -> str:
    """Put a byte order mark before a text that begins with that character, so that it stays."""
    return _BOM + text if text.startswith(_BOM) else text
