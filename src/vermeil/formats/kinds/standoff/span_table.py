"""CSV or TSV with a row a span: ``document,start,end,label,annotator,confidence,mention,text``.

Columns are known by their names, in any order and with the usual ones (``doc_id``, ``from``,
``type``, ``user``, …; see ``span_columns``), or named by options (``start=first``); the first row
names them, and cells of other columns are counted and dropped. ``csv`` holds the texts: in a column
of their own (``document_text``, ``sentence``, or ``text`` where that is not what the span marks),
in every row or in one row of the document. ``csv-standoff`` takes them from elsewhere (``--text``).
A ``text`` that is as long as its span is what it marks. Without a column for them, spans are of the
annotator that the file is called after.

A row without offsets says that the annotator looked and found nothing; one without annotator, too,
that nobody looked. Annotators who have no row of a document did not look at it, unless
``missing=nothing-found``; where no row says that nothing was found, such documents are counted.
Offsets are code points, the end after the last. Writing: commas between
columns, the text in the first row of a document.

A table of ids and texts without offsets (``pmid,abstract``) is one of documents that nobody has
looked at; its further columns are their metadata.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from vermeil.document import Document, Layer, Span
from vermeil.formats.files.doctor import NAMES, Claim, settle
from vermeil.formats.files.json_records import probability
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source
from vermeil.formats.files.table_header import delimiter_of, first_line, header_of
from vermeil.formats.kinds.standoff.span_columns import NAMED, missing_column, places_of

CARRIES = frozenset(
    {"spans", "layers", "abstention", "labels", "any label", "nested", "edges", "confidence"}
    | {"offsets"}
)
CARRIES_TEXT = CARRIES | {"text", "line breaks", "control"}
OPTIONS: dict[str, tuple[str, ...]] = {
    **NAMES,
    "label": (),
    "missing": ("not-looked-at", "nothing-found"),
    **dict.fromkeys(NAMED, ()),
}
NAMELESS = "Name"
UNSEEN = "documents without a row (-O missing=nothing-found: looked at in vain) as not looked at"
LONGEST = 1 << 27
"""Characters that a cell may have."""

_WRITTEN = ("document", "start", "end", "label", "annotator", "confidence", "mention")


@dataclass(frozen=True, slots=True)
class _Row:
    """One row: ``place`` is None where it has no offsets."""

    line: int
    annotator: str
    place: tuple[int, int] | None
    label: str
    mention: str | None
    confidence: float | None


@dataclass(slots=True)
class _Pages:
    """What a file says of one document."""

    text: str | None = None
    meta: dict[str, str] = field(default_factory=dict)
    rows: list[_Row] = field(default_factory=list)


class _Table(NamedTuple):
    """What a file says of documents, and the annotators whose work it is.

    These are named in rows; without a column for them it is the one that the file is called after.
    """

    pages: dict[str, _Pages]
    annotators: tuple[str, ...] = ()

    def everywhere(self, source: Source) -> dict[str, Layer]:
        """Return the layers of who looked at every document, whatever rows there are."""
        looked_at_all = source.options["missing"] == "nothing-found"
        return dict.fromkeys(self.annotators, ()) if looked_at_all else {}


def read_text(source: Source) -> Iterator[Document]:
    """Yield the documents of a table that holds their texts."""
    table = _table(source)
    everywhere = table.everywhere(source)
    for id, pages in table.pages.items():
        with source.guard(pages.rows[0].line if pages.rows else None, id):
            if pages.text is None:
                raise ValueError(f"there is no text of the document {id!r}; give texts with --text")
            layers = everywhere | _layers(pages.text, pages.rows, source)
            yield Document(id=id, text=pages.text, layers=layers, meta=pages.meta)


def annotate(source: Source) -> "_SpanTable":
    """Read a table about documents, to be put on these as layers."""
    return _SpanTable(source)


def write_text(documents: Iterable[Document], sink: Sink) -> None:
    """Write a row a span, the text in the first row of each document."""
    _write(documents, sink, with_text=True)


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write a row a span."""
    _write(documents, sink, with_text=False)


def sniff_text(head: str) -> bool:
    """Tell whether a file begins with a table of spans that holds texts."""
    found = _beginning(head)
    return found is not None and found


def sniff(head: str) -> bool:
    """Tell whether a file begins with a table of spans without texts."""
    found = _beginning(head)
    return found is not None and not found


