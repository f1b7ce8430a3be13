"""Models on disk: a zip of one JSON header and plain NumPy arrays, with a version.

The header says what kind of recogniser it is and holds its card: what it was trained on, its
labels, figures and licence. Arrays are stored as ``arrays/NAME.npy``, compressed; lists of hashes,
which rise, as the steps between them in ``arrays/NAME.steps.npy``. A file that is damaged, of
another kind or of a later version gives one line that says so.
"""

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from math import prod
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any, Literal, TypeAlias

import msgspec
import numpy as np
from numpy.lib.format import (
    read_array_header_1_0,
    read_array_header_2_0,
    read_magic,
    write_array,
)

from vermeil.arrays import AnyArray
from vermeil.errors import FormatError, UsageError
from vermeil.formats.files.replacement import replacing
from vermeil.formats.files.source import COMPRESSED, most_unpacked, too_big

Header: TypeAlias = Mapping[str, Any]
"""What of a model JSON can hold."""

Arrays: TypeAlias = Mapping[str, AnyArray]
"""The arrays of a model by name."""

FORMAT, VERSION = "vermeil recogniser", 1

HEADER = "header.json"
STEPS = ".steps"
"""Ends the names of arrays that are stored as steps."""

TIMES, LEAST = 50, 64 << 20
"""So many times its size a model may unpack to, and so many bytes at least; ours have 1 to 7."""

MOST_HEADER, MOST_BEFORE = 16 << 20, 1 << 16
"""Bytes that the header of a model may have, and the beginning of an array that describes it."""

_BYTES = (2, 4, 8)
LONG_AGO = (1980, 1, 1, 0, 0, 0)
# zipfile raises RuntimeError for methods and passwords it does not know, numpy TokenError for the
# header of an array that ends too soon.
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    ValueError,
    RuntimeError,
    EOFError,
    MemoryError,
    TokenError,
)


def write_model(path: Path, kind: str, header: Header, arrays: Arrays) -> None:
    """Store a model; the file appears when it is complete, and is the same for the same model."""
    refuse_compressed(path)
    whole = {"format": FORMAT, "version": VERSION, "kind": kind, **header}
    with replacing(path) as stream, zipfile.ZipFile(stream, "w") as archive:
        _put(archive, HEADER, msgspec.json.format(msgspec.json.encode(whole), indent=1))
        for name, array in sorted(arrays.items()):
            stored = np.ascontiguousarray(array)
            if _is_list_of_hashes(stored):
                name, stored = name + STEPS, steps_of(stored)
            content = io.BytesIO()
            write_array(content, stored, allow_pickle=False)
            _put(archive, f"arrays/{name}.npy", content.getvalue())


def refuse_compressed(path: Path) -> None:
    """Refuse a name that would pack the zip once more, so that it could not be read."""
    if path.suffix in COMPRESSED:
        raise UsageError(f"{path}: a model is compressed already; leave {path.suffix} out")


def read_model(path: Path) -> tuple[str, dict[str, Any], dict[str, AnyArray]]:
    """Read the kind, the header and the arrays of a model."""
    try:
        with zipfile.ZipFile(path) as archive:
            refuse_too_big(path, archive)
            header = msgspec.json.decode(header_in(archive), type=dict)
            _refuse_foreign(path, header)
            stored = {
                entry.filename.removeprefix("arrays/").removesuffix(".npy"): _array(archive, entry)
                for entry in archive.infolist()
                if entry.filename.startswith("arrays/")
            }
            arrays = {
                name.removesuffix(STEPS): summed(array) if name.endswith(STEPS) else array
                for name, array in stored.items()
            }
    except FormatError:
        raise
    except OSError as error:
        raise FormatError(path, None, f"cannot be read: {error.strerror or error}") from error
    except KeyError:
        raise FormatError(path, None, "is a zip file, but holds no model") from None
    except DAMAGE as error:
        raise FormatError(path, None, f"is no model or is damaged: {error}") from error
    return str(header.get("kind")), header, arrays


def refuse_too_big(path: Path, archive: zipfile.ZipFile) -> None:
    """Refuse a zip that says it unpacks to more than a file of its size may, before it does.

    What it says is all that is ever unpacked of it.
    """
    most = most_unpacked(path.stat().st_size, times=TIMES, least=LEAST)
    if sum(entry.file_size for entry in archive.infolist()) > most:
        raise FormatError(path, None, too_big(most, "model"))


