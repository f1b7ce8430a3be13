"""Things that show themselves: in one short line anywhere, and as a view in a notebook.

The views are those of the report, which stands at the other end of the import order; it is loaded
by its name, and only when a notebook asks.
"""

import re
from collections.abc import Sized
from dataclasses import fields
from importlib import import_module
from typing import Any

LONGEST = 160
"""Characters of the line that stands for an object."""

_LONGEST_VALUE = 40

_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, those that turn the direction of writing, and halves of characters."""


class Shown:
    """Something that ``vermeil.reports.notebook.show`` can show."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(import_module("vermeil.reports.notebook").show(self)._repr_html_())


class Brief:
    """A dataclass (made with ``repr=False``) whose ``repr`` is short, however much it holds.

    Columns are told by their kind and length. Where there are figures that matter more than
    the fields, ``_told`` says them instead.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        room = LONGEST - len(type(self).__name__) - 2
        return f"{type(self).__name__}({cut(self._told(), room)})"

    def _told(self) -> str:
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        return ", ".join(f"{name}={brief(getattr(self, name))}" for name in names)


def brief(value: Any) -> str:
    """Say in a word or two what a value is.

    >>> brief(0.123456), brief(["a"] * 5), brief("x" * 100)
    ('0.1235', 'list of 5', "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'")
    """
    if isinstance(value, float):
        return f"{value:.4g}"
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return f"{value.dtype}[{'×'.join(map(str, value.shape))}]"
    if isinstance(value, Sized) and not isinstance(value, str | bytes):
        return f"{type(value).__name__} of {len(value):,}"
    if isinstance(value, str):
        return repr(cut(value, _LONGEST_VALUE))
    if value is None or isinstance(value, bytes | int):
        return cut(repr(value), _LONGEST_VALUE)
    return type(value).__name__


def plain(text: str) -> str:
    """Write control characters as escapes, so that no name can steer a terminal.

    >>> plain("anna\\x1b[31m")
    'anna\\\\x1b[31m'
    """
    if text.isprintable():
        return text
    return _STEERING.sub(lambda found: ascii(found[0])[1:-1], text)


def plain_lines(text: str) -> str:
    """Write the same, line by line.

    >>> plain_lines("anna\\x1b[31m\\nben")
    'anna\\\\x1b[31m\\nben'
    """
    return "\n".join(map(plain, text.split("\n")))


def cut(said: str, most: int = LONGEST) -> str:
    """Cut a line to so many characters, and show control characters as escapes.

    >>> cut("one two three", 8)
    'one two…'
    """
    said = said if said.isprintable() else ascii(said)[1:-1]
    return said if len(said) <= most else said[: most - 1] + "…"
