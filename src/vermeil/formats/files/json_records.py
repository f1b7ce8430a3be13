"""JSON files of other tools, record by record.

A file is JSON Lines, read as a stream, or one JSON array or object, read whole. Records are plain
dictionaries: their reader checks what it knows with ``msgspec.convert`` and keeps or counts the
rest.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec

from vermeil.errors import FormatError, VermeilError
from vermeil.formats.files.loose_json import loose_value
from vermeil.formats.files.source import Source

LOOSE = "records that are not quite JSON, such as with commas too many or cut off"

FromPair: TypeAlias = Callable[[Any], dict[str, Any] | None]


class JsonRecord(NamedTuple):
    """One JSON object; ``line`` is None inside an array, where ``number`` says which it is.

    One that ``is_cut`` ended too soon, and holds what was whole. One that is all of a file in a
    folder has its ``path``.
    """

    line: int | None
    number: int
    raw: bytes
    fields: Mapping[str, Any]
    is_cut: bool = False
    path: Path | None = None

    def place(self, source: Source) -> str:
        """Name the place of the record for a note in the ledger."""
        if self.path is not None:
            return str(self.path)
        return source.where(self.line) if self.line else f"{source.path}: record {self.number}"

    @contextmanager
    def guard(self, source: Source) -> Iterator[None]:
        """Run a block that makes something of this record, as ``source.guard`` does.

        Without a line to name, the error names the number of the record.
        """
        try:
            yield
        except (VermeilError, ValueError, msgspec.MsgspecError, RecursionError) as error:
            reason = error.reason if isinstance(error, FormatError) else str(error)
            if self.path is not None:
                source.member(self.path).bad(None, self.raw, reason)
                return
            source.bad(
                self.line, self.raw, reason if self.line else f"record {self.number}: {reason}"
            )

    def note_lost(self, names: Iterable[str], source: Source) -> None:
        """Count what the record says under keys that nothing is made of."""
        for name in names:
            if lost := self.fields.get(name):
                n_lost = len(lost) if isinstance(lost, list) else 1
                source.ledger.note("dropped", name, source.where(self.line), n=n_lost)


def records(
    source: Source, *, loosely: bool = False, pair: FromPair | None = None
) -> Iterator[JsonRecord]:
    """Yield the objects of a file; anything else in their place goes to ``source.bad``.

    With ``loosely`` that is only what cannot be read as loose_json.py does. ``pair`` makes an
    object of an array in the place of one, or returns None where it is none.
    """
    number = 0
    lines = source.raw_lines()
    for line, raw in lines:
        if raw.isspace():
            continue
        is_array = raw.lstrip().startswith(b"[")
        if not number and is_array and not (pair and _is_pair(raw, pair)):
            whole = b"".join((raw, *(rest for _, rest in lines)))
            yield from _array(whole, source, loosely, pair)
            return
        if not number and _goes_on(raw):
            rest = list(lines)
            if loosely and rest and rest[0][1].startswith(b"{"):
                lines = iter(rest)
            else:
                raw = b"".join((raw, *(more for _, more in rest)))
        number += 1
        yield from _record(raw, line, number, source, loosely, pair)


def probability(score: float | None, source: Source, line: int | None) -> float | None:
    """Take a score for a confidence if it can be one; note it where it cannot."""
    if score is None or 0 <= score <= 1:
        return score
    source.ledger.note("dropped", "scores that are no probabilities", source.where(line))
    return None


def _goes_on(raw: bytes) -> bool:
    """Tell whether a first line is but the beginning of an object."""
    try:
        msgspec.json.decode(raw, type=msgspec.Raw)
    except (msgspec.MsgspecError, RecursionError) as error:
        return "truncated" in str(error)
    return False


def _is_pair(raw: bytes, pair: FromPair) -> bool:
    """Tell whether a line is a record by itself, and not the beginning of an array of them."""
    try:
        return pair(msgspec.json.decode(raw)) is not None
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False


def _array(
    raw: bytes, source: Source, loosely: bool, pair: FromPair | None
) -> Iterator[JsonRecord]:
    try:
        items = msgspec.json.decode(raw, type=list[msgspec.Raw])
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        loose = loose_value(raw.decode(errors="replace")) if loosely else None
        if loose is None or not isinstance(loose.value, list):
            source.bad(None, raw, f"not a JSON array: {error}")
            return
        source.ledger.note("repaired", LOOSE, source.where())
        for number, value in enumerate(loose.value, start=1):
            if isinstance(value, dict):
                is_cut = loose.is_cut and number == len(loose.value)
                yield JsonRecord(None, number, msgspec.json.encode(value), value, is_cut)
        return
    for number, item in enumerate(items, start=1):
        yield from _record(bytes(item), None, number, source, loosely, pair)


def _record(
    raw: bytes,
    line: int | None,
    number: int,
    source: Source,
    loosely: bool,
    pair: FromPair | None,
) -> Iterator[JsonRecord]:
    try:
        if pair and raw.lstrip().startswith(b"["):
            fields = pair(msgspec.json.decode(raw))
            if fields is None:
                raise ValueError("an array that is no pair of text and object")
        else:
            fields = msgspec.json.decode(raw, type=dict[str, Any])
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        loose = loose_value(raw.decode(errors="replace")) if loosely else None
        if loose is not None and isinstance(loose.value, dict) and loose.value:
            source.ledger.note("repaired", LOOSE, source.where(line))
            yield JsonRecord(line, number, raw, loose.value, loose.is_cut)
            return
        place = "" if line else f"record {number} is "
        source.bad(line, raw, f"{place}not a JSON object: {error}")
        return
    yield JsonRecord(line, number, raw, fields)
