"""What a format can carry, and what is left of a document once it is cut down to that.

``reduce`` runs before every writer: a writer gets only what it can write, and everything that
had to go is counted in the ledger in one place. So a format's promise is exactly this:
reading what was written gives ``reduce(document)`` back.
"""

import re
from collections.abc import Callable
from typing import Any

import msgspec

from vermeil.document import Document, Layer, Span
from vermeil.formats.files.ledger import Ledger

FEATURES = {
    "text": "the text",
    "line breaks": "line breaks and tabs in it",
    "control": "control characters in it",
    "spans": "spans",
    "layers": "several layers",
    "abstention": "who did not look",
    "labels": "labels",
    "any label": "labels with spaces and punctuation",
    "nested": "overlapping spans",
    "discontinuous": "discontinuous spans",
    "edges": "white space at the edges of spans",
    "confidence": "confidences",
    "ids": "database ids",
    "attributes": "attributes",
    "offsets": "where each span is",
    "title": "a title apart from the abstract",
    "sections": "any sections",
    "plain meta": "metadata that are strings",
    "meta": "any metadata",
    "distributions": "boundary distributions",
    "trees": "parse trees",
}
EVERYTHING = frozenset(FEATURES)

_BREAKS = re.compile("[\t\n\x0b\x0c\r\x1c-\x1e\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # what XML 1.0 refuses
_NOT_PLAIN = re.compile(r"[^\w-]+")
_SPAN_LOSSES: dict[str, tuple[str, object, str]] = {
    "discontinuous": ("fragments", (), "gaps in discontinuous spans"),
    "confidence": ("confidence", None, "confidences"),
    "ids": ("ids", (), "database ids"),
    "attributes": ("attributes", (), "span attributes"),
}
"""For each feature the field of a span that it is, what stands there for nothing, and its name."""


def reduce(
    document: Document,
    carries: frozenset[str],
    ledger: Ledger,
    *,
    label: str = "Gene",
    own: frozenset[str] = frozenset(),
) -> Document:
    """Cut a document down to what a format carries, noting the losses by kind.

    ``label`` is what spans are called in a format without labels, ``own`` are attributes that one
    without attributes has a place for. Several layers are never cut
    down to one here: which one is the user's choice (see ``vermeil.formats.write``).
    """
    if carries >= EVERYTHING:
        return document
    text = document.text

    def replaced(pattern: re.Pattern[str], by: str, what: str) -> str:
        """Replace character by character, so that no offset moves."""
        changed, n = pattern.subn(by, text)
        if n:
            ledger.note("changed", f"{what} in texts", document.id, n=n)
        return changed

    if "text" in carries and "line breaks" not in carries:
        text = replaced(_BREAKS, " ", "line breaks and tabs")
    if "text" in carries and "control" not in carries:
        text = replaced(_CONTROL, "\ufffd", "control characters")
    layers = document.layers
    if layers and "spans" not in carries:
        n_spans = sum(map(len, layers.values()))
        ledger.note("dropped", "spans", document.id, n=n_spans)
        layers = {}
    layers = {
        name: _reduced_layer(layer, document, carries, ledger, label, own)
        for name, layer in layers.items()
    }
    standards, trees = document.standards, document.trees
    if standards and "distributions" not in carries:
        n_centroids = sum(map(len, standards.values()))
        ledger.note("dropped", "centroids with their distributions", document.id, n=n_centroids)
        standards = {}
    if trees and "trees" not in carries:
        ledger.note("dropped", "parse trees", document.id, n=sum(map(len, trees.values())))
        trees = {}
    meta = _reduced_meta(document, carries, ledger)
    return document.replace(text=text, layers=layers, standards=standards, trees=trees, meta=meta)


def trimmed(span: Span, text: str) -> Span | None:
    """Take white space off the edges of a span and its fragments; None where nothing is left."""
    pieces = [piece for piece in (_trim(*piece, text) for piece in span.pieces) if piece]
    if not pieces:
        return None
    if tuple(pieces) == span.pieces:
        return span
    return span.moved(pieces)


def _reduced_layer(
    layer: Layer,
    document: Document,
    carries: frozenset[str],
    ledger: Ledger,
    label: str,
    own: frozenset[str],
) -> Layer:
    for feature, (field, nothing, what) in _SPAN_LOSSES.items():
        if feature in carries:
            continue
        if feature == "attributes" and own:
            layer = _with_attributes(layer, own, document.id, ledger)
            continue
        n_lost = sum(getattr(span, field) != nothing for span in layer)
        if n_lost:
            ledger.note("dropped", what, document.id, n=n_lost)
            layer = tuple(msgspec.structs.replace(span, **{field: nothing}) for span in layer)
    if "labels" not in carries:
        layer = _relabelled(layer, lambda _: label, "labels", document.id, ledger)
    elif "any label" not in carries:
        layer = _relabelled(layer, _plain, "labels to plain ones", document.id, ledger)
    if "edges" not in carries:
        layer = _trimmed_layer(layer, document, ledger)
    return layer


def is_share(value: str) -> bool:
    """Tell whether a string spells a number from 0 to 1, as a confidence is."""
    try:
        return 0 <= float(value) <= 1
    except ValueError:
        return False


def title_sections(title: str, text: str) -> list[dict[str, Any]]:
    """List the sections of a text that is a title, one space and the abstract.

    >>> title_sections("On p53", "On p53 It binds.")[1]
    {'start': 7, 'end': 16, 'kind': 'abstract'}
    """
    return [
        {"start": 0, "end": len(title), "kind": "title"},
        {"start": len(title) + 1, "end": len(text), "kind": "abstract"},
    ]


def title_end(document: Document) -> int | None:
    """Find the end of the title where the sections are a title, one space and the abstract."""
    match document.meta.get("sections"):
        case [
            {"start": 0, "end": int(end), "kind": "title", **_first},
            {"start": int(start), "end": int(last), "kind": "abstract", **_second},
        ] if not _first and not _second:
            apart = start == end + 1 and last == len(document.text) and end > 0 and start < last
            return end if apart and document.text[end] == " " else None
    return None


def _reduced_meta(document: Document, carries: frozenset[str], ledger: Ledger) -> dict[str, object]:
    meta = dict(document.meta)
    keeps_title = "title" in carries and title_end(document) is not None
    if "sections" in meta and "sections" not in carries and not keeps_title:
        sections = meta.pop("sections")
        n_sections = len(sections) if isinstance(sections, list) else 1
        ledger.note("dropped", "section boundaries", document.id, n=n_sections)
    if "meta" in carries:
        return meta
    kept = {
        key: value
        for key, value in meta.items()
        if key == "sections" or ("plain meta" in carries and isinstance(value, str))
    }
    if len(kept) < len(meta):
        ledger.note("dropped", "metadata entries", document.id, n=len(meta) - len(kept))
    return kept


def _with_attributes(layer: Layer, own: frozenset[str], id: str, ledger: Ledger) -> Layer:
    """Keep the attributes that a format has a place for."""
    kept = [tuple(pair for pair in span.attributes if pair[0] in own) for span in layer]
    n_lost = sum(len(span.attributes) > len(pairs) for span, pairs in zip(layer, kept, strict=True))
    if not n_lost:
        return layer
    ledger.note("dropped", "span attributes", id, n=n_lost)
    return tuple(
        msgspec.structs.replace(span, attributes=pairs)
        for span, pairs in zip(layer, kept, strict=True)
    )


def _relabelled(
    layer: Layer, rename: Callable[[str], str], what: str, id: str, ledger: Ledger
) -> Layer:
    changed = [span for span in layer if rename(span.label) != span.label]
    if not changed:
        return layer
    ledger.note("changed", what, id, n=len(changed), detail=changed[0].label)
    return tuple(msgspec.structs.replace(span, label=rename(span.label)) for span in layer)


def _trimmed_layer(layer: Layer, document: Document, ledger: Ledger) -> Layer:
    kept: list[Span] = []
    for span in layer:
        smaller = trimmed(span, document.text)
        if smaller is None:
            ledger.note("dropped", "spans of only white space", document.id)
            continue
        if smaller is not span:
            ledger.note("changed", "spans with white space at an edge", document.id)
        kept.append(smaller)
    return tuple(kept)


def _plain(label: str) -> str:
    return _NOT_PLAIN.sub("_", label)


def _trim(start: int, end: int, text: str) -> tuple[int, int] | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
