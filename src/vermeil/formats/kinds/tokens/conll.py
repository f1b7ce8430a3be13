"""CoNLL columns: a token a line with its tag, a blank line between sentences.

Reading: columns are parted by tabs, or else by white space, and known by what is in them: the token
is in the first, or after a column that numbers tokens; the tag is in the last, as in CoNLL-2003
(https://aclanthology.org/W03-0419), whatever stands between. Two columns of tags side by side are
the layers ``gold`` and ``predicted``, as for the official scorer; brat's anntoconll has the tag
first and the token last. A ``?`` says that the annotator of the column did not see the token, as in
the published files of crowds (Rodrigues et al. 2014). Two columns of numbers that can be offsets
are offsets. The option ``columns`` (``number,token,pos,anna,ben``) says it all. Documents begin at
``-DOCSTART-``, ``###MEDLINE:1`` (JNLPBA), ``# id = 1``, ``# doc_id =``, ``# newdoc id =``, ``#doc
1`` or ``#begin document (1)``; before any of these each sentence is a document, numbered from 1,
with ``documents=sentences`` it is in any case, and with ``documents=file`` the whole file is one. A
file without texts gets them from its tokens: laid at their offsets if it has some, else joined by
single spaces, sentences by a line break.

Writing: each document begins with its id, its text as a JSON string and the names of its columns:
token, start, end, then one column of tags for each layer and more (``anna#2``) where its spans
overlap. White space, ``%`` and ``#`` in names are percent-encoded. With ``header=no`` documents
begin with ``-DOCSTART-`` instead, as most taggers want it; texts and ids are then lost.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TextIO

import msgspec

from vermeil.document import Document
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source
from vermeil.formats.kinds.tokens import token_rows
from vermeil.formats.kinds.tokens.conll_columns import (
    Layout,
    Row,
    check_rows,
    column_name,
    named_layout,
    place_tokens,
    split_row,
)
from vermeil.formats.kinds.tokens.conll_layout import asked_layout, guess_layout, note_others
from vermeil.formats.kinds.tokens.token_rows import TaggedText
from vermeil.text.tags import Name
from vermeil.text.tokens import Token

OPTIONS = {
    **token_rows.OPTIONS,
    "offsets": ("yes", "no"),
    "header": ("yes", "no"),
    "documents": ("marked", "file", "sentences"),
    "columns": (),
}
CARRIES = token_rows.CARRIES

N_TELLING = 5
"""Lines that are no accident where each ends in what can be a tag."""

N_LOOKED_AT = 500
"""Documents that tell what the columns of a file are."""

_DOCSTART = "-DOCSTART-"
_MARKERS = re.compile(
    r"""
    \#\ (?:newdoc\ )?(?:doc_)?id\ =\ ?(?P<id> [^\t]*)
    | \#\ ?newdoc\b(?P<newdoc> [^\t]*)
    | \#begin\ document\ \((?P<begin> [^\t]*?)\)[^\t]*
    | \#\ ?doc[ :](?P<doc> [^\t]*)
    | \#{3,}(?P<hashes> [^\t]*)
    | -DOCSTART-(?:[ \t](?P<start> .*))?
    """,
    re.VERBOSE,
)
_TEXT = re.compile(r"# text = ?(.*)")
_COLUMNS = re.compile(r"# columns = ?(.*)")
_NO_ID = frozenset({"-X-", "O", "_", "-", token_rows.UNSEEN})


@dataclass(slots=True)
class _Draft:
    """The lines of one document, sorted by what they are."""

    line: int
    id: str | None = None
    texts: list[str] = field(default_factory=list)
    columns: list[str] | None = None
    sentences: list[list[Row]] = field(default_factory=lambda: [[]])


def read(source: Source) -> Iterator[Document]:
    """Yield the documents of a file of columns."""
    return token_rows.to_documents(_tagged_texts(source), source)


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write one token a line, sentences where the text breaks the line."""
    with sink.text() as stream:
        for document in documents:
            _write_document(document, sink, stream)


