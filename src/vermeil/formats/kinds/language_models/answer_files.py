"""Where answers stand: a line each, a row of a table each, or a file each in a folder.

A file of a folder is about the document that it is called after (``PMID-1.txt``, ``12345.json``;
folders in the folder are part of the id), unless what is in it names another. It holds an answer
as it came, or the object that an interface returned. A table (CSV or TSV) has a column for the id
and one for the answer, called by names that envelopes.py knows.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from vermeil.formats.files.json_records import JsonRecord, records
from vermeil.formats.files.loose_json import loose_value
from vermeil.formats.files.members import inside
from vermeil.formats.files.sink import document_id
from vermeil.formats.files.source import Source, first_value, json_keys, stem
from vermeil.formats.files.table_header import delimiter_of, header_of
from vermeil.formats.kinds.language_models.envelopes import (
    BODIES,
    IDS,
    REPLIES,
    is_envelope,
)

ENDINGS = (".answers", ".answer", ".response")
"""What may stand between the id and the suffix of a file."""

LONGEST = 1 << 27
"""Characters that a cell may have."""


def answers_in(source: Source) -> Iterator[JsonRecord]:
    """Yield the answers of a file or folder, each with the id of its document among its fields."""
    if source.path.is_dir():
        for path in inside(source):
            yield _of_file(source.member(path), _id(source.path, path))
    elif header := _header(source):
        yield from _of_table(source, *header)
    else:
        yield from records(source, loosely=True)


def named_answer(head: str) -> str | None:
    """Find the document that is named in a file of one answer; "" for none, None for many answers.

    >>> named_answer("Names: p53"), named_answer('{"id": "PMID-1", "answer": "p53"}')
    ('', 'PMID-1')
    """
    first, _, rest = head.strip().partition("\n")
    if first.startswith("["):
        value = first_value(head)
        return None if isinstance(value, dict) and is_envelope(set(value)) else ""
    if rest.lstrip().startswith("{") and is_envelope(json_keys(first)):
        return None
    fields, _ = _wrapped(head)
    return _named(fields or {})


def _id(folder: Path, path: Path) -> str:
    name = stem(path)
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    return "/".join([*path.relative_to(folder).parent.parts, document_id(name)])


def _of_file(source: Source, id: str) -> JsonRecord:
    said = source.text()
    fields, is_cut = _wrapped(said)
    if fields is None:
        fields = {"response": said} if said.strip() else {"error": "empty answer"}
    if not _named(fields):
        fields = {IDS[0]: id, **fields}
    return JsonRecord(None, 1, said.encode(), fields, is_cut, source.path)


def _wrapped(said: str) -> tuple[dict[str, Any] | None, bool]:
    """Read a text that is an answer in its envelope; None where it is the answer itself."""
    if not said.lstrip().startswith("{"):
        return None, False
    try:
        value, is_cut = msgspec.json.decode(said), False
    except (msgspec.MsgspecError, ValueError, RecursionError):
        loose = loose_value(said.lstrip())
        value, is_cut = (loose.value, loose.is_cut) if loose else (None, False)
    known = ("error", *REPLIES, *BODIES)
    is_wrapped = isinstance(value, dict) and any(name in value for name in known)
    return (value, is_cut) if is_wrapped else (None, False)


def _named(fields: Mapping[str, Any]) -> str:
    """Find the id of a document; that of an object which an interface returned is its own."""
    is_body = any(name in fields for name in BODIES)
    names = [name for name in IDS if name in fields and not (is_body and name == "id")]
    return str(fields[names[0]]) if names else ""


def _header(source: Source) -> tuple[str, int, int] | None:
    """Find what parts the columns of a table, and which hold ids and answers; None for no table."""
    with source.binary() as stream:
        first = stream.readline(1 << 16).decode("utf-8-sig", errors="replace").rstrip("\r\n")
    if first.lstrip()[:1] in ("{", "["):
        return None
    names = [cell.strip().lower() for cell in header_of(first)]
    id = next((names.index(name) for name in IDS if name in names), None)
    reply = next((names.index(name) for name in REPLIES if name in names), None)
    return None if id is None or reply is None else (delimiter_of(first), id, reply)


def _of_table(source: Source, delimiter: str, id: int, reply: int) -> Iterator[JsonRecord]:
    csv.field_size_limit(LONGEST)
    rows = csv.reader(io.StringIO(source.text(), newline=""), delimiter=delimiter, strict=True)
    next(rows)
    line = 1
    try:
        for number, row in enumerate(rows, start=1):
            line = rows.line_num
            if not any(row):
                continue
            raw = delimiter.join(row)
            if len(row) <= max(id, reply):
                source.bad(line, raw, "there is no answer in this row")
                continue
            said = {REPLIES[0]: row[reply]} if row[reply].strip() else {"error": "empty answer"}
            yield JsonRecord(line, number, raw.encode(), {IDS[0]: row[id], **said})
    except csv.Error as error:
        source.bad(line + 1, "", f"broken table: {error}")
