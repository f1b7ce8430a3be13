"""spaCy's DocBin (.spacy): each layer a span group under its annotator's name.

Needs the package spacy. A DocBin is one compressed block, so it is read and written whole.
https://spacy.io/api/docbin

Tokens are ours, split wherever a span begins or ends; white space that spaCy cannot attach to a
token becomes a token, so ``doc.text`` is the text exactly. What a spaCy span has no field for is
in ``attrs`` of its group, one entry a span: ``scores`` as spancat writes them, ``ids`` (of which
``kb_id_`` is the first), ``attributes`` and ``fragments``. ``user_data`` holds ``id`` and
``meta``. With ``ents=yes`` the only layer is in ``doc.ents`` too, where ``spacy train`` looks for
names. Reading takes the ``doc.ents`` of other people as a layer wherever they are set.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeAlias

import msgspec

from vermeil.document import Document, Layer, Span
from vermeil.errors import MissingExtraError, UsageError
from vermeil.formats.files.features import EVERYTHING
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source
from vermeil.formats.kinds.tokens.token_rows import cut
from vermeil.text.tags import tracks
from vermeil.text.tokens import TOKENISERS, Token

OPTIONS = {"tokens": tuple(TOKENISERS), "ents": ("no", "yes")}
CARRIES = EVERYTHING - {"distributions", "trees"}

_FIELDS = {
    "scores": "confidence",
    "ids": "ids",
    "attributes": "attributes",
    "fragments": "fragments",
}


class _Details(msgspec.Struct, omit_defaults=True):
    """What ``attrs`` of a span group says of its spans, in their order."""

    scores: list[float | None] = []
    ids: list[tuple[str, ...]] = []
    attributes: list[tuple[tuple[str, str], ...]] = []
    fragments: list[tuple[tuple[int, int], ...]] = []


class _UserData(msgspec.Struct):
    """What ``user_data`` says of the document."""

    id: str | int | None = None
    meta: dict[str, Any] = {}
    ents: str | None = None


_PlainSpan: TypeAlias = tuple[int, int, str, str]


class _Plain(NamedTuple):
    """What a doc holds, without spaCy: spans are start, end, label and id."""

    text: str
    groups: dict[str, list[_PlainSpan]]
    attrs: dict[str, dict[str, Any]]
    entities: list[_PlainSpan] | None
    user_data: dict[Any, Any]


def read(source: Source) -> Iterator[Document]:
    """Yield the documents of a DocBin, which is loaded whole."""
    spacy = spacy_types()
    with source.binary() as stream:
        packed = stream.read()
    for number, plain in enumerate(_unpacked(packed, spacy, source), start=1):
        with source.guard(None, f"document {number}"):
            yield _document(plain, number, source)


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write one DocBin; it is held in memory until the last document has come."""
    spacy = spacy_types()
    vocabulary = spacy.Vocab()
    packed = spacy.DocBin(store_user_data=True)
    with _plug_ins_at_hand():
        for document in documents:
            try:
                packed.add(_doc(document, sink, vocabulary))
            except (OverflowError, TypeError) as error:
                reason = f"the metadata of {document.id!r} do not fit: {error}"
                raise UsageError(f"{sink.path}: {reason}") from error
    sink.binary.write(packed.to_bytes())


def sniff(head: str) -> bool:
    """Tell whether a file begins like a block of zlib, and is no text that does."""
    return head.startswith(("x\ufffd", "x\x01", "x^")) and "\ufffd" in head[:200]


def spacy_types(feature: str = "spaCy DocBin") -> SimpleNamespace:
    """Load what of spaCy is needed, or say how it is installed."""
    try:
        from spacy import tokens, vocab
    except ImportError:
        raise MissingExtraError(feature, "spacy") from None
    return SimpleNamespace(
        Doc=tokens.Doc,
        DocBin=tokens.DocBin,
        Span=tokens.Span,
        SpanGroup=tokens.SpanGroup,
        Vocab=vocab.Vocab,
    )


