"""Corpus formats: one module each, one row each in FORMATS.

``read`` and ``write`` are the way in and out; both stream.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.document import Document
from vermeil.errors import FormatError, UnknownNameError, UsageError
from vermeil.formats.files.features import FEATURES, reduce
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.members import is_utf8
from vermeil.formats.files.seen_ids import refusing_twins, unlike
from vermeil.formats.files.sink import open_sink
from vermeil.formats.files.source import Source
from vermeil.formats.known import all_formats, file_annotator, get_format, guess_format
from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.formats.corpus import read_corpus
    from vermeil.formats.forests import read_forests
    from vermeil.formats.inputs import Input
    from vermeil.formats.inventory import take_inventory
    from vermeil.formats.table import FORMATS, Format

__all__ = [
    "FEATURES",
    "FORMATS",
    "Format",
    "Input",
    "Ledger",
    "all_formats",
    "get_format",
    "guess_format",
    "read",
    "read_corpus",
    "read_forests",
    "settled_options",
    "take_inventory",
    "write",
]


def read(
    path: Path | str,
    *,
    format: str | None = None,
    annotator: str | None = None,
    documents: Iterable[Document] | None = None,
    ledger: Ledger | None = None,
    options: Mapping[str, str] | None = None,
    in_columns: bool = False,
) -> Iterator[Document]:
    """Yield the documents stored at ``path``.

    ``annotator`` names the layer of a format that does not name its own; without it the file
    does. A stand-off format needs ``documents``, whose texts it annotates. What is repaired or
    skipped is noted in ``ledger``. ``in_columns`` is for stages that work on columns: formats that
    can then make spans only when they are looked at.
    """
    name, row, source = to_read(path, format, annotator, ledger, options, in_columns=in_columns)
    if row.read is not None:
        return unlike(row.read(source), source, _spelt)
    if row.annotate is None:
        raise UsageError(f"{source.path}: {name} can be written but not read")
    if documents is None:
        raise UsageError(
            f"{source.path}: {name} holds annotation without text; "
            "say where the texts are (--text PATH)"
        )
    from vermeil.formats.standoff import annotated

    return annotated(documents, map(row.annotate, (source,)))


def to_read(
    path: Path | str,
    format: str | None = None,
    annotator: str | None = None,
    ledger: Ledger | None = None,
    options: Mapping[str, str] | None = None,
    *,
    in_columns: bool = False,
) -> tuple[str, "Format", Source]:
    """Return the name and the row of a file's format, and what that reads; nothing is opened."""
    path = Path(path)
    if not is_utf8(str(path)):
        raise FormatError(path, None, "its name is not UTF-8; rename it")
    name = format or guess_format(path)
    row = get_format(name)
    settled = settled_options(name, row, options)
    whose = annotator or file_annotator(path)
    return name, row, Source(path, whose, ledger or Ledger(), settled, in_columns)


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

    What the format cannot carry is left out and noted in ``ledger`` with the path. A format for
    one layer takes the only one there is, or ``layer``; a choice between several is the caller's.
    """
    path = Path(path)
    name = format or guess_format(path, exists=False)
    row = get_format(name)
    if row.write is None:
        raise UsageError(f"{path}: {name} can be read but not written")
    ledger = (ledger or Ledger()).toward(path)
    settled = settled_options(name, row, options)
    chosen = _with_layer(documents, layer, row, ledger) if layer else documents
    if "spans" in row.carries and "layers" not in row.carries:
        chosen = _with_one_layer(chosen, name, path)
    if "spans" in row.carries and "abstention" not in row.carries:
        chosen = _noting_silence(chosen, ledger)
    reduced = (
        reduce(document, row.carries, ledger, label=settled.get("label") or "Gene", own=row.own)
        for document in chosen
    )
    with open_sink(path, folder=row.folder, ledger=ledger, options=settled) as sink:
        row.write(refusing_twins(reduced, path), sink)


def settled_options(name: str, row: "Format", options: Mapping[str, str] | None) -> dict[str, str]:
    """Fill in the options of a format; refuse what it does not know."""
    settled = {option: (values or ("",))[0] for option, values in row.options.items()}
    for option, value in (options or {}).items():
        if option not in row.options:
            raise UnknownNameError(f"option of the format {name}", option, row.options)
        if row.options[option] and value not in row.options[option]:
            raise UnknownNameError(f"value for {option}", value, row.options[option])
        settled[option] = value
    return settled


__getattr__ = _lazily(__name__)


def _spelt(document: Document) -> bytes:
    """Write a document as a line of our own."""
    from vermeil.formats.kinds.own.jsonl import spelt

    return spelt(document)


def _with_layer(
    documents: Iterable[Document], layer: str, row: "Format", ledger: Ledger
) -> Iterator[Document]:
    """Keep one layer. Where a format cannot say who did not look, leave such documents out."""
    seen: set[str] = set()
    is_mute = {"text", "spans"} <= row.carries and "abstention" not in row.carries
    for document in documents:
        seen.update(document.layers, document.trees)
        if is_mute and layer not in document.layers:
            ledger.note("left out", f"documents {layer} did not look at", document.id)
            continue
        kept = {layer: document.layers[layer]} if layer in document.layers else {}
        trees = {layer: document.trees[layer]} if layer in document.trees else document.trees
        yield document.replace(layers=kept, trees=trees)
    if seen and layer not in seen:
        raise UnknownNameError("layer", layer, seen)


def _noting_silence(documents: Iterable[Document], ledger: Ledger) -> Iterator[Document]:
    for document in documents:
        if not document.layers:
            what = "documents nobody looked at into ones where nothing was found"
            ledger.note("changed", what, document.id)
        yield document


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
