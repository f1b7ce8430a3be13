"""The inline XML of "Centroids: Gold standards with distributional variations", section 4.

    <e b='l:0:2,l:10:2,r:0:2,r:16:2' label='Gene'>TGF-beta</e>

An ``e`` element is the heart of a name. ``b`` lists its possible boundaries as direction (``l`` or
``r``), position and value. Positions count the characters that are not white space between the
edge of the heart and the boundary: ``l:10`` is the start of a name that reaches ten characters
further to the left, ``l:-3`` that of one that begins inside a heart widened by tolerance. A
boundary on white space, which no name should have, is ``l:10+1``: one more character of white
space.

The paper's files say no more. Ours add ``label`` (missing: the option ``label``), ``votes``
(missing: the sum of the values of one side, the larger one, because each name that contains the
heart starts and ends somewhere), ``confidence``, ``labels`` (their distribution, ``Gene:2,DNA:1``),
``pairs`` (boundaries given together, as left position, right position and value: ``10:16:2``),
``ids`` (a list as in JSON) and ``annotator`` as in inline_xml.py. Hearts that cross are cut into
pieces (see markup.py). A root that is itself an ``e`` is a document with this heart over all of
its text.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from math import isfinite

import msgspec

from vermeil.document import Centroid, Document
from vermeil.errors import UsageError
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source
from vermeil.formats.kinds.inline.markup import (
    Mark,
    MarkedDocument,
    by_annotator,
    documents,
    read_marks,
    write_documents,
)

CARRIES = frozenset({"text", "line breaks", "distributions"})
OPTIONS: dict[str, tuple[str, ...]] = {"label": ()}
ROOT = "centroids"
TAG = "e"
DEFAULT_LABEL = "Gene"

_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]{1,3})?"
_BOUNDARY = re.compile(rf"([lr]):(-?[0-9]{{1,9}})([+-][0-9]{{1,9}})?:({_NUMBER})")
_PAIR = re.compile(
    rf"(-?[0-9]{{1,9}})([+-][0-9]{{1,9}})?:(-?[0-9]{{1,9}})([+-][0-9]{{1,9}})?:({_NUMBER})"
)
_SHARE = re.compile(rf"([^,:]+):({_NUMBER})")
_PLAIN_LABEL = re.compile(r"[^\s,:\[\]]+")
_BEGINNING = re.compile(rf"<{ROOT}[\s/>]|<{TAG}\s[^<>]*\bb\s*=\s*['\"][lr]:-?[0-9]+")

Boundaries = tuple[tuple[int, float], ...]
Shares = tuple[tuple[str, float], ...]


def read(source: Source) -> Iterator[Document]:
    """Yield documents with their standards."""
    for id, element in documents(source, ROOT):
        with source.guard(element.sourceline, id):
            text, marks = read_marks(element, own=TAG)
            make = partial(_guarded_centroid, counting=_Counting(text), source=source)
            standards = by_annotator(element, marks, source.annotator, make)
            yield Document(id=id, text=text, standards=standards)


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write documents with their standards."""
    with sink.text() as stream:
        write_documents(map(_marked, documents), ROOT, stream)


def sniff(head: str) -> bool:
    """Tell whether a file that begins like this holds centroids."""
    return head.lstrip().startswith("<") and _BEGINNING.search(head) is not None


def _marked(document: Document) -> MarkedDocument:
    annotators = list(document.standards)
    counting = _Counting(document.text)
    marks = [
        _mark(centroid, counting, annotator if len(annotators) > 1 else None)
        for annotator, standard in document.standards.items()
        for centroid in standard
    ]
    return MarkedDocument(document.id, document.text, annotators, marks)


class _Counting:
    """Boundaries as offsets, and as counts of non-space characters from the edge of a heart."""

    def __init__(self, text: str) -> None:
        self._places = [at for at, character in enumerate(text) if not character.isspace()]

    def position(self, side: str, edge: int, boundary: int) -> str:
        """Count from ``edge`` to ``boundary``; what white space lies beyond follows a plus."""
        before, there = bisect_left(self._places, edge), bisect_left(self._places, boundary)
        n = before - there if side == "l" else there - before
        if n < 0:  # inside the heart, where white space may be all that follows
            most = len(self._places) - 1 - before if side == "l" else before - 1
            n = -min(-n, most)
        sign = -1 if side == "l" else 1
        beyond = sign * (boundary - self.offset(side, edge, n, 0))
        return f"{n}{beyond:+d}" if beyond else str(n)

    def offset(self, side: str, edge: int, n: int, beyond: int) -> int:
        """Find the boundary ``n`` non-space characters from ``edge`` and ``beyond`` further."""
        sign = -1 if side == "l" else 1
        if n == 0:
            return edge + sign * beyond
        before = bisect_left(self._places, edge)
        at = before - n if side == "l" else before + n - 1
        if not 0 <= at < len(self._places):
            raise ValueError(f"the boundary {side}:{n} lies outside the text")
        return self._places[at] + (side == "r") + sign * beyond


