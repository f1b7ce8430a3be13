"""WebAnno TSV 3, as WebAnno and INCEpTION export it: tokens a line, a column for each feature.

https://inception-project.github.io/releases/37.3/docs/user-guide.html#sect_formats_webannotsv3.
A file is one annotator's work on one document; folders are read as ``annotator_files`` says.

Reading: of a layer of spans (``#T_SP=``) the feature ``value`` is the label, else ``label``, else
the first; ``identifier`` is a database id, other features are attributes, and spans without a
label are called after their layer. Tokens, lemmas and parts of speech, chains, relations and slots
are passed over and counted. Offsets count UTF-16 code units.

Writing: one file for each document and layer, as named entities with identifiers.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from vermeil.document import Document, Layer, Span
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source
from vermeil.formats.kinds.literature.pubtator import join_ids, split_ids
from vermeil.formats.kinds.tokens import token_rows
from vermeil.formats.kinds.tools.annotator_files import read_all, write_all
from vermeil.text.alignment import from_code_points
from vermeil.text.sentences import split_sentences
from vermeil.text.tokens import Token

CARRIES = frozenset(
    {"text", "line breaks", "control", "spans", "layers", "abstention", "labels", "any label"}
    | {"nested", "ids", "offsets"}
)
SUFFIX = ".tsv"
HEADER = (
    "#FORMAT=WebAnno TSV 3.3\n"
    "#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value\n\n\n"
)

_FORMAT = re.compile(r"#FORMAT=WebAnno TSV 3")
_LAYER = re.compile(r"#T_(SP|CH|RL)=([^|]*)\|?(.*)")
_ROW = re.compile(r"([0-9]+)-([0-9]+)(\.[0-9]+)?")
_PLACE = re.compile(r"([0-9]{1,8})-([0-9]{1,8})")
_NUMBERED = re.compile(r"((?:[^\\]|\\.)*)\[([0-9]+)\]", re.DOTALL)
_SYNTAX = ("pos.type.", "segmentation.type.", "morph.type.", "syntax.type.", "Lemma", "Stem")
_ESCAPES = {"\\": "\\\\", "[": "\\[", "]": "\\]", "|": "\\|", "_": "\\_", "*": "\\*", ";": "\\;"}
_WHITE = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_NO_VALUE = ("*", "_", "")


class _Columns(NamedTuple):
    """A layer of spans: what it is called, and which columns hold its features."""

    name: str
    features: Sequence[str]
    first: int


@dataclass(slots=True, eq=False)
class _Mark:
    """One annotation: where it is so far, and what its features say."""

    start: int
    end: int
    features: dict[str, str] = field(default_factory=dict)


def read(source: Source) -> Iterator[Document]:
    """Yield the document of a file, or those of a folder."""
    return read_all(source, SUFFIX, _read_file)


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write a folder a document, in it a file a layer."""
    write_all(documents, sink, SUFFIX, _content)


def sniff(head: str) -> bool:
    """Tell whether a file says that it is WebAnno's."""
    return _FORMAT.match(head) is not None


def is_syntax(layer: str) -> bool:
    """Tell whether a layer is about words and sentences, not about names."""
    return any(part in layer for part in _SYNTAX)


