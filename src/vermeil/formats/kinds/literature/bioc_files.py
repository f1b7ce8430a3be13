"""BioC files, XML and JSON (https://bioc.sourceforge.net; Comeau et al., Database 2013).

How passages, annotations and infons are understood is in ``bioc_passages``. XML streams, and so
does JSON with one document a line; a JSON collection is one value and is read whole. An array of
collections, as NCBI's BioC service gives, and the exports of PubTator 3 are read too. Infons of
the collection are counted as dropped; its source, date and key are not kept.

We write through the ``bioc`` library but read with parsers of our own: the library's expand
entities, keep the whole file in memory and end in KeyErrors without a line. A span across passages
is written as an annotation of the document, which the library reads though the DTD lacks it.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from vermeil.document import Document
from vermeil.formats.files.features import EVERYTHING
from vermeil.formats.files.json_records import records
from vermeil.formats.files.safe_xml import Element, local_name, release, walk
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source, json_keys
from vermeil.formats.kinds.literature.bioc_passages import to_document

CARRIES_JSON = EVERYTHING - {"meta", "distributions", "trees"}
CARRIES_XML = CARRIES_JSON - {"control"}

_PLURALS = {
    name: name + "s" for name in ("passage", "sentence", "annotation", "relation", "location")
}


def read_xml(source: Source) -> Iterator[Document]:
    """Yield the documents of a collection one by one."""
    root: Element = None
    for event, element in walk(source, "collection", "document"):
        if root is None and local_name(element) != "collection":
            raise source.error(element.sourceline, "wanted <collection> around <document>")
        root = element if root is None else root
        if event == "end" and element.getparent() is root:
            _note_infons(len(list(element.itersiblings("{*}infon", preceding=True))), source)
            with source.guard(element.sourceline, element.findtext("{*}id") or ""):
                yield to_document(_fields(element), source)
            release(element)
    if root is None:
        raise source.error(None, "wanted a BioC <collection>, and found none")


def read_json(source: Source) -> Iterator[Document]:
    """Yield the documents of a collection, of an array of collections, or of lines."""
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
                yield to_document(paper, source)


def write_xml(documents: Iterable[Document], sink: Sink) -> None:
    """Write a collection, one document after the other."""
    from vermeil.formats.kinds.literature import bioc_papers

    bioc_papers.write_xml(documents, sink)


def write_json(documents: Iterable[Document], sink: Sink) -> None:
    """Write a collection with one document a line."""
    from vermeil.formats.kinds.literature import bioc_papers

    bioc_papers.write_json(documents, sink)


def sniff_xml(head: str) -> bool:
    """Tell whether a file that begins like this is BioC XML."""
    return "<collection" in head and ("<source" in head or "<document" in head)


def sniff_json(head: str) -> bool:
    """Tell whether a file that begins like this is BioC JSON."""
    keys = json_keys(head)
    return bool(keys & {"bioctype", "PubTator3", "passages"}) or {"documents", "source"} <= keys


def _note_infons(n: int, source: Source) -> None:
    if n:
        source.ledger.note("dropped", "infons of the collection", source.where(), n=n)


def _fields(element: Element) -> dict[str, Any]:
    """Give an element as BioC's JSON has it."""
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
