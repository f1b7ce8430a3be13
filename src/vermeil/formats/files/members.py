"""The files of a folder that is read as a whole: what is in it, and nothing from outside."""

from pathlib import Path

from vermeil.formats.files.source import Source

_DATA = (".txt", ".ann", ".a1", ".a2")


def inside(source: Source) -> list[Path]:
    """List the files of a folder and of those below it, by name.

    Left out, and noted where they look like documents: hidden files; links that lead out of the
    folder, which may not be meant for whoever gets what we write; and names that are not UTF-8,
    which no id can be made of.
    """
    folder, home = source.path, source.path.resolve()
    found = []
    for path in sorted(folder.rglob("*")):
        inner = path.relative_to(folder)
        if not path.is_file():
            continue
        if any(part.startswith(".") for part in inner.parts):
            what = "hidden files"
        elif not path.resolve().is_relative_to(home):
            what = "links that lead out of the folder"
        elif not is_utf8(str(inner)):
            what = "files whose names are not UTF-8"
        else:
            found.append(path)
            continue
        if path.suffix in _DATA:
            where = str(path).encode(errors="backslashreplace").decode()
            source.ledger.note("left out", what, where)
    return found


def is_utf8(name: str) -> bool:
    """Tell whether a name of a file can be spelt."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
