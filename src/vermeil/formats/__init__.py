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
from vermeil.formats import (
    bioc_files,
    biocreative,
    brat,
    centroid_xml,
    chemdner,
    conll,
    docbin,
    doccano,
    genia_xml,
    hf_tokens,
    inline_xml,
    jsonl,
    labelstudio,
    mentions,
    parquet,
    penn,
    plain_text,
    prodigy,
    pubannotation,
    pubtator,
)
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
    "parquet": Format(
        "vermeil's own Parquet, one row a document",
        EVERYTHING,
        (".parquet",),
        read=parquet.read,
        write=parquet.write,
        sniff=lambda head: head.startswith("PAR1"),
    ),
    "brat": Format(
        "brat stand-off, .txt with .ann or .a1 beside it",
        brat.CARRIES,
        (".ann", ".a1"),
        read=brat.read,
        write=brat.write,
        folder=True,
        holds=(".ann", ".a1"),
    ),
    "text": Format(
        "plain text, one file a document",
        frozenset({"text", "line breaks", "control"}),
        (".txt",),
        read=plain_text.read,
        write=plain_text.write,
        folder=True,
        holds=(".txt",),
    ),
    "lines": Format(
        "plain text, one line a document",
        frozenset({"text", "control"}),
        (".lines",),
        read=plain_text.read_lines,
        write=plain_text.write_lines,
    ),
    "biocreative-text": Format(
        "BioCreative sentences, one a line after its id",
        frozenset({"text", "control"}),
        (".in",),
        read=biocreative.read_text,
        write=biocreative.write_text,
        sniff=biocreative.sniff_text,
    ),
    "biocreative": Format(
        "BioCreative names by offset in non-space characters (needs the texts)",
        frozenset({"spans", "nested", "offsets"}),
        (".eval",),
        annotate=biocreative.annotate,
        write=biocreative.write,
        sniff=biocreative.sniff,
        options={"label": (), "names": ("check", "ignore")},
    ),
    "bioc-xml": Format(
        "BioC XML",
        bioc_files.CARRIES_XML,
        (".bioc.xml", ".xml"),
        read=bioc_files.read_xml,
        write=bioc_files.write_xml,
        sniff=bioc_files.sniff_xml,
    ),
    "bioc-json": Format(
        "BioC JSON, a collection or one document a line",
        bioc_files.CARRIES_JSON,
        (".bioc.json", ".json"),
        read=bioc_files.read_json,
        write=bioc_files.write_json,
        sniff=bioc_files.sniff_json,
    ),
    "pubtator": Format(
        "PubTator, title and abstract with a line a mention",
        pubtator.CARRIES,
        (".pubtator", ".pubtator.txt"),
        read=pubtator.read,
        write=pubtator.write,
        sniff=pubtator.sniff,
    ),
    "pubannotation": Format(
        "PubAnnotation JSON, denotations over a text",
        pubannotation.CARRIES,
        (".pubannotation.json", ".json", ".jsonl"),
        read=pubannotation.read,
        write=pubannotation.write,
        sniff=pubannotation.sniff,
        holds=(".json",),
        options=pubannotation.OPTIONS,
    ),
    "chemdner-text": Format(
        "CHEMDNER abstracts, id, title and abstract a line",
        frozenset({"text", "control", "title"}),
        (".abstracts.txt", ".abstracts.tsv"),
        read=chemdner.read_text,
        write=chemdner.write_text,
        sniff=chemdner.sniff_text,
    ),
    "chemdner": Format(
        "CHEMDNER mentions by offset in title or abstract (needs the texts)",
        chemdner.CARRIES,
        (".annotations.txt", ".annotations.tsv", ".chemdner.tsv"),
        annotate=chemdner.annotate,
        write=chemdner.write,
        sniff=chemdner.sniff,
    ),
    "inline-xml": Format(
        "text with an XML element around each span",
        inline_xml.CARRIES,
        (".inline.xml", ".xml"),
        read=inline_xml.read,
        write=inline_xml.write,
        sniff=inline_xml.sniff,
    ),
    "centroid-xml": Format(
        "text with the hearts of names and their boundaries, as in the centroids paper",
        frozenset({"text", "line breaks", "distributions"}),
        (".centroids.xml", ".xml"),
        read=centroid_xml.read,
        write=centroid_xml.write,
        sniff=centroid_xml.sniff,
        options={"label": ()},
    ),
    "penn": Format(
        "Penn treebank brackets, one tree a document",
        frozenset({"trees"}),
        (".mrg", ".penn", ".ptb", ".parse"),
        read=penn.read,
        write=penn.write,
        sniff=penn.sniff,
        options={"layout": ("auto", "line", "pretty")},
    ),
    "genia-xml": Format(
        "GENIA treebank XML",
        frozenset({"text", "title", "trees"}),
        (".xml",),
        read=genia_xml.read,
        sniff=genia_xml.sniff,
    ),
    "mentions": Format(
        "mentions without offsets, as language models list them (needs the texts)",
        mentions.CARRIES,
        (".mentions.jsonl", ".mentions.json", ".jsonl", ".ndjson"),
        annotate=mentions.annotate,
        write=mentions.write,
        sniff=mentions.sniff,
        options={"label": (), "locate": ("in-order", "first", "all")},
    ),
    "conll": Format(
        "CoNLL columns, a token a line with its tags",
        conll.CARRIES,
        (".conll", ".iob", ".iob2", ".bio", ".tsv"),
        read=conll.read,
        write=conll.write,
        sniff=conll.sniff,
        options=conll.OPTIONS,
    ),
    "hf": Format(
        "Hugging Face tokens and tags, one document a line",
        hf_tokens.CARRIES,
        (".hf.jsonl", ".jsonl", ".json"),
        read=hf_tokens.read,
        write=hf_tokens.write,
        sniff=hf_tokens.sniff,
        options=hf_tokens.OPTIONS,
    ),
    "docbin": Format(
        "spaCy DocBin, a span group a layer (extra: spacy)",
        docbin.CARRIES,
        (".spacy",),
        read=docbin.read,
        write=docbin.write,
        sniff=docbin.sniff,
        options=docbin.OPTIONS,
    ),
    "labelstudio": Format(
        "Label Studio tasks with annotations and predictions",
        labelstudio.CARRIES,
        (".labelstudio.json", ".json", ".jsonl"),
        read=labelstudio.read,
        write=labelstudio.write,
        sniff=labelstudio.sniff,
        options=labelstudio.OPTIONS,
    ),
    "prodigy": Format(
        "Prodigy's JSON Lines, a row for each text and annotator",
        prodigy.CARRIES,
        (".prodigy.jsonl", ".jsonl"),
        read=prodigy.read,
        write=prodigy.write,
        sniff=prodigy.sniff,
        options=prodigy.OPTIONS,
    ),
    "doccano": Format(
        "doccano's JSON Lines, one document a line",
        doccano.CARRIES,
        (".doccano.jsonl", ".jsonl"),
        read=doccano.read,
        write=doccano.write,
        sniff=doccano.sniff,
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
        reduce(document, row.carries, ledger, label=settled.get("label") or "Gene")
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
        fitting = _by_beginning(head(path), named)
    if fitting:
        return fitting[0]
    raise UsageError(
        f"{path}: cannot tell the format; name it with --{'from' if exists else 'to'} "
        f"({', '.join(named or sorted(all_formats()))})"
    )


def _by_suffix(path: Path) -> list[str]:
    """Give the formats that have the suffix of ``path``; a longer one outdoes a shorter one."""
    name = _uncompressed(path)
    lengths = {
        format_name: max((len(each) for each in row.suffixes if name.endswith(each)), default=0)
        for format_name, row in all_formats().items()
    }
    longest = max(lengths.values())
    return [format_name for format_name, length in lengths.items() if length == longest > 0]


def _by_members(folder: Path) -> list[str]:
    """Give the formats of which the folder holds files, in the order of the table."""
    found = {Path(_uncompressed(member)).suffix for member in folder.rglob("*")}
    return [name for name, row in all_formats().items() if found.intersection(row.holds)]


def _by_beginning(start: str, named: list[str]) -> list[str]:
    """Give those of the ``named`` formats that fit; without a name, the only one that does.

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
        trees = {layer: document.trees[layer]} if layer in document.trees else document.trees
        yield document.replace(layers=kept, trees=trees)


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
