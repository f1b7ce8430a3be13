"""Arrow arrays over the memory of ours.

``pyarrow.array`` looks whether pandas is there by loading it, which takes longer than reading many
a file, and 50 MB in every worker. These are made of buffers instead.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Floats, Ints
from vermeil.errors import UsageError

MOST_PLACES = 2**31 - 1


def integers(values: Ints, arrow: Any) -> Any:
    """Make a column of whole numbers."""
    return _made(arrow.int64(), np.ascontiguousarray(values, dtype=np.int64), arrow)


def reals(values: Floats, arrow: Any) -> Any:
    """Make a column of numbers; NaN becomes null."""
    values = np.ascontiguousarray(values, dtype=np.float64)
    missing = np.isnan(values)
    if not missing.any():
        return _made(arrow.float64(), values, arrow)
    return _made(arrow.float64(), np.where(missing, 0.0, values), arrow, present=~missing)


def offsets(first: Ints, arrow: Any) -> Any:
    """Make the beginnings of lists."""
    return _made(arrow.int32(), _places(first), arrow)


def strings(values: Sequence[str | None], arrow: Any) -> Any:
    """Make a column of strings, null where there is none."""
    encoded = [b"" if value is None else value.encode() for value in values]
    sizes = np.fromiter(map(len, encoded), np.int64, len(encoded))
    first = np.concatenate(([0], np.cumsum(sizes)))
    present = np.array([value is not None for value in values], dtype=bool)
    bits = None if present.all() else arrow.py_buffer(np.packbits(present, bitorder="little"))
    held = [bits, arrow.py_buffer(_places(first)), arrow.py_buffer(b"".join(encoded))]
    return arrow.Array.from_buffers(arrow.string(), len(encoded), held)


def coded_strings(codes: Ints, names: Sequence[str], arrow: Any) -> Any:
    """Make a column of strings, each given by its place in ``names``.

    ``take`` of Arrow would load a module of 6 MB that nothing else needs.
    """
    encoded = [name.encode() for name in names]
    size = np.array([len(name) for name in encoded], dtype=np.int64)
    ends = np.append(0, np.cumsum(size[codes]))
    content = np.zeros(ends[-1] + 8, dtype=np.uint8)
    words = np.ndarray((len(content) - 7,), "<u8", content, strides=(1,))
    # Eight bytes at a time. What the first of a short name have too much, the next name covers; all
    # further ones end with their name.
    for at in range(0, int(size[codes].max(initial=0)), 8):
        rows = np.flatnonzero(size[codes] > at) if at else np.arange(len(codes))
        first = np.clip(size - 8, 0, at)
        pieces = zip(encoded, first.tolist(), strict=True)
        eight = [int.from_bytes(name[one : one + 8], "little") for name, one in pieces]
        own = codes[rows]
        words[ends[rows] + first[own]] = np.array(eight, dtype=np.uint64)[own]
    held = [None, arrow.py_buffer(_places(ends)), arrow.py_buffer(content)]
    return arrow.Array.from_buffers(arrow.string(), len(codes), held)


def plain(values: Sequence[Any], kind: Any, arrow: Any) -> Any:
    """Make a column of strings, numbers or whole numbers, as ``kind`` says; None becomes null."""
    if arrow.types.is_string(kind):
        code = {value: number for number, value in enumerate(dict.fromkeys(values))}
        if 2 * len(code) > len(values) or None in code:
            return strings(values, arrow)
        codes = np.fromiter(map(code.__getitem__, values), np.int64, len(values))
        return coded_strings(codes, list(code), arrow)
    if arrow.types.is_floating(kind):
        is_empty = values.count(None) == len(values)
        given = np.full(len(values), np.nan) if is_empty else np.array(values, dtype=np.float64)
        return reals(given, arrow)
    return integers(np.fromiter(values, np.int64, len(values)), arrow)


def _places(first: Ints) -> NDArray[np.int32]:
    """Return places in a column as Arrow has them, which there may be 2 GB of."""
    if first[-1] > MOST_PLACES:
        raise UsageError(
            "one column of some documents that are written together takes more than 2 GB, which "
            "Parquet does not hold; write them as JSON Lines (.jsonl.zst)"
        )
    return np.ascontiguousarray(first, dtype=np.int32)


def _made(kind: Any, values: Any, arrow: Any, *, present: Flags | None = None) -> Any:
    bits = None if present is None else arrow.py_buffer(np.packbits(present, bitorder="little"))
    return arrow.Array.from_buffers(kind, len(values), [bits, arrow.py_buffer(values)])


def numbers(column: Any, kind: Any) -> Any:
    """Return a column of numbers as an array of this kind, NaN for what is null."""
    first, n = column.offset, len(column)
    if not n:
        return np.zeros(0, dtype=kind)
    values = np.frombuffer(column.buffers()[1], dtype=kind, count=first + n)[first:]
    return np.where(_present(column), values, np.nan) if column.null_count else values


def list_sizes(column: Any) -> Ints:
    """Return how many items each list of a column has; one that is null has none."""
    if not len(column):
        return np.zeros(0, dtype=np.int64)
    sizes: Ints = np.diff(numbers(column.offsets, np.int32)).astype(np.int64)
    return sizes * _present(column) if column.null_count else sizes


def items_in(column: Any) -> Any:
    """Return the items of all lists of a column, end to end.

    ``flatten`` of Arrow does the same, and would load a module of 6 MB that nothing else needs.
    """
    if column.null_count:
        return column.flatten()
    ends = numbers(column.offsets, np.int32) if len(column) else (0, 0)
    return column.values.slice(int(ends[0]), int(ends[-1] - ends[0]))


def _present(column: Any) -> Flags:
    bits = np.unpackbits(np.frombuffer(column.buffers()[0], dtype=np.uint8), bitorder="little")
    return bits[column.offset : column.offset + len(column)].astype(bool)
