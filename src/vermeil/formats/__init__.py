"""Corpus formats: one module each, one row each in FORMATS.

``read`` and ``write`` are the way in and out; both stream. Packages installed beside this one add
formats through the entry-point group ``vermeil.formats``, whose entries are Format objects.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from vermeil.document import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import jsonl
from vermeil.formats.features import EVERYTHING, FEATURES, reduce
from vermeil.formats.ledger import Ledger
from vermeil.formats.sink import open_sink
from vermeil.formats.source import COMPRESSED, Source, head, stem
from vermeil.formats.table import Format

__all__ = [
    "FEATURES",
    "FORMATS",
    "Format",
    "Ledger",
    "get_format",
    "guess_format",
    "read",
    "write",
]

FORMATS: dict[str, Format] = {
    "jsonl": Format(
        "vermeil's own JSON Lines, one document a line",
        EVERYTHING,
        (".jsonl", ".ndjson"),
        read=jsonl.read,
        write=jsonl.write,
        sniff=jsonl.sniff,
    ),
}


def read(
    path: Path | str,
    *,
    format: str | None = None,
    annotator: str | None = None,
    documents: Iterable[Document] | None = None,
    ledger: Ledger | None = None,
    options: Mapping[str, str] | None = None,
) -> Iterator[Document]:
    """Yield the documents stored at ``path``.

    ``annotator`` names the layer of a format that does not name its own; without it the file
    does. A stand-off format needs ``documents``, whose texts it annotates. What is repaired or
    skipped is noted in ``ledger``.
    """
    path = Path(path)
    name = format or guess_format(path)
    row = get_format(name)
    settled = _settled(name, row, options)
    source = Source(path, annotator or stem(path), ledger or Ledger(), settled)
    if row.read is not None:
        return row.read(source)
    if row.annotate is None:
        raise UsageError(f"{path}: {name} can be written but not read")
    if documents is None:
        raise UsageError(
            f"{path}: {name} holds annotation without text; say where the texts are (--text PATH)"
        )
    return row.annotate(source, documents)


def write(
    documents: Iterable[Document],
    path: Path | str,
    *,
    format: str | None = None,
    layer: str | None = None,
    ledger: Ledger | None = None,
    options: Mapping[str, str] | None = None,
) -> None:
    """Store ``documents`` at ``path``, replacing what was there once all is written.

    What the format cannot carry is left out and noted in ``ledger``. A format for one layer
    takes the only one there is, or ``layer``; a choice between several is the caller's.
    """
    path = Path(path)
    name = format or guess_format(path, exists=False)
    row = get_format(name)
    if row.write is None:
        raise UsageError(f"{path}: {name} can be read but not written")
    ledger = ledger or Ledger()
    settled = _settled(name, row, options)
    chosen = _with_layer(documents, layer) if layer else documents
    if "spans" in row.carries and "layers" not in row.carries:
        chosen = _with_one_layer(chosen, name, path)
    reduced = (
        reduce(document, row.carries, ledger, label=settled.get("label", "Gene"))
        for document in chosen
    )
    with open_sink(path, folder=row.folder, ledger=ledger, options=settled) as sink:
        row.write(reduced, sink)


def get_format(name: str) -> Format:
    """Look a format up among our own and those of installed packages; ours win."""
    formats = all_formats()
    if name not in formats:
        raise UnknownNameError("format", name, formats)
    return formats[name]


@cache
def all_formats() -> dict[str, Format]:
    """Give the whole table, with the formats of installed packages."""
    installed = {point.name: point.load() for point in entry_points(group="vermeil.formats")}
    return installed | FORMATS


def guess_format(path: Path, *, exists: bool = True) -> str:
    """Tell the format by suffix and, among formats that share it, by how the file begins.

    With ``exists=False`` the first format of the suffix is meant.
    """
    folder = path.is_dir() if exists else False
    named = _by_suffix(path)
    if folder:
        named = [name for name, row in all_formats().items() if row.folder]
    if not exists and named:
        return named[0]
    if str(path) != "-" and exists and not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    if exists and not folder and str(path) != "-":
        start = head(path)
        candidates = named or [name for name, row in all_formats().items() if not row.folder]
        fitting = [name for name in candidates if all_formats()[name].sniff(start)]
        if fitting and (named or len(fitting) == 1):
            return fitting[0]
    elif named:
        return named[0]
    raise UsageError(
        f"{path}: cannot tell the format; name it with --{'from' if exists else 'to'} "
        f"({', '.join(named or sorted(all_formats()))})"
    )


def _by_suffix(path: Path) -> list[str]:
    name = path.name.lower()
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    return [
        format_name
        for format_name, row in all_formats().items()
        if name.endswith(tuple(row.suffixes))
    ]


def _settled(name: str, row: Format, options: Mapping[str, str] | None) -> dict[str, str]:
    settled = {option: (values or ("",))[0] for option, values in row.options.items()}
    for option, value in (options or {}).items():
        if option not in row.options:
            raise UnknownNameError(f"option of the format {name}", option, row.options)
        if row.options[option] and value not in row.options[option]:
            raise UnknownNameError(f"value for {option}", value, row.options[option])
        settled[option] = value
    return settled


def _with_layer(documents: Iterable[Document], layer: str) -> Iterator[Document]:
    for document in documents:
        kept = {layer: document.layers[layer]} if layer in document.layers else {}
        yield document.replace(layers=kept)


def _with_one_layer(documents: Iterable[Document], name: str, path: Path) -> Iterator[Document]:
    only: str | None = None
    for document in documents:
        for layer in document.layers:
            only = only or layer
            if layer != only:
                raise UsageError(
                    f"{path}: {name} holds one layer, and there are {only!r} and {layer!r}; choose "
                    f"one with --layer, or write each to its own file with {{layer}} in the name"
                )
        yield document
