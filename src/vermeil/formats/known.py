"""The formats there are, looked up by name.

The table stands apart in ``table``: it loads the module of every format, so it is loaded when
somebody first asks, and a command can show its help without it.
"""

from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from vermeil.errors import UnknownNameError

if TYPE_CHECKING:
    from vermeil.formats.table import Format


def get_format(name: str) -> "Format":
    """Look a format up among our own and those of installed packages; ours win."""
    formats = all_formats()
    if name not in formats:
        raise UnknownNameError("format", name, formats)
    return formats[name]


@cache
def all_formats() -> "dict[str, Format]":
    """Give the whole table, with the formats of installed packages."""
    from vermeil.formats.table import FORMATS

    installed = {point.name: point.load() for point in entry_points(group="vermeil.formats")}
    return installed | FORMATS
