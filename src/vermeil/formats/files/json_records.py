"""JSON files of other tools, record by record.

A file is JSON Lines, read as a stream, or one JSON array or object, read whole. Records are plain
dictionaries: their reader checks what it knows with ``msgspec.convert`` and keeps or counts the
rest.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec

from vermeil.errors import FormatError, VermeilError
from vermeil.formats.files.source import Source


class JsonRecord(NamedTuple):
    """One JSON object; ``line`` is None inside an array, where ``number`` says which it is."""

    line: int | None
    number: int
    raw: bytes
    fields: Mapping[str, Any]

    @contextmanager
    def guard(self, source: Source) -> Iterator[None]:
        """Run a block that makes something of this record, as ``source.guard`` does.

        Without a line to name, the error names the number of the record.
        """
        try:
            yield
        except (VermeilError, ValueError, msgspec.MsgspecError, RecursionError) as error:
            reason = error.reason if isinstance(error, FormatError) else str(error)
            source.bad(
                self.line, self.raw, reason if self.line else f"record {self.number}: {reason}"
            )

    def note_lost(self, names: Iterable[str], source: Source) -> None:
        """Count what the record says under keys that nothing is made of."""
        for name in names:
            if lost := self.fields.get(name):
                n_lost = len(lost) if isinstance(lost, list) else 1
                source.ledger.note("dropped", name, source.where(self.line), n=n_lost)


def records(source: Source) -> Iterator[JsonRecord]:
    """Yield the objects of a file; anything else in their place goes to ``source.bad``."""
    number = 0
    lines = source.raw_lines()
    for line, raw in lines:
        if raw.isspace():
            continue
        if not number and raw.lstrip().startswith(b"["):
            yield from _array(b"".join((raw, *(rest for _, rest in lines))), source)
            return
        if not number and _goes_on(raw):
            raw = b"".join((raw, *(rest for _, rest in lines)))
        number += 1
        yield from _record(raw, line, number, source)


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


def _array(raw: bytes, source: Source) -> Iterator[JsonRecord]:
    try:
        items = msgspec.json.decode(raw, type=list[msgspec.Raw])
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        source.bad(None, raw, f"not a JSON array: {error}")
        return
    for number, item in enumerate(items, start=1):
        yield from _record(bytes(item), None, number, source)


def _record(raw: bytes, line: int | None, number: int, source: Source) -> Iterator[JsonRecord]:
    try:
        fields = msgspec.json.decode(raw, type=dict[str, Any])
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        place = "" if line else f"record {number} is "
        source.bad(line, raw, f"{place}not a JSON object: {error}")
        return
    yield JsonRecord(line, number, raw, fields)
