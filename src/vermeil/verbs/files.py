"""``read``, ``write``, ``convert`` and ``info``: files in and out, and what is in them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeAlias

from vermeil.document import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import get_format, guess_format
from vermeil.formats import write as write_documents
from vermeil.formats.arranging import arranged
from vermeil.formats.corpus import CorpusFiles, merge, renamed
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.sink import file_name
from vermeil.formats.files.streams import forget, is_stream
from vermeil.formats.inputs import Input, refuse_missing, told_beside
from vermeil.formats.inventory import Inventory, take_inventory
from vermeil.formats.labels import Labels
from vermeil.scope import checked_scope
from vermeil.verbs.checking import path_given
from vermeil.verbs.corpus import LOG, Corpus, documents_of
from vermeil.verbs.tables.inventory import inventory_blocks
from vermeil.verbs.tables.table import Block, Tabled, shortened
from vermeil.verbs.wording import respelt, verb

PathLikeText: TypeAlias = str | PathLike[str]
Readable: TypeAlias = PathLikeText | Input
Readables: TypeAlias = Readable | Iterable[Readable] | Mapping[str, "Readable | Iterable[Document]"]

ALIGNMENTS = ("exact", "fuzzy")
LAYER = "{layer}"
N_SAID = 3


@verb
def read(
    source: Readables,
    *,
    format: str | None = None,
    text: Readable | None = None,
    align: str = "exact",
    options: Mapping[str, str] | None = None,
    map: Mapping[str, str] | None = None,
    map_file: PathLikeText | None = None,
    fold_labels: bool = False,
    skip_bad: bool = False,
) -> Corpus:
    """Read documents: from a file, a folder, several files, or files by the names of annotators.

    Several files about the same texts are brought together by document id. A mapping names the
    annotator of each: ``{"anna": "anna.xml", "ben": "ben.pubtator"}``; what is documents already
    may stand in the place of a file. Formats are told by content and suffix unless ``format`` says.
    Files that hold no text take it from ``text``. ``map`` (``{"CHEMICAL": "Chemical"}``) and
    ``map_file`` (OLD=NEW a line) rename labels, ``fold_labels`` writes them in lower case and
    without punctuation. With ``skip_bad`` records that break their format
    are left out and noted instead of ending the reading.

    >>> from vermeil import samples
    >>> corpus = read(samples.GOLD)
    >>> len(corpus), corpus["sample-001"].text[:22]
    (81, 'Loss of BRCA1 or BRCA2')
    """
    if align not in ALIGNMENTS:
        raise UnknownNameError("alignment", align, ALIGNMENTS)
    inputs, held = _sorted_out(source, format)
    texts = _input(text, None, "text") if text is not None else None
    for each in (*inputs, *([texts] if texts else ())):
        refuse_missing(each)
    if not inputs and not held:
        raise UsageError("there is nothing to read: no file was given")
    settled = dict(options or {})
    inputs = list(arranged(inputs, texts, settled))
    labels = Labels.given(map, map_file, fold_labels)
    stream = partial(_documents, inputs, held, texts, align == "fuzzy", settled, labels)
    stream(Ledger())  # what cannot be read at all is refused now, and not when it is gone through
    files = [each.path.name for each in inputs]
    corpus = Corpus(stream, _said([*files, *held]), files=files, skip_bad=skip_bad)
    passing = [each.path for each in inputs if is_stream(each.path)]
    if passing:
        corpus.hold()
    for path in passing:
        forget(path)
    return corpus


@verb
def write(
    documents: Any,
    path: PathLikeText,
    *,
    to: str | None = None,
    layer: str | None = None,
    options: Mapping[str, str] | None = None,
) -> None:
    """Write documents to a file, in the format that its suffix or ``to`` names.

    A format for one layer takes the only one there is, or ``layer``; with ``{layer}`` in the path
    each layer goes to a file of its own. What the format cannot carry is left out; the log of
    ``vermeil`` says so.
    """
    corpus, target = documents_of(documents, verb="write"), str(path_given(path))
    ledger = Ledger()
    name = to or guess_format(Path(target), exists=False)
    put = partial(write_documents, format=name, ledger=ledger, options=options)
    if LAYER not in target:
        put(corpus, target, layer=layer)
    else:
        for each in sorted({layer for document in corpus for layer in document.layers}):
            put(corpus, target.replace(LAYER, file_name(each)), layer=each)
    for line in ledger.summary():
        LOG.warning("%s: %s", target, line)


@verb
def convert(
    source: Readables,
    output: PathLikeText,
    *,
    format: str | None = None,
    to: str | None = None,
    text: Readable | None = None,
    layer: str | None = None,
    scope: Mapping[str, Iterable[str]] | None = None,
    align: str = "exact",
    options: Mapping[str, str] | None = None,
    map: Mapping[str, str] | None = None,
    map_file: PathLikeText | None = None,
    fold_labels: bool = False,
    skip_bad: bool = False,
) -> None:
    """Rewrite files in any format as one file in any other; ``read`` and ``write`` in one.

    ``scope`` (``{"anna": ["Gene"]}``) is written into the metadata of every document, which say who
    looked for what.
    """
    name = to or guess_format(path_given(output), exists=False)
    if isinstance(source, str | PathLike | Input):
        source = told_beside(_input(source, format), [fspath(output)])
    own = get_format(name).options
    chosen = dict(options or {})
    corpus = read(
        source,
        format=format,
        text=text,
        align=align,
        options={key: value for key, value in chosen.items() if key not in own},
        map=map,
        map_file=map_file,
        fold_labels=fold_labels,
        skip_bad=skip_bad,
    )
    for_writing = {key: value for key, value in chosen.items() if key in own}
    from vermeil.conversion import ConvertStage

    stage = ConvertStage(checked_scope(scope or {}))
    passed = stage.nothing()
    documents = stage.decide(iter(corpus), None, passed) if stage.scope else corpus
    write(documents, output, to=name, layer=layer, options=for_writing)
    for deed, what, where in stage.unused(passed):
        LOG.warning("%s %s (%s)", deed, respelt(what), where)


class Contents(Tabled):
    """What is in some documents: ``found`` has the counts."""

    def __init__(self, found: Inventory, *, full: bool = False) -> None:
        self.found, self._is_full = found, full

    def blocks(self) -> Iterator[Block]:
        """Yield how much there is, by layer and by label, and what is odd."""
        return inventory_blocks(self.found, full=self._is_full)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a layer."""
        for name, layer in sorted(self.found.layers.items()):
            yield {"layer": name, **_figures(layer)}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        import msgspec

        told: dict[str, Any] = msgspec.to_builtins(self.found)
        return told


