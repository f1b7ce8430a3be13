"""Lines of JSON read straight into columns, some hundred documents at a time.

Layers that are written as we write them are found in the bytes of all lines together
(``json_spans``). The other documents are decoded line by line (``json_records``). Columns are
checked together; whatever does not pass, or is not in order, is read again by ``document_in`` of
``jsonl``, which is the definition: documents, errors and their order are the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain, compress, pairwise
from typing import Any

import msgspec
import numpy as np

from vermeil.arrays import Flags, Ints
from vermeil.columns.held import BlockMapping, held_document
from vermeil.columns.held_centroids import CentroidBlock
from vermeil.document import Document
from vermeil.formats.files.source import Source
from vermeil.formats.kinds.own.json_centroids import find_centroids
from vermeil.formats.kinds.own.json_records import recorded
from vermeil.formats.kinds.own.json_spans import find_spans
from vermeil.formats.kinds.own.jsonl import ERRORS, document_in, parsed_trees

N_LINES = 256
N_BYTES = 4 << 20
"""How much is laid out at a time: so many lines, or as many as reach so many bytes."""


class Line(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A document as JSON holds it, of which layers and standards are bytes yet."""

    id: str
    text: str
    layers: dict[str, msgspec.Raw] = {}
    standards: dict[str, msgspec.Raw] = {}
    trees: dict[str, tuple[str | None, ...]] = {}
    meta: dict[str, Any] = {}


_decode = msgspec.json.Decoder(Line).decode


def documents(source: Source) -> Iterator[Document]:
    """Yield the documents of ``jsonl.read``, their layers and standards held as columns."""
    for lines, error in _taken(source.raw_lines()):
        for (number, raw), document in zip(
            lines, _documents([raw for _, raw in lines]), strict=True
        ):
            found = document or document_in(number, raw, source)
            if found is not None:
                yield found
        if error is not None:
            raise error


def _taken(
    lines: Iterator[tuple[int, bytes]],
) -> Iterator[tuple[list[tuple[int, bytes]], Exception | None]]:
    """Take lines that are not blank, many at a time, with the error that ended them, if any."""
    taken: list[tuple[int, bytes]] = []
    size = 0
    while True:
        try:
            number, raw = next(lines)
        except StopIteration:
            break
        except Exception as error:  # to be raised after what was read before it
            yield taken, error
            return
        if not raw.isspace():
            taken.append((number, raw))
            size += len(raw)
        if len(taken) >= N_LINES or size >= N_BYTES:
            yield taken, None
            taken, size = [], 0
    yield taken, None


def _documents(lines: Sequence[bytes]) -> list[Document | None]:
    """Make a document of each line; None where it has to be read otherwise."""
    made: list[Document | None] = [None] * len(lines)
    rows: list[Line] = []
    places: list[int] = []
    for place, raw in enumerate(lines):
        try:
            rows.append(_decode(raw))
        except ERRORS:
            continue
        places.append(place)
    held, found = _found(rows)
    for place, document in zip(compress(places, held), found, strict=True):
        made[place] = document
    others = [place for place, is_held in zip(places, held, strict=True) if not is_held]
    for place, document in zip(others, recorded([lines[at] for at in others]), strict=True):
        made[place] = document
    return made


def _found(rows: Sequence[Line]) -> tuple[list[bool], Iterator[Document | None]]:
    """Tell which rows are plain, and make documents of these; None where one does not fit."""
    plain = np.ones(len(rows), dtype=bool)
    while True:
        kept = list(compress(rows, plain.tolist()))
        layers = _Said([row.layers for row in kept])
        standards = _Said([row.standards for row in kept])
        try:
            are_layers, spans = find_spans(layers.annotators, layers.values)
            are_standards, centroids = find_centroids(standards.annotators, standards.values)
        except UnicodeDecodeError:
            return [False] * len(rows), iter(())
        if spans is not None and centroids is not None:
            break
        plain[plain] = layers.each(are_layers) & standards.each(are_standards)
    length = np.array([len(row.text) for row in kept], dtype=np.int64)
    fits = spans.fits(layers.document, length) & centroids.fits(standards.document, length)
    bounds = layers.bounds(), standards.bounds()
    made = (
        _document(row, BlockMapping(spans, own), centroids, standard) if is_fit else None
        for row, is_fit, own, standard in zip(kept, fits.tolist(), *bounds, strict=True)
    )
    return plain.tolist(), made


def _document(
    row: Line, layers: BlockMapping[Any], hearts: CentroidBlock, standards: range
) -> Document | None:
    if not row.id:
        return None
    try:
        trees = parsed_trees(row.trees) if row.trees else {}
    except ERRORS:
        return None
    held = BlockMapping(hearts, standards) if standards else {}
    return held_document(row.id, row.text, layers, held, trees, row.meta)


class _Said:
    """Layers or standards of rows, one after the other."""

    def __init__(self, rows: Sequence[Mapping[str, msgspec.Raw]]) -> None:
        self.annotators = list(chain.from_iterable(rows))
        self.values = list(chain.from_iterable(said.values() for said in rows))
        self._sizes = list(map(len, rows))
        self.document: Ints = np.repeat(np.arange(len(rows)), self._sizes)

    def bounds(self) -> list[range]:
        """List the groups of each row."""
        return [range(*both) for both in pairwise(accumulate(self._sizes, initial=0))]

    def each(self, good: Flags) -> Flags:
        """Tell of which rows all groups are good."""
        every = np.ones(len(self._sizes), dtype=bool)
        every[self.document[~good]] = False
        return every
