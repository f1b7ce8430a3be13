"""The formats there are: looked up by name, or told by suffix and by how a file begins.

The table stands apart in ``table``, so that a command can show its help without it. What is certain
by name and beginning is told without a look at other formats and at installed packages, which would
take longer than reading a small file.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.source import COMPRESSED, head, json_keys, stem
from vermeil.formats.files.states import files_in
from vermeil.formats.files.streams import is_stream

if TYPE_CHECKING:
    from vermeil.formats.table import Format, Formats

TEXT = ".txt"
N_TOLD = 1000
"""Texts of a folder that are looked at, to see whether they are plain."""

N_LISTED = 12
"""Formats of which one may be meant that are listed in an error."""

_SHEET = "is a spreadsheet; save its sheet as CSV and name that"
_PAPER = "is a document of an office program; save its text as plain text and name that"
PACKED = {
    **dict.fromkeys((".xlsx", ".xlsm", ".ods"), _SHEET),
    **dict.fromkeys((".docx", ".odt"), _PAPER),
    ".zip": "is an archive; unpack it, and name the folder",
}
"""What to do with packed files by their suffixes, where they are of no format."""

WITH_OTHERS = frozenset({"cas-json", "cas-xmi", "ebm-nlp", "hf-dataset", "webanno"})
"""Formats in whose folders other files have their place, as sources and type systems do."""

CERTAIN = {".jsonl": ("jsonl",), ".mrg": ("penn",), ".parquet": ("parquet", "hf-dataset")}
"""The format by whole suffix of what begins like it; after it, others that may begin so."""


def get_format(name: str) -> "Format":
    """Look a format up among our own and those of installed packages; ours win."""
    from vermeil.formats.table import FORMATS

    formats = FORMATS if name in FORMATS else all_formats()
    if name not in formats:
        raise UnknownNameError("format", name, formats)
    return formats[name]


@cache
def all_formats() -> "Formats":
    """Return the whole table, with the formats of installed packages."""
    from importlib.metadata import entry_points

    from vermeil.formats.table import FORMATS

    installed = {point.name: point.load() for point in entry_points(group="vermeil.formats")}
    return FORMATS.beside(installed)


def file_annotator(path: Path) -> str:
    """Name who made a file that does not say: as it is called without the suffixes of its format.

    >>> file_annotator(Path("runs/ann.entities.jsonl.gz")), file_annotator(Path("v1.2/ben.jsonl"))
    ('ann', 'ben')
    """
    name = path.name
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    for each in _long_suffixes():
        if name.lower().endswith(each) and len(name) > len(each):
            return name[: -len(each)]
    return stem(path)


@cache
def _long_suffixes() -> tuple[str, ...]:
    """List the suffixes of our formats that have two parts, such as ``.entities.jsonl``."""
    from vermeil.formats.table import FORMATS

    every = {each for suffixes in FORMATS.suffixes.values() for each in suffixes}
    return tuple(sorted(each for each in every if each.count(".") > 1))


def guess_format(path: Path, *, exists: bool = True) -> str:
    """Tell the format by how a file begins; its suffix decides among formats that begin alike.

    A file that begins like no format has that of its suffix, so that a broken file gets the message
    of the reader it was meant for. A folder is known by the files in it. With ``exists=False`` the
    first format of the suffix that writes a file is meant; standard output, a pipe and a device get
    our own lines.
    """
    if not exists:
        return _format_to_write(path)
    if not is_stream(path) and not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    if path.is_dir():
        if not files_in(path):
            raise UsageError(f"{path}: there is no file in this folder")
        return folder_format(path) or _unknown(path, "from", sorted(all_formats()))
    start, ours = head(path), CERTAIN.get(_whole_suffix(path))
    if ours and _fitting(start, ours) == [ours[0]]:
        return ours[0]
    named = _by_suffix(path)
    if not start.strip():
        meant = named or (["jsonl"] if is_stream(path) else [])
    else:
        if len(alone := _fitting(start, named)) == 1:
            return alone[0]
        fitting = begins_like(start)
        meant = [name for name in named if name in fitting] or fitting
        if len(fitting) > 1 and meant == fitting:
            raise UsageError(f"{path}: might be {' or '.join(fitting)}; say which with --from")
        if not fitting:
            _refuse_foreign(path, start)
            meant = named if len(named) == 1 else [n for n in named if not all_formats()[n].sniff]
    return meant[0] if meant else _unknown(path, "from", named or sorted(all_formats()))


def _format_to_write(path: Path) -> str:
    if ours := CERTAIN.get(_whole_suffix(path)):
        return ours[0]
    formats, named = all_formats(), _by_suffix(path)
    for name in named:
        if _writes(formats[name]):
            return name
    if is_stream(path):
        return "jsonl"
    folder = next((name for name in named if formats[name].write is not None), None)
    if folder is not None:
        raise UsageError(
            f"{path}: {folder} is written as a folder of files; give one: -o FOLDER/ --to {folder}"
        )
    return _unknown(path, "to", sorted(name for name, row in formats.items() if _writes(row)))


def _writes(row: "Format") -> bool:
    return row.write is not None and not row.folder


def begins_like(start: str) -> list[str]:
    """List the formats of which a file may be that begins like this, in the order of the table."""
    return _fitting(start, all_formats())


def may_be_prose(start: str) -> bool:
    """Tell whether a beginning is of no format, and not of JSON, XML or a PDF that we do not know.

    >>> may_be_prose("[1] We gave aspirin."), may_be_prose('{"text": "We gave aspirin."}')
    (True, False)
    """
    said = start.lstrip("\ufeff \t\r\n")
    if said.lower().startswith(("<?xml", "<!doctype", "%pdf-")) or json_keys(said):
        return False
    return not begins_like(start)


def _fitting(start: str, names: Iterable[str]) -> list[str]:
    rows = [(name, get_format(name)) for name in names]
    return [name for name, row in rows if row.sniff is not None and row.sniff(start)]


def folder_format(folder: Path, besides: Collection[Path] = ()) -> str | None:
    """Tell the format of which a folder is as a whole; None where it is but a folder of files.

    Refuse one that holds such a corpus, or plain texts, and other things, of which one would be
    read unasked. What is ``besides`` (as it is called when links are followed) does not count.
    """
    files = files_in(folder)
    if besides:
        files = [each for each in files if each.resolve() not in besides]
    if any(each.suffix == ".tokens" for each in files):
        return "ebm-nlp"  # whose .ann are none of brat's
    for name, row in all_formats().items():
        of_format = [each for each in files if each.suffix in row.holds and each.suffix != TEXT]
        if of_format and (row.sniff is None or _begin_all(of_format, name)):
            if name not in WITH_OTHERS:
                own = (*row.holds, TEXT) if name == "brat" else row.holds
                _refuse_others(folder, files, of_format, own, name)
            return name
    texts = [each for each in files if Path(_uncompressed(each)).suffix == TEXT]
    if not texts:
        return None
    _refuse_others(folder, files, texts, (TEXT, *(TEXT + each for each in COMPRESSED)), "text")
    kinds = {guess_format(each): each for each in texts[:N_TOLD]}
    if set(kinds) == {"text"}:
        return "text"
    if "text" in kinds:
        name, one = next((name, each) for name, each in kinds.items() if name != "text")
        raise UsageError(
            f"{folder}: {kinds['text'].name} is plain text and {one.name} looks like {name}; say "
            "what all are with --from, or put them apart"
        )
    return None


def _refuse_others(
    folder: Path, files: Sequence[Path], meant: Sequence[Path], own: tuple[str, ...], name: str
) -> None:
    """Refuse a folder in which there are other data than those of the format it would be read as.

    ``own`` are the endings of files that belong to the format.
    """
    other = next(
        (one for one in files if not one.name.lower().endswith(own) and _by_suffix(one)), None
    )
    if other is not None:
        kind = "plain text" if name == "text" else name
        here, there = (one.relative_to(folder) for one in (meant[0], other))
        raise UsageError(
            f"{folder}: holds {kind} ({here}) and other files ({there}); say which are meant: with "
            f"--from {name}, or with a pattern, as in '{other.parent / '*'}{other.suffix}'"
        )


def _begin_all(files: Sequence[Path], name: str) -> bool:
    return all(name in begins_like(head(each)) for each in files[:N_TOLD])


def _refuse_foreign(path: Path, start: str) -> None:
    """Say of what people have instead of texts how to make it one."""
    if start.startswith("%PDF-"):
        raise UsageError(f"{path}: is a PDF; take its text out first, for example with pdftotext")
    if start.startswith("PK") and path.suffix.lower() in PACKED:
        raise UsageError(f"{path}: {PACKED[path.suffix.lower()]}")


def _unknown(path: Path, option: str, listed: Sequence[str]) -> NoReturn:
    known = ", ".join(listed) if len(listed) <= N_LISTED else "vermeil convert --list shows all"
    raise UsageError(f"{path}: cannot tell the format; name it with --{option} ({known})")


def _by_suffix(path: Path) -> list[str]:
    """List the formats that have the suffix of ``path``; a longer one outdoes a shorter one."""
    name = _uncompressed(path)
    lengths = {
        format_name: max((len(each) for each in suffixes if name.endswith(each)), default=0)
        for format_name, suffixes in all_formats().suffixes.items()
    }
    longest = max(lengths.values())
    return [format_name for format_name, length in lengths.items() if length == longest > 0]


def _whole_suffix(path: Path) -> str:
    """Return all that stands after the first dot of a name."""
    _, dot, rest = _uncompressed(path).partition(".")
    return dot + rest


def _uncompressed(path: Path) -> str:
    name = path.name.lower()
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    return name
