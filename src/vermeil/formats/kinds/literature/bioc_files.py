"""BioC files, XML and JSON (https://bioc.sourceforge.net; Comeau et al., Database 2013).

How passages, annotations and infons are understood is in ``bioc_passages``. XML streams, and so
does JSON with one document a line; a JSON collection is one value and is read whole. An array of
collections, as NCBI's BioC service gives, and the exports of PubTator 3 are read too. Infons of
the collection are counted as dropped; its source, date and key are metadata of every document
(``bioc source``, …), and those of the first document are the collection's when we write.

We write through the ``bioc`` library, loaded where it is needed, but read with parsers of our own:
the library's expand entities, keep the whole file in memory and end in KeyErrors without a line. A
span across passages is written as an annotation of the document, which the library reads though
the DTD lacks it.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from itertools import chain, count
from typing import Any

import msgspec

from vermeil.document import Document, Span
from vermeil.errors import UsageError
from vermeil.formats.files.doctor import NAMES
from vermeil.formats.files.features import EVERYTHING
from vermeil.formats.files.json_records import records
from vermeil.formats.files.safe_xml import Element, local_name, release, walk
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source, json_keys
from vermeil.formats.kinds.literature.bioc_passages import (
    DATABASES,
    RESERVED,
    as_json,
    ids_in,
    is_odd,
    to_document,
)
from vermeil.formats.kinds.literature.pubtator import IDENTIFIER, join_ids

CARRIES_JSON = EVERYTHING - {"meta", "distributions", "trees"}
CARRIES_XML = CARRIES_JSON - {"control"}

OURS = {"source": "vermeil", "date": "", "key": ""}
"""What we say of a collection that says nothing of itself."""

OPTIONS = {**NAMES, "label": ()}

_PLURALS = {
    name: name + "s" for name in ("passage", "sentence", "annotation", "relation", "location")
}


def read_xml(source: Source) -> Iterator[Document]:
    """Yield the documents of a collection one by one."""
    root: Element = None
    numbers = count(1)
    for event, element in walk(source, "collection", "document"):
        if root is None and local_name(element) != "collection":
            raise source.error(element.sourceline, "wanted <collection> around <document>")
        root = element if root is None else root
        if event == "end" and element.getparent() is root:
            _note_infons(len(list(element.itersiblings("{*}infon", preceding=True))), source)
            with source.guard(element.sourceline, element.findtext("{*}id") or ""):
                yield _of(_told(_plain(root)), to_document(_fields(element), source, next(numbers)))
            release(element)
    if root is None:
        raise source.error(None, "wanted a BioC <collection>, and found none")


def read_json(source: Source) -> Iterator[Document]:
    """Yield the documents of a collection, of an array of collections, or of lines."""
    numbers = count(1)
    for record in records(source):
        fields = record.fields
        papers = fields.get("documents", fields.get("PubTator3"))
        if papers is None and "passages" in fields:
            papers = [fields]
        elif isinstance(fields.get("infons"), dict):
            _note_infons(len(fields["infons"]), source)
        if not isinstance(papers, list):
            source.bad(record.line, record.raw, "wanted a list of documents, or passages")
            continue
        for number, paper in enumerate(papers, start=1):
            with source.guard(record.line, f"document {number}"):
                yield _of(_told(fields), to_document(paper, source, next(numbers)))


def write_xml(documents: Iterable[Document], sink: Sink) -> None:
    """Write a collection, one document after the other."""
    from bioc import BioCCollection
    from bioc.biocxml import BioCXMLDocumentWriter

    collection = BioCCollection()
    said, documents = _first_said(documents)
    collection.source, collection.date, collection.key = said["source"], said["date"], said["key"]
    with closing(BioCXMLDocumentWriter(sink.binary, encoding="UTF-8")) as writer:
        writer.write_collection_info(collection)
        for document in documents:
            paper = _paper(_without(document, said), sink)
            try:
                writer.write_document(paper)
            except ValueError as error:
                raise UsageError(f"XML cannot hold document {document.id!r}: {error}") from error


def write_json(documents: Iterable[Document], sink: Sink) -> None:
    """Write a collection with one document a line."""
    from bioc.biocjson import toJSON

    said, documents = _first_said(documents)
    head = {"bioctype": "BioCCollection", **said, "version": "1.0", "infons": {}}
    sink.binary.write(msgspec.json.encode(head)[:-1] + b',"documents":[')
    for number, document in enumerate(documents):
        sink.binary.write(b",\n" if number else b"\n")
        sink.binary.write(msgspec.json.encode(toJSON(_paper(_without(document, said), sink))))
    sink.binary.write(b"\n]}\n")


def sniff_xml(head: str) -> bool:
    """Tell whether a file that begins like this is BioC XML."""
    is_bioc = "<collection" in head and ("<source" in head or "<document" in head)
    return is_bioc and head.lstrip().startswith("<")


def sniff_json(head: str) -> bool:
    """Tell whether a file that begins like this is BioC JSON."""
    keys = json_keys(head)
    return bool(keys & {"bioctype", "PubTator3", "passages"}) or {"documents", "source"} <= keys


def _plain(root: Element) -> dict[str, object]:
    """Read what a collection says of itself before its first document."""
    return {name: root.findtext(f"{{*}}{name}") or "" for name in OURS}


def _told(fields: Mapping[str, Any]) -> dict[str, str]:
    """Name what a collection says of itself as metadata; nothing where it is ours."""
    said = {name: fields.get(name) for name in OURS}
    if said == OURS:
        return {}
    return {
        f"bioc {name}": value for name, value in said.items() if value and isinstance(value, str)
    }


def _of(told: Mapping[str, str], document: Document) -> Document:
    return document.replace(meta={**told, **document.meta}) if told else document


def _first_said(documents: Iterable[Document]) -> tuple[dict[str, str], Iterator[Document]]:
    """Let the first document say what the collection says; pass all of them on."""
    stream = iter(documents)
    first = next(stream, None)
    if first is None:
        return dict(OURS), stream
    said = {name: str(first.meta.get(f"bioc {name}", "")) for name in OURS}
    return (said if any(said.values()) else dict(OURS)), chain([first], stream)


def _without(document: Document, said: Mapping[str, str]) -> Document:
    """Leave out of a document what the collection says."""
    told = {f"bioc {name}": value for name, value in said.items()}
    meta = {key: value for key, value in document.meta.items() if told.get(key) != value}
    return document.replace(meta=meta) if len(meta) < len(document.meta) else document


def _note_infons(n: int, source: Source) -> None:
    if n:
        source.ledger.note("dropped", "infons of the collection", source.where(), n=n)


def _fields(element: Element) -> dict[str, Any]:
    """Spell an element as BioC's JSON has it."""
    fields: dict[str, Any] = dict(element.attrib) | {"infons": {}}
    for child in element:
        name = local_name(child)
        if name in _PLURALS:
            fields.setdefault(_PLURALS[name], []).append(_fields(child))
        elif len(child):
            raise ValueError(f"<{local_name(child[0])}> inside <{name}>, where text was wanted")
        elif name == "infon":
            fields["infons"][child.get("key")] = child.text or ""
        else:
            fields[name] = child.text or ""
    return fields


