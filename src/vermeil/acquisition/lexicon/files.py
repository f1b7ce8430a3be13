"""Compiled lexicons on disk: a zip of one JSON header and plain NumPy arrays, with a version.

Nothing is compressed and every array begins at a multiple of ALIGNMENT, so a lexicon is mapped into
memory as it stands: it loads in a moment, and processes that use the same file share it. The
checksums of the zip are verified. A file that is damaged, of another kind or of a later version
gives one line that says so.
"""

import io
import mmap
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec
import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from vermeil.acquisition.lexicon.compilation import Compilation, Lexicon
from vermeil.acquisition.lexicon.spellings import SpellingTable
from vermeil.errors import FormatError
from vermeil.formats.files.replacement import replacing
from vermeil.models.model_files import (
    DAMAGE,
    HEADER,
    LONG_AGO,
    header_in,
    refuse_too_big,
    section_of,
)
from vermeil.models.schema import ArraySpec, checked

FORMAT, VERSION = "vermeil lexicon", 2
ALIGNMENT = 64

_COLUMNS = (
    "label_of_record",
    "key_of_name",
    "key_of_loose",
    "has_function_word",
    "first_record",
    "records",
    "is_family",
)
_LOCAL_HEADER = struct.Struct("<26xHH")
_PADDING_ID = 0xD935
"""The extra field that pads entries in aligned zip files."""


class _Header(msgspec.Struct):
    format: str
    version: int
    spelling: str = ""
    labels: tuple[str, ...] = ()
    seeds: tuple[int, int] = (0, 0)
    compilation: Compilation | None = None
    form: str = "exact"


def save_lexicon(lexicon: Lexicon, path: Path) -> None:
    """Store a lexicon; the file appears when it is complete, and is the same for the same one."""
    header = _Header(
        FORMAT,
        VERSION,
        spelling=lexicon.spelling,
        labels=lexicon.labels,
        seeds=(lexicon.names.seed, lexicon.loose.seed),
        compilation=lexicon.compilation,
        form=lexicon.loose.form,
    )
    arrays = {
        "ids": np.frombuffer(msgspec.json.encode(lexicon.ids), dtype=np.uint8),
        **{name: getattr(lexicon, name) for name in _COLUMNS},
        **{f"names/{name}": array for name, array in lexicon.names.arrays().items()},
        **{f"loose/{name}": array for name, array in lexicon.loose.arrays().items()},
    }
    with replacing(path) as stream, zipfile.ZipFile(stream, "w") as archive:
        _put(archive, stream, HEADER, msgspec.json.format(msgspec.json.encode(header), indent=1))
        for name, array in sorted(arrays.items()):
            content = io.BytesIO()
            npy.write_array(content, np.ascontiguousarray(array), allow_pickle=False)
            _put(archive, stream, f"arrays/{name}.npy", content.getvalue())


def load_lexicon(path: Path) -> Lexicon:
    """Map a stored lexicon into memory."""
    try:
        with path.open("rb") as stream, zipfile.ZipFile(stream) as archive:
            refuse_too_big(path, archive)
            header = msgspec.json.decode(header_in(archive), type=_Header)
            _refuse_foreign(path, header)
            mapped = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
            arrays = {
                entry.filename.removeprefix("arrays/").removesuffix(".npy"): _mapped(mapped, entry)
                for entry in archive.infolist()
                if entry.filename.startswith("arrays/")
            }
        return _lexicon(header, arrays)
    except FormatError:
        raise
    except OSError as error:
        raise FormatError(path, None, f"cannot be read: {error.strerror or error}") from error
    except KeyError as error:
        raise FormatError(path, None, f"is a zip file, but no lexicon: {error.args[0]}") from None
    except (*DAMAGE, TypeError, struct.error) as error:
        raise FormatError(path, None, f"is no lexicon or is damaged: {error}") from error


def _put(archive: zipfile.ZipFile, stream: BinaryIO, name: str, content: bytes) -> None:
    """Store an entry such that its content begins at a multiple of ALIGNMENT."""
    entry = zipfile.ZipInfo(name, LONG_AGO)
    begin = stream.tell() + 30 + len(name) + 4
    padding = -begin % ALIGNMENT
    entry.extra = struct.pack("<HH", _PADDING_ID, padding) + bytes(padding)
    archive.writestr(entry, content)


def _refuse_foreign(path: Path, header: _Header) -> None:
    if header.format != FORMAT:
        raise FormatError(path, None, "is a zip file, but holds no lexicon")
    if header.version != VERSION:
        raise FormatError(
            path,
            None,
            f"is of version {header.version} of the lexicon format, and this program reads "
            f"{VERSION}; compile the lexicon again or update vermeil",
        )


def _mapped(mapped: mmap.mmap, entry: zipfile.ZipInfo) -> NDArray[Any]:
    """Read an array where it lies in the file."""
    if entry.compress_type != zipfile.ZIP_STORED:
        raise ValueError(f"{entry.filename} is compressed")
    n_name, n_extra = _LOCAL_HEADER.unpack_from(mapped, entry.header_offset)
    begin = entry.header_offset + 30 + n_name + n_extra
    whole = memoryview(mapped)[begin : begin + entry.file_size]
    if zlib.crc32(whole) != entry.CRC:
        raise ValueError(f"the checksum of {entry.filename} does not match")
    stream = cast(BinaryIO, io.BytesIO(whole[:4096]))
    npy.read_magic(stream)
    shape, _, dtype = npy.read_array_header_1_0(stream)
    if len(shape) != 1 or shape[0] * dtype.itemsize != entry.file_size - stream.tell():
        raise ValueError(f"{entry.filename} is not as long as its header says")
    return np.frombuffer(whole, dtype=dtype, count=shape[0], offset=stream.tell())


def _lexicon(header: _Header, arrays: Mapping[str, NDArray[Any]]) -> Lexicon:
    if header.compilation is None:
        raise ValueError("the header is not complete")
    tables = [
        SpellingTable.from_arrays(form, seed, section_of(arrays, name))
        for form, seed, name in zip(
            ("exact", header.form), header.seeds, ("names", "loose"), strict=True
        )
    ]
    ids = msgspec.json.decode(arrays["ids"].tobytes(), type=tuple[str, ...])
    names, loose = tables
    n_keys = len(arrays["first_record"]) - 1
    fitting = checked(
        arrays,
        {
            "label_of_record": ArraySpec(
                "whole", (len(ids),), least=0, most=len(header.labels) - 1
            ),
            "key_of_name": ArraySpec("whole", (len(names),), least=0, most=n_keys - 1),
            "key_of_loose": ArraySpec("whole", (len(loose),), least=0, most=n_keys - 1),
            "has_function_word": ArraySpec("flag", (len(loose),)),
            "first_record": ArraySpec("whole", least=0),
            "records": ArraySpec("whole", ("records",), least=0, most=len(ids) - 1),
            "is_family": ArraySpec("flag", (n_keys,)),
        },
    )
    first = fitting["first_record"]
    if (
        n_keys < 0
        or (np.diff(first) < 0).any()
        or first[0] != 0
        or first[-1] != len(fitting["records"])
    ):
        raise ValueError("first_record does not part the records of all keys")
    return Lexicon(
        spelling=header.spelling,
        labels=header.labels,
        ids=ids,
        names=names,
        loose=loose,
        compilation=header.compilation,
        **fitting,
    )