@contextmanager
def _plug_ins_at_hand() -> Iterator[None]:
    """Look plug-ins of the serialiser up once; it would do so for each part of each document.

    That took six sevenths of the time to write or read a DocBin.
    """
    from srsly.msgpack import msgpack_decoders, msgpack_encoders

    registries = (msgpack_decoders, msgpack_encoders)
    for registry in registries:
        found = registry.get_all()
        registry.get_all = found.copy
    try:
        yield
    finally:
        for registry in registries:
            vars(registry).pop("get_all", None)


def _unpacked(packed: bytes, spacy: SimpleNamespace, source: Source) -> Iterator[_Plain]:
    """Yield what the docs hold; a damaged file makes spaCy raise whatever it stumbles on."""
    try:
        docs = spacy.DocBin(store_user_data=True).from_bytes(packed).get_docs(spacy.Vocab())
        with _plug_ins_at_hand():
            yield from map(_plain, docs)
    except Exception as error:
        reason = str(error) or type(error).__name__
        source.bad(None, b"", f"not a DocBin, or a damaged one: {reason[:200]}")


def _plain(doc: Any) -> _Plain:
    offsets = [(token.idx, token.idx + len(token)) for token in doc]
    has_entities = len(doc) and doc.has_annotation("ENT_IOB")
    return _Plain(
        doc.text,
        {name: _plain_spans(group, offsets) for name, group in doc.spans.items()},
        {name: _as_json(dict(group.attrs)) for name, group in doc.spans.items()},
        _plain_spans(doc.ents, offsets) if has_entities else None,
        {key: _as_json(value) for key, value in doc.user_data.items()},
    )


def _plain_spans(spans: Iterable[Any], offsets: Sequence[Token]) -> list[_PlainSpan]:
    return [
        (offsets[span.start][0], offsets[span.end - 1][1], span.label_, span.kb_id_)
        for span in spans
    ]


def _document(plain: _Plain, number: int, source: Source) -> Document:
    # Extensions of spaCy are there, too, under keys that are no strings.
    own = {
        key: plain.user_data[key] for key in _UserData.__struct_fields__ if key in plain.user_data
    }
    said = msgspec.convert(own, _UserData)
    n_others = len(plain.user_data) - len(own)
    if n_others:
        source.ledger.note("dropped", "entries of user_data", source.where(), n=n_others)
    layers = {
        name: _with_details(_layer(spans), plain.attrs[name], source)
        for name, spans in plain.groups.items()
    }
    if plain.entities is not None and said.ents not in layers:
        name = "ents" if source.annotator in layers else source.annotator
        layers[name] = _layer(plain.entities)
    id = str(number) if said.id is None else str(said.id)
    return Document(id=id, text=plain.text, layers=layers, meta=said.meta)


def _layer(spans: Iterable[_PlainSpan]) -> Layer:
    return tuple(
        Span(start, end, label, ids=(id,) if id else ()) for start, end, label, id in spans
    )


def _with_details(layer: Layer, attrs: dict[str, Any], source: Source) -> Layer:
    """Add to the spans what their group says of them, if it says as much as there are spans."""
    details = msgspec.convert(attrs, _Details)
    for name, field in _FIELDS.items():
        values = getattr(details, name)
        if len(values) == len(layer):
            pairs = zip(layer, values, strict=True)
            layer = tuple(msgspec.structs.replace(span, **{field: value}) for span, value in pairs)
        elif values:
            source.ledger.note("dropped", f"{name} that fit no span", source.where(), n=len(values))
    return layer


