"""Documents as rows that Hugging Face ``datasets`` hold, and back.

Rows of spans: ``{"id", "text", "annotators", "spans"}``, where ``annotators`` are those who looked
and each span has ``annotator``, ``start``, ``end``, ``label``, ``confidence``, ``fragments``,
``ids`` and ``attributes``; metadata, standards and trees stay behind. Rows of tags: ``{"id",
"text", "tokens", "offsets", "ner_tags"}`` of one layer. ``datasets.Dataset.from_list(rows)`` takes
either; this package does not need ``datasets`` itself.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from vermeil.document import Document, Span
from vermeil.errors import UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source
from vermeil.verbs.corpus import LOG, Corpus, documents_of
from vermeil.verbs.naming import believed_layer
from vermeil.verbs.wording import verb

TAGS = ("ner_tags", "tags", "labels", "ner")
TOKENS = ("tokens", "words")
ROWS = Path("rows")


@verb
def to_datasets_rows(
    documents: Any, *, tags: str | None = None, layer: str | None = None, tokens: str = "fine"
) -> list[dict[str, Any]]:
    """Make rows of documents, of spans, or of tokens with their ``tags`` in a scheme (``"iob2"``).

    Tags are those of ``layer``: gold, or the only one. Tokens come from the tokeniser ``tokens``
    and are split where a span begins or ends. Documents that the layer did not look at are left
    out, since tags could only say that nothing is there.

    >>> layers = {"anna": (Span(0, 3, "Gene"),)}
    >>> to_datasets_rows(Document(id="1", text="p53 binds", layers=layers), tags="iob2")
    ... # doctest: +NORMALIZE_WHITESPACE
    [{'id': '1', 'tokens': ['p', '53', 'binds'], 'ner_tags': ['B-Gene', 'I-Gene', 'O'],
      'offsets': [[0, 1], [1, 3], [4, 9]], 'text': 'p53 binds'}]
    """
    corpus = documents_of(documents, verb="to_datasets_rows")
    if tags is None:
        return [_span_row(document) for document in corpus]
    return list(_tag_rows(corpus, tags, layer, tokens))


@verb
def from_datasets_rows(
    rows: Iterable[Mapping[str, Any]],
    *,
    annotator: str = "gold",
    classes: Iterable[str] | None = None,
    scheme: str = "auto",
) -> Corpus:
    """Make documents of rows of spans, or of tokens with tags; a ``datasets.Dataset`` is rows, too.

    ``annotator`` is the layer of rows that name none. Tags that are numbers are named by
    ``classes``, or by the features of the dataset. Other columns are ignored.
    """
    named = list(classes) if classes is not None else _classes_of(rows)
    if isinstance(rows, Mapping | str) or not isinstance(rows, Iterable):
        raise UsageError(f"from_datasets_rows takes rows, not {type(rows).__name__}")
    made: list[Document] = []
    tagged: list[tuple[int, Mapping[str, Any]]] = []
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping):
            raise UsageError(f"row {number} is {row!r:.40}, and a mapping was wanted")
        if "spans" in row:
            made.append(_from_spans(row, number, annotator))
        elif any(name in row for name in TOKENS):
            tagged.append((number, row))
        else:
            raise UsageError(
                f"row {number}: has neither spans nor tokens; it has {', '.join(map(str, row))}"
            )
    if tagged and made:
        raise UsageError("rows are either all of spans or all of tokens")
    return Corpus.of(made or _from_tags(tagged, annotator, named, scheme))


def _span_row(document: Document) -> dict[str, Any]:
    return {
        "id": document.id,
        "text": document.text,
        "annotators": list(document.layers),
        "spans": [
            {
                "annotator": name,
                "start": span.start,
                "end": span.end,
                "label": span.label,
                "confidence": span.confidence,
                "fragments": [list(each) for each in span.fragments],
                "ids": list(span.ids),
                "attributes": [list(each) for each in span.attributes],
            }
            for name, layer in document.layers.items()
            for span in layer
        ],
    }


def _tag_rows(
    corpus: Corpus, scheme: str, layer: str | None, tokens: str
) -> Iterator[dict[str, Any]]:
    from vermeil.formats import get_format, settled_options
    from vermeil.formats.kinds.tokens.hf_tokens import row_of

    chosen = {"scheme": scheme, "tokens": tokens}
    options = settled_options("hf", get_format("hf"), chosen)
    name = believed_layer(corpus, layer)
    ledger = Ledger()
    sink = Sink(ROWS, ledger, options)
    for document in corpus:
        if name not in document.layers:
            ledger.note("left out", f"documents {name} did not look at", document.id)
            continue
        row = row_of(document.replace(layers={name: document.layers[name]}), sink)
        if "ner_tags" not in row:
            raise UsageError(
                f"document {document.id!r}: spans of {name!r} overlap, and a token has one tag; "
                "make rows of spans instead"
            )
        row.pop("annotator", None)
        yield {**row, "offsets": [list(each) for each in row["offsets"]]}
    for line in ledger.summary():
        LOG.warning("%s", line)


def _from_spans(row: Mapping[str, Any], number: int, annotator: str) -> Document:
    text = row.get("text")
    if not isinstance(text, str):
        raise UsageError(f"row {number}: has no text")
    layers: dict[str, list[Span]] = {name: [] for name in row.get("annotators") or ()}
    if not layers:
        layers[annotator] = []
    try:
        for span in _dicts(row["spans"]):
            layers.setdefault(span.get("annotator") or annotator, []).append(_span(span))
        id = str(number) if row.get("id") is None else str(row["id"])
        made = {name: tuple(spans) for name, spans in layers.items()}
        return Document(id=id, text=text, layers=made)
    except (KeyError, TypeError, ValueError, msgspec.ValidationError) as error:
        raise UsageError(f"row {number}: {_reason(error)}") from error


def _dicts(spans: Any) -> Iterator[Mapping[str, Any]]:
    """Take spans as a list, or as the columns that older versions of ``datasets`` make of it."""
    if isinstance(spans, Mapping):
        for values in zip(*spans.values(), strict=True):
            yield dict(zip(spans, values, strict=True))
    else:
        yield from spans


def _span(given: Mapping[str, Any]) -> Span:
    known = {
        name: given[name] for name in Span.__struct_fields__ if given.get(name) not in (None, [])
    }
    return msgspec.convert(known, Span)


def _reason(error: Exception) -> str:
    return f"a span has no {error}" if isinstance(error, KeyError) else str(error)


def _from_tags(
    rows: list[tuple[int, Mapping[str, Any]]],
    annotator: str,
    classes: list[str],
    scheme: str,
) -> Iterator[Document]:
    from vermeil.formats import get_format, settled_options
    from vermeil.formats.files.json_records import JsonRecord
    from vermeil.formats.kinds.tokens import hf_tokens

    for name in classes:
        if "," in name:
            raise UsageError(f"the class {name!r} has a comma, which separates classes")
    chosen = {"classes": ",".join(classes), "scheme": scheme}
    options = settled_options("hf", get_format("hf"), chosen)
    source = Source(ROWS, annotator, Ledger(), options)
    known = {*TOKENS, *TAGS, "id", "text", "offsets", "annotator", "layers"}
    records = (
        JsonRecord(None, number, b"", {name: row[name] for name in row if name in known})
        for number, row in rows
    )
    yield from hf_tokens.documents_of(records, source)
    for line in source.ledger.summary():
        LOG.warning("%s", line)


def _classes_of(rows: Any) -> list[str]:
    """Read the names of numbered tags off the features of a dataset."""
    features = getattr(rows, "features", None)
    for name in TAGS:
        feature = features.get(name) if isinstance(features, Mapping) else None
        names = getattr(getattr(feature, "feature", feature), "names", None)
        if names:
            return list(names)
    return []
