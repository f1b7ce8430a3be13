"""Rows of Parquet made into documents one by one: what reading them as columns is checked against.

No dictionary is made for a span: columns become lists of values, which are zipped.
"""

from collections.abc import Callable
from functools import cached_property
from itertools import islice
from typing import Any, TypeVar

import msgspec

from vermeil.arrays import Ints
from vermeil.document import Centroid, Document, Span
from vermeil.tree import Tree

Item = TypeVar("Item", Span, Centroid)


class ParquetRows:
    """The rows of a batch, to be made into documents one by one."""

    def __init__(self, batch: Any, arrow: Any) -> None:
        self._batch, self._arrow = batch, arrow

    @cached_property
    def ids(self) -> list[Any]:
        """The ids."""
        return list(self._batch.column("id").to_pylist())

    @cached_property
    def _texts(self) -> list[Any]:
        return list(self._batch.column("text").to_pylist())

    @cached_property
    def _spans(self) -> "Items":
        return Items(self._batch.column("layers"), self._arrow)

    @cached_property
    def _centroids(self) -> "Items":
        return Items(self._batch.column("standards"), self._arrow)

    @cached_property
    def _trees(self) -> list[Any]:
        return list(self._batch.column("trees").to_pylist())

    @cached_property
    def _metas(self) -> list[Any]:
        return list(self._batch.column("meta").to_pylist())

    def document(self, place: int) -> Document:
        """Make the document of a row."""
        meta = self._metas[place]
        try:
            return Document(
                id=self.ids[place],
                text=self._texts[place],
                layers=self._spans.made(Span, place),
                standards=self._centroids.made(Centroid, place),
                trees={
                    entry["annotator"]: tuple(tree and Tree.parse(tree) for tree in entry["trees"])
                    for entry in self._trees[place] or ()
                },
                meta=msgspec.json.decode(meta, type=dict[str, Any]) if meta else {},
            )
        except (TypeError, AttributeError):
            raise ValueError(
                f"document {self.ids[place]!r} has a null where a value is wanted"
            ) from None


class Items:
    """What annotators put on the documents of a batch, spans or centroids, as flat columns."""

    def __init__(self, column: Any, arrow: Any) -> None:
        pairs = column.flatten()
        items = pairs.field(1).flatten()
        self._fields = [
            _values(items.field(place), arrow) for place in range(items.type.num_fields)
        ]
        self._annotators = pairs.field(0).to_pylist()
        self._sizes = _lengths(pairs.field(1)).tolist()
        self._first_annotator = _places(_lengths(column))
        self._first_item = _places(_lengths(pairs.field(1)))

    def made(self, kind: Callable[..., Item], place: int) -> dict[str, tuple[Item, ...]]:
        """Make the items of one document, by annotator."""
        first, last = self._first_annotator[place : place + 2]
        here = slice(self._first_item[first], self._first_item[last])
        items = map(kind, *[values[here] for values in self._fields])
        named = zip(self._annotators[first:last], self._sizes[first:last], strict=True)
        return {annotator: tuple(islice(items, n)) for annotator, n in named}


def _values(column: Any, arrow: Any) -> list[Any]:
    """Turn a column into Python values; lists as tuples, null where the file says so."""
    kind = column.type
    if arrow.types.is_string(kind):
        codes = column.dictionary_encode()
        names = codes.dictionary.to_pylist()
        if column.null_count == 0:
            return [names[code] for code in _numbers(codes.indices)]
    elif arrow.types.is_list(kind):
        return _tuples(column, arrow)
    elif column.null_count in (0, len(column)):
        return [None] * len(column) if column.null_count else _numbers(column)
    return list(column.to_pylist())


def _tuples(column: Any, arrow: Any) -> list[tuple[Any, ...]]:
    """Turn a column of lists into tuples; one that is null is empty."""
    import numpy as np

    inner = column.flatten()
    tuples: list[tuple[Any, ...]] = [()] * len(column)
    if not len(inner):
        return tuples
    if arrow.types.is_struct(inner.type):
        flat = tuple(zip(*[_values(part, arrow) for part in inner.flatten()], strict=True))
    else:
        flat = tuple(_values(inner, arrow))
    lengths = _lengths(column)
    bounds = _places(lengths)
    for place in np.flatnonzero(lengths).tolist():
        tuples[place] = flat[bounds[place] : bounds[place + 1]]
    return tuples


def _numbers(column: Any) -> list[Any]:
    from vermeil.formats.kinds.own.arrow_arrays import numbers

    return list(numbers(column, column.type.to_pandas_dtype()).tolist())


def _lengths(column: Any) -> Ints:
    from vermeil.formats.kinds.own.arrow_arrays import list_sizes

    return list_sizes(column)


def _places(lengths: Ints) -> list[int]:
    """Find where each list begins in the flat column, and where the last ends."""
    return [0, *lengths.cumsum().tolist()]
