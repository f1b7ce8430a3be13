"""Hugging Face datasets on disk: Arrow or Parquet with tokens, tags and the names of classes.

A folder of ``save_to_disk`` (``dataset_info.json``, ``data-*.arrow``), of a dictionary of splits
(``train/``, ``test/``), of Parquet files as the hub keeps them (``train-00000-of-00001.parquet``),
or one such file. Rows are understood as ``hf`` understands them; the names of classes come from
the schema, or from ``dataset_info.json``. Where there are several splits they are part of the id,
as in ``train/7``. To write for Hugging Face, take ``hf``, which ``load_dataset("json")`` reads.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from vermeil.document import Document
from vermeil.errors import MissingExtraError
from vermeil.formats.files.json_records import JsonRecord
from vermeil.formats.files.members import inside
from vermeil.formats.files.source import Source
from vermeil.formats.kinds.tokens import hf_tokens

OPTIONS = hf_tokens.OPTIONS
CARRIES = hf_tokens.CARRIES
SUFFIXES = (".arrow", ".parquet")
INFO = "dataset_info.json"

_TAGS = ("ner_tags", "tags", "labels", "ner")
_TOKENS = ("tokens", "words")


def read(source: Source) -> Iterator[Document]:
    """Yield one document a row."""
    if not source.path.is_dir():
        yield from _documents(source, "")
        return
    files = [path for path in inside(source) if path.suffix in SUFFIXES]
    splits = {path: _split(path, source.path) for path in files}
    are_named = len(set(splits.values())) > 1
    numbers: dict[str, int] = {}
    for path in files:
        split = splits[path]
        prefix = f"{split}/" if are_named else ""
        first = numbers.get(split, 0)
        for document in _documents(source.member(path), prefix, first):
            numbers[split] = numbers.get(split, 0) + 1
            yield document


def sniff(head: str) -> bool:
    """Tell whether a file is Arrow or Parquet with columns of tokens and tags."""
    begins = head.startswith(("PAR1", "ARROW1", "\ufffd\ufffd\ufffd\ufffd"))
    named = any(name in head for name in _TOKENS) and any(name in head for name in _TAGS)
    return begins and named and "standards" not in head


def _split(path: Path, folder: Path) -> str:
    """Name the split of a file: its folder, or what stands before its number."""
    inner = path.relative_to(folder)
    parents = [part for part in inner.parent.parts if part != "data"]
    if parents:
        return "/".join(parents)
    name = path.stem.rpartition("-of-")[0].rpartition("-")[0] or path.stem
    return "" if name == "data" else name


def _documents(source: Source, prefix: str, first: int = 0) -> Iterator[Document]:
    arrow = _arrow()
    number = first
    with source.binary() as stream:
        try:
            schema, batches = _opened(stream, source.path, arrow)
            names = _classes(schema, source)
            if names and not source.options["classes"]:
                source = replace(source, options={**source.options, "classes": ",".join(names)})
            records = _records(batches, first)
            for document in hf_tokens.documents_of(records, source):
                number += 1
                yield document.replace(id=prefix + document.id) if prefix else document
        except (arrow.ArrowException, OSError, MemoryError, UnicodeDecodeError) as error:
            reason = f"not readable as Arrow or Parquet after row {number}: {error}"
            raise source.error(None, reason) from error


def _records(batches: Iterator[Any], first: int) -> Iterator[JsonRecord]:
    number = first
    for batch in batches:
        batch.validate(full=True)  # offsets of a broken file may lead anywhere
        for row in batch.to_pylist():
            number += 1
            fields = {key: value for key, value in row.items() if value is not None}
            yield JsonRecord(None, number, repr(fields).encode(), fields)


def _opened(stream: Any, path: Path, arrow: Any) -> tuple[Any, Iterator[Any]]:
    """Open Parquet, or Arrow as a stream or as a file; return its schema and its batches."""
    start = stream.read(6)
    stream.seek(0)
    if start.startswith(b"PAR1"):
        file = arrow.parquet.ParquetFile(stream)
        return file.schema_arrow, file.iter_batches()
    if start == b"ARROW1":
        reader = arrow.ipc.open_file(stream)
        batches = (reader.get_batch(at) for at in range(reader.num_record_batches))
        return reader.schema, batches
    reader = arrow.ipc.open_stream(stream)
    return reader.schema, iter(reader)


def _classes(schema: Any, source: Source) -> list[str]:
    """Find the names of the classes of tags, in the schema or beside the file."""
    told = (schema.metadata or {}).get(b"huggingface")
    info: object = _decoded(told).get("info") if told else None
    beside = source.path.parent / INFO
    if info is None and beside.is_file():
        info = _decoded(source.member(beside).text().encode())
    features = info.get("features") if isinstance(info, dict) else None
    for name in _TAGS:
        if isinstance(features, dict) and (names := _names_in(features.get(name))):
            return names
    return []


def _names_in(feature: object) -> list[str]:
    """Find the list of names, however deep."""
    if isinstance(feature, list):
        feature = feature[0] if feature else None
    if not isinstance(feature, dict):
        return []
    names = feature.get("names")
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        return names
    return _names_in(feature.get("feature"))


def _decoded(value: bytes) -> Mapping[str, Any]:
    try:
        return msgspec.json.decode(value, type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError):
        return {}


def _arrow() -> Any:
    try:
        import pyarrow
        import pyarrow.ipc
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("Hugging Face datasets", "pyarrow") from None
    return pyarrow