def header_in(archive: zipfile.ZipFile) -> bytes:
    """Read the header, which is some lines; KeyError where there is none."""
    entry = archive.getinfo(HEADER)
    if entry.file_size > MOST_HEADER:
        raise ValueError(
            f"{HEADER} has {entry.file_size:,} bytes, and {MOST_HEADER:,} are the most"
        )
    with _unpacked(archive, entry) as stream:
        return stream.read(entry.file_size)


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> IO[bytes]:
    """Open an entry. Whoever reads it says how much: there may be more of it than it says."""
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{entry.filename} is packed in a way that is not ours")
    return archive.open(entry)


def _array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> AnyArray:
    """Read an array that is as long as its own header says, which is looked at first."""
    with _unpacked(archive, entry) as stream:
        begun = stream.read(MOST_BEFORE)
        before = io.BytesIO(begun)
        version = read_magic(before)
        read_header = read_array_header_1_0 if version == (1, 0) else read_array_header_2_0
        shape, by_columns, dtype = read_header(before)
        if dtype.hasobject:
            raise ValueError(f"{entry.filename} holds objects, not numbers")
        n_bytes = before.tell() + prod(shape) * dtype.itemsize
        if min(shape, default=0) < 0 or n_bytes != entry.file_size:
            raise ValueError(f"{entry.filename} is not as long as its header says")
        content = begun + stream.read(max(0, n_bytes - len(begun)))
    if len(content) != n_bytes:
        raise ValueError(f"{entry.filename} ends too soon")
    order: Literal["F", "C"] = "F" if by_columns else "C"
    return np.ndarray(shape, dtype, content, before.tell(), order=order)


def steps_of(rising: AnyArray) -> AnyArray:
    """Lay out the steps between whole numbers that rise, byte by byte: what is small packs well.

    >>> steps_of(np.array([3, 5, 300], dtype=np.uint16)).tolist()
    [[3, 2, 39], [0, 0, 1]]
    """
    little = rising.astype(rising.dtype.newbyteorder("<"))
    steps = np.diff(little, prepend=little.dtype.type(0))
    return np.ascontiguousarray(steps.view(np.uint8).reshape(-1, little.dtype.itemsize).T)


def summed(steps: AnyArray) -> AnyArray:
    """Make the whole numbers again that gave these steps.

    >>> summed(np.array([[3, 2, 39], [0, 0, 1]], dtype=np.uint8)).tolist()
    [3, 5, 300]
    """
    if steps.dtype != np.uint8 or steps.ndim != 2 or len(steps) not in _BYTES:
        raise ValueError(f"steps have the shape {steps.shape} of {steps.dtype}")
    whole = np.ascontiguousarray(steps.T).view(f"<u{len(steps)}").ravel()
    return np.cumsum(whole, dtype=whole.dtype).astype(f"u{len(steps)}")


def _is_list_of_hashes(array: AnyArray) -> bool:
    """Tell whole numbers that rise."""
    is_list = array.ndim == 1 and array.dtype.kind == "u" and array.dtype.itemsize in _BYTES
    return is_list and len(array) > 0 and bool((array[1:] > array[:-1]).all())


def in_sections(sections: Mapping[str, Arrays], *, mark: str = "/") -> dict[str, AnyArray]:
    """Put the arrays of the sections of a model together, named by section.

    >>> in_sections({"a": {"x": np.zeros(1)}, "b": {"x": np.ones(1)}})
    {'a/x': array([0.]), 'b/x': array([1.])}
    """
    return {
        f"{section}{mark}{name}": array
        for section, own in sections.items()
        for name, array in own.items()
    }


def section_of(arrays: Arrays, name: str, *, mark: str = "/") -> dict[str, AnyArray]:
    """Select the arrays of one section of a model, by the names they have there.

    >>> section_of({"a/x": np.zeros(1), "b/x": np.ones(1)}, "b")
    {'x': array([1.])}
    """
    prefix = f"{name}{mark}"
    return {key.removeprefix(prefix): a for key, a in arrays.items() if key.startswith(prefix)}


def widened(arrays: Arrays, *names: str) -> Iterator[AnyArray]:
    """Yield arrays by name as they are worked with; they may have been saved in fewer bits.

    >>> [array.dtype.name for array in widened({"n": np.zeros(1, np.uint8)}, "n")]
    ['int64']
    """
    for name in names:
        array = arrays[name]
        wide = {"u": np.int64, "i": np.int64, "f": np.float64}.get(array.dtype.kind, bool)
        yield array.astype(wide)


def _refuse_foreign(path: Path, header: Header) -> None:
    if header.get("format") != FORMAT:
        raise FormatError(path, None, "is a zip file, but holds no model")
    if header.get("version") != VERSION:
        raise FormatError(
            path,
            None,
            f"is of version {header.get('version')} of the model format, and this program reads "
            f"{VERSION}; train the model again or update vermeil",
        )


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, LONG_AGO)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, content, compresslevel=9)
