"""Tokens and tags as Hugging Face datasets hold them, one JSON object a line.

Reading: ``{"id", "tokens": […], "ner_tags": […]}``; ``words`` for the tokens and ``tags``,
``labels`` or ``ner`` for the tags will do too. Tags are strings, or numbers whose names the option
``classes`` lists in order (``classes=O,B-Gene,I-Gene``), as ``features["ner_tags"].feature.names``
gives them. Tokens without text are joined by single spaces.

Writing: the same with ``text`` and ``offsets`` (a pair a token) beside it, so that the text comes
back exactly. A single layer without overlaps is in ``ner_tags`` and its annotator in
``annotator``. Anything else is in ``layers``: for each annotator a list of tracks of tags,
as many as it takes for its overlapping spans. A document nobody looked at has neither.

https://huggingface.co/docs/transformers/tasks/token_classification
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from vermeil.document import Document
from vermeil.formats.files.doctor import Claim, settle
from vermeil.formats.files.json_records import JsonRecord, records
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source, json_keys
from vermeil.formats.kinds.tokens import token_rows
from vermeil.formats.kinds.tokens.token_rows import TaggedText
from vermeil.text.tokens import Token

OPTIONS = {**token_rows.OPTIONS, "classes": ()}
CARRIES = token_rows.CARRIES | {"any label"}

Tags: TypeAlias = list[str | int]


class _Row(msgspec.Struct, omit_defaults=True, kw_only=True):
    """A line of the file."""

    id: str | int | None = None
    tokens: list[str]
    ner_tags: Tags | None = None
    annotator: str | None = None
    layers: dict[str, list[Tags]] | None = None
    offsets: list[tuple[int, int]] | None = None
    text: str | None = None


_ALIASES: Mapping[str, Sequence[str]] = {
    "tokens": ("tokens", "words"),
    "ner_tags": ("ner_tags", "tags", "labels", "ner"),
}


def read(source: Source) -> Iterator[Document]:
    """Yield one document a line."""
    return documents_of(records(source), source)


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write one document a line."""
    encode = msgspec.json.Encoder().encode
    for document in documents:
        sink.binary.write(encode(_row(document, sink)) + b"\n")


def sniff(head: str) -> bool:
    """Tell whether a file begins with tokens and their tags."""
    keys = json_keys(head)
    tagged = keys & {*_ALIASES["ner_tags"], "layers", "offsets"}
    return bool(keys & {*_ALIASES["tokens"]} and tagged and not keys & {"spans", "answer"})


def documents_of(rows: Iterable[JsonRecord], source: Source) -> Iterator[Document]:
    """Yield the documents of rows that are in memory."""
    return token_rows.to_documents(_tagged_texts(rows, source), source)


def row_of(document: Document, sink: Sink) -> dict[str, Any]:
    """Write a document as the row of a dataset, leaving out what is not there."""
    row: dict[str, Any] = msgspec.to_builtins(_row(document, sink))
    return row


def _tagged_texts(rows: Iterable[JsonRecord], source: Source) -> Iterator[TaggedText]:
    for record in rows:
        with record.guard(source):
            yield _tagged_text(record, source)


def _tagged_text(record: JsonRecord, source: Source) -> TaggedText:
    fields = dict(record.fields)
    for name, aliases in _ALIASES.items():
        found = next((alias for alias in aliases if alias in fields), None)
        if found is not None:
            fields[name] = fields.pop(found)
    for name in sorted(fields.keys() - set(_Row.__struct_fields__)):
        source.ledger.note("dropped", f"columns {name!r}", source.where(record.line))
    row = msgspec.convert(fields, _Row)
    text, offsets = _placed(row, record.line, source)
    columns = [
        (annotator, [_named(tags, len(row.tokens), record.line, source)])
        for annotator, tags in _columns(row, source.annotator)
    ]
    id = str(record.number) if row.id is None else str(row.id)
    return TaggedText(id, text, [offsets], columns, lines=[record.line or 0], step=0)


def _columns(row: _Row, annotator: str) -> Iterator[tuple[str, Tags]]:
    if row.ner_tags is not None:
        yield row.annotator or annotator, row.ner_tags
    for name, tracks in (row.layers or {}).items():
        for tags in tracks or [["O"] * len(row.tokens)]:
            yield name, tags


def _placed(row: _Row, line: int | None, source: Source) -> tuple[str, list[Token]]:
    if "" in row.tokens:
        raise ValueError(f"token {row.tokens.index('')} is empty")
    if row.text is None:
        text, (offsets,) = token_rows.lay_out([row.tokens])
        return text, offsets
    if row.offsets is None:
        return row.text, token_rows.find_in(row.text, row.tokens)
    if len(row.offsets) != len(row.tokens):
        raise ValueError(f"{len(row.offsets)} offsets for {len(row.tokens)} tokens")
    pairs = zip(row.offsets, row.tokens, strict=True)
    claims = [Claim((place,), token, line) for place, token in pairs]
    return row.text, [pieces[0] for pieces in settle(row.text, claims, source)]


def _named(tags: Tags, n_tokens: int, line: int | None, source: Source) -> list[str]:
    if len(tags) != n_tokens:
        raise ValueError(f"{len(tags)} tags for {n_tokens} tokens")
    names = [name.strip() for name in source.options["classes"].split(",") if name.strip()]
    return [token_rows.tidy_tag(_class_name(tag, names), source, line) for tag in tags]


def _class_name(tag: str | int, names: Sequence[str]) -> str:
    if isinstance(tag, str):
        return tag
    if tag == -100:  # what training scripts give to tokens that are not scored
        return "O"
    if not names:
        raise ValueError(
            f"tag {tag} is a number without a name; list the names in order, "
            "for example with -O classes=O,B-Gene,I-Gene"
        )
    if not 0 <= tag < len(names):
        raise ValueError(f"tag {tag}, but classes names only 0 to {len(names) - 1}")
    return names[tag]


def _row(document: Document, sink: Sink) -> _Row:
    tokens = token_rows.cut(document.text, document.layers, by=sink.options["tokens"])
    layers: dict[str, list[Any]] = {
        annotator: [
            token_rows.tag_names(
                len(tokens), names, sink.options["scheme"], sink.ledger, document.id
            )
            for names in token_rows.names_by_track(tokens, layer)
        ]
        for annotator, layer in document.layers.items()
    }
    row = _Row(
        id=document.id,
        tokens=[document.text[start:end] for start, end in tokens],
        offsets=tokens,
        text=document.text,
    )
    match list(layers.items()):
        case [(annotator, [tags])]:
            row.annotator, row.ner_tags = annotator, tags
        case [_, *_]:
            row.layers = layers
    return row