def _beginning(head: str, options: Mapping[str, str] | None = None) -> bool | None:
    """Tell whether a table of spans holds texts; None where a file is no such table."""
    first = first_line(head.lstrip("\ufeff"))
    places = places_of(header_of(first), options)
    if _is_of_texts(places):
        return True
    if not {"document", "start", "end"} <= places.keys():
        return None
    if "whole" in places:
        return True
    if "text" not in places:
        return False
    rows: list[list[str]] = []
    with suppress(csv.Error):  # the last row may be cut off
        rows += csv.reader(io.StringIO(head, newline=""), delimiter=delimiter_of(first))
    whole = rows[1:-1] or rows[1:]
    return any(not _is_mention(row, places) for row in whole if len(row) > max(places.values()))


def _is_of_texts(places: Mapping[str, int]) -> bool:
    """Tell whether a table has texts and nothing that marks a span in them."""
    of_spans = {"start", "end", "mention", "annotator", "confidence"}
    return "document" in places and not of_spans & places.keys() and bool(_text_column(places))


def _text_column(places: Mapping[str, int]) -> str:
    return next((each for each in ("whole", "text") if each in places), "")


def _is_mention(row: Sequence[str], places: Mapping[str, int]) -> bool:
    start, end, text = (row[places[name]] for name in ("start", "end", "text"))
    if not (start.strip().isdecimal() and end.strip().isdecimal()):
        return not text
    return len(text) in (0, int(end) - int(start))


class _SpanTable:
    """What a table says of documents whose texts are elsewhere."""

    def __init__(self, source: Source) -> None:
        table = _table(source)
        self._source, self._pages, self._annotators = source, table.pages, table.annotators
        self._everywhere = table.everywhere(source)
        rows = [row for pages in table.pages.values() for row in pages.rows]
        self._has_rows = bool(rows)
        self._tells_empty = any(row.place is None for row in rows)
        self._n_documents, self._n_looked = 0, Counter[str]()

    def added_to(self, document: Document) -> Document | None:
        """Add the layers of those who have a row of the document, or of everybody if asked."""
        pages, layers, source = self._pages.pop(document.id, None), self._everywhere, self._source
        self._n_documents += 1
        if pages is None and not layers:
            return document
        rows = [] if pages is None else pages.rows
        with source.guard(rows[0].line if rows else None, document.id):
            said = {**layers, **_layers(document.text, rows, source)}
            self._n_looked.update(said.keys())
            return document.replace(layers={**document.layers, **said})
        return None

    def finish(self) -> None:
        """Note the documents whose text there was not, and those that nothing is said of."""
        ledger = self._source.ledger
        for id, pages in self._pages.items():
            where = self._source.where(pages.rows[0].line if pages.rows else None)
            ledger.note("found no", "texts for documents of the table", where, detail=id)
        if not self._has_rows and not self._everywhere:
            ledger.note("found", "tables without a row", self._source.where())
        for annotator in () if self._tells_empty else self._annotators:
            n_unseen = self._n_documents - self._n_looked[annotator]
            if n_unseen:
                where = self._source.where()
                ledger.note("counted", UNSEEN, where, n=n_unseen, annotator=annotator)


def _table(source: Source) -> _Table:
    csv.field_size_limit(LONGEST)
    content = source.text()
    first = first_line(content)
    header = header_of(first)
    places = places_of(header, source.options)
    if not content.strip():
        return _Table({}, (source.annotator,))
    is_of_texts = _is_of_texts(places)
    missing = {"document", "start", "end"} - places.keys()
    if missing and not is_of_texts:
        raise source.error(1, missing_column(header, missing))
    rows = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter_of(first), strict=True)
    table: dict[str, _Pages] = {}
    holds_texts = _beginning(content[: 1 << 16], source.options)
    others = {at: 0 for at in range(len(header)) if at not in places.values()}
    n_whole = 0
    try:
        names = next(rows)
        n_whole = rows.line_num
        for row in rows:
            n_whole = rows.line_num
            if any(row):
                with source.guard(rows.line_num, "\t".join(row)):
                    if is_of_texts:
                        _take_in_text(row, names, places, table)
                    else:
                        _take_in(row, rows.line_num, places, bool(holds_texts), table, source)
                        for at in others:
                            others[at] += at < len(row) and bool(row[at])
    except csv.Error as error:
        rest = "".join(list(io.StringIO(content, newline=""))[n_whole:])
        source.bad(n_whole + 1, rest, ValueError(_why_broken(error)))
    for at, n in others.items():
        if n:
            where = source.where(1)
            source.ledger.note("dropped", "cells of other columns", where, n=n, detail=header[at])
    if is_of_texts:
        return _Table(table)
    if "annotator" not in places:
        return _Table(table, (source.annotator,))
    named = (row.annotator for pages in table.values() for row in pages.rows)
    return _Table(table, tuple(dict.fromkeys(filter(None, named))))


