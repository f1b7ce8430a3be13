"""What a user names to be read: a file, a folder of files or a pattern, and whose work it is."""

import glob
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from vermeil.errors import FormatError, UsageError
from vermeil.formats.files.source import head
from vermeil.formats.files.states import files_in, is_of_run
from vermeil.formats.files.streams import is_stream
from vermeil.formats.known import TEXT, file_annotator, folder_format, get_format, guess_format

LAYER = "{layer}"
"""Stands in the name of an output for that of each layer, which goes to a file of its own."""

OWN_FOLDERS = frozenset({"ebm-nlp", "hf-dataset"})
"""Formats whose folders have a meaning of their own, as splits have."""


@dataclass(frozen=True, slots=True)
class Input:
    """A path to read, with the name for its layer and its format where the user gave them.

    ``within`` is the folder of files of which it is a piece: who has no other name is called so.
    In a folder of annotators ``all_called`` is the name that each of them has in their own file.
    """

    path: Path
    annotator: str | None = None
    format: str | None = None
    within: str | None = field(default=None, repr=False)
    all_called: str | None = field(default=None, repr=False)

    @staticmethod
    def parse(argument: str, *, format: str | None = None) -> "Input":
        """Take ``name=path`` apart; an argument that is itself a path is just that.

        >>> Input.parse("ann=runs/ann.eval")
        Input(path=PosixPath('runs/ann.eval'), annotator='ann', format=None)
        """
        if not argument:
            raise UsageError("an input is named '', which is no file; is a variable empty?")
        name, equals, path = argument.partition("=")
        if equals and name and path and not Path(argument).exists():
            return Input(Path(path), name, format)
        return Input(Path(argument), None, format)


def is_several(given: Input) -> bool:
    """Tell whether an input stands for several files: a pattern, or a folder of such."""
    return _is_pattern(given.path) or bool(_members(given.path, given.format))


def refuse_missing(given: Input) -> None:
    """Refuse a path at which there is nothing to read."""
    path = given.path
    try:
        is_there = is_stream(path) or path.exists() or _is_pattern(path)
    except PermissionError as error:
        raise FormatError(path, None, f"cannot be read: {error.strerror}") from error
    if not is_there:
        raise UsageError(f"{path}: no such file or folder")


def told_beside(given: Input, written: Iterable[Path | str | None]) -> Input:
    """Tell the format of a folder into which files are ``written``, as if these were not there.

    So a command that was carried out once can be repeated.
    """
    if given.format is not None or not given.path.is_dir():
        return given
    targets = [Path(each) for each in written if each and str(each) != "-"]
    try:
        home = given.path.resolve()
        inner = [each for each in targets if each.parent.resolve().is_relative_to(home)]
    except OSError:  # where we stand there is no folder any more
        return given
    format = folder_format(given.path, _written(inner)) if inner else None
    return replace(given, format=format) if format else given


def _written(targets: Iterable[Path]) -> frozenset[Path]:
    """List the files that are there of what is written, each layer and bad records included."""
    found = [
        path.resolve()
        for each in targets
        for ending in ("", ".bad.jsonl")
        for path in each.parent.glob(glob.escape(each.name).replace(LAYER, "*") + ending)
    ]
    return frozenset(found)


def in_step(inputs: Sequence[Input]) -> Iterator[tuple[Input, ...]]:
    """Yield the files of inputs side by side, for formats whose documents are known by place alone.

    Inputs that are sets of files must have as many each; they are taken in the order of their
    names.
    """
    if not any(map(is_several, inputs)):
        yield tuple(inputs)
        return
    columns = [files_of(each) for each in inputs]
    if len({len(column) for column in columns}) > 1:
        listed = ", ".join(
            f"{each.path} {len(column)}" for each, column in zip(inputs, columns, strict=True)
        )
        raise UsageError(
            f"inputs that are brought together need as many files each, and there are: {listed}"
        )
    yield from zip(*columns, strict=True)


def files_of(given: Input) -> tuple[Input, ...]:
    """List the files that an input stands for, each with its format and the name of its layer.

    An empty file is of the format of the others.
    """
    if _is_pattern(given.path):
        paths = [
            file
            for path in _matching(given.path)
            for file in _members(path, given.format) or [path]
        ]
    else:
        paths = _members(given.path, given.format)
    if not paths:
        return (given,)
    formats = [given.format or _format_in(given.path, path) for path in paths]
    written = {each for each, path in zip(formats, paths, strict=True) if not _is_empty(path)}
    if len(written) == 1:  # who found nothing may have written nothing
        formats = [*written] * len(paths)
    # A format that does not name its layers takes the name of the file, here that of all files.
    own = all("layers" in get_format(each).carries for each in formats)
    within = input_name(given)
    name = given.annotator if own else within
    return tuple(
        Input(path, name, format, within) for path, format in zip(paths, formats, strict=True)
    )


