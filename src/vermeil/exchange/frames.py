"""Documents as a pandas data frame with a row a span, and back.

The columns are ``document``, ``annotator``, ``start``, ``end``, ``label``, ``text`` and
``confidence``. Offsets are half-open and count characters. A frame holds spans, so it cannot say
that an annotator looked at a document and found nothing; ``from_pandas`` is told who looked.
"""

from collections.abc import Iterable, Iterator, Mapping
from operator import index
from typing import TYPE_CHECKING, Any, TypeAlias

from vermeil.document import Document, Span
from vermeil.errors import UnknownNameError, UsageError
from vermeil.verbs.corpus import Corpus, documents_of
from vermeil.verbs.naming import names_of
from vermeil.verbs.tables.table import pandas
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("document", "annotator", "start", "end", "label", "text", "confidence")
FURTHER = ("fragments", "ids", "attributes")
NEEDED = ("document", "start", "end", "label")
ANNOTATOR = "annotator"
"""Column, and what the layer is called where the frame has no such column."""

Texts: TypeAlias = "Mapping[Any, str] | Iterable[Document] | pd.Series | pd.DataFrame"


@verb
def to_pandas(
    documents: Any, *, layers: str | Iterable[str] | None = None, further: bool = False
) -> "pd.DataFrame":
    """Make a data frame with one row a span.

    ``layers`` chooses annotators, all without it. ``further`` adds the columns ``fragments``,
    ``ids`` and ``attributes``, so that ``from_pandas`` gives back the same spans, discontinuous
    ones too.

    >>> layers = {"anna": (Span(0, 3, "Gene", confidence=0.5),)}
    >>> print(to_pandas(Document(id="1", text="p53 binds", layers=layers)).to_string(index=False))
    document annotator  start  end label text  confidence
           1      anna      0    3  Gene  p53         0.5
    """
    corpus = documents_of(documents, verb="to_pandas")
    chosen = names_of(layers)
    names = [*COLUMNS, *(FURTHER if further else ())]
    columns: dict[str, list[Any]] = {name: [] for name in names}
    seen: set[str] = set()
    for document in corpus:
        seen.update(document.layers)
        for annotator, layer in document.layers.items():
            if chosen and annotator not in chosen:
                continue
            for span in layer:
                row = _cells(document, annotator, span)
                for name in names:
                    columns[name].append(row[name])
    for name in chosen:
        if name not in seen:
            raise UnknownNameError("layer", name, seen)
    return _typed(columns)


@verb
def from_pandas(
    frame: "pd.DataFrame",
    texts: Texts,
    *,
    annotator: str = ANNOTATOR,
    looked: str | Iterable[str] = (),
) -> Corpus:
    """Make documents of a data frame with one row a span.

    ``texts`` are the texts by document id (a mapping, a series with ids for its index, or a frame
    with the columns ``document`` and ``text``), or documents that the layers are added to; they
    come in this order, those without a row too.
    Other columns than those of ``to_pandas`` are ignored; a missing confidence is none. Where
    there is a column ``text``, offsets are checked against it. A frame without the column
    ``annotator`` is one layer, called ``annotator``. Those who ``looked`` at all texts get an empty
    layer where they have no row; nobody else is taken to have looked where they marked nothing.
    """
    pd = pandas()
    if not isinstance(frame, pd.DataFrame):
        raise UsageError(f"from_pandas takes a data frame, not {type(frame).__name__}")
    missing = [name for name in NEEDED if name not in frame.columns]
    if missing:
        there = ", ".join(map(str, frame.columns)) or "none"
        raise UsageError(
            f"the frame has no column {' and no column '.join(map(repr, missing))}; it has {there}"
        )
    documents = _by_id(texts)
    layers: dict[str, dict[str, list[Span]]] = {
        id: {name: [] for name in names_of(looked)} for id in documents
    }
    for place, row in _rows(frame):
        id = _name(row["document"], "document", place)
        if id not in documents:
            raise UnknownNameError(f"document (of row {place}) in texts", id, documents)
        who = _name(row[ANNOTATOR], "annotator", place) if ANNOTATOR in row else annotator
        layers[id].setdefault(who, []).append(_span(row, documents[id].text, place))
    return Corpus.of(
        document.replace(
            layers={**document.layers, **{who: tuple(spans) for who, spans in own.items()}}
        )
        for document, own in zip(documents.values(), layers.values(), strict=True)
    )