def _as_json(value: Any) -> Any:
    """Undo what msgpack does to lists and spancat to scores."""
    if isinstance(value, dict):
        return {key: _as_json(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(inner) for inner in value]
    return value.tolist() if hasattr(value, "tolist") else value


def _doc(document: Document, sink: Sink, vocabulary: Any) -> Any:
    tokens = cut(document.text, document.layers, by=sink.options["tokens"])
    ents = None
    if sink.options["ents"] == "yes" and document.layers:
        ents = _only_layer(document, sink)
    doc, n_inner = doc_of(document, vocabulary, tokens, ents=ents)
    if n_inner:
        sink.ledger.note("left out of doc.ents", "overlapping spans", document.id, n=n_inner)
    return doc


def doc_of(
    document: Document, vocabulary: Any, tokens: Sequence[Token], *, ents: str | None = None
) -> tuple[Any, int]:
    """Make a spaCy Doc over these tokens, split where a span needs an edge; a group a layer.

    The layer ``ents`` is in ``doc.ents``, too, but for spans inside others, which are counted.
    """
    spacy = spacy_types("a spaCy Doc")
    pieces, spaces = _pieces(document, tokens)
    words = [document.text[start:end] for start, end in pieces]
    doc = spacy.Doc(vocabulary, words=words, spaces=spaces)
    first = {start: at for at, (start, _) in enumerate(pieces)}
    last = {end: at + 1 for at, (_, end) in enumerate(pieces)}

    def spacy_span(span: Span) -> Any:
        id = span.ids[0] if span.ids else ""
        return spacy.Span(doc, first[span.start], last[span.end], label=span.label, kb_id=id)

    for name, layer in document.layers.items():
        spans = [spacy_span(span) for span in layer]
        doc.spans[name] = spacy.SpanGroup(doc, name=name, attrs=_details(layer), spans=spans)
    doc.user_data["id"] = document.id
    if document.meta:
        doc.user_data["meta"] = dict(document.meta)
    if ents is None:
        return doc, 0
    layer = document.layers[ents]
    flat = (tracks(layer) or [[]])[0]
    doc.user_data["ents"] = ents
    doc.set_ents([spacy_span(span) for span in flat], default="outside")
    return doc, len(layer) - len(flat)


def document_of(doc: Any, number: int, source: Source) -> Document:
    """Make a document of a spaCy Doc: its span groups, and its entities where they are set."""
    return _document(_plain(doc), number, source)


def _pieces(document: Document, tokens: Sequence[Token]) -> tuple[list[Token], list[bool]]:
    """Cut the whole text at every edge, and say which piece is followed by a space of its own.

    A space is not a piece if spaCy can hang it on the piece before and no span needs its edge.
    """
    text, layers = document.text, document.layers
    starts = {span.start for layer in layers.values() for span in layer}
    ends = {span.end for layer in layers.values() for span in layer}
    edges = {0, len(text)}.union(starts, ends, *tokens)
    pieces: list[Token] = []
    spaces: list[bool] = []
    for start, end in pairwise(sorted(edges)):
        hangs = text[start] == " " and start not in starts and start + 1 not in ends
        if hangs and pieces:
            spaces[-1] = True
            start += 1
        if start < end:
            pieces.append((start, end))
            spaces.append(False)
    return pieces, spaces


def _details(layer: Layer) -> dict[str, Any]:
    """Collect what a spaCy span cannot hold, leaving out what no span of the layer has."""
    columns = {name: [getattr(span, field) for span in layer] for name, field in _FIELDS.items()}
    told = {
        "scores": any(span.confidence is not None for span in layer),
        "ids": any(len(span.ids) > 1 or span.ids == ("",) for span in layer),
        "attributes": any(span.attributes for span in layer),
        "fragments": any(span.fragments for span in layer),
    }
    return {name: column for name, column in columns.items() if told[name]}


def _only_layer(document: Document, sink: Sink) -> str:
    if len(document.layers) > 1:
        names = ", ".join(map(repr, document.layers))
        raise UsageError(
            f"{sink.path}: doc.ents has room for one layer, and {document.id!r} has {names}; "
            "choose one with --layer"
        )
    return next(iter(document.layers))
