"""What came of a shard, as one file: facts that JSON can hold, and arrays.

A result appears when it is whole, and that it is there says that the shard is done. What a stage
knows of a shard can be a dataclass of arrays, numbers and names: ``taken_apart`` and
``put_together`` go between the two. Numbers are written so that reading gives the same bits again.

Beside a result stands what was noted in the ledger of its shard. The sum of these is what one
ledger over all documents would hold, notes and bad records in their order.
"""

import io
import os
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from tokenize import TokenError
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints
from zipfile import BadZipFile

import msgspec
import numpy as np

from vermeil.arrays import AnyArray
from vermeil.errors import FormatError
from vermeil.formats.files.ledger import N_EXAMPLES, Ledger
from vermeil.formats.files.replacement import replacing

T = TypeVar("T")

FACTS = "facts.json"
IDS = "ids of documents"
"""The array of a result that has a digest of the id of every document that was read."""

DIGEST = "digest"
"""The array of a result that has a digest of all others."""

DAMAGE = (
    *(OSError, ValueError, KeyError, EOFError, RuntimeError, MemoryError, TypeError),
    *(BadZipFile, zlib.error, msgspec.MsgspecError, TokenError),
)


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """Facts and arrays by name."""

    facts: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, AnyArray] = field(default_factory=dict)


def write_result(result: Result, path: Path) -> None:
    """Store a result; once this returns it outlives a sudden end of the machine."""
    facts = np.frombuffer(msgspec.json.encode(result.facts), dtype=np.uint8)
    held: dict[str, Any] = {FACTS: facts, **result.arrays}
    held[DIGEST] = _digest(held)
    with replacing(path) as stream:
        np.savez_compressed(stream, **held)
    sync_folder(path.parent)


def read_result(path: Path) -> Result:
    """Read what ``write_result`` stored; anything else, whole as it may be, is a FormatError."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        if not np.array_equal(arrays.pop(DIGEST), _digest(arrays)):
            raise ValueError("it does not hold what was stored")
        return Result(msgspec.json.decode(arrays.pop(FACTS).tobytes()), arrays)
    except DAMAGE as error:
        raise FormatError(
            path, None, f"is no result of a shard: {error}; remove it to have it made again"
        ) from error


def sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def taken_apart(value: Any) -> Result:
    """Lay a dataclass out: arrays by their dotted names, all else as facts."""
    facts: dict[str, Any] = {}
    arrays: dict[str, AnyArray] = {}
    for each in fields(value):
        _lay_out(getattr(value, each.name), each.name, facts, arrays)
    return Result(facts, arrays)


def put_together(kind: type[T], result: Result, prefix: str = "") -> T:
    """Undo ``taken_apart``."""
    hints = get_type_hints(kind)
    values = [_take(hints[each.name], prefix + each.name, result) for each in fields(kind)]  # type: ignore[arg-type]
    return kind(*values)


def new_ledger(*, skip_bad: bool) -> Ledger:
    """Make a ledger that keeps every note and every bad record in memory."""
    return Ledger(skip_bad=skip_bad, bad_records=io.BytesIO(), log=io.BytesIO())


def with_ledger(result: Result, ledger: Ledger) -> Result:
    """Put what a ledger of ``new_ledger`` holds beside a result."""
    notes = [
        (
            *(*key, n, ledger.examples.get(key, [])),
            *(counts.get(key, Counter()) for counts in (ledger.outputs, ledger.annotators)),
        )
        for key, n in ledger.counts.items()
    ]
    arrays = {"ledger.log": _bytes_in(ledger.log), "ledger.bad": _bytes_in(ledger.bad_records)}
    return Result({**result.facts, "ledger": notes}, {**result.arrays, **arrays})


def add_to_ledger(ledger: Ledger, result: Result) -> None:
    """Add what stands beside a result to the ledger of the run."""
    for deed, what, n, examples, outputs, annotators in result.facts["ledger"]:
        ledger.counts[deed, what] += n
        for counts, more in (ledger.outputs, outputs), (ledger.annotators, annotators):
            if more:
                counts.setdefault((deed, what), Counter()).update(more)
        shown = ledger.examples.setdefault((deed, what), [])
        shown.extend(examples[: N_EXAMPLES - len(shown)])
    if ledger.log is not None:
        ledger.log.write(result.arrays["ledger.log"].tobytes())
    if ledger.bad_records is not None:
        ledger.bad_records.write(result.arrays["ledger.bad"].tobytes())


def _digest(arrays: Mapping[str, AnyArray]) -> AnyArray:
    from hashlib import sha256  # loads a library of ciphers, which a stream does without

    digest = sha256()
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype.str} {array.shape} ".encode() + array.tobytes())
    return np.frombuffer(digest.digest(), dtype=np.uint8)


def _lay_out(value: Any, name: str, facts: dict[str, Any], arrays: dict[str, AnyArray]) -> None:
    if isinstance(value, np.ndarray):
        arrays[name] = value
    elif is_dataclass(value):
        for each in fields(value):
            _lay_out(getattr(value, each.name), f"{name}.{each.name}", facts, arrays)
    elif isinstance(value, Mapping):
        facts[name] = list(value)
        for place, held in enumerate(value.values()):
            _lay_out(held, f"{name}.{place}", facts, arrays)
    else:
        facts[name] = str(value) if isinstance(value, Fraction) else value


def _take(hint: Any, name: str, result: Result) -> Any:
    if isinstance(hint, UnionType):
        if name in result.facts and result.facts[name] is None:
            return None
        [hint] = [each for each in get_args(hint) if each is not NoneType]
    if name in result.arrays:
        return result.arrays[name]
    if is_dataclass(hint):
        return put_together(hint, result, f"{name}.")  # type: ignore[arg-type]
    if get_origin(hint) in (Mapping, dict):
        key, held = get_args(hint)
        keys = msgspec.convert(result.facts[name], list[key])  # type: ignore[valid-type]
        return {each: _take(held, f"{name}.{place}", result) for place, each in enumerate(keys)}
    fact = result.facts[name]
    return Fraction(fact) if hint is Fraction else msgspec.convert(fact, hint)


def _bytes_in(stream: object) -> AnyArray:
    assert isinstance(stream, io.BytesIO), "a ledger of a shard is kept in memory"
    return np.frombuffer(stream.getvalue(), dtype=np.uint8)