def folders_in(given: Input) -> tuple[Input, ...]:
    """List the folders of which an input is made and nothing else; none where it is made of files.

    A folder that means something by its folders, as that of a dataset and its splits, is one piece.
    """
    path, format = given.path, given.format
    if _is_pattern(path):
        inner = _matching(path)
    elif path.is_dir():
        inner = [each for each in sorted(path.iterdir()) if each.name[0] not in "._"]
        format = format or folder_format(path)
        row = get_format(format) if format else None
        if row is not None and (row.updates or format in OWN_FOLDERS or "spans" not in row.carries):
            return ()
        if row is not None:
            data = (*row.holds, *row.suffixes, TEXT)
            inner = [each for each in inner if each.is_dir() or each.suffix in data]
    else:
        return ()
    folders = [
        each for each in inner if not each.is_dir() or (files_in(each) and not is_of_run(each))
    ]
    if not all(map(Path.is_dir, folders)):
        return ()
    return tuple(Input(each, None, format) for each in folders)


def input_name(given: Input) -> str:
    """Name an input: the one it was given, or that of its file or folder.

    >>> input_name(Input(Path("runs/anna/*.jsonl"))), input_name(Input(Path("runs/anna.jsonl")))
    ('anna', 'anna')
    """
    path = given.path.parent if _is_pattern(given.path) else given.path
    return given.annotator or given.within or file_annotator(path)


def _format_in(folder: Path, path: Path) -> str:
    """Tell the format of a file of a folder; one that has none may not be meant."""
    try:
        return _format_of(path, _changed(path))
    except UsageError as error:
        if not folder.is_dir():
            raise
        raise UsageError(
            f"{error}; or leave it out by a pattern, as in '{folder}/*.jsonl'"
        ) from error


@lru_cache(maxsize=1 << 16)
def _format_of(path: Path, changed: int) -> str:
    """Tell the format of a file once, until it is ``changed``."""
    return guess_format(path)


def _is_pattern(path: Path) -> bool:
    return glob.has_magic(str(path)) and not path.exists()


def _members(path: Path, format: str | None = None) -> list[Path]:
    """List the files of a folder, none where the folder as a whole is a corpus of its format."""
    if not path.is_dir():
        return []
    if format is None:
        is_whole = folder_format(path) is not None
    else:
        row = get_format(format)
        is_whole = (
            row.updates
            or bool(_suffixes(path).intersection(row.holds))
            or (row.piece is not None and _are_pieces(path, row.piece))
        )
    if is_whole:
        return []
    found = [
        each
        for each in files_in(path)
        if all(part[0] != "_" for part in each.relative_to(path).parts)
    ]
    files = [each for each in found if each.parent == path]
    suffixes = {each.suffix for each in files}
    for each in found:
        if files and each.parent != path and each.suffix in suffixes:
            raise UsageError(
                f"{path}: holds files, and more of their kind deeper down, such as {each}; say "
                f"which are meant: '{path}/*{each.suffix}' or '{path}/**/*{each.suffix}', in quotes"
            )
    return files or found


def _are_pieces(folder: Path, piece: Callable[[str], str | None]) -> bool:
    """Tell whether each file of a folder is about a document of its own."""
    named = [piece(head(each)) for each in files_in(folder)]
    ids = [id for id in named if id]
    return None not in named and len(set(ids)) == len(ids)


def _matching(pattern: Path) -> list[Path]:
    """List the files and folders that are called like a pattern."""
    top = Path(pattern.anchor)
    paths = sorted(top.glob(str(pattern.relative_to(top))))
    if not paths:
        raise UsageError(f"{pattern}: no file is called like this")
    return paths


def _suffixes(folder: Path) -> set[str]:
    return {suffix for each in files_in(folder) for suffix in each.suffixes}


def _is_empty(path: Path) -> bool:
    return path.is_file() and not path.stat().st_size


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError as error:
        raise FormatError(path, None, f"cannot be read: {error.strerror}") from error
