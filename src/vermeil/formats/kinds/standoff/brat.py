"""brat stand-off: a folder of ID.txt with ID.ann beside it (https://brat.nlplab.org/standoff.html).

A ``.txt`` without annotation file is a text nobody looked at; an empty ``.ann`` is one in which
nothing was found. Without an ``.ann``, the files of the BioNLP shared tasks (``.a1``, ``.a2``,
``.co``, ``.rel``) are read together, as brat does. Folders inside the folder become part of the id,
as in ``train/PMID-1``, unless they hold the same texts and so are annotators (``arranging``). A
path to one ``.txt`` or annotation file reads that document alone. Hidden files, links that lead out
of the folder and names that are not UTF-8 are left out and counted.

====  ==========================================  ==============================================
T     ``T1<TAB>Gene 0 5;16 23<TAB>alpha globin``  a span
A, M  ``A1<TAB>Negation T1``, ``A2<TAB>Size T1 big``  attributes; ``Confidence`` is the confidence
N     ``N1<TAB>Reference T1 Taxonomy:9606<TAB>Homo sapiens``  a database id
#     ``#1<TAB>AnnotatorNotes T1<TAB>not sure``   an attribute called like the kind of note
====  ==========================================  ==============================================

An attribute that fits neither line as it is goes into a note of the kind ``Attribute``, as a JSON
pair. Relations, events and equivalences (R, E, ``*``) and what is said of them are counted as
dropped. Offsets are code points; a byte order mark that brat counted is taken off again.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import TypeAlias

import msgspec

from vermeil.document import Document, Span
from vermeil.errors import FormatError, UsageError
from vermeil.formats.files.doctor import NAMES, Claim, Pieces, settle
from vermeil.formats.files.features import EVERYTHING, is_share
from vermeil.formats.files.members import inside
from vermeil.formats.files.sink import Sink, document_id
from vermeil.formats.files.source import BOM, Source

CARRIES = EVERYTHING - {
    "layers",
    "any label",
    "title",
    "sections",
    "plain meta",
    "meta",
    "distributions",
    "trees",
}
OPTIONS = NAMES
PARTS = (".a1", ".a2", ".co", ".rel")
NOT_CARRIED = {"R": "relations", "E": "events", "*": "equivalences"}
CONFIDENCE, NOTE, PAIR = "Confidence", "AnnotatorNotes", "Attribute"

_TEXT_BOUND = re.compile(r"(T\S*)\t([^\t]+?) ([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)(?:\t(.*))?", re.S)
_ATTRIBUTE = re.compile(r"[AM]\S*\t(\S+) (\S+)(?: (.*))?", re.S)
_REFERENCE = re.compile(r"N\S*\t(\S+) (\S+) ([^\t]*)(?:\t.*)?", re.S)
_NOTE = re.compile(r"#\S*\t(\S+) (\S+)(?:\t(.*))?", re.S)
_SAID = {"A": _ATTRIBUTE, "M": _ATTRIBUTE, "N": _REFERENCE, "#": _NOTE}
_WORD, _WORD_OR_NOTHING = re.compile(r"\S+"), re.compile(r"\S*")
_BREAKS = re.compile(r"[\t\n\r]")

Line: TypeAlias = tuple[Source, int, str]


class _Mention(msgspec.Struct):
    """A T line and what other lines say of it."""

    source: Source
    label: str
    claim: Claim
    confidence: float | None = None
    ids: tuple[str, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()


def read(source: Source) -> Iterator[Document]:
    """Yield the documents of a folder in the order of their file names."""
    first: dict[str, Path] = {}
    for path in _text_files(source):
        member = source.member(path)
        with member.guard(None, path.name):
            id = _id(source, path)
            if id in first:
                raise member.error(None, f"{first[id].name} has the same id {id!r}; rename one")
            first[id] = path
            yield _document(member, id)


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write each document to its .txt and, where somebody looked, its .ann."""
    for document in documents:
        text = document.text.encode()
        raw = BOM + text if text.startswith(BOM) else text
        sink.file(document.id, ".txt").write_bytes(raw)
        for layer in document.layers.values():
            numbers = {kind: count(1) for kind in "TAN#"}
            lines = [
                line + "\n"
                for span in layer
                for line in _lines_of(span, document, f"T{next(numbers['T'])}", numbers)
            ]
            sink.file(document.id, ".ann").write_bytes("".join(lines).encode())