def labelled(
    layer: str, said: Mapping[str, str]
) -> tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Find label, database ids and attributes among the features of an annotation.

    >>> labelled("NamedEntity", {"identifier": "7157", "value": "Gene", "note": "new"})
    ('Gene', ('7157',), (('note', 'new'),))
    """
    features = dict(said)
    usual = [key for key in ("value", "label", *features) if key in features]
    key = next((key for key in usual if key != "identifier"), None)
    label = features.pop(key) if key else layer
    ids = split_ids(features.pop("identifier", ""))
    return label or layer, ids, tuple(features.items())


def _content(document: Document, layer: Layer) -> bytes:
    tokens = token_rows.cut(document.text, document.layers, by="fine")
    return (HEADER + "".join(_sentences(document.text, tokens, layer))).encode()


def _read_file(source: Source) -> tuple[str, Layer]:
    columns: list[_Columns] = []
    at = 3
    texts: list[str] = []
    rows: list[tuple[int, list[str]]] = []
    sentences: list[tuple[list[str], list[tuple[int, list[str]]]]] = []
    for number, line in source.lines():
        if found := _LAYER.fullmatch(line):
            kind, name, said = found.groups()
            features = said.split("|") if said else []
            n = max(1, len(features)) + (kind == "RL")
            if kind != "SP":
                source.ledger.note("dropped", "relations and chains", source.where(number))
            elif not is_syntax(name):
                columns.append(_Columns(name.rpartition(".")[2], features, at))
            at += n
        elif line.startswith("#Text="):
            if rows:
                sentences.append((texts, rows))
                texts, rows = [], []
            texts.append(_unescaped(line.removeprefix("#Text=")))
        elif line.strip() and not line.startswith("#"):
            rows.append((number, line.split("\t")))
    sentences.append((texts, rows))
    text = _text(sentences, source)
    places = {unit: point for point, unit in enumerate(_units(text))}
    all_rows = [row for _, rows in sentences for row in rows]
    marks = [mark for each in columns for mark in _marks(each, all_rows, source)]
    return text, tuple(_span(name, mark, places, source) for name, mark in marks)


def _units(text: str) -> Iterable[int]:
    if text.isascii():
        return range(len(text) + 1)
    return from_code_points(text, range(len(text) + 1), "utf-16")


def _text(
    sentences: Sequence[tuple[list[str], list[tuple[int, list[str]]]]], source: Source
) -> str:
    """Put the sentences where their first tokens say; what stood between them is line breaks."""
    pieces: list[str] = []
    reached = 0
    for texts, rows in sentences:
        text = "\n".join(texts)
        start = reached
        if rows:
            number, cells = rows[0]
            begin = _place(number, cells, source)[0]
            inner = text.find(_unescaped(cells[2]))
            if inner < 0:
                raise source.error(
                    number, f"token {cells[2]!r} is not in the sentence {text!r:.40}"
                )
            start = begin - list(_units(text))[inner]
        if start < reached or start - reached > 1 << 20:
            line = rows[0][0] if rows else None
            raise source.error(
                line, f"a sentence begins at {start}, the one before ends at {reached}"
            )
        pieces += ["\n" * (start - reached), text]
        reached = start + len(text.encode("utf-16-le", "surrogatepass")) // 2
    return "".join(pieces)


def _place(number: int, cells: Sequence[str], source: Source) -> tuple[int, int]:
    if len(cells) < 3 or not _ROW.fullmatch(cells[0]) or not (found := _PLACE.fullmatch(cells[1])):
        raise source.error(number, f"wanted 1-1<TAB>0-3<TAB>token, found {cells!r:.60}")
    return int(found[1]), int(found[2])


def _marks(
    columns: _Columns, rows: Sequence[tuple[int, list[str]]], source: Source
) -> Iterator[tuple[str, _Mark]]:
    numbered: dict[str, _Mark] = {}
    marks: list[_Mark] = []
    for number, cells in rows:
        start, end = _place(number, cells, source)
        own = cells[columns.first : columns.first + max(1, len(columns.features))]
        stacks = [_parts(cell) for cell in own]
        for at in range(max(map(len, stacks), default=0)):
            values = [stack[at] if at < len(stack) else "_" for stack in stacks]
            if all(value == "_" for value in values):
                continue
            mark = _of_number(values, numbered, start, end)
            if mark not in marks:
                marks.append(mark)
            mark.end = max(mark.end, end)
            for name, value in zip(columns.features, values, strict=False):
                bare = _bare(value)
                if bare not in _NO_VALUE:
                    mark.features[name] = _unescaped(bare)
    for mark in marks:
        yield columns.name, mark


def _of_number(values: Sequence[str], numbered: dict[str, _Mark], start: int, end: int) -> _Mark:
    """Find the annotation that a cell goes on with; without a number it is one of its own."""
    found = next((found for value in values if (found := _NUMBERED.fullmatch(value))), None)
    if found is None:
        return _Mark(start, end)
    return numbered.setdefault(found[2], _Mark(start, end))


def _bare(value: str) -> str:
    found = _NUMBERED.fullmatch(value)
    return found[1] if found else value


def _parts(cell: str) -> list[str]:
    """Part what is stacked on one token, at bars that are not escaped.

    >>> _parts(r"PER[1]|a\\|b[2]")
    ['PER[1]', 'a\\\\|b[2]']
    """
    parts, escaped = [""], False
    for character in cell:
        if character == "|" and not escaped:
            parts.append("")
        else:
            parts[-1] += character
        escaped = character == "\\" and not escaped
    return parts


def _span(name: str, mark: _Mark, places: Mapping[int, int], source: Source) -> Span:
    label, ids, attributes = labelled(name, mark.features)
    try:
        start, end = places[mark.start], places[mark.end]
    except KeyError:
        raise source.error(None, f"offsets {mark.start}-{mark.end} are not in the text") from None
    return Span(start, end, label, ids=ids, attributes=attributes)


def _sentences(text: str, tokens: Sequence[Token], layer: Layer) -> Iterator[str]:
    """Write sentence by sentence, with the white space after each, so that nothing is lost."""
    units = list(_units(text))
    cells = _cells(tokens, layer)
    edges = [*_starts(text, tokens, layer), len(text)]
    for number, (start, end) in enumerate(pairwise(edges), start=1):
        yield f"#Text={_escaped_text(text[start:end])}\n"
        rows = [at for at, (first, _) in enumerate(tokens) if start <= first < end]
        for place, at in enumerate(rows, start=1):
            first, last = tokens[at]
            token = _escaped_text(text[first:last])
            own = "\t".join(cells.get(at, ("_", "_")))
            yield f"{number}-{place}\t{units[first]}-{units[last]}\t{token}\t{own}\t\n"
        yield "\n"


def _starts(text: str, tokens: Sequence[Token], layer: Layer) -> list[int]:
    """Say where sentences begin: at a token, outside any name, and the first with the text."""
    first = {start for start, _ in tokens}
    inside = [(span.start, span.end) for span in layer]
    wanted = [start for start, _ in split_sentences(text)][1:]
    free = [
        at for at in wanted if at in first and not any(start < at < end for start, end in inside)
    ]
    return [0, *free] if text else []


def _cells(tokens: Sequence[Token], layer: Layer) -> dict[int, tuple[str, str]]:
    """Write for each token its identifiers and values; a number tells which go together."""
    by_start = {start: at for at, (start, _) in enumerate(tokens)}
    by_end = {end: at for at, (_, end) in enumerate(tokens)}
    stacked: dict[int, list[tuple[str, str]]] = {}
    for number, span in enumerate(layer, start=1):
        id = _escaped(join_ids(span.ids)) if span.ids else "*"
        pair = f"{id}[{number}]", f"{_escaped(span.label)}[{number}]"
        for at in range(by_start[span.start], by_end[span.end] + 1):
            stacked.setdefault(at, []).append(pair)
    return {
        at: ("|".join(id for id, _ in pairs), "|".join(label for _, label in pairs))
        for at, pairs in stacked.items()
    }


def _escaped(value: str) -> str:
    return "".join(_ESCAPES.get(each) or _WHITE.get(each, each) for each in value)


def _escaped_text(value: str) -> str:
    return "".join({"\\": "\\\\"}.get(each) or _WHITE.get(each, each) for each in value)


def _unescaped(value: str) -> str:
    back = {"t": "\t", "n": "\n", "r": "\r"}
    return _ESCAPED.sub(lambda found: back.get(found[1], found[1]), value)
