"""CHEMDNER: abstracts in one file, chemical mentions stand-off in another.

``chemdner-text`` holds ``PMID<TAB>title<TAB>abstract`` a line. The text is the title, one space
and the abstract; where either is empty, it is the other alone and there are no sections.

``chemdner`` holds ``PMID<TAB>T or A<TAB>start<TAB>end<TAB>mention<TAB>class`` a line; offsets count
code points of the title (T) or of the abstract (A). Where a document has no title section, its
whole text is the abstract. The patents of BioCreative V (CEMP) are the same. What systems hand in,
``PMID<TAB>A:start:end<TAB>rank<TAB>confidence<TAB>mention``, is read too, under the label
``CHEMICAL``; its ranks follow from the confidences and are left out.

Krallinger et al., "The CHEMDNER corpus of chemicals and drugs and its annotation principles",
Journal of Cheminformatics 7 (2015); https://biocreative.bioinformatics.udel.edu/resources/
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec

from vermeil.document import Document, Span
from vermeil.errors import UsageError
from vermeil.formats.files.doctor import Claim, settle
from vermeil.formats.files.features import title_end, title_sections
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source

CARRIES = frozenset({"title", "spans", "labels", "any label", "nested", "edges", "offsets"})
CARRIES_TEXT = frozenset({"text", "control", "title"})
LABEL = "CHEMICAL"

_GOLD = re.compile(r"([^\t]+)\t([TA])\t([0-9]+)\t([0-9]+)\t([^\t]*)\t([^\t]+)")
_SUBMITTED = re.compile(r"([^\t]+)\t([TA]):([0-9]+):([0-9]+)\t[^\t]*\t([^\t]*)\t([^\t]*)")
_BREAKS = re.compile(r"[\t\n\r]")


class _Mention(msgspec.Struct):
    """A line of the annotation file."""

    line: int
    id: str
    part: str
    start: int
    end: int
    marked: str
    label: str
    confidence: float | None = None


def read_text(source: Source) -> Iterator[Document]:
    """Yield one document a line; blank lines are passed over."""
    for number, line in source.lines():
        if not line.strip():
            continue
        with source.guard(number, line):
            columns = line.split("\t")
            if len(columns) != 3:
                n = len(columns)
                raise source.error(number, f"wanted id, title and abstract, found {n} columns")
            yield _document(*columns)


def write_text(documents: Iterable[Document], sink: Sink) -> None:
    """Write one document a line."""
    with sink.text() as stream:
        for document in documents:
            cut, text = title_end(document), document.text
            title, abstract = ("", text) if cut is None else (text[:cut], text[cut + 1 :])
            stream.write(f"{_cell(document.id, 'document id')}\t{title}\t{abstract}\n")


def annotate(source: Source) -> "_Mentions":
    """Read the mentions of a file, to be put on documents as one layer."""
    return _Mentions(source)


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write one mention a line."""
    with sink.text() as stream:
        for document in documents:
            id = _cell(document.id, "document id")
            for span in (span for layer in document.layers.values() for span in layer):
                part, base = _part(span, document)
                label = _cell(span.label, "label")
                marked = _BREAKS.sub(" ", document.text[span.start : span.end])
                start, end = span.start - base, span.end - base
                stream.write(f"{id}\t{part}\t{start}\t{end}\t{marked}\t{label}\n")


def sniff_text(head: str) -> bool:
    """Tell whether a file that begins like this holds abstracts: an id and two that are prose."""
    lines = [line.split("\t") for line in head.split("\n")[:20] if line.strip()]
    if len(head) > 1 << 15:
        lines = lines[:-1] or lines
    whole = [line for line in lines if len(line) == 3 and not re.search(r"\s", line[0])]
    is_prose = any(" " in title and " " in abstract for _, title, abstract in whole)
    return bool(whole) and len(whole) == len(lines) and is_prose and not sniff(head)


def sniff(head: str) -> bool:
    """Tell whether a file that begins like this holds CHEMDNER annotation."""
    first = head.split("\n", 1)[0].removesuffix("\r")
    return bool(_GOLD.fullmatch(first) or _SUBMITTED.fullmatch(first))


class _Mentions:
    """The mentions of a file, by document."""

    def __init__(self, source: Source) -> None:
        self._source, self._mentions = source, _mentions(source)
        self._missing = dict.fromkeys(self._mentions)

    def added_to(self, document: Document) -> Document | None:
        """Put the mentions of a document on it; without any, it was looked at in vain."""
        self._missing.pop(document.id, None)
        own, source = self._mentions.get(document.id, []), self._source
        with source.guard(own[0].line if own else None, document.id):
            return document.with_layer(source.annotator, _spans(own, document, source))
        return None

    def finish(self) -> None:
        """Deal with mentions whose text there was not."""
        for id in self._missing:
            self._source.bad(self._mentions[id][0].line, id, f"{id!r} is not among the texts")


def _document(id: str, title: str, abstract: str) -> Document:
    if not title or not abstract:
        return Document(id=id, text=title or abstract)
    text = f"{title} {abstract}"
    return Document(id=id, text=text, meta={"sections": title_sections(title, text)})


def _mentions(source: Source) -> dict[str, list[_Mention]]:
    by_id: dict[str, list[_Mention]] = defaultdict(list)
    for number, line in source.lines():
        if not line.strip():
            continue
        with source.guard(number, line):
            mention = _mention(number, line, source)
            by_id[mention.id].append(mention)
    return dict(by_id)


def _mention(number: int, line: str, source: Source) -> _Mention:
    if found := _GOLD.fullmatch(line):
        id, part, start, end, marked, label = found.groups()
        return _Mention(number, id, part, int(start), int(end), marked=marked, label=label)
    if found := _SUBMITTED.fullmatch(line):
        id, part, start, end, confidence, marked = found.groups()
        if not _is_number(confidence):
            raise source.error(number, f"wanted a confidence, found {confidence!r}")
        return _Mention(
            *(number, id, part, int(start), int(end)),
            marked=marked,
            label=LABEL,
            confidence=float(confidence),
        )
    wanted = "id, T or A, start, end, mention and class between tabs"
    raise source.error(number, f"wanted {wanted}, found {line!r}")


def _is_number(cell: str) -> bool:
    try:
        return not math.isnan(float(cell))
    except ValueError:
        return False


def _spans(mentions: list[_Mention], document: Document, source: Source) -> Iterator[Span]:
    cut = title_end(document)
    for part, base in (("T", 0), ("A", 0 if cut is None else cut + 1)):
        own = [mention for mention in mentions if mention.part == part]
        claims = [Claim(((each.start, each.end),), each.marked, each.line) for each in own]
        places = settle(document.text[base:], claims, source)
        for each, ((start, end),) in zip(own, places, strict=True):
            with source.guard(each.line, each.marked):
                yield Span(base + start, base + end, each.label, each.confidence)


def _part(span: Span, document: Document) -> tuple[str, int]:
    """Tell the part a span starts in and where that part starts."""
    cut = title_end(document)
    if cut is None:
        return "A", 0
    return ("A", cut + 1) if span.start > cut else ("T", 0)


def _cell(value: str, what: str) -> str:
    if _BREAKS.search(value) or value.startswith("\ufeff"):
        raise UsageError(f"CHEMDNER files cannot hold the {what} {value!r}; rename it")
    return value