def sniff(head: str) -> bool:
    """Tell whether a file begins with columns of which the last (or first) is a tag."""
    lines = [line.rstrip() for line in head.split("\n")[: -1 if len(head) > 1 << 15 else None]]
    if any(map(_COLUMNS.match, lines)):
        return True
    rows = [split_row(line) for line in lines if line and not _is_remark(line)]
    if not rows:
        return any(map(_MARKERS.fullmatch, lines))
    if len({len(row) for row in rows}) > 1 or len(rows[0]) < 2:
        return False
    is_table = len(rows) > N_TELLING or any("\t" in line for line in lines)
    if _is_of_a_crowd(rows):
        return True
    return any(
        all(map(token_rows.looks_like_tag, cells)) and (is_table or _is_telling(cells))
        for cells in ([row[column] for row in rows] for column in (-1, 0))
    )


def _is_of_a_crowd(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether all columns but the first hold tags and marks of what was not seen."""
    cells = [cell for row in rows for cell in row[1:]]
    seen = [cell for cell in cells if cell != token_rows.UNSEEN]
    return (
        len(seen) < len(cells) and all(map(token_rows.looks_like_tag, seen)) and _is_telling(seen)
    )


def _is_telling(cells: Sequence[str]) -> bool:
    """Tell tags from the last words of a few lines of prose, such as B."""
    return any("-" in cell for cell in cells)


def _tagged_texts(source: Source) -> Iterator[TaggedText]:
    drafts = _drafts(source)
    first = list(islice(drafts, N_LOOKED_AT))
    asked = source.options["columns"]
    unnamed = [draft.sentences for draft in first if not draft.columns]
    layout = asked_layout(asked, source) if asked else guess_layout(unnamed, source)
    for number, draft in enumerate(chain(first, drafts), start=1):
        with source.guard(draft.line, draft.id or str(number)):
            yield _tagged_text(draft, draft.id or str(number), layout, source)


def _drafts(source: Source) -> Iterator[_Draft]:
    draft: _Draft | None = None
    kind = source.options["documents"]
    whole = marked = kind == "file"
    for number, raw in source.lines():
        line = raw.rstrip()
        if not line:
            if draft and not marked and draft.sentences[-1]:
                yield draft
                draft = None
            elif draft and draft.sentences[-1]:
                draft.sentences.append([])
        elif not whole and (marker := _marker(line, draft)):
            if draft and (marked or draft.sentences[-1]):
                yield draft
            marked = kind != "sentences"
            draft = _Draft(number, _marked_id(marker)) if marked else None
        else:
            draft = draft or _Draft(number)
            _add(line, number, draft, source)
    if draft and (marked or draft.sentences[-1]):
        yield draft


def _marker(line: str, draft: _Draft | None) -> re.Match[str] | None:
    """Find the mark that a document begins; in our own files only one, as tokens look like any."""
    marker = _MARKERS.fullmatch(line)
    return marker if marker and (marker["id"] or not (draft and draft.columns)) else None


def _add(line: str, number: int, draft: _Draft, source: Source) -> None:
    if given := _TEXT.fullmatch(line):
        draft.texts.append(_unquoted(given[1]))
    elif given := _COLUMNS.fullmatch(line):
        draft.columns = given[1].split()
    elif not draft.columns and _is_remark(line):
        if not _MARKERS.fullmatch(line):
            source.ledger.note("dropped", "comment lines", source.where(number), detail=line[:40])
    else:
        draft.sentences[-1].append((number, split_row(line)))


def _is_remark(line: str) -> bool:
    """Tell comments and markers from tokens, among which ``#`` may be."""
    if line.startswith("#"):
        tagged = token_rows.looks_like_tag(split_row(line)[-1])
        return not tagged or bool(_MARKERS.fullmatch(line))
    return line.startswith(_DOCSTART)


def _marked_id(marker: re.Match[str]) -> str | None:
    """Find the id a marker names, if it names one."""
    found = next((group for group in marker.groups() if group), "").strip()
    if marker["start"] is not None:
        bracketed = re.fullmatch(r"\((.*)\)", found)
        cells = [bracketed[1]] if bracketed else [c for c in found.split() if c not in _NO_ID]
        return cells[0] if cells else None
    return _unquoted(found.removeprefix("id = ")) or None


def _unquoted(value: str) -> str:
    """Read a JSON string, or take the value as it stands."""
    if value.startswith('"'):
        try:
            return msgspec.json.decode(value, type=str)
        except msgspec.MsgspecError:
            return value
    return value


def _tagged_text(draft: _Draft, id: str, layout: Layout, source: Source) -> TaggedText:
    sentences = [rows for rows in draft.sentences if rows]
    if draft.columns:
        layout = named_layout(draft.columns)
    else:
        note_others(sentences, layout, source)
    check_rows(sentences, layout, source)
    text, offsets = place_tokens(sentences, layout, draft.texts, source)
    columns = [
        (
            annotator,
            [[token_rows.tidy_tag(row[at], source, n) for n, row in rows] for rows in sentences],
        )
        for annotator, at in layout.tags
        if _is_seen(sentences, at, source)
    ]
    lines = [rows[0][0] for rows in sentences]
    return TaggedText(id, text, offsets, columns, lines=lines, step=1)


def _is_seen(sentences: Sequence[Sequence[Row]], at: int, source: Source) -> bool:
    """Tell whether the annotator of a column saw a document; half of one cannot be said."""
    unseen = {row[at] == token_rows.UNSEEN for rows in sentences for _, row in rows}
    if len(unseen) == 2:
        number = sentences[0][0][0]
        hint = "; make each sentence a document with -O documents=sentences" * bool(sentences[1:])
        raise source.error(number, f"column {at + 1} is ? for a part of this document{hint}")
    return True not in unseen


def _write_document(document: Document, sink: Sink, stream: TextIO) -> None:
    tokens = token_rows.cut(document.text, document.layers, by=sink.options["tokens"])
    tracks = [
        (column_name(annotator, n), names)
        for annotator, layer in document.layers.items()
        for n, names in enumerate(token_rows.names_by_track(tokens, layer), start=1)
    ]
    offsets = sink.options["offsets"] == "yes"
    if sink.options["header"] == "yes":
        fixed = ["token", "start", "end"] if offsets else ["token"]
        stream.write(f"# id = {_quoted(document.id)}\n# text = {_json(document.text)}\n")
        stream.write(f"# columns = {' '.join(fixed + [name for name, _ in tracks])}\n")
    elif tracks:
        filler = ["-X-"] * (2 if offsets else 0) + ["O"] * len(tracks)
        stream.write("\t".join([_DOCSTART, *filler]) + "\n\n")
        sink.ledger.note("dropped", "texts and ids of documents", document.id)
    else:
        sink.ledger.note("dropped", "documents nobody looked at", document.id)
        return
    for first, last in _sentences(document.text, tokens, [names for _, names in tracks]):
        tags = [
            token_rows.tag_names(
                last - first,
                [(a - first, b - first, label) for a, b, label in names if first <= a < last],
                sink.options["scheme"],
                sink.ledger,
                document.id,
            )
            for _, names in tracks
        ]
        for at, (start, end) in enumerate(tokens[first:last]):
            numbers = [str(start), str(end)] if offsets else []
            cells = [document.text[start:end], *numbers, *(track[at] for track in tags)]
            stream.write("\t".join(cells) + "\n")
        stream.write("\n")
    if not tokens:
        stream.write("\n")


def _sentences(
    text: str, tokens: Sequence[Token], tracks: Iterable[Sequence[Name]]
) -> Iterator[tuple[int, int]]:
    """Yield ranges of tokens: a new one where the text breaks the line outside any name."""
    within = {at for names in tracks for a, b, _ in names for at in range(a + 1, b)}
    first = 0
    for at in range(1, len(tokens)):
        if "\n" in text[tokens[at - 1][1] : tokens[at][0]] and at not in within:
            yield first, at
            first = at
    if tokens:
        yield first, len(tokens)


def _quoted(id: str) -> str:
    plain = id.isprintable() and id == id.strip() and not id.startswith('"')
    return id if plain else _json(id)


def _json(text: str) -> str:
    return msgspec.json.encode(text).decode()
