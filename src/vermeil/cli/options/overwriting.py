"""Notes and bad records, not to be written over what a command reads or writes otherwise."""

import glob
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from vermeil.errors import UsageError
from vermeil.formats.files.ledger import are_notes
from vermeil.formats.files.replacement import is_written_through


def refuse_overwriting(parameters: Iterable[Any], given: Mapping[str, Any]) -> None:
    """Refuse notes and bad records that a command would write over what else it was ``given``."""
    log, others = given.get("log"), [each for each in parameters if each.name != "log"]
    words = [word for each in others for word in _words_in(given.get(each.name))]
    outputs = [given.get(each.name) for each in others if "--output" in each.opts]
    output = next((str(each) for each in outputs if each), None)
    if log is not None:
        refuse_written_over(Path(log), words, output, option="--log")
    if given.get("skip_bad"):
        refuse_written_over(bad_records_beside(output or "-"), words, option="--skip-bad")


def bad_records_beside(output: Path | str) -> Path:
    """Name the file for the bad records of a command that writes ``output``."""
    return Path(f"{'vermeil' if str(output) == '-' else output}.bad.jsonl")


def refuse_written_over(
    path: Path, named: Iterable[str], output: str | None = None, *, option: str
) -> None:
    """Refuse a file of ``option`` that a command reads, or writes otherwise.

    ``named`` is all that the command was given: files, folders, patterns, and words that are none.
    A folder that is read may get a new file, and the notes of the command when it is repeated; one
    that is the ``output`` gets nothing else.
    """
    if is_written_through(path):
        if output == "-" and str(path) in ("-", "/dev/stdout"):
            raise UsageError(f"{option} and -o both write to standard output; give one a file")
        return
    for word in named:
        if any(_is_at_stake(path, each) for each in {word, word.partition("=")[2]} if each):
            raise UsageError(
                f"{path}: {option} would write over what is named by {word!r}; name another file"
            )
    if output and (output.endswith("/") or Path(output).is_dir()) and _holds(output, path):
        raise UsageError(f"{path}: {option} would write into {output!r}; name another file")


def _is_at_stake(path: Path, word: str) -> bool:
    """Tell whether a word names a file, or a folder or pattern with that file in it."""
    with suppress(OSError, ValueError):
        if _is_same(path, word):
            return True
        if path.is_file() and not are_notes(path):
            found = [Path(word)]
            if glob.has_magic(word) and not found[0].exists():
                top = Path(found[0].anchor)
                found = list(top.glob(str(found[0].relative_to(top))))
            return any(_is_same(path, each) or _holds(each, path) for each in found)
    return False


def _is_same(path: Path, other: Path | str) -> bool:
    if os.path.realpath(path) == os.path.realpath(other):
        return True
    return path.exists() and Path(other).exists() and path.samefile(other)


def _holds(folder: Path | str, path: Path) -> bool:
    home = Path(os.path.realpath(folder))
    return not home.is_file() and Path(os.path.realpath(path)).is_relative_to(home)


def _words_in(value: Any) -> Iterator[str]:
    """Yield what of a value can be the name of a file."""
    for each in value if isinstance(value, list | tuple) else [value]:
        if isinstance(each, str | Path):
            yield str(each)
