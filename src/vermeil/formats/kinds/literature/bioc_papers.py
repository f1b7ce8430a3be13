"""Documents as papers of the ``bioc`` library, which writes BioC XML and JSON."""

from collections.abc import Iterable
from contextlib import closing
from typing import Any

import bioc
import msgspec
from bioc.biocjson import toJSON
from bioc.biocxml import BioCXMLDocumentWriter

from vermeil.document import Document, Span
from vermeil.errors import UsageError
from vermeil.formats.files.sink import Sink
from vermeil.formats.kinds.literature.bioc_passages import RESERVED, as_json
from vermeil.formats.kinds.literature.pubtator import join_ids

_HEAD = b'{"bioctype":"BioCCollection","source":"vermeil","date":"","key":"","version":"1.0"'


def write_xml(documents: Iterable[Document], sink: Sink) -> None:
    """Write a collection, one document after the other."""
    collection = bioc.BioCCollection()
    collection.source, collection.date, collection.key = "vermeil", "", ""
    with closing(BioCXMLDocumentWriter(sink.binary, encoding="UTF-8")) as writer:
        writer.write_collection_info(collection)
        for document in documents:
            paper = _paper(document, sink)
            try:
                writer.write_document(paper)
            except ValueError as error:
                raise UsageError(f"XML cannot hold document {document.id!r}: {error}") from error


def write_json(documents: Iterable[Document], sink: Sink) -> None:
    """Write a collection with one document a line."""
    sink.binary.write(_HEAD + b',"infons":{},"documents":[')
    for number, document in enumerate(documents):
        sink.binary.write(b",\n" if number else b"\n")
        sink.binary.write(msgspec.json.encode(toJSON(_paper(document, sink))))
    sink.binary.write(b"\n]}\n")


def _paper(document: Document, sink: Sink) -> Any:
    """Make a document of the bioc library, one passage a section."""
    paper = bioc.BioCDocument()
    paper.id = document.id
    tiles = _tiles(document)
    infons = {key: value for key, value in document.meta.items() if key != "sections"}
    if "sections" in document.meta and not any(kind for _, _, kind in tiles):
        infons["sections"] = as_json(document.meta["sections"])
    if "annotators" in infons:
        sink.ledger.note("dropped", "metadata called annotators", document.id)
    paper.infons = infons | {"annotators": as_json(list(document.layers))}
    for start, end, kind in tiles:
        passage = bioc.BioCPassage.of_text(document.text[start:end], start)
        passage.infons = {"type": kind} if kind else {}
        paper.add_passage(passage)
    number = 0
    for annotator, layer in document.layers.items():
        for span in layer:
            number += 1
            annotation = _annotation(span, annotator, document.text, f"T{number}")
            homes = [
                passage
                for passage, (start, end, _) in zip(paper.passages, tiles, strict=True)
                if start <= span.start and span.end <= end
            ]
            (homes or [paper])[0].add_annotation(annotation)
    return paper


def _tiles(document: Document) -> list[tuple[int, int, str]]:
    """Cut the text at its sections; stretches between them have no kind.

    A single space between two sections is left out, as is usual in BioC: it is the gap. Where
    sections overlap or say more than their kind, the text stays whole.
    """
    text, place = document.text, 0
    whole = [(0, len(text), "")]
    sections = document.meta.get("sections")
    tiles: list[tuple[int, int, str]] = []
    for section in sections if isinstance(sections, list) else []:
        match section:
            case {"start": int(start), "end": int(end), "kind": str(kind), **others} if (
                kind and not others and place <= start < end <= len(text)
            ):
                if text[place:start] not in ("", " "):
                    tiles.append((place, start, ""))
                tiles.append((start, end, kind))
                place = end
            case _:
                return whole
    return [*tiles, (place, len(text), "")] if place < len(text) else tiles or whole


def _annotation(span: Span, annotator: str, text: str, id: str) -> Any:
    annotation = bioc.BioCAnnotation()
    annotation.id = id
    annotation.text = text[span.start : span.end]
    annotation.infons = {"type": span.label, "annotator": annotator}
    if span.ids:
        annotation.infons["identifier"] = join_ids(span.ids)
    if span.confidence is not None:
        annotation.infons["confidence"] = repr(span.confidence)
    own = dict(span.attributes)
    if len(own) < len(span.attributes) or any(name.lower() in RESERVED for name in own):
        own = {"attributes": as_json(span.attributes)}
    annotation.infons |= own
    for start, end in span.pieces:
        annotation.add_location(bioc.BioCLocation(start, end - start))
    return annotation
