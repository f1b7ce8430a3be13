"""PubTator: a title line, an abstract line, a line for each mention, a blank line.

    10021369|t|Identification of APC2, a homologue of APC
    10021369|a|The adenomatous polyposis coli (APC) tumour-suppressor …
    10021369<TAB>18<TAB>22<TAB>APC2<TAB>Gene<TAB>10297
    10021369<TAB>CID<TAB>D003000<TAB>D006973

The text is the title, one space and the abstract, and offsets count code points of that; without
an abstract it is the title. The last column holds database ids, several of them separated by
``;``, ``,`` or ``|``; ``-`` and ``-1`` say that there is none. A seventh column (the parts of a
composite mention) is the attribute ``parts``, and a column of ids that we would spell otherwise
(``-1``, ``D1|D2``) the attribute ``identifier``; both are written back. A full text has further
lines with the names of its sections, as in ``PMC13901|title|`` and ``PMC13901|methods|``; they
are joined by spaces like the abstract. Relations (second column not a number) are
counted as dropped.

We do not read with ``bioc.pubtator``, which strips white space that counts, joins title and
abstract by a line break, prints what it cannot parse and names no lines.
https://www.ncbi.nlm.nih.gov/research/pubtator3/tutorial
"""

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

import msgspec

from vermeil.document import Document, Span
from vermeil.errors import UsageError
from vermeil.formats.files.doctor import NAMES, Claim, settle
from vermeil.formats.files.features import title_end
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source

CARRIES = frozenset(
    {
        "text",
        "control",
        "title",
        "spans",
        "labels",
        "any label",
        "nested",
        "edges",
        "ids",
        "offsets",
    }
)
OPTIONS = NAMES
NO_ID = ("", "-", "-1")
IDENTIFIER, PARTS = "identifier", "parts"
OWN = frozenset({IDENTIFIER, PARTS})
"""Attributes that we write though PubTator has none: a column of ids as it was, and the seventh."""

_TEXT = re.compile(r"([^\t|]*?)\|([ta]|title|abstract|[a-z][a-z_ -]{1,30})\|(.*)", re.DOTALL)
_TITLES = ("t", "title")
_KINDS = {"t": "title", "a": "abstract"}
_NUMBER = re.compile(r"[0-9]+")
_LIST = re.compile(r"[,|]")
# tmVar spells a variant with bars of its own: p|SUB|V|600|E.
_VARIANT = re.compile(r"[cgmnpr]?\|[A-Za-z]*\|")
_BREAKS = re.compile(r"[\t\n\r]")

Lines: TypeAlias = list[tuple[int, str]]