def _mark(centroid: Centroid, counting: _Counting, annotator: str | None) -> Mark:
    boundaries = [
        f"{side}:{counting.position(side, edge, at)}:{_written(value)}"
        for side, edge, those in (
            ("l", centroid.start, centroid.left),
            ("r", centroid.end, centroid.right),
        )
        for at, value in those
    ]
    attributes = {"b": ",".join(boundaries), "label": centroid.label}
    if centroid.votes != _votes(centroid.left, centroid.right):
        attributes["votes"] = _written(centroid.votes)
    if centroid.confidence is not None:
        attributes["confidence"] = repr(centroid.confidence)
    if centroid.labels:
        attributes["labels"] = _written_shares(centroid.labels)
    if centroid.pairs:
        attributes["pairs"] = ",".join(
            f"{counting.position('l', centroid.start, first)}:"
            f"{counting.position('r', centroid.end, last)}:{_written(value)}"
            for first, last, value in centroid.pairs
        )
    if centroid.ids:
        attributes["ids"] = msgspec.json.encode(centroid.ids).decode()
    if annotator is not None:
        attributes["annotator"] = annotator
    return Mark(((centroid.start, centroid.end),), TAG, attributes)


def _guarded_centroid(mark: Mark, counting: _Counting, source: Source) -> Centroid:
    try:
        if mark.tag != TAG:
            raise ValueError(f"wanted an <{TAG}> element, found <{mark.tag}>")
        if len(mark.pieces) > 1:
            raise ValueError("a heart has gaps")
        return _centroid(*mark.pieces[0], mark.attributes, counting, source)
    except (ValueError, msgspec.MsgspecError) as error:
        raise source.error(mark.line, str(error)) from None


def _centroid(
    start: int, end: int, attributes: Mapping[str, str], counting: _Counting, source: Source
) -> Centroid:
    sides: dict[str, list[tuple[int, float]]] = {"l": [], "r": []}
    for boundary in attributes.get("b", "").split(","):
        match = _BOUNDARY.fullmatch(boundary.strip())
        if match is None:
            raise ValueError(f"wanted a boundary like l:10:2, found {boundary[:40]!r}")
        side, n, beyond, value = match.groups()
        edge = start if side == "l" else end
        sides[side].append((counting.offset(side, edge, int(n), int(beyond or 0)), _number(value)))
    left, right = tuple(sorted(sides["l"], reverse=True)), tuple(sorted(sides["r"]))
    return Centroid(
        start=start,
        end=end,
        label=attributes.get("label") or source.options.get("label") or DEFAULT_LABEL,
        votes=_number(attributes["votes"]) if "votes" in attributes else _votes(left, right),
        left=left,
        right=right,
        confidence=_number(attributes["confidence"]) if "confidence" in attributes else None,
        labels=_shares(attributes.get("labels", "")),
        pairs=tuple(_pairs(attributes.get("pairs", ""), start, end, counting)),
        ids=msgspec.json.decode(attributes.get("ids", "[]"), type=tuple[str, ...]),
    )


def _pairs(
    value: str, start: int, end: int, counting: _Counting
) -> Iterator[tuple[int, int, float]]:
    for pair in value.split(",") if value else ():
        match = _PAIR.fullmatch(pair)
        if match is None:
            raise ValueError(f"wanted boundaries like 10:16:2, found {pair[:40]!r}")
        left, left_beyond, right, right_beyond, votes = match.groups()
        yield (
            counting.offset("l", start, int(left), int(left_beyond or 0)),
            counting.offset("r", end, int(right), int(right_beyond or 0)),
            _number(votes),
        )


def _votes(left: Boundaries, right: Boundaries) -> float:
    return float(max(sum(value for _, value in side) for side in (left, right)))


def _written(value: float) -> str:
    if not isfinite(value):
        raise UsageError(f"the value {value} of a boundary cannot be written; wanted a number")
    return repr(float(value)).removesuffix(".0")


def _number(value: str) -> float:
    if not re.fullmatch(_NUMBER, value) or not isfinite(float(value)):
        raise ValueError(f"wanted a number, found {value[:40]!r}")
    return float(value)


def _written_shares(labels: Shares) -> str:
    if all(_PLAIN_LABEL.fullmatch(label) for label, _ in labels):
        return ",".join(f"{label}:{_written(value)}" for label, value in labels)
    return msgspec.json.encode(labels).decode()


def _shares(value: str) -> Shares:
    if value.startswith("["):
        return msgspec.json.decode(value, type=Shares)
    matches = [_SHARE.fullmatch(share) for share in value.split(",")] if value else []
    if not all(matches):
        raise ValueError(f"wanted labels like Gene:2,DNA:1, found {value[:40]!r}")
    return tuple((match[1], _number(match[2])) for match in matches if match)
