"""JSON that people can read, too, a piece at a time: what is large is never held as text."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import msgspec

INDENT = "  "
MOST_ITEMS = 1000
"""Items of a list that are spelt out at a time."""

PIECE = 1 << 20
"""Characters that are handed on together, or a little more."""


def json_text(value: object) -> Iterator[str]:
    """Spell a value as ``msgspec.json.format`` would; undefined numbers are null.

    An iterator of pairs stands for an object: each of its values is made when it is its turn.

    >>> print("".join(json_text({"a": iter([("b", [1, None])])})))
    {
      "a": {
        "b": [
          1,
          null
        ]
      }
    }
    """
    held: list[str] = []
    size = 0
    for piece in _pieces(value, "\n"):
        held.append(piece)
        size += len(piece)
        if size >= PIECE:
            yield "".join(held)
            held, size = [], 0
    yield "".join(held)


def _pieces(value: Any, line: str) -> Iterator[str]:
    """Spell a value; ``line`` begins a line as deep as the value stands."""
    if isinstance(value, dict):
        yield from _object(value.items(), line)
    elif isinstance(value, Iterator):
        yield from _object(value, line)
    elif isinstance(value, list) and len(value) > MOST_ITEMS:
        yield "["
        for first in range(0, len(value), MOST_ITEMS):
            some = _spelt(value[first : first + MOST_ITEMS], line)
            yield ("," if first else "") + some[1 : -1 - len(line)]
        yield line + "]"
    else:
        yield _spelt(value, line)


def _object(pairs: Iterable[tuple[Any, Any]], line: str) -> Iterator[str]:
    rest = iter(pairs)
    first = next(rest, None)
    if first is None:
        yield "{}"
        return
    before = "{"
    for key, value in chain([first], rest):
        yield f"{before}{line}{INDENT}{_key(key)}: "
        yield from _pieces(value, line + INDENT)
        before = ","
    yield line + "}"


def _key(key: Any) -> str:
    """Spell a key as it is encoded: numbers are strings."""
    return msgspec.json.encode({key: 0}).decode()[1:-3]


def _spelt(value: Any, line: str) -> str:
    said = msgspec.json.format(msgspec.json.encode(value), indent=len(INDENT)).decode()
    return said.replace("\n", line)
