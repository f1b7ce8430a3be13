"""BioCreative gene mention files: sentences, and the names in them by offset.

``biocreative-text`` (``.in``) holds ``ID text of the sentence``, one a line. ``biocreative``
(``.eval``) holds ``ID|first last|name``, one name a line. Offsets count the characters that are
not white space, from 0, and both are inclusive. The name is the marked text; it may be missing.

The official scorer, alt_eval, compares offsets as strings, takes ``014`` or a doubled space for a
miss and lets a blank line inherit the id before it. Here such lines are errors; blank lines are
passed over and counted. Its own gold standard has a few names that disagree with their offsets (4
of 32,764 in BioCreative II): the offsets count, and up to one such name in SLIPS is noted.

Data and scorer: https://biocreative.bioinformatics.udel.edu/resources/corpora/biocreative-ii-corpus/
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from vermeil.document import Document, Span
from vermeil.errors import UsageError
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source
from vermeil.text.alignment import NonSpace

CARRIES = frozenset({"spans", "nested", "offsets"})
CARRIES_TEXT = frozenset({"text", "control"})
OPTIONS = {"label": (), "names": ("check", "note", "ignore")}
DEFAULT_LABEL = "Gene"
SLIPS = 1000
"""Of so many names one may disagree with its offsets by a few characters at an edge."""

_OFFSETS = re.compile(r"(0|[1-9][0-9]{0,9}) (0|[1-9][0-9]{0,9})")
_SPACE = re.compile(r"\s")


class _EvalLine(NamedTuple):
    """A line of a ``.eval`` file."""

    line: int
    id: str
    first: int
    last: int
    name: str

    def __str__(self) -> str:
        return f"{self.id}|{self.first} {self.last}|{self.name}"


def read_text(source: Source) -> Iterator[Document]:
    """Yield one document a line; blank lines are passed over."""
    line_of: dict[str, int] = {}
    for number, line in source.lines():
        if not line.strip():
            continue
        id, space, text = line.partition(" ")
        if not id or not space:
            source.bad(number, line, f"wanted an id, one space and the text, found {line[:40]!r}")
        elif id in line_of:
            source.bad(number, line, f"the id {id!r} is already that of line {line_of[id]}")
        else:
            line_of[id] = number
            with source.guard(number, line):
                yield Document(id=id, text=text)


def write_text(documents: Iterable[Document], sink: Sink) -> None:
    """Write one document a line."""
    with sink.text() as stream:
        for document in documents:
            stream.write(f"{_checked(document.id, sink)} {document.text}\n")


def annotate(source: Source) -> "_EvalNames":
    """Read the names of a ``.eval`` file, to be put on documents as one layer.

    The option ``label`` is the label of every name. With ``names=note`` a name that is not what
    its offsets mark is noted and the offsets are believed, as the official scorer does; with
    ``names=ignore`` names are not compared at all.
    """
    return _EvalNames(source)


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write one name a line, in reading order."""
    with sink.text() as stream:
        for document in documents:
            for layer in document.layers.values():
                places = NonSpace(document.text)
                for span in layer:
                    first, last = places.index(span.start, span.end)
                    name = _SPACE.sub(" ", span.marked(document.text))
                    stream.write(f"{_checked(document.id, sink)}|{first} {last}|{name}\n")


def sniff_text(head: str) -> bool:
    """Tell whether a file that begins like this holds sentences with their ids."""
    ids = [line.partition(" ")[0] for line in head.split("\n")[:20] if line]
    return bool(ids) and all(re.fullmatch(r"P\d+[TA]\d+", id) for id in ids)


def sniff(head: str) -> bool:
    """Tell whether a file that begins like this holds names by offset."""
    lines = [line.split("|") for line in head.split("\n")[:20] if line.strip()]
    return bool(lines) and all(len(line) > 1 and _OFFSETS.fullmatch(line[1]) for line in lines)


class _EvalNames:
    """The names of a file, by document."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._label = source.options.get("label") or DEFAULT_LABEL
        self._records = _records_by_id(source)
        n_records = sum(map(len, self._records.values()))
        self._check = _NameCheck(source, n_allowed=n_records // SLIPS)
        self._missing = set(self._records)

    def added_to(self, document: Document) -> Document:
        """Put the names of a document on it; without any, it was looked at in vain."""
        records = self._records.get(document.id, [])
        self._missing.discard(document.id)
        places = NonSpace(document.text) if records else None
        spans = []
        for record in records:
            assert places is not None
            with self._source.guard(record.line, str(record)):
                start, end = places.span(record.first, record.last)
                self._check(record, document.text[start:end])
                spans.append(Span(start, end, self._label))
        return document.with_layer(self._source.annotator, spans)

    def finish(self) -> None:
        """Deal with names whose text there was not."""
        for id, records in self._records.items():
            for record in records if id in self._missing else ():
                reason = f"the id {id!r} is not among the texts"
                self._source.bad(record.line, str(record), reason)


class _NameCheck:
    """Compares names with the text, and lets a few slips at the edges pass."""

    def __init__(self, source: Source, *, n_allowed: int) -> None:
        self._source, self._n_allowed = source, n_allowed
        self._mode = source.options.get("names", "check")

    def __call__(self, record: _EvalLine, marked: str) -> None:
        name, found = _SPACE.sub("", record.name), _SPACE.sub("", marked)
        if self._mode == "ignore" or not name or name == found:
            return
        miss = f"text at {record.first} {record.last} is {marked!r}, not {record.name!r}"
        if self._mode == "check":
            if not self._n_allowed or not (name in found or found in name):
                raise self._source.error(record.line, miss)
            self._n_allowed -= 1
        where = self._source.where(record.line)
        self._source.ledger.note("repaired", "names by their offsets", where, detail=miss)


def _records_by_id(source: Source) -> dict[str, list[_EvalLine]]:
    records: dict[str, list[_EvalLine]] = {}
    for number, line in source.lines():
        if not line.strip():
            source.ledger.note("passed over", "blank lines", source.where(number))
            continue
        with source.guard(number, line):
            record = _parse(number, line)
            records.setdefault(record.id, []).append(record)
    return records


def _parse(number: int, line: str) -> _EvalLine:
    id, bar, rest = line.partition("|")
    offsets, _, name = rest.partition("|")
    if not bar or not id.strip():
        raise ValueError(f"wanted ID|first last|name, found {line[:60]!r}")
    if id != id.strip():
        raise ValueError(f"there is white space around the id {id!r}")
    match = _OFFSETS.fullmatch(offsets)
    if match is None:
        raise ValueError(
            f"wanted two offsets with one space between them and no leading zeros, "
            f"found {offsets[:40]!r}"
        )
    first, last = int(match[1]), int(match[2])
    if first > last:
        raise ValueError(f"the first offset comes after the last: {offsets!r}")
    return _EvalLine(number, id, first, last, name)


def _checked(id: str, sink: Sink) -> str:
    if "|" in id or _SPACE.search(id):
        raise UsageError(
            f"{sink.path}: the id {id!r} cannot be written here: it holds white space or a bar; "
            "rename the document"
        )
    return id
