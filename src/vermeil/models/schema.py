"""What the arrays and the header of a model must be like, checked once, when it is loaded.

A schema names the arrays of a part of a model, and of each its kind, its shape and the numbers it
may hold. Sizes go by letters: all arrays of a part that have an ``n`` in their shape have the same
``n``. Whatever does not fit is a ValueError that names the array; loaders say which file it was.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import msgspec
import numpy as np

from vermeil.arrays import AnyArray
from vermeil.errors import FormatError, UnknownNameError

T = TypeVar("T")

KINDS = {"whole": "iu", "number": "fiu", "flag": "b"}
"""Kinds of numbers, and the letters that NumPy has for them."""


@dataclass(frozen=True, slots=True)
class ArraySpec:
    """What an array holds: numbers from ``least`` to ``most``, never NaN unless it ``may_lack``.

    ``shape`` has a letter or a number for each axis. Where it ``rises``, each number is greater
    than the one before.
    """

    kind: str
    shape: tuple[str | int, ...] = ("n",)
    least: float = -inf
    most: float = inf
    rises: bool = False
    may_lack: bool = False


Schema: TypeAlias = Mapping[str, ArraySpec]

HASHES = ArraySpec("whole", least=0, rises=True)
FINITE = float(np.finfo(np.float64).max)


def checked(arrays: Mapping[str, AnyArray], schema: Schema, **sizes: int) -> dict[str, AnyArray]:
    """Return the arrays that a schema names, if they fit it; ``sizes`` are those known before.

    >>> checked({"a": np.arange(3)}, {"a": ArraySpec("whole", least=0, rises=True)})["a"].tolist()
    [0, 1, 2]
    """
    known: dict[str | int, int] = {axis: n for axis, n in sizes.items()}  # noqa: C416
    for name, column in schema.items():
        array = arrays[name]
        if array.dtype.kind not in KINDS[column.kind]:
            raise ValueError(f"{name} holds {array.dtype}, wanted {column.kind}s")
        wanted = tuple(known.get(axis, axis) for axis in column.shape)
        if len(array.shape) != len(wanted) or any(
            isinstance(axis, int) and axis != n for axis, n in zip(wanted, array.shape, strict=True)
        ):
            raise ValueError(f"{name} has the shape {array.shape}, wanted {wanted}")
        known |= {
            axis: n for axis, n in zip(column.shape, array.shape, strict=True) if axis not in known
        }
        _check_numbers(name, array, column)
    return {name: arrays[name] for name in schema}


def told(header: Mapping[str, Any], name: str, kind: type[T], default: Any = ...) -> T:
    """Return what a header says under a name, if it is of this kind.

    >>> told({"labels": ["Gene"]}, "labels", tuple[str, ...])
    ('Gene',)
    """
    if default is not ... and name not in header:
        return default  # type: ignore[no-any-return]
    try:
        return msgspec.convert(header[name], kind)
    except msgspec.ValidationError as error:
        raise ValueError(f"{name}: {error}") from None


def one_of(
    header: Mapping[str, Any], name: str, known: Mapping[str, Any], default: Any = ...
) -> str:
    """Return what a header says under a name, if it is in a table."""
    found = told(header, name, str, default)
    if found not in known:
        raise ValueError(f"no {name} named {found!r}")
    return found


@contextmanager
def usable(path: Path) -> Iterator[None]:
    """Make something of a file that was read; what does not fit is one line that names the file."""
    try:
        yield
    except KeyError as error:
        raise FormatError(path, None, f"is damaged: it lacks {error}") from None
    except (ValueError, UnknownNameError) as error:
        raise FormatError(path, None, f"cannot be used: {error}") from None


def _check_numbers(name: str, array: AnyArray, column: ArraySpec) -> None:
    if column.kind == "flag" or not array.size:
        return
    if array.dtype == np.float16:
        # Processors compare such numbers one by one, after they have made longer ones of them.
        array = array.astype(np.float32)
    if array.dtype.kind == "f" and np.isnan(array).any():
        if not column.may_lack:
            raise ValueError(f"{name} holds what is no number")
        low, high = np.nanmin(array).item(), np.nanmax(array).item()
    else:
        low, high = array.min().item(), array.max().item()
    if low < column.least or high > column.most:
        raise ValueError(
            f"{name} holds numbers from {low} to {high}, wanted {column.least:g} to {column.most:g}"
        )
    if column.rises and not (array[1:] > array[:-1]).all():
        raise ValueError(f"the numbers of {name} do not rise")
