"""What BioC says about a document, whether in XML or in JSON.

Text: passages are laid out at their offsets and gaps filled with spaces, so that BioC's offsets
are ours; a passage that would begin inside the one before follows it after one space instead.
Sentences make up the text of a passage that has none. A passage with an infon ``section_type`` or
``type`` is a section of that kind. Offsets that count UTF-16 or bytes are repaired, and so are
those of annotations that count from their passage. The text of an annotation in several pieces may
be the pieces joined by a space or the whole stretch, which we write as the bioc library wants it.

Infons of an annotation: ``type`` is the label; ``identifier`` holds the database ids, separated as
in PubTator, and so does an infon called like a database, which is kept as an attribute, too, and
written back; ``confidence`` or ``score`` is the
confidence where it is a number from 0 to 1; ``annotator`` names the layer. All others are
attributes; ours that cannot be infons (two of a name, say) are JSON in the infon ``attributes``.

Infons of a document are metadata, except ``annotators``, a JSON list of who looked, and
``sections``, JSON where sections are not passages. Without ``annotators``, the file names the
layer of annotations that do not. Relations, annotations without location and infons of passages
and sentences beyond their kind are counted as dropped.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import msgspec

from vermeil.document import Document, Layer, Span
from vermeil.errors import FormatError
from vermeil.formats.files.doctor import Claim, Pieces, settle
from vermeil.formats.files.features import is_share
from vermeil.formats.files.source import Source
from vermeil.formats.kinds.literature.pubtator import IDENTIFIER, join_ids, split_ids

DATABASES = {
    "mesh": "MESH",
    "omim": "OMIM",
    "chebi": "CHEBI",
    "uniprot": "UniProt",
    "cellosaurus": "Cellosaurus",
    "ncbi gene": "NCBIGene",
    "ncbi taxonomy": "NCBITaxon",
    "taxonomy": "NCBITaxon",
}
"""Infons that hold database ids, in lower case, and the prefix the ids get."""

RESERVED = {"type", "identifier", "confidence", "score", "annotator", "attributes", *DATABASES}
MAX_GAP = 1_000_000
NAMELESS = "Name"
"""The label of an annotation that has none, unless the option ``label`` says otherwise."""

_WIDTHS: dict[str, Callable[[str], int]] = {
    "code points": len,
    "UTF-16 code units": lambda text: len(text.encode("utf-16-le")) // 2,
    "UTF-8 bytes": lambda text: len(text.encode()),
}

Infons: TypeAlias = dict[str, Any]
Said: TypeAlias = tuple[str, Span]
"""A span and the annotator it is from."""


class _Location(msgspec.Struct):
    """A stretch of the document."""

    offset: int
    length: int


class _Annotation(msgspec.Struct):
    """A mention."""

    infons: Infons = {}
    text: str | None = None
    locations: list[_Location] = []


class _Sentence(msgspec.Struct, kw_only=True):
    """A sentence, or what a passage has in common with one."""

    offset: int
    text: str | None = None
    infons: Infons = {}
    annotations: list[_Annotation] = []
    relations: list[Any] = []


class _Passage(_Sentence, kw_only=True):
    """A part of a document."""

    sentences: list[_Sentence] = []


class _Paper(msgspec.Struct, kw_only=True):
    """A document."""

    id: str | int = ""
    infons: Infons = {}
    passages: list[_Passage] = []
    annotations: list[_Annotation] = []
    relations: list[Any] = []


def to_document(fields: Any, source: Source, number: int) -> Document:
    """Make a document of BioC's JSON; numbers may be spelt as strings.

    Without an id it is called by its ``number`` in the file.
    """
    paper = msgspec.convert(fields, _Paper, strict=False)
    if paper.id == "":
        paper.id = str(number)
        source.ledger.note("called", "documents without an id by their number", source.where())
    texts = [_text_of(passage, source) for passage in paper.passages]
    offsets = [passage.offset for passage in paper.passages]
    text, starts = _laid_out(offsets, texts, 0, source)
    said = _said(paper.annotations, [(text, 0, 0)], source)
    for passage, own, start in zip(paper.passages, texts, starts, strict=True):
        parts = [passage, *passage.sentences]
        annotations = [annotation for part in parts for annotation in part.annotations]
        bases = [(own, passage.offset, start), (text, 0, 0), (own, 0, start)]
        said += _said(annotations, bases, source)
    sections = _sections(paper, texts, starts)
    _count_dropped(paper, len(sections), source)
    stored = sections or _decoded(paper.infons.get("sections"), list[Any])
    looked = _decoded(paper.infons.get("annotators"), list[str])
    hidden = () if looked is None else ("annotators",)
    meta = {key: value for key, value in paper.infons.items() if key not in hidden}
    return Document(
        id=str(paper.id),
        text=text,
        layers=_layers(said, looked, source),
        meta=meta if stored is None else meta | {"sections": stored},
    )


def ids_in(infon: str, value: str) -> list[str]:
    """Take the database ids of an infon apart; in one called like a database they get its name.

    >>> ids_in("NCBI Gene", "4221;7157")
    ['NCBIGene:4221', 'NCBIGene:7157']
    """
    if infon.lower() not in DATABASES:
        return [*split_ids(value)]
    prefix = DATABASES[infon.lower()] + ":"
    return [prefix + id.removeprefix(prefix) for id in split_ids(value)]


def is_odd(column: str) -> bool:
    """Tell whether we would spell a column of ids otherwise, so that it has to be kept."""
    return bool(column.strip("-")) and join_ids(split_ids(column)) != column


def as_json(value: Any) -> str:
    """Spell JSON for an infon."""
    return msgspec.json.encode(value).decode()


def _text_of(passage: _Passage, source: Source) -> str:
    if passage.text or not passage.sentences:
        return passage.text or ""
    offsets = [sentence.offset for sentence in passage.sentences]
    texts = [sentence.text or "" for sentence in passage.sentences]
    return _laid_out(offsets, texts, passage.offset, source)[0]


def _laid_out(
    offsets: Sequence[int], texts: Sequence[str], origin: int, source: Source
) -> tuple[str, list[int]]:
    """Lay texts out at their offsets; return the whole and where each begins in it."""
    unit, gaps = _counted(offsets, texts, origin)
    if unit != "code points":
        source.ledger.note("repaired", f"offsets of passages that count {unit}", source.where())
    pieces: list[str] = []
    starts: list[int] = []
    place = 0
    for gap, text in zip(gaps, texts, strict=True):
        if gap > MAX_GAP:
            raise ValueError(f"a passage begins {gap} characters after the one before ends")
        if gap < 0:
            source.ledger.note("repaired", "passages that overlap", source.where())
        filler = " " * (gap if gap >= 0 else 1 if place else 0)
        starts.append(place + len(filler))
        pieces += (filler, text)
        place += len(filler) + len(text)
    return "".join(pieces), starts


def _counted(offsets: Sequence[int], texts: Sequence[str], origin: int) -> tuple[str, list[int]]:
    """Find the unit in which texts are at most one character apart, if there is one."""
    for unit, width in _WIDTHS.items():
        gaps = _gaps(offsets, texts, origin, width)
        if all(0 <= gap <= 1 for gap in gaps[1:]):
            return unit, gaps
    return "code points", _gaps(offsets, texts, origin, len)


def _gaps(
    offsets: Sequence[int], texts: Sequence[str], origin: int, width: Callable[[str], int]
) -> list[int]:
    """Measure the distance of each text from the end of the one before; empty texts have none."""
    gaps = []
    for offset, text in zip(offsets, texts, strict=True):
        gaps.append(offset - origin if text else 0)
        origin = offset + width(text) if text else origin
    return gaps


def _said(
    annotations: list[_Annotation], bases: list[tuple[str, int, int]], source: Source
) -> list[Said]:
    """Find where annotations are, in the first way to count that explains them all.

    A base is a text, the offset that BioC gives its beginning, and where it begins for us; the
    third, if any, is for offsets that count from the passage.
    """
    located = [annotation for annotation in annotations if annotation.locations]
    is_broken = any(len(annotation.locations) > 1 for annotation in located)
    first_miss: FormatError | None = None
    for number, (text, offset, start) in enumerate(bases):
        for whole in (True, False) if is_broken else (False,):
            try:
                places = settle(text, _claims(located, offset, whole=whole), source, is_trial=True)
            except FormatError as miss:
                first_miss = first_miss or miss
                continue
            if number == 2:
                source.ledger.note(
                    "repaired", "offsets that count from the passage", source.where()
                )
            pairs = zip(located, places, strict=False)
            return [_span(each, pieces, start, source) for each, pieces in pairs]
    assert first_miss is not None, "there is at least one base"
    if source.options["names"] == "check":
        raise first_miss
    text, offset, start = bases[0]
    places = settle(text, _claims(located, offset, whole=False), source)
    return [
        _span(each, pieces, start, source) for each, pieces in zip(located, places, strict=True)
    ]


def _claims(annotations: list[_Annotation], offset: int, *, whole: bool) -> list[Claim]:
    """Make a claim for each annotation; with ``whole``, the text repeated covers the gaps too."""
    claims = []
    extents = []
    for annotation in annotations:
        starts = [location.offset - offset for location in annotation.locations]
        ends = [location.offset - offset + location.length for location in annotation.locations]
        marked = annotation.text or None
        covers = whole and len(starts) > 1
        claims.append(Claim(tuple(zip(starts, ends, strict=True)), None if covers else marked))
        if covers:
            extents.append(Claim(((min(starts), max(ends)),), marked))
    return claims + extents


def _span(annotation: _Annotation, pieces: Pieces, start: int, source: Source) -> Said:
    label, annotator = "", source.annotator
    confidence: float | None = None
    ids: list[str] = []
    attributes: list[tuple[str, str]] = []
    for key, value in annotation.infons.items():
        spelt = value if isinstance(value, str) else "" if value is None else as_json(value)
        if key == "type":
            label = spelt
        elif key == "annotator":
            annotator = spelt or annotator
        elif key.lower() == IDENTIFIER:
            found = split_ids(spelt)
            ids += found
            if key != IDENTIFIER or is_odd(spelt):
                attributes.append((key, spelt))
        elif key.lower() in DATABASES:
            ids += ids_in(key, spelt)
            attributes.append((key, spelt))
        elif key in ("confidence", "score") and confidence is None and is_share(spelt):
            confidence = float(spelt)
        elif key == "attributes" and (pairs := _decoded(spelt, list[tuple[str, str]])) is not None:
            attributes += pairs
        else:
            attributes.append((key, spelt))
    ordered = tuple(sorted((start + first, start + last) for first, last in pieces))
    if not label:
        label = source.options["label"] or NAMELESS
        what = f"annotations without an infon 'type' to {label}"
        source.ledger.note("changed", what, source.where(), detail=annotation.text or "")
    return annotator, Span.over(
        ordered, label, confidence, ids=tuple(ids), attributes=tuple(attributes)
    )


def _sections(paper: _Paper, texts: list[str], starts: list[int]) -> list[dict[str, Any]]:
    kinds = [each.infons.get("section_type") or each.infons.get("type") for each in paper.passages]
    return [
        {"start": start, "end": start + len(text), "kind": str(kind)}
        for kind, text, start in zip(kinds, texts, starts, strict=True)
        if kind and text
    ]


def _layers(said: list[Said], looked: list[str] | None, source: Source) -> dict[str, Layer]:
    spans: dict[str, list[Span]] = {name: [] for name in looked or ()}
    for annotator, span in said:
        spans.setdefault(annotator, []).append(span)
    if looked is None and not spans:
        return {source.annotator: ()}
    return {name: tuple(own) for name, own in spans.items()}


def _count_dropped(paper: _Paper, n_sections: int, source: Source) -> None:
    parts = [part for passage in paper.passages for part in (passage, *passage.sentences)]
    annotations = [*paper.annotations, *(each for part in parts for each in part.annotations)]
    counts = {
        "relations": len(paper.relations) + sum(len(part.relations) for part in parts),
        "annotations without a location": sum(not each.locations for each in annotations),
        "infons of passages and sentences": sum(len(part.infons) for part in parts) - n_sections,
    }
    for what, n in counts.items():
        if n:
            source.ledger.note("dropped", what, source.where(), n=n, detail=str(paper.id))


def _decoded(value: Any, type: Any) -> Any:
    """Decode JSON inside a string; None where it is none or holds something else."""
    try:
        return msgspec.json.decode(value, type=type) if isinstance(value, str) else None
    except (msgspec.MsgspecError, RecursionError):
        return None