def _text_files(source: Source) -> list[Path]:
    path = source.path
    if not path.is_dir():
        return [path.with_suffix(".txt") if path.suffix in (".ann", *PARTS) else path]
    files = inside(source)
    texts = [each for each in files if each.suffix == ".txt"]
    for each in files:
        if each.suffix in (".ann", ".a1") and not each.with_suffix(".txt").exists():
            source.member(each).bad(None, each.name, f"there is no {each.stem}.txt beside it")
    if not texts and any(each.is_file() for each in files):
        raise source.error(None, "there is no .txt file in this folder")
    return texts


def _id(source: Source, path: Path) -> str:
    inside = path.relative_to(source.path) if source.path.is_dir() else Path(path.name)
    return document_id(inside.with_suffix("").as_posix())


def _document(source: Source, id: str) -> Document:
    text = source.text()
    whole = source.path.with_suffix(".ann")
    files = [whole] if whole.exists() else [source.path.with_suffix(part) for part in PARTS]
    files = [path for path in files if path.exists()]
    if not files:
        return Document(id=id, text=text)
    lines: list[Line] = [
        (member, number, line)
        for member in map(source.member, files)
        for number, line in member.lines()
        if line.strip()
    ]
    mentions = _mentions(text, lines)
    for line in lines:
        _take_in(line, mentions)
    spans = [
        _span(mention, pieces)
        for path in files
        for mention, pieces in _settled(text, mentions.values(), source.member(path))
    ]
    return Document(id=id, text=text, layers={source.annotator: tuple(spans)})


def _mentions(text: str, lines: list[Line]) -> dict[str, _Mention]:
    mentions: dict[str, _Mention] = {}
    for source, number, line in lines:
        if not line.startswith("T"):
            continue
        found = _TEXT_BOUND.fullmatch(line)
        if found is None:
            wanted = "ID<TAB>label start end[;start end]<TAB>text"
            raise source.error(number, f"wanted {wanted}, found {line!r}")
        key, label, offsets, marked = found.groups()
        if key in mentions:
            raise source.error(number, f"{key} is on line {mentions[key].claim.line} already")
        pieces = tuple(_pair(piece) for piece in offsets.split(";"))
        claim = Claim(pieces, _without_dots(marked, pieces, text), number)
        mentions[key] = _Mention(source, label, claim)
    return mentions


def _pair(piece: str) -> tuple[int, int]:
    start, end = piece.split(" ")
    return int(start), int(end)


def _without_dots(marked: str | None, pieces: Pieces, text: str) -> str | None:
    """Undo the `` ... `` that some tools put between the fragments of a discontinuous span."""
    if marked is None or marked.count(" ... ") != len(pieces) - 1:
        return marked
    joined = " ".join(text[start:end] for start, end in pieces)
    return marked if marked == joined else marked.replace(" ... ", " ")


def _take_in(line: Line, mentions: dict[str, _Mention]) -> None:
    """Add what a line says of a mention, or count it among the dropped."""
    source, number, content = line
    kind = content[0]
    if kind == "T":
        return
    if kind in NOT_CARRIED:
        source.ledger.note("dropped", NOT_CARRIED[kind], source.where(number))
        return
    found = _SAID[kind].fullmatch(content) if kind in _SAID else None
    if found is None and kind == "#":
        source.ledger.note("dropped", "comments", source.where(number))
        return
    if found is None:
        wanted = "T, A, M, N, R, E, * or #"
        raise source.error(number, f"wanted a line of brat's ({wanted}), found {content!r}")
    name, target, value = found.groups(default="")
    if target in mentions:
        _add(mentions[target], kind, name, value)
        if kind == "N" and content.split("\t")[2:] not in ([], [mentions[target].claim.marked]):
            source.ledger.note("dropped", "names beside database ids", source.where(number))
    elif target.startswith("T"):
        raise source.error(number, f"there is no {target} for {content!r}")
    else:
        what = "attributes and notes of relations and events"
        source.ledger.note("dropped", what, source.where(number))


