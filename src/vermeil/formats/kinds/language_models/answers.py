"""Answers of language models as they come, raw, with the document each is about.

    {"id": "1", "response": "Here you are:\\n```json\\n{\\"mentions\\": [\\"p53\\"]}\\n```"}

They stand in lines, in the rows of a table, or in a file each (see answer_files.py). What
interfaces wrap around an answer is in envelopes.py. The answer itself is JSON, in prose and fences
or not (see loose_json.py), or the text repeated with names marked (see marked_text.py). What it
lists is read as in mention_lists.py.

What a model said is never an error of the file. An answer that is refused, empty or of no known
kind is set aside and counted, and its document was not looked at. A later answer about a document
replaces an earlier one, as where somebody asked again.
"""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from vermeil.formats.files.json_records import JsonRecord
from vermeil.formats.files.loose_json import LooseValue, values_in
from vermeil.formats.files.source import Source, json_keys
from vermeil.formats.kinds.language_models.answer_files import answers_in, named_answer
from vermeil.formats.kinds.language_models.envelopes import id_of, is_envelope, opened
from vermeil.formats.kinds.language_models.marked_text import unmarked
from vermeil.formats.kinds.standoff import mention_lists, mentions
from vermeil.formats.kinds.standoff.mention_lists import (
    KEYS,
    Mentioned,
    MentionList,
    mentions_in,
    set_aside,
)

CARRIES = mentions.CARRIES
OPTIONS = mention_lists.OPTIONS
piece = named_answer
LISTS = (*mentions.LISTS, "names", "annotations", "results")
NOTHING = re.compile(
    r"(there are )?(none|nothing|n/?a|no (named )?(entities|names|mentions)( (were )?found)?)"
)
"""What is said where nothing was found, in small letters and without a full stop."""

_THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_THINKING = re.compile(r"\A\s*<think(?:ing)?>")


def annotate(source: Source) -> Mentioned:
    """Read answers, to be found in the texts they are about and put on these as one layer."""
    found: dict[str, MentionList] = {}
    aside: dict[str, str] = {}
    for record in answers_in(source):
        with record.guard(source):
            id = id_of(record.fields)
            if found.pop(id, None) is not None or aside.pop(id, None) is not None:
                what = "earlier answers by later ones about the same document"
                source.ledger.note("replaced", what, record.place(source), detail=id)
            try:
                found[id] = answer_of(record, source)
            except NoAnswerError as error:
                aside[id] = str(error)
                set_aside(record, str(error), source)
    return Mentioned(found, source, aside=aside.keys())


def sniff(head: str) -> bool:
    """Tell whether a file that begins like this holds answers as an interface gives them."""
    keys = json_keys(head)
    return is_envelope(keys) and not keys.intersection(("text", "tokens", *mentions.LISTS))


class NoAnswerError(ValueError):
    """A model did not answer, or in a way that nobody understands."""


def answer_of(record: JsonRecord, source: Source) -> MentionList:
    """Read an answer; NoAnswerError says why that cannot be done."""
    letter = opened(record.fields)
    if letter.problem or letter.said is None:
        if record.is_cut:
            return MentionList(record, [], is_cut=True)
        raise NoAnswerError(letter.problem or "no answer in it")
    is_cut = letter.is_cut or record.is_cut
    if not isinstance(letter.said, str):
        return _of_values([LooseValue(letter.said, 0, is_cut)], record, source)
    reply = _THOUGHT.sub("", letter.said).strip()
    if _THINKING.match(reply):
        raise NoAnswerError("cut off while it was thinking")
    if NOTHING.fullmatch(reply.rstrip(" .!").lower()):
        return MentionList(record, [])
    values = [each for each in values_in(reply) if _kind(each.value)]
    if values:
        return _of_values(values, record, source)
    marked = unmarked(reply)
    listed = [msgspec.to_builtins(each) for each in marked.mentions]
    return MentionList(
        record, list(mentions_in(listed, record, source)), over=marked.text, is_cut=is_cut
    )


def _of_values(values: list[LooseValue], record: JsonRecord, source: Source) -> MentionList:
    """Take the last list of an answer; mentions that stand one by one are a list together."""
    if all(_kind(each.value) == "mention" for each in values):
        listed: Any = [each.value for each in values if not each.is_cut]
    else:
        listed = _list_in(next(v.value for v in reversed(values) if _kind(v.value) != "mention"))
    is_cut = values[-1].is_cut
    try:
        return MentionList(record, list(mentions_in(listed, record, source)), is_cut=is_cut)
    except (msgspec.MsgspecError, ValueError) as error:
        raise NoAnswerError(f"not a list of names: {error}") from error


def _kind(value: Any) -> str:
    """Tell a list of mentions, or lists by label, from one mention and from all else."""
    if isinstance(value, list):
        return "list" if all(_is_entry(each) for each in value) else ""
    if not isinstance(value, Mapping):
        return ""
    if any(name in value for name in LISTS) or not value or _only_layer(value) is not None:
        return "list"
    if any(isinstance(value.get(name), str) for name in KEYS["text"]):
        return "mention"
    if len(value) == 1 and isinstance(inner := next(iter(value.values())), Mapping):
        return _kind(inner) if any(name in inner for name in LISTS) else ""
    lists = [each for each in value.values() if isinstance(each, list)]
    return "list" if lists and all(_kind(each) for each in lists) else ""


def _list_in(value: Any) -> Any:
    """Find the list in what holds it; pairs of a name and its label are mentions."""
    if isinstance(value, Mapping):
        if (layer := _only_layer(value)) is not None:
            return layer
        named = [value[name] for name in LISTS if name in value]
        if named:
            return _list_in(named[0])
        if len(value) == 1 and isinstance(inner := next(iter(value.values())), Mapping):
            return _list_in(inner)
        return {label: _list_in(each) for label, each in value.items() if isinstance(each, list)}
    if value is None:
        return []
    if isinstance(value, list):
        return [
            {"text": each[0], "label": each[1]} if isinstance(each, list) else each
            for each in value
        ]
    return value


def _only_layer(value: Mapping[str, Any]) -> list[Any] | None:
    """Find the spans of a document of ours that has one layer."""
    layers = value.get("layers")
    if not isinstance(layers, Mapping) or len(layers) != 1:
        return None
    layer = next(iter(layers.values()))
    return layer if isinstance(layer, list) else None


def _is_entry(value: Any) -> bool:
    if isinstance(value, list):
        return len(value) == 2 and all(isinstance(each, str) for each in value)
    return isinstance(value, str | Mapping)
