"""Columns of spans: the twin of layers for work on many documents at once.

A SpanTable lays a batch of documents on one axis, so that consensus and scoring are a few sorts
over arrays instead of a Python loop per span. ``from_documents`` and ``to_documents`` are
inverse to each other; nothing is lost, not even who did not look.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Floats, Ints, true_places
from vermeil.columns.further import FurtherSpans
from vermeil.columns.gathered import Gathered, gathered
from vermeil.document import Document, Layer, Span
from vermeil.errors import MissingExtraError
from vermeil.shown import Brief
from vermeil.text.characters import code_points, is_space

if TYPE_CHECKING:
    import pandas
    import pyarrow

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SpanTable(Brief):
    """The spans of a batch of documents, one row each.

    Rows are in order of document, annotator and reading. ``document``, ``annotator`` and
    ``label`` are codes into the tuples of the same plural name; annotators and labels are in
    alphabetical order. ``start`` and ``end`` are code points of the row's own document; add
    ``origin[document]`` to place them on the axis of the batch, where documents lie apart.
    ``confidence`` is NaN where the source gave none. ``looked[d, a]`` tells whether annotator
    ``a`` has a layer on document ``d``. ``further`` keeps, by row, the few spans with fragments,
    ids or attributes.

    >>> document = Document(id="1", text="BRCA1", layers={"ann": (Span(0, 5, "Gene"),), "ben": ()})
    >>> table = SpanTable.from_documents([document])
    >>> table.start.tolist(), table.annotators, table.looked.tolist()
    ([0], ('ann', 'ben'), [[True, True]])
    """

    documents: tuple[Document, ...]
    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    document: NDArray[np.int32]
    annotator: NDArray[np.int32]
    label: NDArray[np.int32]
    start: Ints
    end: Ints
    confidence: Floats
    looked: Flags
    origin: Ints
    further: FurtherSpans
    loose: Ints
    _known: dict[Any, Any] = field(default_factory=dict, init=False)

    def _told(self) -> str:
        return (
            f"{len(self):,} spans, {len(self.documents):,} documents, "
            f"{len(self.annotators):,} annotators, {len(self.labels):,} labels"
        )

    @staticmethod
    def from_documents(
        documents: Iterable[Document], codes: NDArray[np.unsignedinteger] | None = None
    ) -> "SpanTable":
        """Lay documents out as columns. The table keeps them, without layers, for the way back.

        Where all of them hold columns already (``columns.held``), these are taken. The ``codes``
        of all characters may be known (``codes_in``).
        """
        batch = tuple(documents)
        is_plain = bool(batch) and type(batch[0].layers) is dict and bool(batch[0].layers)
        columns = (None if is_plain else gathered(batch)) or _laid_out(batch)
        lengths = np.array([len(document.text) for document in batch], dtype=np.int64) + 1
        origin = np.cumsum(lengths) - lengths
        if codes is None:
            codes = codes_in(batch)
        table = SpanTable(
            documents=tuple([document.bare() for document in batch]),
            annotators=columns.annotators,
            labels=columns.labels,
            document=columns.document,
            annotator=columns.annotator,
            label=columns.label,
            start=columns.start,
            end=columns.end,
            confidence=columns.confidence,
            looked=columns.looked,
            origin=origin,
            further=columns.further,
            loose=_loose(
                codes,
                origin[columns.document],
                columns.start,
                columns.end,
                columns.further,
            ),
        )
        if len(table.loose):
            table._known[_codes] = codes  # who looks for what votes asks for them
        return table

    def labelled(self, labels: Sequence[str]) -> "SpanTable":
        """Number labels as in ``labels``, which holds all of them and may hold others.

        What is made of a table may depend on the labels that there are to choose from, and those of
        a batch are chance.
        """
        if tuple(labels) == self.labels:
            return self
        number = np.array([labels.index(label) for label in self.labels], dtype=np.int32)
        table = replace(self, labels=tuple(labels), label=number[self.label])
        if _codes in self._known:
            table._known[_codes] = self._known[_codes]
        return table

    def once(self, make: Callable[["SpanTable"], Made]) -> Made:
        """Return what is made of this table, which is made when it is first asked for."""
        if make not in self._known:
            self._known[make] = make(self)
        made: Made = self._known[make]
        return made

    def to_documents(self) -> Iterator[Document]:
        """Yield the documents again, layers and all."""
        layers: list[dict[str, list[Span]]] = [
            {self.annotators[code]: [] for code in np.flatnonzero(row)} for row in self.looked
        ]
        further = self.further.every()
        for row, (document, annotator, span) in enumerate(
            zip(self.document.tolist(), self.annotator.tolist(), self.spans(), strict=True)
        ):
            layers[document][self.annotators[annotator]].append(further.get(row, span))
        for document, by_name in zip(self.documents, layers, strict=True):
            yield document.replace(layers={name: tuple(layer) for name, layer in by_name.items()})

    def spans(self) -> Iterator[Span]:
        """Yield a span for each row, without fragments, ids and attributes."""
        confidences = np.where(np.isnan(self.confidence), None, self.confidence).tolist()  # type: ignore[call-overload]
        for start, end, label, confidence in zip(
            self.start.tolist(), self.end.tolist(), self.label.tolist(), confidences, strict=True
        ):
            yield Span(start, end, self.labels[label], confidence)

    def __len__(self) -> int:
        return len(self.start)

    def to_arrow(self) -> "pyarrow.Table":
        """Turn the columns into an Arrow table; numbers share memory with this table.

        Names are dictionary columns. Fragments, ids and attributes are list columns, null where
        a span has none.
        """
        try:
            import pyarrow
        except ImportError:
            raise MissingExtraError("an Arrow table", "pyarrow") from None

        def named(codes: NDArray[np.int32], names: Iterable[str]) -> Any:
            return pyarrow.DictionaryArray.from_arrays(
                pyarrow.array(codes), pyarrow.array(list(names), pyarrow.string())
            )

        pairs = pyarrow.list_(pyarrow.list_(pyarrow.int64()))
        strings = pyarrow.list_(pyarrow.string())
        return pyarrow.table(
            {
                "document": named(self.document, (document.id for document in self.documents)),
                "annotator": named(self.annotator, self.annotators),
                "label": named(self.label, self.labels),
                "start": pyarrow.array(self.start),
                "end": pyarrow.array(self.end),
                "confidence": pyarrow.array(self.confidence, from_pandas=False),
                "fragments": pyarrow.array(self._further("fragments"), pairs),
                "ids": pyarrow.array(self._further("ids"), strings),
                "attributes": pyarrow.array(self._further("attributes"), pyarrow.list_(strings)),
            }
        )

    def to_pandas(self) -> "pandas.DataFrame":
        """Turn the columns into a data frame; names are categorical, numbers are not copied."""
        try:
            import pandas
        except ImportError:
            raise MissingExtraError("a data frame", "pandas") from None

        def named(codes: NDArray[np.int32], names: Iterable[str]) -> Any:
            return pandas.Categorical.from_codes(codes, categories=list(names))

        columns = {
            "document": named(self.document, (document.id for document in self.documents)),
            "annotator": named(self.annotator, self.annotators),
            "label": named(self.label, self.labels),
            "start": self.start,
            "end": self.end,
            "confidence": self.confidence,
        }
        return pandas.DataFrame(columns, copy=False)

    def _further(self, field: str) -> list[Any]:
        values: list[Any] = [None] * len(self)
        for row, span in self.further.every().items():
            values[row] = getattr(span, field) or None
        return values


def codes_in(documents: Sequence[Document]) -> NDArray[np.unsignedinteger]:
    """Return the code points of all texts, with a line end after each."""
    text = "\n".join([*[document.text for document in documents], ""])
    if not text.isascii():
        halves = text.encode("utf-16-le", "surrogatepass")
        if len(halves) == 2 * len(text):  # a third of the time of whole code points
            return np.frombuffer(halves, dtype="<u2")
    return code_points(text)


def codes_of(table: SpanTable) -> NDArray[np.unsignedinteger]:
    """Return the code points of all texts of a table, with a line end after each."""
    return table.once(_codes)


def _codes(table: SpanTable) -> NDArray[np.unsignedinteger]:
    return codes_in(table.documents)


def _laid_out(batch: tuple[Document, ...]) -> Gathered:
    """Lay the layers of documents out, span by span."""
    held = [document.layers for document in batch]
    casts: dict[tuple[str, ...], int] = {}
    number = [casts.setdefault(tuple(each), len(casts)) for each in held]
    annotators = tuple(sorted({*chain.from_iterable(casts)}))
    codes = {name: code for code, name in enumerate(annotators)}
    has = np.zeros((len(casts), len(annotators)), dtype=np.bool_)
    for cast, row in casts.items():
        has[row, [codes[name] for name in cast]] = True
    looked: Flags = has[np.array(number, dtype=np.int64)]
    layers = _in_order(held, list(casts), number)
    n_rows = np.array(list(map(len, layers)), dtype=np.int64)
    spans: list[Span] = list(chain.from_iterable(layers))
    said = [span.label for span in spans]
    labels = tuple(sorted(set(said)))
    label_codes = {name: code for code, name in enumerate(labels)}
    document_of_row, annotator_of_row = (
        np.repeat(code.astype(np.int32), n_rows) for code in true_places(looked)
    )
    more = [span.fragments or span.ids or span.attributes for span in spans]
    return Gathered(
        annotators=annotators,
        labels=labels,
        looked=looked,
        document=document_of_row,
        annotator=annotator_of_row,
        label=np.fromiter(map(label_codes.__getitem__, said), dtype=np.int32, count=len(said)),
        start=np.array([span.start for span in spans], dtype=np.int64),
        end=np.array([span.end for span in spans], dtype=np.int64),
        confidence=_confidences(spans),
        further=FurtherSpans.of(
            {row: spans[row] for row, has_more in enumerate(more) if has_more} if any(more) else {}
        ),
    )


def _in_order(
    held: Sequence[Mapping[str, Layer]], casts: Sequence[tuple[str, ...]], number: Sequence[int]
) -> list[Layer]:
    """List the layers of documents by name, of each document by the ``number`` of its cast."""
    ordered = [sorted(cast) for cast in casts]
    if all(list(cast) == names for cast, names in zip(casts, ordered, strict=True)):
        layers: list[Layer] = []
        for each in held:
            layers += each.values()
        return layers
    pairs = zip(held, number, strict=True)
    return [each[name] for each, cast in pairs for name in ordered[cast]]


def _confidences(spans: Sequence[Span]) -> Floats:
    """Return the confidences of spans, NaN where there is none, as in most layers there are."""
    said = [span.confidence for span in spans]
    if said.count(None) == len(said):
        return np.full(len(said), np.nan)
    return np.array(said, dtype=np.float64)


def _loose(
    codes: NDArray[np.unsignedinteger],
    origin: Ints,
    start: Ints,
    end: Ints,
    further: FurtherSpans,
) -> Ints:
    """Find the rows with white space at an edge."""
    is_loose = is_space(codes[origin + start]) | is_space(codes[origin + end - 1])
    row = np.repeat(further.fragments.row, np.diff(further.fragments.first))
    for at in (further.fragments.content - [0, 1]).T if len(row) else ():
        is_loose[row[is_space(codes[origin[row] + at])]] = True
    return np.flatnonzero(is_loose)
