"""Lists of mentions without offsets, as language models return them.

    {"id": "1", "mentions": [{"text": "p53", "label": "Gene", "confidence": 0.9, "ids": ["7157"]}]}

JSON Lines, or one JSON array. The list may be called by any name in LISTS and hold strings only
(labelled by the option ``label``), or be an object of lists by label. Names other tools use for the
keys of a mention are in KEYS; whatever else is said of a mention becomes an attribute.

Mentions are looked for in the text as mention_search.py does. The option ``locate`` says which of
several equally good places is meant:

* ``in-order`` (default): the first one after the end of the mention before, or else the first one
  in the text; never the same place twice for the same string.
* ``first``: the first one.
* ``all``: every one.

A mention that is not in the text, one that had to be matched loosely and one with more places than
the list has mentions of it is noted in the ledger, each with its line.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from vermeil.document import Document, Span
from vermeil.formats.files.json_records import JsonRecord, probability, records
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source, json_keys
from vermeil.formats.kinds.standoff.mention_search import MentionPlace, MentionSearch, folded

CARRIES = frozenset({"spans", "labels", "any label", "nested", "confidence", "ids", "attributes"})
OPTIONS = {"label": (), "locate": ("in-order", "first", "all")}
DEFAULT_LABEL = "Gene"
IDS = ("id", "doc_id", "document_id", "pmid")
LISTS = ("mentions", "entities", "spans")
KEYS = {
    "text": ("text", "mention", "name", "word", "entity"),
    "label": ("label", "type", "entity_type", "entity_group", "category", "entity"),
    "confidence": ("confidence", "score", "probability"),
    "ids": ("ids", "id", "identifier"),
    "attributes": ("attributes",),
}

Entry = str | dict[str, Any]


class _Mention(msgspec.Struct, omit_defaults=True):
    """A mention as we write it."""

    text: str
    label: str | None = None
    confidence: float | None = None
    ids: str | int | tuple[str | int, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()


class _Row(msgspec.Struct):
    """The mentions of a document as we write them."""

    id: str
    mentions: list[_Mention]


def annotate(source: Source, documents: Iterable[Document]) -> Iterator[Document]:
    """Find the mentions of each document in its text and put them on it, as one layer."""
    waiting = _records_by_id(source)
    known: set[str] = set()
    for document in documents:
        known.add(document.id)
        spans: list[Span] = []
        if document.id in waiting:
            record, mentions = waiting[document.id]
            with record.guard(source):
                spans = _located(document.text, mentions, record, source)
        yield document.with_layer(source.annotator, spans)
    for id, (record, _) in waiting.items():
        if id not in known:
            with record.guard(source):
                raise ValueError(f"the id {id!r} is not among the texts")


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write the mentions of each document in reading order, one document a line."""
    encoder = msgspec.json.Encoder()
    for document in documents:
        for layer in document.layers.values():
            mentions = [
                _Mention(
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


def _records_by_id(source: Source) -> dict[str, tuple[JsonRecord, list[_Mention]]]:
    found: dict[str, tuple[JsonRecord, list[_Mention]]] = {}
    for record in records(source):
        with record.guard(source):
            id = str(msgspec.convert(_first(record.fields, IDS, "id"), str | int))
            if id in found:
                earlier = found[id][0]
                place = f"line {earlier.line}" if earlier.line else f"record {earlier.number}"
                raise ValueError(f"the id {id!r} is already that of {place}")
            found[id] = record, list(_mentions(record, source))
    return found


def _first(fields: Mapping[str, Any], names: Sequence[str], wanted: str) -> Any:
    for name in names:
        if name in fields:
            return fields[name]
    raise ValueError(f"there is no {wanted!r}; wanted one of {', '.join(names)}")


def _mentions(record: JsonRecord, source: Source) -> Iterator[_Mention]:
    listed = _first(record.fields, LISTS, "mentions")
    kinds = list[Entry] | dict[str, list[Entry]]
    by_label = msgspec.convert(listed, kinds)
    if not isinstance(by_label, dict):
        by_label = {"": by_label}
    for label, entries in by_label.items():
        for entry in entries:
            mention = _Mention(entry) if isinstance(entry, str) else _mention(entry, record, source)
            if not mention.text.strip():
                raise ValueError("a mention has no text")
            mention.label = mention.label or label or source.options.get("label") or DEFAULT_LABEL
            yield mention


def _mention(entry: dict[str, Any], record: JsonRecord, source: Source) -> _Mention:
    rest = dict(entry)
    fields: dict[str, Any] = {}
    for field, names in KEYS.items():
        name = next((name for name in names if rest.get(name) is not None), None)
        if name is not None:
            fields[field] = rest.pop(name)
    mention = msgspec.convert(fields, _Mention)
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


def _located(
    text: str, mentions: Sequence[_Mention], record: JsonRecord, source: Source
) -> list[Span]:
    search = MentionSearch(text)
    how = source.options.get("locate") or "in-order"
    n_mentions = Counter(_key(mention.text) for mention in mentions)
    used: set[tuple[str, int, int]] = set()
    spans: list[Span] = []
    end = 0
    for mention in mentions:
        key, places = _key(mention.text), search.places(mention.text)
        taken = places if how == "all" else places[:1]
        if how == "in-order":
            left = [place for place in places if (key, place.start, place.end) not in used]
            taken = [place for place in left if place.start >= end][:1] or left[:1]
        used.update((key, place.start, place.end) for place in taken)
        _note(mention.text, places, taken, record, source)
        if how != "all" and len(places) > n_mentions[key]:
            _say(source, record, "guessed", "places of ambiguous mentions", mention.text)
        spans.extend(_span(mention, place) for place in taken)
        end = taken[-1].end if taken else end
    return list(dict.fromkeys(spans))


def _note(
    mention: str,
    places: Sequence[MentionPlace],
    taken: Sequence[MentionPlace],
    record: JsonRecord,
    source: Source,
) -> None:
    if not places:
        _say(source, record, "dropped", "mentions that are not in the text", mention)
    elif not taken:
        _say(source, record, "dropped", "mentions repeated more often than in the text", mention)
    elif taken[0].ignoring:
        what = f"mentions matched ignoring {taken[0].ignoring}"
        _say(source, record, "changed", what, mention)


def _say(source: Source, record: JsonRecord, deed: str, what: str, detail: str) -> None:
    where = source.where(record.line) if record.line else f"{source.path}: record {record.number}"
    source.ledger.note(deed, what, where, detail=detail)


def _key(text: str) -> str:
    """Spell a mention so that those that can match the same places are the same."""
    return folded("".join(text.split()))


def _span(mention: _Mention, place: MentionPlace) -> Span:
    ids = mention.ids if isinstance(mention.ids, tuple) else (mention.ids,)
    return Span(
        place.start,
        place.end,
        mention.label or DEFAULT_LABEL,
        mention.confidence,
        ids=tuple(map(str, ids)),
        attributes=mention.attributes,
    )
