"""Prodigy's JSON Lines: a row for each text each annotator answered.

``{"text", "spans": [{"start", "end", "label", …}], "answer", "meta", "_annotator_id", …}``, offsets
in code points; https://prodi.gy/docs/api-interfaces. The annotator is ``_annotator_id``, else
``_session_id``, else the file. A row that was accepted, or that has spans and no answer yet, is a
layer; ``ignore`` means that the annotator did not look, and so does ``reject``, which only says
that the spans shown are wrong. Neighbouring rows of one ``id`` and text by different annotators
make one document; with ``merge=all`` rows that stand apart do too, and the file is read whole.
Rows of one annotator on the same ``id``, as binary questions leave them, add up to one layer. Keys
that are not Prodigy's own join the metadata; a span's ``score`` is its confidence. A span whose
``text`` is stale is kept and noted where its offsets are those of tokens; ``names`` says otherwise.

Writing: a row for each layer, accepted; one row to ignore for a document nobody looked at.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from vermeil.document import Document, Layer, Span
from vermeil.formats.files.doctor import NAMES, Claim, settle
from vermeil.formats.files.json_records import JsonRecord, probability, records
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source, json_keys

OPTIONS = {"merge": ("neighbours", "all"), "names": ("auto", *NAMES["names"])}
CARRIES = frozenset(
    {"text", "line breaks", "control", "spans", "layers", "abstention", "labels", "any label"}
    | {"nested", "edges", "confidence", "offsets", "title", "sections", "plain meta", "meta"}
)


class _Token(msgspec.Struct):
    """Where a token is."""

    start: int
    end: int


class _SpanRow(msgspec.Struct, omit_defaults=True):
    """A span as Prodigy has it."""

    start: int
    end: int
    label: str
    text: str | None = None
    score: float | None = None


class _Row(msgspec.Struct, omit_defaults=True, kw_only=True):
    """A line of the file."""

    id: str | int | None = None
    text: str
    spans: list[_SpanRow] | None = None
    answer: str | None = None
    tokens: list[_Token] = []
    meta: dict[str, Any] = {}
    annotator_id: str | int | None = msgspec.field(default=None, name="_annotator_id")
    session_id: str | int | None = msgspec.field(default=None, name="_session_id")


class _Look(NamedTuple):
    """One annotator's look at one text; None for the layer of one who did not look."""

    record: JsonRecord
    id: str | None
    text: str
    annotator: str
    layer: Layer | None
    meta: dict[str, Any]


_LOST = ("relations", "options", "accept")
_KNOWN = frozenset({"id", "text", "spans", "answer", "meta", "tokens", "path", *_LOST})


def read(source: Source) -> Iterator[Document]:
    """Yield a document for the rows that belong to it."""
    looks = _looks(source)
    if source.options["merge"] == "all":
        buckets: dict[object, list[_Look]] = {}
        for look in looks:
            buckets.setdefault((look.id, look.text), []).append(look)
        looks = chain.from_iterable(buckets.values())
    seen: set[int] = set()
    for number, group in enumerate(_groups(looks), start=1):
        record, id, text = group[0][:3]
        if hash((id, text)) in seen:
            note = "texts that come again later (merge=all joins them)"
            source.ledger.note("left apart", note, source.where(record.line))
        seen.add(hash((id, text)))
        with record.guard(source):
            meta = {key: value for look in group for key, value in look.meta.items()}
            layers = _joined(group, source)
            yield Document(id=id or str(number), text=text, layers=layers, meta=meta)


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write a row for each layer."""
    encode = msgspec.json.Encoder().encode
    for document in documents:
        same: dict[str, Any] = {"id": document.id, "text": document.text, "meta": document.meta}
        rows = [
            _Row(
                **same,
                spans=[_SpanRow(s.start, s.end, s.label, score=s.confidence) for s in layer],
                answer="accept",
                annotator_id=annotator,
            )
            for annotator, layer in document.layers.items()
        ]
        for row in rows or [_Row(**same, spans=[], answer="ignore")]:
            sink.binary.write(encode(row) + b"\n")


def sniff(head: str) -> bool:
    """Tell whether a file begins with a text and an answer or spans."""
    keys = json_keys(head)
    answered = keys & {"spans", "answer", "_input_hash", "_task_hash", "_annotator_id"}
    return bool("text" in keys and answered and not keys & {"data", "document_id", "passages"})


def _looks(source: Source) -> Iterator[_Look]:
    for record in records(source):
        with record.guard(source):
            yield _look(record, source)


def _look(record: JsonRecord, source: Source) -> _Look:
    row = msgspec.convert(record.fields, _Row)
    where = source.where(record.line)
    record.note_lost(_LOST, source)
    layer: Layer | None = None
    if row.answer == "accept" or (row.answer is None and row.spans is not None):
        layer = _layer(row, record.line, source)
    elif row.answer is not None:
        source.ledger.note("passed over", f"answers {row.answer!r}", where)
    own = {key: value for key, value in record.fields.items() if _is_metadata(key)}
    return _Look(
        record,
        id=None if row.id is None else str(row.id),
        text=row.text,
        annotator=str(row.annotator_id or row.session_id or source.annotator),
        layer=layer,
        meta={**own, **row.meta},
    )


def _is_metadata(key: str) -> bool:
    return key not in _KNOWN and not key.startswith("_")


def _layer(row: _Row, line: int | None, source: Source) -> Layer:
    spans = row.spans or []
    claims = [Claim(((span.start, span.end),), span.text, line) for span in spans]
    if source.options["names"] == "auto":
        mode = "note" if spans and _at_edges(row) else "check"
        source = replace(source, options={**source.options, "names": mode})
    return tuple(
        Span(start, end, span.label, probability(span.score, source, line))
        for span, ((start, end),) in zip(spans, settle(row.text, claims, source), strict=True)
    )


def _at_edges(row: _Row) -> bool:
    """Tell whether all spans begin and end where tokens do, so that a text of theirs is stale."""
    starts = {token.start for token in row.tokens}
    ends = {token.end for token in row.tokens}
    return all(span.start in starts and span.end in ends for span in row.spans or ())


def _groups(looks: Iterable[_Look]) -> Iterator[list[_Look]]:
    group: list[_Look] = []
    for look in looks:
        if group and not _belongs(look, group):
            yield group
            group = []
        group.append(look)
    if group:
        yield group


def _belongs(look: _Look, group: Sequence[_Look]) -> bool:
    """Tell whether a row goes on with a document; an id, if there is one, is proof enough."""
    first = group[0]
    if (look.id, look.text) != (first.id, first.text):
        return False
    return look.id is not None or all(look.annotator != other.annotator for other in group)


def _joined(group: Sequence[_Look], source: Source) -> dict[str, Layer]:
    layers: dict[str, Layer] = {}
    for look in group:
        if look.layer is None:
            continue
        before = layers.get(look.annotator)
        if before is not None:
            where = source.where(look.record.line)
            source.ledger.note("joined", "rows of one annotator on one text", where)
        added = tuple(span for span in look.layer if before is None or span not in before)
        layers[look.annotator] = (before or ()) + added
    return layers
