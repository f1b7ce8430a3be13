"""Inline XML: running text in which an element marks a name and its tag is the label.

    <documents>
    <document id="1" annotators="anna ben">the <Gene annotator="anna" ids="P04637">p53</Gene> …
    </documents>

``annotators`` are those who looked; an element says whose it is where there are several. Further
attributes: ``confidence``, ``ids``, and whatever else is known of the span. A label that is no
XML name stands in ``<span label="cell line">``. Attributes that are no XML attributes stand in
``attributes`` as JSON. Spans that cross others or have gaps are cut into pieces (see markup.py).

Foreign files are read too: any root with running text, or a list of ``document``, ``doc``,
``article`` or ``text`` elements. Every element inside is a span labelled by its tag. The tags in
GENERIC take their label from an attribute, and ``<e id="UniProt:P04637:T116:PRGE">``, as the CALBC
corpora have it, from the fourth field of its first id.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import msgspec

from vermeil.document import Document, Span
from vermeil.formats.files.safe_xml import is_name
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source
from vermeil.formats.kinds.inline.markup import (
    Mark,
    MarkedDocument,
    by_annotator,
    documents,
    packed,
    read_marks,
    unpacked,
    write_documents,
)

CARRIES = frozenset(
    {
        "text",
        "line breaks",
        "spans",
        "layers",
        "abstention",
        "labels",
        "any label",
        "nested",
        "discontinuous",
        "edges",
        "confidence",
        "ids",
        "attributes",
        "offsets",
    }
)
ROOT = "documents"
GENERIC = frozenset({"span", "e", "entity", "annotation", "mention", "ne", "term", "cons"})
LABELLING = ("label", "type", "sem", "class", "category")

_OWN = frozenset({"annotator", "confidence", "ids", "id", "part", "attributes"})
_BEGINNING = re.compile(rf"\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<{ROOT}[\s/>]", re.DOTALL)

Pairs = tuple[tuple[str, str], ...]


def read(source: Source) -> Iterator[Document]:
    """Yield the documents of a file, or the one document that it is."""
    for id, element in documents(source, ROOT):
        with source.guard(element.sourceline, id):
            text, marks = read_marks(element)
            make = partial(_span, source=source)
            yield Document(
                id=id, text=text, layers=by_annotator(element, marks, source.annotator, make)
            )


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write documents with their layers."""
    with sink.text() as stream:
        write_documents(map(_marked, documents), ROOT, stream)


def sniff(head: str) -> bool:
    """Tell whether a file that begins like this is a list of documents as we write it."""
    return _BEGINNING.match(head) is not None


def _marked(document: Document) -> MarkedDocument:
    annotators = list(document.layers)
    marks = [
        _mark(span, annotator if len(annotators) > 1 else None)
        for annotator, layer in document.layers.items()
        for span in layer
    ]
    return MarkedDocument(document.id, document.text, annotators, marks)


def _mark(span: Span, annotator: str | None) -> Mark:
    is_tag = is_name(span.label) and span.label not in GENERIC
    attributes = {} if is_tag else {"label": span.label}
    if annotator is not None:
        attributes["annotator"] = annotator
    if span.confidence is not None:
        attributes["confidence"] = repr(span.confidence)
    if span.ids:
        attributes["ids"] = packed(span.ids)
    taken = _OWN if is_tag else _OWN.union(LABELLING)
    if _are_plain(span.attributes, taken):
        attributes.update(span.attributes)
    else:
        attributes["attributes"] = msgspec.json.encode(span.attributes).decode()
    return Mark(span.pieces, span.label if is_tag else "span", attributes)


def _are_plain(pairs: Pairs, taken: frozenset[str]) -> bool:
    names = [name for name, _ in pairs]
    return len(set(names)) == len(names) and all(is_name(n) and n not in taken for n in names)


def _span(mark: Mark, source: Source) -> Span:
    rest = dict(mark.attributes)
    rest.pop("annotator", None)
    ids = _ids(rest)
    confidence = _confidence(rest)
    label = _label(mark.tag, rest, ids)
    pairs = _pairs(rest)
    try:
        return Span.over(mark.pieces, label, confidence, ids=ids, attributes=pairs)
    except ValueError as error:
        raise source.error(mark.line, str(error)) from None


def _ids(rest: dict[str, str]) -> tuple[str, ...]:
    """Take the ids: ours as packed, others' as a list with bars or spaces between."""
    if "ids" in rest:
        return unpacked(rest.pop("ids"))
    return tuple(rest.pop("id", "").replace("|", " ").split())


def _confidence(rest: dict[str, str]) -> float | None:
    """Take the confidence; what is no number stays an attribute."""
    try:
        confidence = float(rest.get("confidence", ""))
    except ValueError:
        return None
    del rest["confidence"]
    return confidence


def _label(tag: str, rest: dict[str, str], ids: Sequence[str]) -> str:
    if tag not in GENERIC:
        return tag
    for name in LABELLING:
        if rest.get(name):
            return rest.pop(name)
    fields = ids[0].split(":") if ids else []
    return fields[3] if tag == "e" and len(fields) > 3 and fields[3] else tag


def _pairs(rest: dict[str, str]) -> Pairs:
    odd: Pairs = ()
    if rest.get("attributes", "").startswith("["):
        try:
            odd = msgspec.json.decode(rest["attributes"], type=Pairs)
            del rest["attributes"]
        except msgspec.MsgspecError:
            pass
    return (*rest.items(), *odd)
