"""Corpora with a file for each document and annotator, as INCEpTION exports projects.

A folder is a corpus: ``DOCUMENT/ANNOTATOR.tsv`` (``annotation/`` and ``curation/`` alike), or files
side by side, which are documents, and annotators of one where all have the same text.
``INITIAL_CAS`` is nobody.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from vermeil.document import Document, Layer
from vermeil.formats.files.members import inside
from vermeil.formats.files.sink import Sink, document_id, file_name
from vermeil.formats.files.source import Source, stem

NOBODY = "INITIAL_CAS"

ReadFile: TypeAlias = Callable[[Source], tuple[str, Layer]]


def read_all(source: Source, suffix: str, read_file: ReadFile) -> Iterator[Document]:
    """Yield the document of a file, or those of a folder."""
    if not source.path.is_dir():
        with source.guard(None, source.path.name):
            text, layer = read_file(source)
            yield Document(id="1", text=text, layers={source.annotator: layer})
        return
    groups: dict[Path, list[Path]] = {}
    for path in inside(source):
        if path.suffix == suffix:
            groups.setdefault(path.parent, []).append(path)
    for folder, paths in sorted(groups.items()):
        yield from _side_by_side(folder, paths, source, read_file)


def write_all(
    documents: Iterable[Document],
    sink: Sink,
    suffix: str,
    content: Callable[[Document, Layer], bytes],
) -> None:
    """Write a folder a document, in it a file a layer."""
    for document in documents:
        folder = sink.file(document.id, "")
        folder.mkdir()
        layers: Mapping[str, Layer] = document.layers or {NOBODY: ()}
        for name, layer in layers.items():
            (folder / f"{file_name(name)}{suffix}").write_bytes(content(document, layer))


def _side_by_side(
    folder: Path, paths: Sequence[Path], source: Source, read_file: ReadFile
) -> Iterator[Document]:
    """Take the files of a folder for annotators where all have one text, else for documents."""
    found: list[tuple[Path, str, Layer]] = []
    for path in paths:
        member = source.member(path)
        with member.guard(None, path.name):
            found.append((path, *read_file(member)))
    is_export = folder != source.path
    if is_export or len({text for _, text, _ in found}) == 1 < len(found):
        layers = {document_id(stem(path)): layer for path, _, layer in found}
        layers.pop(NOBODY, None)
        for path, text, _ in found:
            if text != found[0][1]:
                reason = f"has another text than {found[0][0].name}, of the same document"
                source.member(path).bad(None, path.name, reason)
                layers.pop(document_id(stem(path)), None)
        if found:
            id = document_id(folder.name)
            yield Document(id=id, text=found[0][1], layers=layers)
        return
    for path, text, layer in found:
        yield Document(id=document_id(stem(path)), text=text, layers={source.annotator: layer})