@verb
def info(documents: Any, *, full: bool = False) -> Contents:
    """Count what is in documents: layers, labels, who looks for what, overlaps and oddities.

    Of a crowd those who looked at the most documents are printed, with ``full`` all.
    """
    return Contents(take_inventory(documents_of(documents, verb="info")), full=full)


def _figures(layer: Any) -> dict[str, Any]:
    import dataclasses

    return {key: value for key, value in dataclasses.asdict(layer).items() if key != "labels"}


def _said(names: Sequence[str]) -> str:
    """Name what is read; of many, how many."""
    shown = list(map(shortened, names[:N_SAID]))
    further = [f"{len(names) - N_SAID} more"] if len(names) > N_SAID else []
    return ", ".join([*shown, *further])


def _sorted_out(
    source: Readables, format: str | None
) -> tuple[list[Input], dict[str, Iterable[Document]]]:
    """Tell files from documents that are there already, which have the names of a mapping."""
    if isinstance(source, Mapping):
        inputs: list[Input] = []
        held: dict[str, Iterable[Document]] = {}
        for name, each in source.items():
            if isinstance(each, str | PathLike | Input):
                inputs.append(replace(_input(each, format), annotator=str(name)))
            else:
                held[str(name)] = documents_of(each, verb=f"read, for {name!r},")
        return inputs, held
    if isinstance(source, str | PathLike | Input):
        return [_input(source, format)], {}
    if hasattr(source, "columns"):
        raise UsageError(
            "read takes files, and this is a data frame: give it, with the texts, to from_pandas"
        )
    if not isinstance(source, Iterable) or isinstance(source, bytes) or hasattr(source, "read"):
        raise UsageError(
            f"read takes a path, several, or a mapping of names and paths, not {source!r:.40}"
        )
    return [_input(each, format) for each in source], {}


def _input(given: Any, format: str | None, verb: str = "read") -> Input:
    if isinstance(given, Input):
        return given if format is None else replace(given, format=format)
    if isinstance(given, Document):
        raise UsageError("read takes files, and this is a document, which needs no reading")
    if not isinstance(given, str | PathLike):
        raise UsageError(f"{verb} takes paths, not {given!r:.40} ({type(given).__name__})")
    return Input.parse(str(fspath(given)), format=format)


def _documents(
    inputs: Sequence[Input],
    held: Mapping[str, Iterable[Document]],
    text: Input | None,
    fuzzy: bool,
    options: Mapping[str, str],
    labels: Labels,
    ledger: Ledger,
) -> Iterator[Document]:
    """Read files, and bring them together with what is held."""
    streams = [CorpusFiles(inputs, text, fuzzy, options).read(ledger)] if inputs else []
    streams += [_called(name, documents) for name, documents in held.items()]
    names = [*(["the files"] if inputs else []), *held]
    if len(streams) == 1:
        return labels.apply(streams[0], ledger, are_all=True)
    together = merge(streams, names, fuzzy=fuzzy, ledger=ledger)
    return labels.apply(together, ledger, are_all=True)


def _called(name: str, documents: Iterable[Document]) -> Iterator[Document]:
    """Call the one layer of documents by the name they were given."""
    return renamed(iter(documents), Input(Path(name), name))