def _cells(document: Document, annotator: str, span: Span) -> dict[str, Any]:
    return {
        "document": document.id,
        "annotator": annotator,
        "start": span.start,
        "end": span.end,
        "label": span.label,
        "text": document.text[span.start : span.end],
        "confidence": span.confidence,
        "fragments": span.fragments or None,
        "ids": span.ids or None,
        "attributes": span.attributes or None,
    }


def _typed(columns: Mapping[str, list[Any]]) -> "pd.DataFrame":
    """Set the types of columns, which do not depend on whether there are rows."""
    pd = pandas()
    types = {"start": "int64", "end": "int64", "confidence": "float64"}
    typed = {
        name: pd.Series(values, dtype=types.get(name, "object")) for name, values in columns.items()
    }
    return pd.DataFrame(typed)


def _by_id(texts: Any) -> dict[str, Document]:
    """Take the texts by id, as documents."""
    if texts is None or isinstance(texts, str):
        raise UsageError("from_pandas needs the texts: {id: text}, or documents")
    items: Any = None
    if isinstance(texts, Mapping) or type(texts).__name__ == "Series":
        items = texts.items()
    elif type(texts).__name__ == "DataFrame":
        items = _text_items(texts)
    if items is None:
        return {each.id: each for each in documents_of(texts, verb="from_pandas")}
    made = []
    for id, text in items:
        if not isinstance(text, str):
            raise UsageError(f"the text of {id!r} is {text!r:.40}, and a string was wanted")
        made.append((str(id), Document(id=str(id), text=text)))
    return _unique(made)


def _text_items(frame: "pd.DataFrame") -> Iterator[tuple[Any, Any]]:
    """Yield ids and texts from a frame with the columns ``document`` (or ``id``) and ``text``."""
    ids = next((name for name in ("document", "id") if name in frame.columns), None)
    if ids is None or "text" not in frame.columns:
        raise UsageError("a frame of texts has the columns document and text")
    return zip(frame[ids], frame["text"], strict=True)


def _unique(pairs: Iterable[tuple[str, Document]]) -> dict[str, Document]:
    found: dict[str, Document] = {}
    for id, document in pairs:
        if id in found:
            raise UsageError(f"two texts are called {id!r}")
        found[id] = document
    return found


def _rows(frame: "pd.DataFrame") -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield rows with their labels in the index; the first of two columns of one name counts."""
    known = [name for name in (*COLUMNS, *FURTHER) if name in frame.columns]
    columns = [frame[name] if frame[name].ndim == 1 else frame[name].iloc[:, 0] for name in known]
    for place, *values in zip(frame.index, *columns, strict=True):
        yield place, dict(zip(known, values, strict=True))


def _span(row: Mapping[str, Any], text: str, place: Any) -> Span:
    start, end = _offset(row["start"], "start", place), _offset(row["end"], "end", place)
    try:
        span = Span(
            start,
            end,
            _name(row["label"], "label", place),
            confidence=_number(row.get("confidence")),
            fragments=_tuples(row.get("fragments"), int),
            ids=tuple(map(str, _list(row.get("ids")))),
            attributes=_tuples(row.get("attributes"), str),
        )
    except (TypeError, ValueError) as error:
        raise UsageError(f"row {place}: {error}") from error
    if end > len(text):
        raise UsageError(f"row {place}: ends at {end}, and the text has {len(text)} characters")
    said = row.get("text")
    if isinstance(said, str) and said != text[start:end]:
        raise UsageError(f"row {place}: text at {start}-{end} is {text[start:end]!r}, not {said!r}")
    return span


def _offset(value: Any, column: str, place: Any) -> int:
    """Take a whole number, also one that a column with gaps has made a float."""
    try:
        if isinstance(value, float) and value.is_integer():
            return int(value)
        return index(value)
    except TypeError:
        said = f"{column} is {value!r:.40}, and a whole number was wanted"
        raise UsageError(f"row {place}: {said}") from None


def _number(value: Any) -> float | None:
    return None if _is_missing(value) else float(value)


def _name(value: Any, column: str, place: Any) -> str:
    if _is_missing(value):
        raise UsageError(f"row {place}: has no {column}")
    return str(value)


def _is_missing(value: Any) -> bool:
    return value is None or value is pandas().NA or value is pandas().NaT or value != value


def _list(value: Any) -> list[Any]:
    if isinstance(value, str):
        return [value]
    return list(value) if isinstance(value, Iterable) else []


def _tuples(value: Any, kind: type) -> Any:
    return tuple(tuple(map(kind, each)) for each in _list(value))