def _why_broken(error: csv.Error) -> str:
    """Tell what is wrong with a row, which may go on to the end of the file."""
    if "unexpected end" in str(error) or "expected after" in str(error):
        return (
            "a cell begins with a quotation mark and does not end with one; "
            'a mark inside of such a cell is written ""'
        )
    return f"broken table: {error}"


def _take_in_text(
    row: Sequence[str], names: Sequence[str], places: Mapping[str, int], table: dict[str, _Pages]
) -> None:
    document, text = places["document"], places[_text_column(places)]
    if len(row) != len(names):
        raise ValueError(f"{len(row)} cells, wanted {len(names)}")
    if not row[document]:
        raise ValueError("there is no document in this row")
    if table.get(row[document], _Pages(row[text])).text != row[text]:
        raise ValueError(f"the document {row[document]!r} has another text before this row")
    meta = {
        name.strip(): cell
        for at, (name, cell) in enumerate(zip(names, row, strict=True))
        if at not in (document, text) and name.strip() and cell
    }
    table.setdefault(row[document], _Pages(row[text], meta))


def _take_in(
    row: Sequence[str],
    line: int,
    places: Mapping[str, int],
    holds_texts: bool,
    table: dict[str, _Pages],
    source: Source,
) -> None:
    def cell(column: str) -> str:
        at = places.get(column)
        return row[at] if at is not None and at < len(row) else ""

    if not cell("document"):
        raise ValueError("there is no document in this row")
    pages = table.setdefault(cell("document"), _Pages())
    whole = cell("whole") or (cell("text") if holds_texts else "")
    if whole and pages.text is not None and pages.text != whole:
        raise ValueError(f"the document {cell('document')!r} has another text before this row")
    if holds_texts:
        pages.text = whole or pages.text or ""
    mention = cell("mention") or (cell("text") if not holds_texts else "")
    annotator = cell("annotator") if "annotator" in places else source.annotator
    bounds = cell("start").strip(), cell("end").strip()
    place = None
    if any(bounds):
        if not all(each.isdecimal() and len(each) < 12 for each in bounds):
            raise ValueError(f"offsets {bounds[0]!r} and {bounds[1]!r}, wanted whole numbers")
        place = int(bounds[0]), int(bounds[1])
    label = cell("label")
    if place and not label:
        label = source.options["label"] or NAMELESS
        source.ledger.note("changed", f"spans without a label to {label}", source.where(line))
    score = cell("confidence").strip()
    confidence = probability(float(score) if score else None, source, line)
    pages.rows.append(_Row(line, annotator, place, label, mention or None, confidence))


def _layers(text: str, rows: Sequence[_Row], source: Source) -> dict[str, Layer]:
    spans: dict[str, list[Span]] = {row.annotator: [] for row in rows if row.annotator}
    placed = [row for row in rows if row.place]
    claims = [Claim((row.place,), row.mention, row.line) for row in placed if row.place]
    for row, ((start, end),) in zip(placed, settle(text, claims, source), strict=True):
        name = row.annotator or source.annotator
        spans.setdefault(name, []).append(Span(start, end, row.label, row.confidence))
    return {name: tuple(layer) for name, layer in spans.items()}


def _write(documents: Iterable[Document], sink: Sink, *, with_text: bool) -> None:
    with sink.text() as stream:
        writer = csv.writer(stream, lineterminator="\n")
        # A lone carriage return ends a row for readers, and is not quoted by itself.
        quoting = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerow([*_WRITTEN, "document_text"] if with_text else _WRITTEN)
        for document in documents:
            text = [document.text] if with_text else []
            for cells in _rows_of(document, with_text=with_text):
                row = [*cells, *text]
                is_cut = any("\r" in cell for cell in row if isinstance(cell, str))
                (quoting if is_cut else writer).writerow(row)
                text = [""] if with_text else []


def _rows_of(document: Document, *, with_text: bool) -> Iterator[list[Any]]:
    for name, layer in document.layers.items():
        for span in layer:
            sure = "" if span.confidence is None else repr(span.confidence)
            marked = span.marked(document.text)
            yield [document.id, span.start, span.end, span.label, name, sure, marked]
        if not layer:
            yield [document.id, "", "", "", name, "", ""]
    if not document.layers and with_text:
        yield [document.id, "", "", "", "", "", ""]
