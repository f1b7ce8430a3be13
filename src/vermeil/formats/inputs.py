"""What a user names to be read: a file, a folder of files or a pattern, and whose work it is."""

import glob
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from vermeil.errors import UsageError
from vermeil.formats import all_formats, get_format, guess_format
from vermeil.formats.files.source import stem


@dataclass(frozen=True, slots=True)
class Input:
    """A path to read, with the name for its layer and its format where the user gave them."""

    path: Path
    annotator: str | None = None
    format: str | None = None

    @staticmethod
    def parse(argument: str, *, format: str | None = None) -> "Input":
        """Take ``name=path`` apart; an argument that is itself a path is just that.

        >>> Input.parse("ann=runs/ann.eval")
        Input(path=PosixPath('runs/ann.eval'), annotator='ann', format=None)
        """
        name, equals, path = argument.partition("=")
        if equals and name and path and not Path(argument).exists():
            return Input(Path(path), name, format)
        return Input(Path(argument), None, format)


def is_several(path: Path) -> bool:
    """Tell whether an input stands for several files: a pattern, or a folder of such."""
    return _is_pattern(path) or bool(_members(path))


def in_step(
    inputs: Sequence[Input], text: Input | None = None
) -> Iterator[tuple[Input | None, tuple[Input, ...]]]:
    """Yield the files of inputs side by side, each row with its texts.

    Inputs that are sets of files must have as many each; they are taken in the order of their
    names.
    """
    given = [text, *inputs] if text else list(inputs)
    if not any(is_several(each.path) for each in given):
        yield text, tuple(inputs)
        return
    columns = [files_of(each) for each in given]
    if len({len(column) for column in columns}) > 1:
        listed = ", ".join(
            f"{each.path} {len(column)}" for each, column in zip(given, columns, strict=True)
        )
        raise UsageError(
            f"inputs that are brought together need as many files each, and there are: {listed}"
        )
    for row in zip(*columns, strict=True):
        yield (row[0], row[1:]) if text else (None, row)


def files_of(given: Input) -> tuple[Input, ...]:
    """List the files that an input stands for, each with its format and the name of its layer."""
    if _is_pattern(given.path):
        top = Path(given.path.anchor)
        paths = sorted(top.glob(str(given.path.relative_to(top))))
        if not paths:
            raise UsageError(f"{given.path}: no file is called like this")
    else:
        paths = _members(given.path, given.format)
    if not paths:
        return (given,)
    formats = [given.format] * len(paths) if given.format else _formats(paths)
    # A format that does not name its layers takes the name of the file, here that of all files.
    own = all("layers" in get_format(each).carries for each in formats)
    name = given.annotator if own else input_name(given)
    return tuple(Input(path, name, format) for path, format in zip(paths, formats, strict=True))


def input_name(given: Input) -> str:
    """Name an input: the one it was given, or that of its file or folder.

    >>> input_name(Input(Path("runs/anna/*.jsonl"))), input_name(Input(Path("runs/anna.jsonl")))
    ('anna', 'anna')
    """
    path = given.path.parent if _is_pattern(given.path) else given.path
    return given.annotator or stem(path)


def _formats(paths: Sequence[Path]) -> list[str]:
    """Tell the format of each file; files with the same suffixes have that of the first."""
    known: dict[tuple[str, ...], str] = {}
    for path in paths:
        kind = tuple(path.suffixes[-2:])
        known[kind] = known.get(kind) or guess_format(path)
    return [known[tuple(path.suffixes[-2:])] for path in paths]


def _is_pattern(path: Path) -> bool:
    return glob.has_magic(str(path)) and not path.exists()


def _members(path: Path, format: str | None = None) -> list[Path]:
    """List the files of a folder, none where the folder as a whole is a corpus of its format."""
    if not path.is_dir():
        return []
    files = sorted(each for each in path.iterdir() if each.is_file() and each.name[0] not in "._")
    held = {suffix for each in files for suffix in each.suffixes}
    rows = [get_format(format)] if format else all_formats().values()
    return [] if any(held.intersection(row.holds) for row in rows) else files
