"""Vermeil's own format for people and pipes: one JSON object a line, nothing left out.

``{"id", "text", "layers": {annotator: [span, …]}, "standards", "trees", "meta"}``; the schema is
in docs/formats.md. Trees are Penn brackets, null for a parse failure. Keys that hold nothing are
left out; unknown keys are errors, because a misspelt one would lose data. Lines that other tools
wrote are brought to the schema where they can be (``foreign_rows``).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from vermeil.document import Checked, Decoded, Document, Layer, Standard
from vermeil.formats.files.features import EVERYTHING
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source, json_keys
from vermeil.tree import Tree

CARRIES = EVERYTHING


class DocumentRow(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A document as JSON holds it."""

    id: str
    text: str
    layers: dict[str, Layer] = {}
    standards: dict[str, Standard] = {}
    trees: dict[str, tuple[str | None, ...]] = {}
    meta: dict[str, Any] = {}


ERRORS = (msgspec.MsgspecError, ValueError, RecursionError)
"""What a line that is no document may cause."""

_DECODER = msgspec.json.Decoder(DocumentRow)


def read(source: Source) -> Iterator[Document]:
    """Yield one document a line; blank lines are passed over."""
    if source.in_columns:
        from vermeil.formats.kinds.own import jsonl_columns

        yield from jsonl_columns.documents(source)
        return
    for number, raw in source.raw_lines():
        if raw.isspace():
            continue
        document = document_in(number, raw, source)
        if document is not None:
            yield document


def document_in(number: int, raw: bytes, source: Source) -> Document | None:
    """Make the document of a line; deal with one that holds none."""
    try:
        return from_row(_DECODER.decode(raw))
    except ERRORS as error:
        document = _foreign_document(raw)
        if document is None:
            source.bad(number, raw, f"not a document: {error}{_way_out(raw)}")
        return document


def _foreign_document(raw: bytes) -> Document | None:
    """Make the document of a line that another tool wrote; None where it cannot be told."""
    from vermeil.formats.kinds.own.foreign_rows import brought_to_schema

    try:
        fields = brought_to_schema(msgspec.json.decode(raw))
        return from_row(msgspec.convert(fields, DocumentRow))
    except ERRORS:
        return None


def _way_out(raw: bytes) -> str:
    """Say how documents that are laid out otherwise become lines."""
    line = raw.strip()
    if line.startswith(b"["):
        return "; one document a line is wanted, not a list: jq -c '.[]' LIST > LINES.jsonl"
    if line.startswith(b"{") and line.endswith((b"{", b"[", b",")):
        return "; one document a line is wanted, not several lines: jq -c . FILE > LINES.jsonl"
    return ""


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write one document a line."""
    encoder = msgspec.json.Encoder()
    buffer = bytearray()
    for document in documents:
        encoder.encode_into(to_row(document), buffer)
        buffer += b"\n"
        sink.binary.write(buffer)


def spelt(document: Document) -> bytes:
    """Return a document as its line would be."""
    return msgspec.json.encode(to_row(document))


def from_row(row: DocumentRow) -> Document:
    """Make the document, checked."""
    return Document(
        id=row.id,
        text=row.text,
        layers=Decoded(row.layers),
        standards=row.standards,
        trees=parsed_trees(row.trees),
        meta=row.meta,
    )


def parsed_trees(
    trees: Mapping[str, tuple[str | None, ...]],
) -> dict[str, tuple[Tree | None, ...]]:
    """Parse the trees of every parser."""
    return {
        parser: tuple(None if tree is None else Tree.parse(tree) for tree in each)
        for parser, each in trees.items()
    }


def to_row(document: Document) -> DocumentRow:
    """Take a document apart for writing."""
    return DocumentRow(
        id=document.id,
        text=document.text,
        layers=_encoded(document.layers),
        standards=_encoded(document.standards),
        trees={
            parser: tuple(None if tree is None else str(tree) for tree in trees)
            for parser, trees in document.trees.items()
        }
        if document.trees
        else {},
        meta=dict(document.meta),
    )


def _encoded(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is encoded as layers or standards are; columns need not be made into objects."""
    if type(said) is dict:
        return said
    return said.records() if isinstance(said, Checked) else dict(said)


def sniff(head: str) -> bool:
    """Tell whether a file that begins like this is ours."""
    keys = json_keys(head)
    return {"id", "text"} <= keys <= set(DocumentRow.__struct_fields__)
