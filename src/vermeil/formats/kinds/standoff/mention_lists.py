"""Lists of names that somebody says are in a document, and how they become its layer.

A list holds strings or objects, or is an object of lists by label. Names other tools use for the
keys of a mention are in KEYS; what else is said of a mention becomes an attribute. A mention
without a label gets that of the option ``label``, or UNLABELLED, which is noted.

A document without a list was not looked at: a model may have failed there. Files that leave out
documents in which nothing was found are read with ``missing=nothing-found``. Nor was one looked at
whose list ends too soon: what is after its end is not known. Its whole mentions are kept in the
metadata of the document, under UNFINISHED; with ``unfinished=keep`` they are a layer like others.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Set
from typing import Any, NamedTuple

import msgspec

from vermeil.document import Document, Span
from vermeil.formats.files.json_records import JsonRecord, probability
from vermeil.formats.files.source import Source
from vermeil.formats.kinds.standoff.placing import LOCATE, Mention, chosen_way, place
from vermeil.formats.kinds.standoff.repeated_text import carried_over

OPTIONS = {
    "label": (),
    "locate": LOCATE,
    "missing": ("not-looked-at", "nothing-found"),
    "unfinished": ("aside", "keep"),
}
UNLABELLED = "Name"
UNFINISHED = "unfinished"
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
MOST_APART = 2
"""From so many characters between them on, two tokens are not of one name."""

_NUMBERS: dict[str, Callable[[Any], Any]] = {"start": int, "end": int, "confidence": float}
_TAG = re.compile(r"[BIESLU]-\S.*")
_WHOLE = re.compile(r"[0-9]{1,15}")
_DECIMAL = re.compile(r"[0-9]{1,15}(\.[0-9]{1,99})?")

Entry = str | dict[str, Any]


class MentionList(NamedTuple):
    """What was said of a document, and the record in which it stands.

    ``over`` is the text that offsets refer to, where that was repeated; None is the document's. A
    list that ``is_cut`` ended too soon.
    """

    record: JsonRecord
    mentions: list[Mention]
    over: str | None = None
    is_cut: bool = False


def mentions_in(listed: Any, record: JsonRecord, source: Source) -> Iterator[Mention]:
    """Yield the mentions of a list, or of lists by label; ValueError where it is neither."""
    by_label = msgspec.convert(listed, list[Entry] | dict[str, list[Entry]])
    if not isinstance(by_label, dict):
        by_label = {"": by_label}
    for label, entries in by_label.items():
        for entry in _whole_names(entries):
            mention = Mention(entry) if isinstance(entry, str) else _mention(entry, record, source)
            if not mention.text.strip() and (mention.start is None or mention.end is None):
                raise ValueError("a mention has no text")
            mention.label = mention.label or label or source.options.get("label")
            if not mention.label:
                mention.label = UNLABELLED
                what = f"mentions without a label {UNLABELLED}; -O label=LABEL says what they are"
                source.ledger.note("called", what, record.place(source), detail=mention.text)
            yield mention


class Mentioned:
    """Lists of mentions by document; a document that has none was not looked at.

    Those of the documents ``aside`` were set aside, and that was said.
    """

    def __init__(
        self,
        lists: Mapping[str, MentionList],
        source: Source,
        *,
        aside: Set[str] = frozenset(),
    ) -> None:
        self._lists, self._source, self._aside = lists, source, aside
        self._missing = dict.fromkeys(lists)
        self._way = source.options.get("locate") or LOCATE[0]
        self._is_chosen = self._way == LOCATE[0]
        if self._is_chosen:
            self._way = chosen_way(each.mentions for each in lists.values())

    def added_to(self, document: Document) -> Document:
        """Put the mentions of a document on it, as a layer."""
        self._missing.pop(document.id, None)
        found, source = self._lists.get(document.id), self._source
        if found is not None:
            with found.record.guard(source):
                return _with_list(document, found, source, self._way, is_chosen=self._is_chosen)
        elif document.id in self._aside:
            pass
        elif source.options.get("missing") == "nothing-found":
            return document.with_layer(source.annotator, ())
        else:
            source.ledger.note(
                *("missing", "answers: documents not looked at", source.where()),
                detail=document.id,
                annotator=source.annotator,
            )
        return document

    def finish(self) -> None:
        """Deal with lists about documents that there were not."""
        for id in self._missing:
            with self._lists[id].record.guard(self._source):
                raise ValueError(f"the id {id!r} is not among the texts")


def set_aside(record: JsonRecord, reason: str, source: Source) -> None:
    """Note an answer that cannot be used, and keep it with those that are bad."""
    what = "answers that cannot be used; their documents were not looked at"
    said = record.raw.decode(errors="replace")
    source.ledger.set_aside(what, record.place(source), reason, said)


def _whole_names(entries: list[Entry]) -> list[Entry]:
    """Put the pieces of names together where a tagger lists tokens with their tags.

    So does the pipeline of Hugging Face's transformers unless it is told to aggregate: ``entity``
    is a tag such as B-Gene, and pieces of a word are tokens of their own. A name has the least of
    the scores of its pieces.
    """
    if not entries or not all(_is_piece(entry) for entry in entries):
        return entries
    names: list[dict[str, Any]] = []
    for piece in entries:
        assert isinstance(piece, dict)
        prefix, _, label = str(piece["entity"]).partition("-")
        last = names[-1] if names else {}
        gap = piece["start"] - last.get("end", -MOST_APART)
        if names and prefix in "IEL" and label == last["label"] and 0 <= gap < MOST_APART:
            last["end"] = piece["end"]
            last["score"] = min(last["score"], piece.get("score", 1.0))
        else:
            kept = {"start": piece["start"], "end": piece["end"], "label": label}
            names.append({**kept, "score": piece.get("score", 1.0)})
    return [*names]


def _is_piece(entry: Entry) -> bool:
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("entity"), str)
        and _TAG.fullmatch(entry["entity"]) is not None
        and all(isinstance(entry.get(name), int) for name in ("start", "end", "index"))
        and isinstance(entry.get("score", 1.0), int | float)
    )


def _mention(entry: dict[str, Any], record: JsonRecord, source: Source) -> Mention:
    rest = dict(entry)
    fields: dict[str, Any] = {}
    for field, names in KEYS.items():
        name = next((name for name in names if rest.get(name) is not None), None)
        if name is not None and _is_fit(field, rest[name]):
            value = rest.pop(name)
            fields[field] = _NUMBERS[field](value) if field in _NUMBERS else value
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


def _is_fit(field: str, value: Any) -> bool:
    """Tell whether a number can be one; models write them as strings, and words for them."""
    if field not in _NUMBERS or not isinstance(value, str):
        return field not in OFFSETS or (isinstance(value, int) and not isinstance(value, bool))
    pattern = _DECIMAL if field == "confidence" else _WHOLE
    return pattern.fullmatch(value.strip()) is not None


def _with_list(
    document: Document, found: MentionList, source: Source, way: str, *, is_chosen: bool
) -> Document:
    record = found.record

    def say(deed: str, what: str, detail: str) -> None:
        source.ledger.note(deed, what, record.place(source), detail=detail)

    mentions, is_cut = found.mentions, found.is_cut
    if found.over is not None:
        way, is_chosen = "in-order", False
        carried = carried_over(mentions, found.over, document.text)
        if carried.is_free and not mentions:
            set_aside(record, f"no names in it: {found.over[:60]!r}", source)
            return document
        if carried.is_free:
            what = "texts repeated in other words; their names are looked up in order"
            say("changed", what, document.id)
        mentions, is_cut = carried.mentions, is_cut or carried.is_cut
    spans = place(document.text, mentions, source, say, way=way, line=record.line)
    if is_chosen and way == "all" and len(spans) > len(mentions):
        what = "names everywhere they occur, for lists here repeat none (-O locate=in-order)"
        say("placed", what, document.id)
    if not is_cut:
        return document.with_layer(source.annotator, spans)
    if source.options.get("unfinished") == "keep":
        say("kept", "whole names of answers that end too soon", document.id)
        return document.with_layer(source.annotator, spans)
    what = f"answers that end too soon, as not looked at; whole names are in meta.{UNFINISHED}"
    say("set aside", what, document.id)
    return _with_unfinished(document, source.annotator, spans)


def _with_unfinished(document: Document, annotator: str, spans: list[Span]) -> Document:
    """Keep names in the metadata, where they are no vote."""
    named = [{"start": each.start, "end": each.end, "label": each.label} for each in spans]
    said = document.meta.get(UNFINISHED)
    others = said if isinstance(said, dict) else {}
    return document.replace(meta={**document.meta, UNFINISHED: {**others, annotator: named}})
