"""Label Studio's JSON: an array of tasks, or one task a line.

``{"data": {"text"}, "annotations": [{"completed_by", "result"}], "predictions": [{"model_version",
"result"}]}``, a result being ``{"type": "labels", "value": {"start", "end", "text", "labels"}}``;
https://labelstud.io/guide/export. The flat JSON-MIN is read too. An annotation is the layer of its
``completed_by`` (their e-mail, or their number), a prediction that of its ``model_version``, and
the ``score`` of a region its confidence. A cancelled annotation means that the annotator did not
look. The option ``text-key`` names the text among the data where it is not called ``text`` and not
the only string; other data join the metadata.

Label Studio counts code points since version 1.4 and counted UTF-16 code units before, and in
some versions of 2024; where regions repeat their text, whichever fits is taken. The option
``unit`` decides where they do not, and in which unit we write.

Writing: a layer with confidences is a prediction, any other an annotation; the document's id is in
``data.id`` and its metadata in ``meta``.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from vermeil.document import Document, Layer, Span
from vermeil.formats.files.doctor import NAMES, Claim, settle
from vermeil.formats.files.json_records import JsonRecord, probability, records
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source, json_keys
from vermeil.text.alignment import from_code_points

OPTIONS = {**NAMES, "text-key": (), "unit": ("code-points", "utf-16")}
CARRIES = frozenset(
    {"text", "line breaks", "control", "spans", "layers", "abstention", "labels", "any label"}
    | {"nested", "edges", "confidence", "offsets", "title", "sections", "plain meta", "meta"}
)

_UNITS = {"code-points": "code points", "utf-16": "UTF-16 code units"}


class _Region(msgspec.Struct, omit_defaults=True):
    """The value of a result that marks text."""

    start: int
    end: int
    text: str | None = None
    labels: list[str] = []


class _Result(msgspec.Struct, omit_defaults=True):
    """One thing an annotator said: a region, a choice, a relation, …"""

    id: str | int | None = None
    from_name: str | None = None
    to_name: str | None = None
    type: str = ""
    value: dict[str, Any] = {}
    score: float | None = None


class _Person(msgspec.Struct):
    """An annotator as some exports describe them."""

    id: int | str | None = None
    email: str | None = None


class _Annotation(msgspec.Struct, omit_defaults=True, kw_only=True):
    """All that one annotator or model said of a task."""

    result: list[_Result] = []
    completed_by: int | str | _Person | None = None
    model_version: str | None = None
    was_cancelled: bool | None = False
    score: float | None = None


class _Task(msgspec.Struct, kw_only=True):
    """A text with what was said of it; exports may refer to predictions by number."""

    id: int | str | None = None
    data: dict[str, Any]
    annotations: list[_Annotation] = []
    completions: list[_Annotation] = []
    predictions: list[_Annotation | int] = []
    meta: dict[str, Any] | None = None


class _Flat(msgspec.Struct):
    """What is known of a row of JSON-MIN besides the names of its text and its regions."""

    id: int | str | None = None
    annotator: int | str | _Person | None = None


class _Mark(NamedTuple):
    region: _Region
    confidence: float | None = None


_FLAT_KEYS = {"id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time"}


def read(source: Source) -> Iterator[Document]:
    """Yield a document for each task; rows of JSON-MIN for one task are put together."""
    pending: Document | None = None
    for document in _documents(source):
        if pending and _goes_on(pending, document):
            pending = pending.replace(layers={**pending.layers, **document.layers})
            continue
        if pending:
            yield pending
        pending = document
    if pending:
        yield pending


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write an array with one task a line."""
    encode = msgspec.json.Encoder().encode
    before = b"[\n"
    for document in documents:
        sink.binary.write(before + encode(_task(document, sink)))
        before = b",\n"
    sink.binary.write(b"\n]\n" if before == b",\n" else b"[]\n")


def sniff(head: str) -> bool:
    """Tell whether a file begins with a task; its data may come after much annotation."""
    keys = json_keys(head)
    known = {"data", "annotations", "completions", "predictions"}
    return len(keys & known) > 1 or bool("annotation_id" in keys and keys & {"annotator", "id"})


def _documents(source: Source) -> Iterator[Document]:
    for record in records(source):
        with record.guard(source):
            yield (_from_task if "data" in record.fields else _from_flat)(record, source)


def _goes_on(first: Document, second: Document) -> bool:
    same = (first.id, first.text, first.meta) == (second.id, second.text, second.meta)
    return same and first.layers.keys().isdisjoint(second.layers)


def _from_task(record: JsonRecord, source: Source) -> Document:
    task = msgspec.convert(record.fields, _Task)
    marks: dict[str, list[_Mark]] = {}
    for annotation in (*task.annotations, *task.completions, *task.predictions):
        if isinstance(annotation, int):
            source.ledger.note("passed over", "predictions without content", _where(record, source))
        elif annotation.was_cancelled:
            source.ledger.note("passed over", "cancelled annotations", _where(record, source))
        else:
            by = annotation.completed_by
            name = _name(annotation.model_version if by is None else by, source)
            fresh = _fresh(name, marks)
            if fresh != name:
                source.ledger.note("renamed", "repeated annotations", _where(record, source))
            marks[fresh] = list(_marks(annotation, record, source))
    data = dict(task.data)
    text = _take_text(data, source)
    id = data.pop("id", task.id)
    layers = _layers(text, marks, record, source)
    return Document(
        id=_id(id, record), text=text, layers=layers, meta={**data, **(task.meta or {})}
    )