def _add(mention: _Mention, kind: str, name: str, value: str) -> None:
    if kind == "N":
        mention.ids += (value,)
    elif kind != "#" and name == CONFIDENCE and mention.confidence is None and is_share(value):
        mention.confidence = float(value)
    elif kind == "#" and name == PAIR:
        mention.attributes += (_pair_in_note(value),)
    else:
        mention.attributes += ((name, value),)


def _pair_in_note(value: str) -> tuple[str, str]:
    try:
        return msgspec.json.decode(value, type=tuple[str, str])
    except (msgspec.MsgspecError, RecursionError):
        return PAIR, value


def _settled(
    text: str, mentions: Iterable[_Mention], source: Source
) -> Iterator[tuple[_Mention, Pieces]]:
    """Check the mentions that come from one file."""
    own = [mention for mention in mentions if mention.source.path == source.path]
    claims = [mention.claim for mention in own]
    has_mark = _has_mark(source.member(source.path.with_suffix(".txt")))
    try:
        places = settle(text, claims, source, is_trial=has_mark)
    except FormatError:
        if not has_mark:
            raise
        places = settle(text, [_one_less(claim) for claim in claims], source)
        what = "offsets that count the byte order mark"
        source.ledger.note("repaired", what, source.where(), n=len(claims))
    return zip(own, places, strict=True)


def _has_mark(source: Source) -> bool:
    with source.binary() as stream:
        return stream.read(len(BOM)) == BOM


def _one_less(claim: Claim) -> Claim:
    return claim._replace(pieces=tuple((start - 1, end - 1) for start, end in claim.pieces))


def _span(mention: _Mention, pieces: Pieces) -> Span:
    try:
        return Span.over(
            sorted(pieces),
            mention.label,
            mention.confidence,
            ids=mention.ids,
            attributes=mention.attributes,
        )
    except ValueError as error:
        raise mention.source.error(mention.claim.line, str(error)) from error


def _lines_of(
    span: Span, document: Document, key: str, numbers: dict[str, "count[int]"]
) -> Iterator[str]:
    offsets = ";".join(f"{start} {end}" for start, end in span.pieces)
    marked = _BREAKS.sub(" ", span.marked(document.text))
    yield f"{key}\t{span.label} {offsets}\t{marked}"
    for id in span.ids:
        if _BREAKS.search(id):
            raise UsageError(
                f"document {document.id!r}: brat cannot hold the database id {id!r}, which has a "
                "tab or line break"
            )
        yield f"N{next(numbers['N'])}\tReference {key} {id}\t{marked}"
    if span.confidence is not None:
        yield f"A{next(numbers['A'])}\t{CONFIDENCE} {key} {span.confidence!r}"
    for name, value in span.attributes:
        yield _attribute_line(name, value, key, numbers)


def _attribute_line(name: str, value: str, key: str, numbers: dict[str, "count[int]"]) -> str:
    is_word = _WORD.fullmatch(name) and name not in (CONFIDENCE, PAIR)
    if is_word and name != NOTE and _WORD_OR_NOTHING.fullmatch(value):
        return f"A{next(numbers['A'])}\t{name} {key} {value}".removesuffix(" ")
    if is_word and not re.search(r"[\n\r]", value):
        return f"#{next(numbers['#'])}\t{name} {key}\t{value}"
    pair = msgspec.json.encode((name, value)).decode()
    return f"#{next(numbers['#'])}\t{PAIR} {key}\t{pair}"