def read(source: Source) -> Iterator[Document]:
    """Yield one document for each title line, with all lines up to the next."""
    for lines in _documents(source):
        record = "\n".join(line for _, line in lines)
        with source.guard(lines[0][0], record):
            yield _document(lines, source)


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write one block a document; without a title section the whole text is the title."""
    with sink.text() as stream:
        for document in documents:
            stream.writelines(f"{line}\n" for line in _lines_of(document))
            stream.write("\n")


def split_ids(column: str) -> tuple[str, ...]:
    """Take a column of database ids apart; ``join_ids`` undoes it.

    >>> split_ids("D003110|D009369"), split_ids("p|SUB|V|600|E;RS#:113488022"), split_ids("-")
    (('D003110', 'D009369'), ('p|SUB|V|600|E', 'RS#:113488022'), ())
    """
    if column.startswith("["):
        try:
            return msgspec.json.decode(column, type=tuple[str, ...])
        except (msgspec.MsgspecError, RecursionError):
            pass
    parts = [
        id.strip()
        for part in column.split(";")
        for id in ([part] if _VARIANT.match(part.strip()) else _LIST.split(part))
    ]
    return tuple(id for id in parts if id not in NO_ID)


def join_ids(ids: tuple[str, ...]) -> str:
    """Spell ids for one column: joined by ``;``, or a JSON list where that would be misread.

    >>> join_ids(("D003110", "D009369")), join_ids(("a;b",)), join_ids(())
    ('D003110;D009369', '["a;b"]', '-')
    """
    joined = ";".join(ids) or "-"
    if split_ids(joined) == ids and not _BREAKS.search(joined):
        return joined
    return msgspec.json.encode(ids).decode()


def sniff(head: str) -> bool:
    """Tell whether a file that begins like this is PubTator."""
    found = _TEXT.match(head.lstrip())
    return found is not None and found[2] in _TITLES and "\n" not in found[1]


def _documents(source: Source) -> Iterator[Lines]:
    lines: Lines = []
    for number, line in source.lines():
        if not line.strip():
            continue
        found = _TEXT.fullmatch(line)
        if found and found[2] in _TITLES and lines:
            yield lines
            lines = []
        lines.append((number, line))
    if lines:
        yield lines


def _document(lines: Lines, source: Source) -> Document:
    (first, title_line), *others = lines
    found = _TEXT.fullmatch(title_line)
    if found is None or found[2] not in _TITLES:
        raise source.error(first, f"wanted ID|t|title, found {title_line!r}")
    id, title = found[1], found[3]
    parts = [("title", title)]
    while others and (found := _TEXT.fullmatch(others[0][1])):
        number = others.pop(0)[0]
        kind = _KINDS.get(found[2], found[2])
        if found[1] != id:
            raise source.error(number, f"{kind} of {found[1]!r} after the title of {id!r}")
        parts.append((kind, found[3]))
    while len(parts) > 1 and not parts[-1][1]:
        parts.pop()
    text = " ".join(part for _, part in parts)
    rows = [row for row in (_row(number, line, id, source) for number, line in others) if row]
    claims = [Claim(((int(row[1]), int(row[2])),), row[3], number) for number, row in rows]
    spans = [
        _span(start, end, row, number, source)
        for ((start, end),), (number, row) in zip(settle(text, claims, source), rows, strict=True)
    ]
    return Document(
        id=id,
        text=text,
        layers={source.annotator: tuple(spans)},
        meta={"sections": _sections(parts)} if title and parts[1:] else {},
    )


def _sections(parts: list[tuple[str, str]]) -> list[dict[str, object]]:
    """Say where the parts of a text are that are joined by single spaces."""
    sections: list[dict[str, object]] = []
    place = 0
    for kind, part in parts:
        if part:
            sections.append({"start": place, "end": place + len(part), "kind": kind})
        place += len(part) + 1
    return sections


def _row(number: int, line: str, id: str, source: Source) -> tuple[int, list[str]] | None:
    """Part the columns of a mention; None for a relation."""
    row = line.split("\t")
    if row[0] != id:
        raise source.error(number, f"a line of {row[0]!r} inside document {id!r}")
    is_mention = len(row) >= 5 and all(_NUMBER.fullmatch(cell) for cell in row[1:3])
    if is_mention and len(row) <= 7:
        return number, row
    if is_mention or len(row) < 4 or _NUMBER.fullmatch(row[1]):
        wanted = "ID, start, end, mention, label and database id between tabs"
        raise source.error(number, f"wanted {wanted}, found {line!r}")
    source.ledger.note("dropped", "relations", source.where(number))
    return None


def _span(start: int, end: int, row: list[str], number: int, source: Source) -> Span:
    label, column, parts = (*row[4:], "", "")[:3]
    ids = split_ids(column)
    attributes = [(IDENTIFIER, column)] if column.strip("-") and join_ids(ids) != column else []
    attributes += [(PARTS, parts)] if parts else []
    try:
        return Span(start, end, label, ids=ids, attributes=tuple(attributes))
    except ValueError as error:
        raise source.error(number, str(error)) from error


def _lines_of(document: Document) -> Iterator[str]:
    id, text = document.id, document.text
    cut = title_end(document)
    title, abstract = (text, "") if cut is None else (text[:cut], text[cut + 1 :])
    found = _TEXT.fullmatch(f"{id}|t|{title}")
    if found is None or found[1] != id or _BREAKS.search(id) or id != id.strip("\ufeff"):
        raise UsageError(
            f"PubTator cannot hold the document id {id!r}: it has a tab, a line break, or |t| or "
            "|a| inside; rename the document"
        )
    yield f"{id}|t|{title}"
    yield f"{id}|a|{abstract}"
    for layer in document.layers.values():
        for span in layer:
            if _BREAKS.search(span.label):
                raise UsageError(f"PubTator cannot hold the label {span.label!r} of {id!r}")
            own = dict(span.attributes)
            column = own.get(IDENTIFIER, "")
            if _BREAKS.search(column) or split_ids(column) != span.ids or not column:
                column = join_ids(span.ids)
            cells = [id, str(span.start), str(span.end), text[span.start : span.end], span.label]
            parts = _BREAKS.sub(" ", own.get(PARTS, ""))
            yield "\t".join([*cells, column, *([parts] if parts else [])])