def _paper(document: Document, sink: Sink) -> Any:
    """Make a document of the bioc library, one passage a section."""
    from bioc import BioCDocument, BioCPassage

    paper = BioCDocument()
    paper.id = document.id
    tiles = _tiles(document)
    infons = {key: value for key, value in document.meta.items() if key != "sections"}
    if "sections" in document.meta and not any(kind for _, _, kind in tiles):
        infons["sections"] = as_json(document.meta["sections"])
    if "annotators" in infons:
        sink.ledger.note("dropped", "metadata called annotators", document.id)
    paper.infons = infons | {"annotators": as_json(list(document.layers))}
    for start, end, kind in tiles:
        passage = BioCPassage.of_text(document.text[start:end], start)
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


def _own_infons(span: Span) -> dict[str, str] | None:
    """Spell ids and attributes as the infons they were read from; None where that says otherwise.

    Attributes called like a database repeat some of the ids; those before them need an infon.
    """
    own = dict(span.attributes)
    placed = {name for name in own if name.lower() in DATABASES or name.lower() == IDENTIFIER}
    told = [id for name, value in own.items() if name in placed for id in ids_in(name, value)]
    first = span.ids[: max(0, len(span.ids) - len(told))]
    is_whole = len(own) == len(span.attributes) and (*first, *told) == span.ids
    if not is_whole or any(name.lower() in RESERVED for name in own.keys() - placed):
        return None
    if IDENTIFIER in own and (first or not is_odd(own[IDENTIFIER])):
        return None
    return ({IDENTIFIER: join_ids(first)} if first else {}) | own


def _annotation(span: Span, annotator: str, text: str, id: str) -> Any:
    from bioc import BioCAnnotation, BioCLocation

    annotation = BioCAnnotation()
    annotation.id = id
    annotation.text = text[span.start : span.end]
    annotation.infons = {"type": span.label, "annotator": annotator}
    if span.confidence is not None:
        annotation.infons["confidence"] = repr(span.confidence)
    own = _own_infons(span)
    if own is None:
        own = {IDENTIFIER: join_ids(span.ids)} if span.ids else {}
        own |= {"attributes": as_json(span.attributes)}
    annotation.infons |= own
    for start, end in span.pieces:
        annotation.add_location(BioCLocation(start, end - start))
    return annotation
