"""The formats there are: looked up by name, or told by suffix and by how a file begins.

The table stands apart in ``table``: it loads the module of every format, so it is loaded when
somebody first asks, and a command can show its help without it.
"""

from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.source import COMPRESSED, head

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
    """Return the whole table, with the formats of installed packages."""
    from vermeil.formats.table import FORMATS

    installed = {point.name: point.load() for point in entry_points(group="vermeil.formats")}
    return installed | FORMATS


def guess_format(path: Path, *, exists: bool = True) -> str:
    """Tell the format by suffix and, among formats that share it, by how the file begins.

    A folder is known by the files in it. With ``exists=False`` the first format of the suffix
    that writes a file is meant.
    """
    if not exists:
        rows = all_formats()
        named = [name for name in _by_suffix(path) if rows[name].write and not rows[name].folder]
        fitting = named
    elif str(path) == "-":
        named = fitting = []
    elif not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    elif path.is_dir():
        named = fitting = _by_members(path)
    else:
        named = _by_suffix(path)
        start = head(path)
        fitting = _by_beginning(start, named) if start.strip() else named
    if fitting:
        return fitting[0]
    option = "from" if exists else "to"
    listed = named or sorted(name for name, row in all_formats().items() if exists or row.write)
    raise UsageError(
        f"{path}: cannot tell the format; name it with --{option} ({', '.join(listed)})"
    )


def _by_suffix(path: Path) -> list[str]:
    """List the formats that have the suffix of ``path``; a longer one outdoes a shorter one."""
    name = _uncompressed(path)
    lengths = {
        format_name: max((len(each) for each in row.suffixes if name.endswith(each)), default=0)
        for format_name, row in all_formats().items()
    }
    longest = max(lengths.values())
    return [format_name for format_name, length in lengths.items() if length == longest > 0]


def _by_members(folder: Path) -> list[str]:
    """List the formats of which the folder holds files, in the order of the table."""
    found = {Path(_uncompressed(member)).suffix for member in folder.rglob("*")}
    return [name for name, row in all_formats().items() if found.intersection(row.holds)]


def _by_beginning(start: str, named: list[str]) -> list[str]:
    """List those of the ``named`` formats that fit; without a name, the only one that does.

    A suffix that one format has is enough, so that a broken file gets that reader's message.
    """
    if len(named) == 1:
        return named
    rows = all_formats()
    candidates = named or list(rows)
    fitting = [name for name in candidates if (sniff := rows[name].sniff) and sniff(start)]
    if not named:
        return fitting if len(fitting) == 1 else []
    return fitting or [name for name in named if rows[name].sniff is None]


def _uncompressed(path: Path) -> str:
    name = path.name.lower()
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    return name
