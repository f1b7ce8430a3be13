"""PubAnnotation JSON: a text, denotations over it, attributes of those.

    {"sourcedb": "PubMed", "sourceid": "123", "text": "…", "project": "anna",
     "denotations": [{"id": "T1", "span": {"begin": 0, "end": 5}, "obj": "Gene"}],
     "attributes": [{"subj": "T1", "pred": "identifier", "obj": "NCBIGene:7157"}]}

A file holds one such object, an array of them or one a line; a folder holds ``.json`` files. Lines
and folders stream, an array is read whole. Offsets are half-open code points.

The id of a document is ``sourcedb:sourceid[:divid]``, or ``sourceid`` where nothing else is given;
without a ``sourceid`` it comes from the ``target`` URL or the file name. Several layers are
``tracks``, each with its ``project``, the annotator. No denotations at all: nobody looked.

Discontinuous spans are lists of spans (the bag model; fragments of the chain model stay spans of
their own). The predicates ``identifier`` and ``confidence`` are ids and confidence, others
attributes; one of ours called like a predicate we use is written as the pair
``{"pred": "attribute", "obj": [name, value]}``. ``divisions`` are sections, keys we do not know
metadata. Relations and modifications are counted as dropped.
https://www.pubannotation.org/docs/annotation-format/
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec

from vermeil.document import Document, Layer, Span
from vermeil.formats.files.doctor import Claim, Pieces, settle
from vermeil.formats.files.features import EVERYTHING
from vermeil.formats.files.json_records import JsonRecord, records
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import COMPRESSED, Source, json_keys, stem

CARRIES = EVERYTHING - {"distributions", "trees"}
LAYOUTS = {"array": (b"[\n", b",\n", b"\n]\n"), "lines": (b"", b"\n", b"\n")}
OPTIONS = {"layout": tuple(LAYOUTS)}
IDENTIFIER, CONFIDENCE, PAIR = "identifier", "confidence", "attribute"

_ID = re.compile(r"([^:]+):([^:]+)(?::(0|[1-9][0-9]{0,8}))?")
_TARGET = re.compile(r"/sourcedb/([^/]+)/sourceid/([^/]+)(?:/divs/([0-9]+))?")


class _Place(msgspec.Struct):
    """A stretch of the text."""

    begin: int
    end: int


class _Denotation(msgspec.Struct):
    """A mention."""

    span: _Place | list[_Place]
    obj: Any
    id: str | int | None = None


class _Statement(msgspec.Struct):
    """An attribute of a denotation or a relation between two."""

    subj: str | int
    pred: str
    obj: Any


class _Division(msgspec.Struct):
    """A section."""

    span: _Place
    label: str = ""


class _Track(msgspec.Struct):
    """What one project says about the text."""

    project: str | None = None
    denotations: list[_Denotation] | None = None
    attributes: list[_Statement] = []
    relations: list[_Statement] = []
    modifications: list[Any] = []


class _Paper(_Track, kw_only=True):
    """A whole record."""

    text: str
    sourcedb: str | None = None
    sourceid: str | int | None = None
    divid: int | None = None
    divisions: list[_Division] = []
    tracks: list[_Track] = []


def read(source: Source) -> Iterator[Document]:
    """Yield one document for each object."""
    members = map(source.member, _members(source)) if source.path.is_dir() else [source]
    for member in members:
        for record in records(member):
            with member.guard(record.line, record.raw):
                yield _document(record, member)


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write an array with one object a line, or with the layout ``lines`` just the lines."""
    separator, between, end = LAYOUTS[sink.options["layout"]]
    if separator:
        sink.binary.write(separator)
        separator = b""
    for document in documents:
        sink.binary.write(separator + msgspec.json.encode(_fields(document, sink)))
        separator = between
    sink.binary.write(end)


def sniff(head: str) -> bool:
    """Tell whether a file that begins like this is PubAnnotation's."""
    keys = json_keys(head)
    return "text" in keys and bool(keys & {"denotations", "tracks", "sourcedb", "sourceid"})


def _members(source: Source) -> list[Path]:
    suffixes = tuple(".json" + suffix for suffix in ("", *COMPRESSED))
    paths = sorted(path for path in source.path.iterdir() if path.is_file())
    members = [path for path in paths if path.name.endswith(suffixes) and path.name[0] != "."]
    if paths and not members:
        raise source.error(None, "there is no .json file in this folder")
    return members


def _document(record: JsonRecord, source: Source) -> Document:
    paper = msgspec.convert(record.fields, _Paper)
    known = _Paper.__struct_fields__
    meta = {key: value for key, value in record.fields.items() if key not in known}
    if paper.divisions:
        meta["sections"] = [_section(each, len(paper.text)) for each in paper.divisions]
    layers: dict[str, Layer] = {}
    for track in [paper, *paper.tracks]:
        if track.denotations is not None:
            name = source.annotator if track.project is None else track.project
            layers[name] = layers.get(name, ()) + _layer(track, paper.text, record, source)
    return Document(id=_id(paper, record, source), text=paper.text, layers=layers, meta=meta)


def _section(division: _Division, length: int) -> dict[str, Any]:
    at = division.span
    if not 0 <= at.begin <= at.end <= length:
        raise ValueError(f"division {at.begin}-{at.end} is outside the text")
    return {"start": at.begin, "end": at.end, "kind": division.label}


