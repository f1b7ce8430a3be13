"""Lists of mentions, as language models and taggers return them, with offsets or without.

    {"id": "1", "mentions": [{"text": "p53", "label": "Gene", "confidence": 0.9, "ids": ["7157"]}]}

JSON Lines, or one JSON array. The list may be called by any name in LISTS and hold strings only, or
be an object of lists by label. Names other tools use for the keys of a mention are in KEYS; what
else is said of a mention becomes an attribute. A mention without a label gets that of the option
``label``, or UNLABELLED, which is noted.

Where mentions are in the text is told by placing.py: by their offsets, or by the option ``locate``.
A mention that is not in the text, one that had to be matched loosely and one with more places than
the list has mentions of it is noted in the ledger, each with its line.

A document without a line was not looked at: a model may have failed there. Files that leave out
documents in which nothing was found are read with ``missing=nothing-found``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from vermeil.document import Document
from vermeil.formats.files.json_records import JsonRecord, probability, records
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source, json_keys
from vermeil.formats.kinds.standoff.placing import LOCATE, Mention, chosen_way, place

CARRIES = frozenset(
    {"spans", "abstention", "labels", "any label", "nested", "confidence", "ids", "attributes"}
)
OPTIONS = {"label": (), "locate": LOCATE, "missing": ("not-looked-at", "nothing-found")}
UNLABELLED = "Name"
IDS = ("id", "doc_id", "document_id", "pmid")
LISTS = ("mentions", "entities", "spans")
KEYS = {
    "text": ("text", "mention", "name", "word", "entity"),
    "label": ("label", "type", "entity_type", "entity_group", "category", "entity"),
    "confidence": ("confidence", "score", "probability"),
    "ids": ("ids", "id", "identifier"),
    "attributes": ("attributes",),
    "start": ("start", "start_offset", "start_char", "begin", "offset"),
    "end": ("end", "end_offset", "end_char", "stop"),
}
OFFSETS = ("start", "end")
MOST_DIGITS = 18

Entry = str | dict[str, Any]


class _Row(msgspec.Struct):
    """The mentions of a document as we write them."""

    id: str
    mentions: list[Mention]


class MentionList(NamedTuple):
    """What was said of a document, and where that stands."""

    record: JsonRecord
    mentions: list[Mention]


def annotate(source: Source, documents: Iterable[Document]) -> Iterator[Document]:
    """Find the mentions of each document in its text and put them on it, as one layer."""
    answers = _answers_by_id(source)
    way = source.options.get("locate") or LOCATE[0]
    is_chosen = way == LOCATE[0]
    if is_chosen:
        way = chosen_way(answer.mentions for answer in answers.values())
    known: set[str] = set()
    for document in documents:
        known.add(document.id)
        answer = answers.get(document.id)
        if answer is not None:
            with answer.record.guard(source):
                document = _with_answer(document, answer, source, way, is_chosen=is_chosen)
        elif source.options.get("missing") == "nothing-found":
            document = document.with_layer(source.annotator, ())
        else:
            what = f"answers: documents that {source.annotator} did not look at"
            source.ledger.note("missing", what, source.where(), detail=document.id)
        yield document
    for id, answer in answers.items():
        if id not in known:
            with answer.record.guard(source):
                raise ValueError(f"the id {id!r} is not among the texts")


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write the mentions of each document in reading order, one document a line."""
    encoder = msgspec.json.Encoder()
    for document in documents:
        for layer in document.layers.values():
            mentions = [
                Mention(
                    document.text[span.start : span.end],
                    span.label,
                    span.confidence,
                    span.ids,
                    span.attributes,
                )
                for span in layer
            ]
            sink.binary.write(encoder.encode(_Row(document.id, mentions)) + b"\n")


def sniff(head: str) -> bool:
    """Tell whether a file that begins like this holds mentions without text and offsets."""
    keys = json_keys(head)
    places = {"text", "start", "start_offset", "offset", "begin", "tokens", "sentence"}
    return bool(keys.intersection(IDS) and keys.intersection(LISTS)) and not keys & places


def _answers_by_id(source: Source) -> dict[str, MentionList]:
    found: dict[str, MentionList] = {}
    for record in records(source):
        with record.guard(source):
            id = str(msgspec.convert(_first(record.fields, IDS, "id"), str | int))
            if id in found:
                earlier = found[id].record
                place = f"line {earlier.line}" if earlier.line else f"record {earlier.number}"
                raise ValueError(f"the id {id!r} is already that of {place}")
            found[id] = MentionList(record, list(_mentions(record, source)))
    return found


def _first(fields: Mapping[str, Any], names: Sequence[str], wanted: str) -> Any:
    for name in names:
        if name in fields:
            return fields[name]
    raise ValueError(f"there is no {wanted!r}; wanted one of {', '.join(names)}")


def _mentions(record: JsonRecord, source: Source) -> Iterator[Mention]:
    listed = _first(record.fields, LISTS, "mentions")
    kinds = list[Entry] | dict[str, list[Entry]]
    by_label = msgspec.convert(listed, kinds)
    if not isinstance(by_label, dict):
        by_label = {"": by_label}
    for label, entries in by_label.items():
        for entry in entries:
            mention = Mention(entry) if isinstance(entry, str) else _mention(entry, record, source)
            if not mention.text.strip() and (mention.start is None or mention.end is None):
                raise ValueError("a mention has no text")
            mention.label = mention.label or label or source.options.get("label")
            if not mention.label:
                mention.label = UNLABELLED
                what = f"mentions without a label {UNLABELLED}; -O label=LABEL says what they are"
                _say(source, record, "called", what, mention.text)
            yield mention


def _mention(entry: dict[str, Any], record: JsonRecord, source: Source) -> Mention:
    rest = dict(entry)
    fields: dict[str, Any] = {}
    for field, names in KEYS.items():
        name = next((name for name in names if rest.get(name) is not None), None)
        if name is not None and (field not in OFFSETS or _is_whole(rest[name])):
            fields[field] = int(rest.pop(name)) if field in OFFSETS else rest.pop(name)
    if "start" in fields and "end" in fields:
        fields.setdefault("text", "")
    mention = msgspec.convert(fields, Mention)
    further = []
    for name, value in rest.items():
        if isinstance(value, (str, int, float)):
            further.append((name, str(value)))
        elif value is not None:
            source.ledger.note(
                "dropped", f"lists and objects under {name!r}", source.where(record.line)
            )
    mention.attributes += tuple(further)
    mention.confidence = probability(mention.confidence, source, record.line)
    return mention


def _is_whole(value: Any) -> bool:
    """Tell whether something is an offset; models write them as strings, too."""
    if isinstance(value, str):
        return value.isascii() and value.isdigit() and len(value) < MOST_DIGITS
    return isinstance(value, int) and not isinstance(value, bool)


def _with_answer(
    document: Document, answer: MentionList, source: Source, way: str, *, is_chosen: bool
) -> Document:
    record = answer.record

    def say(deed: str, what: str, detail: str) -> None:
        _say(source, record, deed, what, detail)

    spans = place(document.text, answer.mentions, source, say, way=way, line=record.line)
    if is_chosen and way == "all" and len(spans) > len(answer.mentions):
        what = "names everywhere they occur, for lists here repeat none (-O locate=in-order)"
        say("placed", what, document.id)
    return document.with_layer(source.annotator, spans)


def _say(source: Source, record: JsonRecord, deed: str, what: str, detail: str) -> None:
    where = source.where(record.line) if record.line else f"{source.path}: record {record.number}"
    source.ledger.note(deed, what, where, detail=detail)
