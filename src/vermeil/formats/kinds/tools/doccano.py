"""doccano's JSON Lines: a text and what one annotator marked in it.

Reading: spans are in ``label``, ``labels`` or ``ents`` as ``[start, end, label]``, or in
``entities`` as ``{"start_offset", "end_offset", "label"}`` beside ``relations``, as projects with
relations export them; the oldest exports have ``annotations`` like that with the number of their
``user``, whose layer they become. ``data`` will do for ``text``. Any other column is metadata. A
row without any list of spans (or with null) is a text nobody looked at.

Writing: ``{"id", "text", "label": [[start, end, label], …]}`` and the metadata as columns. doccano
exports a file per annotator, so a file holds one layer. Offsets count code points.

https://doccano.github.io/doccano/tutorial/
"""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from vermeil.document import Document, Span
from vermeil.formats.files.doctor import Claim, settle
from vermeil.formats.files.json_records import JsonRecord, records
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source, json_keys

CARRIES = frozenset(
    {"text", "line breaks", "control", "spans", "abstention", "labels", "any label", "nested"}
    | {"edges", "offsets", "title", "sections", "plain meta", "meta"}
)


class _Entity(msgspec.Struct):
    """A span as projects with relations have it."""

    start_offset: int
    end_offset: int
    label: str | int
    user: str | int | None = None


class _Row(msgspec.Struct):
    """A line of the file, but for its metadata."""

    id: str | int | None = None
    text: str | None = None
    data: str | None = None
    label: list[tuple[int, int, str]] | None = None
    labels: list[tuple[int, int, str]] | None = None
    ents: list[tuple[int, int, str]] | None = None
    entities: list[_Entity] | None = None
    annotations: list[_Entity] | None = None
    meta: dict[str, Any] | None = None


_LOST = ("relations", "Comments", "comments", "cats", "annotation_approver")
_FIELDS = frozenset((*_Row.__struct_fields__, *_LOST))


def read(source: Source) -> Iterator[Document]:
    """Yield one document a line."""
    for record in records(source):
        with record.guard(source):
            yield _document(record, source)


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write one document a line."""
    encode = msgspec.json.Encoder().encode
    for document in documents:
        label = None
        for layer in document.layers.values():
            label = [(span.start, span.end, span.label) for span in layer]
        row: dict[str, Any] = {"id": document.id, "text": document.text, "label": label}
        nested = {key: value for key, value in document.meta.items() if key in _FIELDS}
        row |= {key: value for key, value in document.meta.items() if key not in nested}
        if nested:
            row["meta"] = nested
        sink.binary.write(encode(row) + b"\n")


def sniff(head: str) -> bool:
    """Tell whether a file begins with a text and a list of labels or entities."""
    keys = json_keys(head)
    texts, lists = keys & {"text", "data"}, keys & {"label", "labels", "ents", "entities"}
    others = {"tokens", "words", "spans", "answer", "predictions", "annotation_id", "lead_time"}
    if lists == {"entities"} and '"start_offset"' not in head and "relations" not in keys:
        return False
    return bool(texts and (lists or "annotation_approver" in keys) and not keys & others)


def _document(record: JsonRecord, source: Source) -> Document:
    row = msgspec.convert(record.fields, _Row)
    text = row.data if row.text is None else row.text
    if text is None:
        raise ValueError(f"no 'text' among {', '.join(map(repr, record.fields))}")
    record.note_lost(_LOST, source)
    extra = {key: value for key, value in record.fields.items() if key not in _FIELDS}
    return Document(
        id=str(record.number) if row.id is None else str(row.id),
        text=text,
        layers=_layers(row, text, record.line, source),
        meta={**extra, **(row.meta or {})},
    )


def _layers(row: _Row, text: str, line: int | None, source: Source) -> dict[str, tuple[Span, ...]]:
    lists = [row.label, row.labels, row.ents, row.entities, row.annotations]
    if all(marked is None for marked in lists):
        return {}
    entities = [
        _Entity(*item) if isinstance(item, tuple) else item
        for marked in lists
        for item in marked or ()
    ]
    claims = [Claim(((item.start_offset, item.end_offset),), None, line) for item in entities]
    layers: dict[str, tuple[Span, ...]] = {}
    for item, ((start, end),) in zip(entities, settle(text, claims, source), strict=True):
        name = source.annotator if item.user is None else str(item.user)
        layers[name] = (*layers.get(name, ()), Span(start, end, str(item.label)))
    return layers or {source.annotator: ()}
