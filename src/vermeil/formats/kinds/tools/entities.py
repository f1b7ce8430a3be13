"""Texts with entities by offset, as models and their training data have them in JSON.

A record is an object or, as for spaCy, a pair of text and object; a file has one a line, or an
array of them:

- ``{"text", "entities": [{"start", "end", "label", "score"}]}``, as GLiNER and many services
  answer; ``entity_group``, ``entity``, ``entity_type`` or ``type`` will do for the label,
  ``word`` or ``text`` for what is marked;
- ``["text", {"entities": [[0, 5, "Gene"]]}]``, the training data of spaCy 2 and 3;
- ``{"tokenized_text": ["IL-2", "binds"], "ner": [[0, 0, "Gene"]]}``, the training data of GLiNER,
  by tokens of which the last is included; the text is the tokens with spaces between.

Other keys of a record are metadata, other keys of an entity attributes. A record without a list of
entities is a text nobody looked at. Writing: the first of these shapes, one record a line.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from vermeil.document import Document, Layer, Span
from vermeil.formats.files.doctor import NAMES, Claim, settle
from vermeil.formats.files.json_records import JsonRecord, probability, records
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source, first_value
from vermeil.formats.kinds.tokens.token_rows import lay_out

OPTIONS = {**NAMES, "label": ()}
CARRIES = frozenset(
    {"text", "line breaks", "control", "spans", "abstention", "labels", "any label", "nested"}
    | {"edges", "offsets", "confidence", "title", "sections", "plain meta", "meta"}
)
NAMELESS = "Name"
"""The label of what has none, unless the option ``label`` says otherwise."""

_LABELS = ("label", "entity_group", "entity", "entity_type", "type")
_STARTS, _ENDS = ("start", "begin", "start_char"), ("end", "stop", "end_char")
_MARKED = ("word", "text", "surface", "mention")
_SCORES = ("score", "confidence", "probability")
_FIELDS = ("id", "text", "entities", "tokenized_text", "ner", "meta")
_NO_LABEL = frozenset({"index"})


def read(source: Source) -> Iterator[Document]:
    """Yield one document a record."""
    for record in records(source, pair=_from_pair):
        with record.guard(source):
            yield _document(record, source)


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write one record a line."""
    encode = msgspec.json.Encoder().encode
    for document in documents:
        row: dict[str, Any] = {"id": document.id, "text": document.text}
        for layer in document.layers.values():
            row["entities"] = [_entity(span, document.text) for span in layer]
        if document.meta:
            row["meta"] = dict(document.meta)
        sink.binary.write(encode(row) + b"\n")


def sniff(head: str) -> bool:
    """Tell whether a file begins with a text and entities by ``start`` and ``end``."""
    value = first_value(head)
    if isinstance(value, list):
        return _from_pair(value) is not None
    if not isinstance(value, dict):
        return False
    if "tokenized_text" in value:
        return "ner" in value
    given = value.get("entities")
    if not isinstance(value.get("text"), str) or not isinstance(given, list):
        return False
    if not given:
        return not value.keys() & {"relations", "label", "labels"}
    return any(_is_placed(each) for each in given)


def _is_placed(entity: object) -> bool:
    if isinstance(entity, list):
        return len(entity) >= 3 and all(isinstance(each, int) for each in entity[:2])
    return isinstance(entity, dict) and any(key in entity for key in _STARTS)


def _from_pair(item: object) -> dict[str, Any] | None:
    """Take a pair of text and object for one object."""
    match item:
        case [str(text), dict(said)] if "entities" in said or not said:
            return {**said, "text": text}
    return None


def _document(record: JsonRecord, source: Source) -> Document:
    fields = record.fields
    id = fields.get("id")
    meta = {key: value for key, value in fields.items() if key not in _FIELDS}
    if "tokenized_text" in fields:
        tokens = msgspec.convert(fields["tokenized_text"], list[str])
        text, [places] = lay_out([tokens])
        entities = [
            {"start": places[first][0], "end": places[last][1], "label": label}
            for first, last, label in msgspec.convert(fields.get("ner"), list[tuple[int, int, str]])
            if _within(first, last, len(places))
        ]
        layers = {source.annotator: _layer(text, entities, record, source)}
    else:
        text = msgspec.convert(fields.get("text"), str)
        given = msgspec.convert(fields.get("entities"), list[Any] | None)
        layers = {} if given is None else {source.annotator: _layer(text, given, record, source)}
    own = fields.get("meta")
    return Document(
        id=str(record.number) if id is None else str(msgspec.convert(id, str | int)),
        text=text,
        layers=layers,
        meta={**meta, **own} if isinstance(own, dict) else meta,
    )


def _within(first: int, last: int, n: int) -> bool:
    if not 0 <= first <= last < n:
        raise ValueError(f"tokens {first} to {last} of {n}")
    return True


def _layer(text: str, entities: list[Any], record: JsonRecord, source: Source) -> Layer:
    told = [_told(each) for each in entities]
    claims = [
        Claim(
            ((_number(each, _STARTS), _number(each, _ENDS)),), _string(each, _MARKED), record.line
        )
        for each in told
    ]
    return tuple(
        _span(start, end, each, record, source)
        for each, ((start, end),) in zip(told, settle(text, claims, source), strict=True)
    )


def _told(entity: object) -> dict[str, Any]:
    if isinstance(entity, list) and len(entity) in (3, 4):
        return dict(zip(("start", "end", "label", "score"), entity, strict=False))
    return msgspec.convert(entity, dict[str, Any])


def _number(entity: Mapping[str, Any], names: tuple[str, ...]) -> int:
    for name in names:
        if name in entity:
            return msgspec.convert(entity[name], int)
    raise ValueError(f"no {names[0]!r} in {dict(entity)!r:.60}")


def _string(entity: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((entity[name] for name in names if isinstance(entity.get(name), str)), None)


def _span(
    start: int, end: int, entity: Mapping[str, Any], record: JsonRecord, source: Source
) -> Span:
    label = _string(entity, _LABELS)
    if label is None:
        label = source.options["label"] or NAMELESS
        source.ledger.note(
            "changed", f"spans without a label to {label}", source.where(record.line)
        )
    score = next((entity[name] for name in _SCORES if name in entity), None)
    used = {*_STARTS, *_ENDS, *_SCORES, *_LABELS, *_MARKED, *_NO_LABEL}
    attributes = tuple(
        (key, value if isinstance(value, str) else msgspec.json.encode(value).decode())
        for key, value in entity.items()
        if key not in used and value is not None
    )
    confidence = probability(msgspec.convert(score, float | None), source, record.line)
    return Span(start, end, label, confidence, attributes=attributes)


def _entity(span: Span, text: str) -> dict[str, Any]:
    entity: dict[str, Any] = {"start": span.start, "end": span.end, "label": span.label}
    entity["text"] = span.marked(text)
    if span.confidence is not None:
        entity["score"] = span.confidence
    return entity
