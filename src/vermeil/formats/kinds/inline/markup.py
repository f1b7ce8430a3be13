"""Text with elements in it: what inline XML formats share.

Elements must nest, and names need not. A stretch that would cross another's end is cut there, and
the pieces share the attribute ``part``: ``part="2"`` on each piece of the second such stretch in
the document, or ``part="2.1"``, ``part="2.2"`` where it is discontinuous and has fragments. The
first piece carries the other attributes. Pieces of one fragment touch.

White space counts everywhere inside a document. ``\\r`` is written as ``&#13;``, because XML would
make a ``\\n`` of it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple, TextIO, TypeVar

import msgspec

from vermeil.errors import UsageError
from vermeil.formats.files.safe_xml import Element, local_name, release, walk
from vermeil.formats.files.source import Source, stem
from vermeil.text.xml_text import escape, quoteattr

T = TypeVar("T")

DOCUMENT_TAGS = ("document", "doc", "article", "text")
MAX_DEPTH = 200
"""Deepest nesting written; XML parsers refuse 256."""

_PART = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?")
_REFUSED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_BREAKS = {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}


class Mark(NamedTuple):
    """An element over one or more stretches of the text."""

    pieces: tuple[tuple[int, int], ...]
    tag: str
    attributes: Mapping[str, str]
    line: int | None = None


class _Piece(NamedTuple):
    """A stretch that nests with all others, of the given mark and fragment."""

    start: int
    end: int
    mark: int
    fragment: int


def documents(source: Source, root: str) -> Iterator[tuple[str, Element]]:
    """Yield the elements that are documents, with their ids.

    They are the elements right below the root, if the first of them is called like one of
    DOCUMENT_TAGS and no text precedes it; otherwise the root is the only document, unless it is
    called ``root`` and empty. Without an attribute ``id`` documents are called by their number,
    and a root by its file.
    """
    depth, n_documents, holds_many = 0, 0, False
    line_of: dict[str, int] = {}
    for event, element in walk(source):
        depth += 1 if event == "start" else -1
        if event == "start" and depth == 2:
            holds_many = holds_many or (n_documents == 0 and _begins_list(element))
            if holds_many:
                _refuse_loose_content(source, element)
        elif event == "end" and depth == 1 and holds_many:
            n_documents += 1
            id = element.get("id") or str(n_documents)
            if id in line_of:
                reason = f"the id {id!r} is already that of line {line_of[id]}"
                source.bad(element.sourceline, id, reason)
            else:
                line_of[id] = element.sourceline
                yield id, element
            release(element)
        elif event == "end" and depth == 0 and holds_many:
            _refuse_loose_text(source, element[-1])
        elif event == "end" and depth == 0 and not _is_empty_list(element, root):
            yield element.get("id") or stem(source.path), element


def read_marks(document: Element, own: str = "") -> tuple[str, list[Mark]]:
    """Read the text of a document element and the elements in it, their pieces joined.

    Elements without text are left out; they mark nothing. A document element that is itself
    called ``own`` marks all of its text.
    """
    texts: list[str] = []
    found: list[tuple[int, int, Element]] = []
    end = _descend(document, 0, texts, found)
    if local_name(document) == own:
        found.insert(0, (0, end, document))
    groups: dict[object, list[tuple[int, int, str | None]]] = {}
    first_of: dict[object, Element] = {}
    for at, (start, end, element) in enumerate(found):
        if start < end:
            match = _PART.fullmatch(element.get("part", ""))
            key, fragment = (match[1], match[2]) if match else (at, None)
            groups.setdefault(key, []).append((start, end, fragment))
            first_of.setdefault(key, element)
    marks = [_mark(first_of[key], _joined(pieces)) for key, pieces in groups.items()]
    return "".join(texts), marks


def by_annotator(
    element: Element, marks: Iterable[Mark], default: str, make: Callable[[Mark], T]
) -> dict[str, tuple[T, ...]]:
    """Make something of each mark and sort it by annotator.

    A document names in ``annotators`` who looked; without that, ``default`` did. A mark without
    an annotator is by the only one there is.
    """
    looked = element.get("annotators")
    annotators = unpacked(looked) if looked is not None else (default,)
    owner = annotators[0] if len(annotators) == 1 else default
    made: dict[str, list[T]] = {name: [] for name in annotators}
    for mark in marks:
        made.setdefault(mark.attributes.get("annotator", owner), []).append(make(mark))
    return {name: tuple(things) for name, things in made.items()}


class MarkedDocument(NamedTuple):
    """A document to be written, with everything its annotators marked."""

    id: str
    text: str
    annotators: Sequence[str]
    marks: Sequence[Mark]


def write_documents(papers: Iterable[MarkedDocument], root: str, stream: TextIO) -> None:
    """Write documents below ``root``, each on lines of its own."""
    stream.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<{root}>\n')
    for paper in papers:
        about = {"id": paper.id, "annotators": packed(paper.annotators)}
        stream.write(start_tag("document", about))
        stream.write(write_marks(paper.text, paper.marks))
        stream.write("</document>\n")
    stream.write(f"</{root}>\n")


def write_marks(text: str, marks: Sequence[Mark]) -> str:
    """Write the content of a document element: ``text`` with an element for each piece."""
    pieces = _nested(marks)
    n_pieces = Counter(piece.mark for piece in pieces)
    numbers: dict[int, int] = {}
    out: list[str] = []
    open_elements: list[tuple[int, str]] = []
    place = 0

    def close(until: int) -> None:
        nonlocal place
        while open_elements and open_elements[-1][0] <= until:
            end, tag = open_elements.pop()
            out.append(f"{_escaped(text[place:end])}</{tag}>")
            place = end

    for piece in pieces:
        close(piece.start)
        out.append(_escaped(text[place : piece.start]))
        place = piece.start
        mark = marks[piece.mark]
        attributes = {} if piece.mark in numbers else dict(mark.attributes)
        if n_pieces[piece.mark] > 1:
            number = numbers.setdefault(piece.mark, len(numbers) + 1)
            fragment = f".{piece.fragment + 1}" if len(mark.pieces) > 1 else ""
            attributes["part"] = f"{number}{fragment}"
        out.append(start_tag(mark.tag, attributes))
        open_elements.append((piece.end, mark.tag))
    close(len(text))
    out.append(_escaped(text[place:]))
    return "".join(out)


def start_tag(tag: str, attributes: Mapping[str, str]) -> str:
    """Write the beginning of an element; UsageError for characters XML cannot hold."""
    for name, value in attributes.items():
        if _REFUSED.search(value):
            raise UsageError(f"{name} {value!r} holds a character that XML cannot hold; change it")
    written = (f" {name}={quoteattr(value, _BREAKS)}" for name, value in attributes.items())
    return f"<{tag}{''.join(written)}>"


def packed(values: Sequence[str]) -> str:
    """Write words into one attribute, separated by spaces; as JSON where they are no words.

    >>> packed(["HGNC:11998", "P04637"]), packed(["a b"])
    ('HGNC:11998 P04637', '["a b"]')
    """
    plain = " ".join(values)
    if plain.split() == list(values) and not plain.startswith("["):
        return plain
    return msgspec.json.encode(values).decode()


def unpacked(value: str) -> tuple[str, ...]:
    """Undo ``packed``."""
    if value.startswith("["):
        try:
            return msgspec.json.decode(value, type=tuple[str, ...])
        except msgspec.MsgspecError:
            pass
    return tuple(value.split())


def _begins_list(element: Element) -> bool:
    before = element.getparent().text
    return local_name(element) in DOCUMENT_TAGS and not (before or "").strip()


def _refuse_loose_content(source: Source, element: Element) -> None:
    if local_name(element) not in DOCUMENT_TAGS:
        found = local_name(element)
        raise source.error(element.sourceline, f"wanted a document element, found <{found}>")
    if element.getprevious() is not None:
        _refuse_loose_text(source, element.getprevious())


def _refuse_loose_text(source: Source, element: Element) -> None:
    loose = (element.tail or "").strip()
    if loose:
        reason = f"{loose[:40]!r} stands outside any document, after the one that begins here"
        raise source.error(element.sourceline, reason)


def _is_empty_list(element: Element, root: str) -> bool:
    return local_name(element) == root and not len(element) and not (element.text or "").strip()


def _descend(
    element: Element, place: int, texts: list[str], found: list[tuple[int, int, Element]]
) -> int:
    """Collect what lies inside ``element``, which begins at ``place``, and return its end."""
    if element.text:
        texts.append(element.text)
        place += len(element.text)
    for child in element:
        start, at = place, len(found)
        found.append((start, start, child))
        place = _descend(child, place, texts, found)
        found[at] = (start, place, child)
        if child.tail:
            texts.append(child.tail)
            place += len(child.tail)
    return place


def _mark(element: Element, pieces: tuple[tuple[int, int], ...]) -> Mark:
    attributes = {
        name.rpartition("}")[2]: value
        for name, value in element.attrib.items()
        if name != "part" or not _PART.fullmatch(value)
    }
    return Mark(pieces, local_name(element), attributes, element.sourceline)


def _joined(pieces: list[tuple[int, int, str | None]]) -> tuple[tuple[int, int], ...]:
    joined: list[tuple[int, int]] = []
    last_fragment: str | None = None
    for start, end, fragment in pieces:
        if joined and fragment == last_fragment and joined[-1][1] == start:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
        last_fragment = fragment
    return tuple(joined)


def _nested(marks: Sequence[Mark]) -> list[_Piece]:
    """Cut what crosses, so that every two pieces nest or are apart; outer ones come first."""
    waiting = [
        (start, -end, mark, fragment)
        for mark, (pieces, *_) in enumerate(marks)
        for fragment, (start, end) in enumerate(pieces)
    ]
    heapify(waiting)
    nested: list[_Piece] = []
    ends: list[int] = []
    while waiting:
        start, minus_end, mark, fragment = heappop(waiting)
        end = -minus_end
        while ends and ends[-1] <= start:
            ends.pop()
        if ends and ends[-1] < end:
            heappush(waiting, (ends[-1], minus_end, mark, fragment))
            end = ends[-1]
        ends.append(end)
        if len(ends) > MAX_DEPTH:
            raise UsageError(
                f"more than {MAX_DEPTH} names lie over one another, too deep for XML; write jsonl"
            )
        nested.append(_Piece(start, end, mark, fragment))
    return nested


def _escaped(text: str) -> str:
    return escape(text, {"\r": "&#13;"})
