"""Training examples on disk, a part at a time, so that memory does not grow with their number.

A folder of numbered files of plain NumPy arrays, and ``shards.json``, which is written last and
says how many there are and what lesson they were made for. Each file appears when it is whole. An
interrupted writing leaves no ``shards.json`` and is begun anew.
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import msgspec
import numpy as np

from vermeil.document import Document
from vermeil.errors import FormatError, UsageError
from vermeil.formats.files.sink import replacing
from vermeil.recognise.features.rows import Encoded, FeatureRows
from vermeil.recognise.linear.examples import Examples, Lesson

SHARD = 200
"""Documents in a file."""

INDEX, VERSION = "shards.json", 1


@dataclass(frozen=True, slots=True)
class Shards:
    """Examples in a folder; going through them reads one file at a time, any number of times."""

    folder: Path
    n_shards: int
    n_examples: int
    lesson: Lesson

    def __iter__(self) -> Iterator[Examples]:
        return (read_shard(_path(self.folder, number)) for number in range(self.n_shards))


def write_shards(
    documents: Iterable[Document], lesson: Lesson, folder: Path, *, size: int = SHARD
) -> Shards:
    """Make the examples of documents, ``size`` documents at a time, and store them. Streams."""
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / INDEX).exists():
        raise UsageError(f"{folder}: holds training examples already; choose a new folder")
    rest = iter(documents)
    n_shards = n_examples = 0
    while batch := list(islice(rest, size)):
        examples = lesson.examples(batch)
        if len(examples):
            write_shard(examples, _path(folder, n_shards))
            n_shards, n_examples = n_shards + 1, n_examples + len(examples)
    index = {
        "version": VERSION,
        "shards": n_shards,
        "examples": n_examples,
        "lesson": asdict(lesson),
    }
    with replacing(folder / INDEX) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(index), indent=1))
    return Shards(folder, n_shards, n_examples, lesson)


def open_shards(folder: Path) -> Shards:
    """Find the examples of a folder that ``write_shards`` filled."""
    path = folder / INDEX
    if not path.is_file():
        raise UsageError(f"{folder}: holds no training examples, or not all of them")
    try:
        index: dict[str, Any] = msgspec.json.decode(path.read_bytes(), type=dict)
        lesson = msgspec.convert(index["lesson"], Lesson)
        counts = int(index["shards"]), int(index["examples"])
    except (msgspec.MsgspecError, KeyError, ValueError) as error:
        raise FormatError(path, None, f"is no list of training examples: {error}") from error
    if index.get("version") != VERSION:
        raise FormatError(path, None, f"is of version {index.get('version')}, wanted {VERSION}")
    return Shards(folder, *counts, lesson)


def write_shard(examples: Examples, path: Path) -> None:
    """Store examples; the features of no token among them are left out."""
    used, row = np.unique(examples.encoded.row, return_inverse=True)
    rows = examples.encoded.rows
    width = np.diff(rows.first)[used]
    starts = np.cumsum(width) - width
    places = np.repeat(rows.first[used] - starts, width) + np.arange(int(width.sum()))
    with replacing(path) as stream:
        np.savez(
            stream,
            row=row.reshape(examples.encoded.row.shape).astype(np.uint32),
            width=width.astype(np.uint8),
            features=rows.features[places].astype(np.uint32),
            tag=examples.tag.astype(np.uint16),
            before=examples.before.astype(np.uint16),
            weight=examples.weight.astype(np.float32),
        )


def read_shard(path: Path) -> Examples:
    """Read what ``write_shard`` stored."""
    try:
        with path.open("rb") as stream, np.load(stream) as stored:
            arrays = {name: stored[name] for name in stored.files}
        first = np.concatenate(([0], np.cumsum(arrays["width"], dtype=np.int64)))
        rows = FeatureRows(first, arrays["features"].astype(np.int64))
        return Examples(
            Encoded(arrays["row"].astype(np.int64), rows),
            arrays["tag"].astype(np.int64),
            arrays["before"].astype(np.int64),
            arrays["weight"].astype(np.float64),
        )
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise FormatError(path, None, f"holds no training examples: {error}") from error


def _path(folder: Path, number: int) -> Path:
    return folder / f"{number:06d}.npz"