def _id(paper: _Paper, record: JsonRecord, source: Source) -> str:
    parts: list[Any] = [paper.sourcedb, paper.sourceid, paper.divid]
    if paper.sourceid in (None, ""):
        found = _TARGET.search(str(record.fields.get("target", "")))
        name = stem(source.path)
        parts = [name if record.number == 1 else f"{name}-{record.number}"]
        if found is not None:
            parts = [part and unquote(part) for part in found.groups()]
    return ":".join(str(part) for part in parts if part not in (None, ""))


def _layer(track: _Track, text: str, record: JsonRecord, source: Source) -> Layer:
    denotations = track.denotations or []
    names = Counter(each.id for each in denotations if each.id is not None)
    for name, n in names.most_common(1):
        if n > 1:
            raise source.error(record.line, f"{n} denotations are called {name!r}")
    said = defaultdict(list)
    for attribute in track.attributes:
        said[attribute.subj].append(attribute)
    _count_dropped(track, said.keys() - names.keys(), record, source)
    claims = [Claim(_pieces(each), None, record.line) for each in denotations]
    places = settle(text, claims, source)
    return tuple(
        _span(each, pieces, said[each.id] if each.id is not None else [])
        for each, pieces in zip(denotations, places, strict=True)
    )


def _count_dropped(
    track: _Track, strangers: set[str | int], record: JsonRecord, source: Source
) -> None:
    counts = {
        "relations": len(track.relations),
        "modifications": len(track.modifications),
        "attributes of something other than a denotation": len(strangers),
    }
    for what, n in counts.items():
        if n:
            source.ledger.note("dropped", what, source.where(record.line), n=n)


def _pieces(denotation: _Denotation) -> Pieces:
    places = denotation.span if isinstance(denotation.span, list) else [denotation.span]
    if not places:
        raise ValueError(f"denotation {denotation.id!r} has no span")
    return tuple(sorted((place.begin, place.end) for place in places))


def _span(denotation: _Denotation, pieces: Pieces, said: list[_Statement]) -> Span:
    confidence: float | None = None
    ids: list[str] = []
    attributes: list[tuple[str, str]] = []
    for each in said:
        if each.pred == IDENTIFIER and isinstance(each.obj, str):
            ids.append(each.obj)
        elif each.pred == CONFIDENCE and confidence is None and _is_share(each.obj):
            confidence = float(each.obj)
        elif each.pred == PAIR and _is_pair(each.obj):
            attributes.append((each.obj[0], each.obj[1]))
        else:
            attributes.append((each.pred, _spelt(each.obj)))
    label = _spelt(denotation.obj)
    return Span.over(pieces, label, confidence, ids=tuple(ids), attributes=tuple(attributes))


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(v, str) for v in value)


def _spelt(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _fields(document: Document, sink: Sink) -> dict[str, Any]:
    found = _ID.fullmatch(document.id)
    sourcedb, sourceid, divid = found.groups() if found else (None, document.id, None)
    fields: dict[str, Any] = {} if sourcedb is None else {"sourcedb": sourcedb}
    fields["sourceid"] = sourceid
    if divid is not None:
        fields["divid"] = int(divid)
    fields["text"] = document.text
    tracks = [{"project": name, **_said(layer)} for name, layer in document.layers.items()]
    fields |= tracks[0] if len(tracks) == 1 else {"tracks": tracks} if tracks else {}
    for key, value in document.meta.items():
        if key == "sections" and (divisions := _divisions(value, len(document.text))):
            fields["divisions"] = divisions
        elif key in _Paper.__struct_fields__:
            sink.ledger.note("dropped", "metadata called like a field", document.id, detail=key)
        else:
            fields[key] = value
    return fields


def _divisions(sections: Any, length: int) -> list[dict[str, Any]]:
    """Spell the sections as divisions, or none where they say something else."""
    divisions = []
    for section in sections if isinstance(sections, list) else []:
        match section:
            case {"start": int(start), "end": int(end), "kind": str(kind), **others} if (
                not others and 0 <= start <= end <= length
            ):
                divisions.append({"span": {"begin": start, "end": end}, "label": kind})
            case _:
                return []
    return divisions


def _said(layer: Layer) -> dict[str, Any]:
    denotations: list[Any] = []
    attributes: list[Any] = []
    for number, span in enumerate(layer, start=1):
        name = f"T{number}"
        places = [{"begin": start, "end": end} for start, end in span.pieces]
        place = places if span.fragments else places[0]
        denotations.append({"id": name, "span": place, "obj": span.label})
        pairs: list[tuple[str, Any]] = [(IDENTIFIER, id) for id in span.ids]
        if span.confidence is not None:
            pairs.append((CONFIDENCE, span.confidence))
        for pred, value in span.attributes:
            is_ours = pred in (IDENTIFIER, CONFIDENCE, PAIR)
            pairs.append((PAIR, [pred, value]) if is_ours else (pred, value))
        attributes += [{"subj": name, "pred": pred, "obj": value} for pred, value in pairs]
    return {"denotations": denotations} | ({"attributes": attributes} if attributes else {})
