"""Lists of mentions, as taggers and language models return them, with offsets or without.

    {"id": "1", "mentions": [{"text": "p53", "label": "Gene", "confidence": 0.9, "ids": ["7157"]}]}

JSON Lines, or one JSON array. The list may be called by any name in LISTS; what it may hold, and
which documents were looked at, is told in mention_lists.py. Where mentions are in the text is told
by placing.py: by their offsets, or by the option ``locate``. A mention that is not in the text, one
that had to be matched loosely and one with more places than the list has mentions of it is noted in
the ledger, each with its line.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from vermeil.document import Document
from vermeil.formats.files.json_records import records
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source, json_keys
from vermeil.formats.kinds.standoff import mention_lists
from vermeil.formats.kinds.standoff.mention_lists import Mentioned, MentionList, mentions_in
from vermeil.formats.kinds.standoff.placing import Mention

CARRIES = frozenset(
    {"spans", "abstention", "labels", "any label", "nested", "confidence", "ids", "attributes"}
)
OPTIONS = mention_lists.OPTIONS
IDS = ("id", "doc_id", "document_id", "pmid")
LISTS = ("mentions", "entities", "spans")


class _Row(msgspec.Struct):
    """The mentions of a document as we write them."""

    id: str
    mentions: list[Mention]


def annotate(source: Source) -> Mentioned:
    """Read the mentions of documents, to be found in their texts and put on them as one layer."""
    return Mentioned(_lists_by_id(source), source)


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


def _lists_by_id(source: Source) -> dict[str, MentionList]:
    found: dict[str, MentionList] = {}
    for record in records(source, loosely=True):
        with record.guard(source):
            id = str(msgspec.convert(_first(record.fields, IDS, "id"), str | int))
            if id in found:
                earlier = found[id].record
                place = f"line {earlier.line}" if earlier.line else f"record {earlier.number}"
                raise ValueError(f"the id {id!r} is already that of {place}")
            listed = (
                _first(record.fields, LISTS, "mentions")
                if not record.is_cut
                else next((record.fields[name] for name in LISTS if name in record.fields), [])
            )
            mentions = list(mentions_in(listed, record, source))
            found[id] = MentionList(record, mentions, is_cut=record.is_cut)
    return found


def _first(fields: Mapping[str, Any], names: Sequence[str], wanted: str) -> Any:
    for name in names:
        if name in fields:
            return fields[name]
    raise ValueError(f"there is no {wanted!r}; wanted one of {', '.join(names)}")