def _from_flat(record: JsonRecord, source: Source) -> Document:
    row = msgspec.convert(record.fields, _Flat)
    data = {key: value for key, value in record.fields.items() if key not in _FLAT_KEYS}
    text = _take_text(data, source)
    regions = [
        _Mark(msgspec.convert(item, _Region, strict=False))
        for key in [key for key, value in data.items() if _is_regions(value)]
        for item in data.pop(key)
    ]
    layers = _layers(text, {_name(row.annotator, source): regions}, record, source)
    return Document(id=_id(row.id, record), text=text, layers=layers, meta=data)


def _is_regions(value: object) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and item.keys() >= {"start", "end"} for item in value)
    )


def _take_text(data: dict[str, Any], source: Source) -> str:
    key = source.options["text-key"] or "text"
    if not source.options["text-key"] and key not in data:
        strings = [name for name, value in data.items() if isinstance(value, str)]
        key = strings[0] if len(strings) == 1 else key
    if not isinstance(data.get(key), str):
        found = ", ".join(map(repr, data))
        raise ValueError(f"no text {key!r} among {found}; say which it is with text-key=NAME")
    return str(data.pop(key))


def _id(id: object, record: JsonRecord) -> str:
    return str(record.number) if id is None or id == "" else str(id)


def _name(by: int | str | _Person | None, source: Source) -> str:
    if isinstance(by, _Person):
        by = by.email or by.id
    return source.annotator if by is None or by == "" else str(by)


def _fresh(name: str, taken: Container[str]) -> str:
    fresh, n = name, 1
    while fresh in taken:
        n += 1
        fresh = f"{name}#{n}"
    return fresh


def _where(record: JsonRecord, source: Source) -> str:
    return source.where(record.line) if record.line else f"{source.where()}: task {record.number}"


def _marks(annotation: _Annotation, record: JsonRecord, source: Source) -> Iterator[_Mark]:
    if annotation.score is not None and any(item.score is None for item in annotation.result):
        source.ledger.note("dropped", "scores of whole predictions", _where(record, source))
    for item in annotation.result:
        if item.type != "labels":
            note = f"results of the type {item.type!r}"
            source.ledger.note("dropped", note, _where(record, source))
            continue
        region = msgspec.convert(item.value, _Region, strict=False)
        if not region.labels:
            source.ledger.note("dropped", "regions without a label", _where(record, source))
        yield _Mark(region, probability(item.score, source, record.line))


def _layers(
    text: str, marks: Mapping[str, Sequence[_Mark]], record: JsonRecord, source: Source
) -> dict[str, Layer]:
    claims = [
        Claim(((mark.region.start, mark.region.end),), _marked(mark.region, text), record.line)
        for regions in marks.values()
        for mark in regions
    ]
    settled = iter(settle(text, claims, source, natural=_UNITS[source.options["unit"]]))
    layers: dict[str, Layer] = {}
    for name, regions in marks.items():
        spans: list[Span] = []
        for mark in regions:
            ((start, end),) = next(settled)
            spans.extend(Span(start, end, to, mark.confidence) for to in mark.region.labels)
        layers[name] = tuple(spans)
    return layers


def _marked(region: _Region, text: str) -> str | None:
    r"""Find the text a region repeats; some versions spell line breaks in it as ``\n``."""
    if region.text is not None and "\\n" not in text:
        return region.text.replace("\\n", "\n")
    return region.text


def _task(document: Document, sink: Sink) -> dict[str, Any]:
    annotations: list[_Annotation] = []
    predictions: list[_Annotation] = []
    for name, layer in document.layers.items():
        result = [_result(span, at, document.text, sink) for at, span in enumerate(layer, start=1)]
        if any(span.confidence is not None for span in layer):
            predictions.append(_Annotation(model_version=name, result=result))
        else:
            annotations.append(_Annotation(completed_by=name, result=result))
    key = sink.options["text-key"] or "text"
    return {
        "annotations": annotations,
        "predictions": predictions,
        "data": {key: document.text, "id": document.id},
        "meta": dict(document.meta),
    }


def _result(span: Span, number: int, text: str, sink: Sink) -> _Result:
    start, end = span.start, span.end
    if sink.options["unit"] == "utf-16" and not text.isascii():
        start, end = from_code_points(text, (start, end), "utf-16")
    region = _Region(start, end, span.marked(text), [span.label])
    value = msgspec.to_builtins(region)
    return _Result(
        id=str(number),
        from_name="label",
        to_name="text",
        type="labels",
        value=value,
        score=span.confidence,
    )
