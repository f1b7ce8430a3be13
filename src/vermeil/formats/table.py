"""The table of formats: how to read and write each, and what it can carry.

A module of ``kinds`` is one format, with functions and constants called as a row calls them, or
two; those of the ``second`` then have its name after theirs, as ``read_text`` and ``CARRIES_TEXT``.
A command reads files of one format or two, so a module is loaded when its row is looked up.
Packages installed beside this one add rows through the entry-point group ``vermeil.formats``, whose
entries are Format objects.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol

from vermeil.document import Document
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source
from vermeil.shown import Brief

Read = Callable[[Source], Iterator[Document]]
Annotate = Callable[[Source], "StandOff"]
Write = Callable[[Iterable[Document], Sink], None]


class StandOff(Protocol):
    """A file of annotation without text, read as a whole; it is given documents one by one."""

    def added_to(self, document: Document) -> Document | None:
        """Add to a document what the file says of it; None where that is bad and set aside."""

    def finish(self) -> None:
        """Deal with what the file says of documents that there were not."""


@dataclass(frozen=True, slots=True, repr=False)
class Format(Brief):
    """How to read and write one format, and what it can carry.

    A format with texts has ``read``; a stand-off format, whose files hold annotation without
    text, has ``annotate`` instead: it reads the file into a StandOff, which adds a layer to the
    documents. ``options`` lists the values of each option, the default first; an option without
    listed values takes any, and the empty string is its default. ``sniff`` tells from the
    beginning of a file whether it is of this format, for suffixes that several formats share; a
    format without it is known by its suffix alone. A format that reads a whole folder names in
    ``holds`` the suffixes that give such a folder away; ``folder`` says that it writes one. With
    ``piece`` a folder is read as a whole where the user names the format and every file is about a
    document of its own: of how a file begins, it tells the id that is named there, "" where it is
    the file's name, None where the file is about several. A
    format of trees may have ``brackets``, which yields each tree as it stands in the file, unread,
    with its line: many are then read at once (see ``vermeil.formats.forests``). Files of a format
    with ``updates`` replace what files before them said of a document. ``own`` are attributes that
    a format without attributes has a place for.
    """

    summary: str
    carries: frozenset[str]
    suffixes: tuple[str, ...] = ()
    read: Read | None = None
    annotate: Annotate | None = None
    write: Write | None = None
    sniff: Callable[[str], bool] | None = None
    folder: bool = False
    holds: tuple[str, ...] = ()
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    brackets: Callable[[Source], Iterator[tuple[int, str]]] | None = None
    updates: bool = False
    own: frozenset[str] = frozenset()
    piece: Callable[[str], str | None] | None = None

    def _told(self) -> str:
        return ", ".join((repr(self.summary), *self.suffixes))


class _Row:
    """What is known of a format before its module is loaded; ``made`` loads it."""

    def __init__(
        self,
        kind: str,
        summary: str,
        *suffixes: str,
        second: str = "",
        with_options: bool = False,
        folder: bool = False,
        holds: tuple[str, ...] = (),
        updates: bool = False,
    ) -> None:
        self.kind, self.summary, self.suffixes, self.second = kind, summary, suffixes, second
        self.with_options = with_options or not second
        self.folder, self.holds, self.updates = folder, holds, updates

    def made(self) -> Format:
        """Make the row of a module that is one format, or of the second that it is."""
        kind = import_module(f"vermeil.formats.kinds.{self.kind}")

        def own(name: str, default: Any = None) -> Any:
            second = f"_{self.second.upper() if name.isupper() else self.second}"
            return getattr(kind, name + second if self.second else name, default)

        return Format(
            self.summary,
            own("CARRIES"),
            self.suffixes,
            read=own("read"),
            annotate=own("annotate"),
            write=own("write"),
            sniff=own("sniff"),
            folder=self.folder,
            holds=self.holds,
            options=getattr(kind, "OPTIONS", {}) if self.with_options else {},
            brackets=own("brackets"),
            updates=self.updates,
            own=own("OWN", frozenset()),
            piece=own("piece"),
        )


class Formats(Mapping[str, Format]):
    """A table whose rows are made, and their modules loaded, when they are first looked up."""

    def __init__(self, rows: Mapping[str, _Row | Format]) -> None:
        self._rows = dict(rows)

    def __getitem__(self, name: str) -> Format:
        row = self._rows[name]
        if isinstance(row, _Row):
            row = self._rows[name] = row.made()
        return row

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def suffixes(self) -> dict[str, tuple[str, ...]]:
        """The suffixes of each format, for which nothing need be loaded."""
        return {name: row.suffixes for name, row in self._rows.items()}

    def beside(self, installed: Mapping[str, Format]) -> "Formats":
        """Put these after the formats of installed packages, and in their place."""
        return Formats({**installed, **self._rows})


FORMATS = Formats(
    {
        "jsonl": _Row(
            "own.jsonl", "vermeil's own JSON Lines, one document a line", ".jsonl", ".ndjson"
        ),
        "parquet": _Row("own.parquet", "vermeil's own Parquet, one row a document", ".parquet"),
        "brat": _Row(
            "standoff.brat",
            "brat stand-off, .txt with .ann or .a1 beside it",
            *(".ann", ".a1"),
            folder=True,
            holds=(".ann", ".a1"),
        ),
        "text": _Row(
            "own.plain_text",
            "plain text, one file a document",
            ".txt",
            folder=True,
            holds=(".txt",),
        ),
        "lines": _Row(
            "own.plain_text", "plain text, one line a document", ".lines", second="lines"
        ),
        "biocreative-text": _Row(
            "standoff.biocreative",
            "BioCreative sentences, one a line after its id",
            ".in",
            second="text",
        ),
        "biocreative": _Row(
            "standoff.biocreative",
            "BioCreative names by offset in non-space characters (needs the texts)",
            ".eval",
        ),
        "bioc-xml": _Row(
            "literature.bioc_files",
            "BioC XML",
            *(".bioc.xml", ".xml"),
            second="xml",
            with_options=True,
        ),
        "bioc-json": _Row(
            "literature.bioc_files",
            "BioC JSON, a collection or one document a line",
            *(".bioc.json", ".json"),
            second="json",
            with_options=True,
        ),
        "pubtator": _Row(
            "literature.pubtator",
            "PubTator, title and abstract with a line a mention",
            *(".pubtator", ".pubtator.txt"),
        ),
        "pubmed": _Row(
            "literature.pubmed",
            "PubMed's XML, or a folder of baseline and update files",
            *(".pubmed.xml", ".xml"),
            updates=True,
        ),
        "pubannotation": _Row(
            "literature.pubannotation",
            "PubAnnotation JSON, denotations over a text",
            *(".pubannotation.json", ".json", ".jsonl"),
            holds=(".json",),
        ),
        "chemdner-text": _Row(
            "standoff.chemdner",
            "CHEMDNER abstracts, id, title and abstract a line",
            *(".abstracts.txt", ".abstracts.tsv"),
            second="text",
        ),
        "chemdner": _Row(
            "standoff.chemdner",
            "CHEMDNER mentions by offset in title or abstract (needs the texts)",
            *(".annotations.txt", ".annotations.tsv", ".chemdner.tsv"),
        ),
        "csv": _Row(
            "standoff.span_table",
            "CSV or TSV with a row a span, and the texts in a column; or a row a text",
            *(".spans.csv", ".spans.tsv", ".csv", ".tsv"),
            second="text",
            with_options=True,
        ),
        "csv-standoff": _Row(
            "standoff.span_table",
            "CSV or TSV with a row a span (needs the texts)",
            *(".standoff.csv", ".standoff.tsv", ".csv", ".tsv"),
        ),
        "inline-xml": _Row(
            "inline.inline_xml", "text with an XML element around each span", ".inline.xml", ".xml"
        ),
        "centroid-xml": _Row(
            "inline.centroid_xml",
            "text with the hearts of names and their boundaries, as in the centroids paper",
            *(".centroids.xml", ".xml"),
        ),
        "penn": _Row(
            "treebanks.penn",
            "Penn treebank brackets, one tree a document",
            *(".mrg", ".penn", ".ptb", ".parse"),
        ),
        "genia-xml": _Row("treebanks.genia_xml", "GENIA treebank XML", ".xml"),
        "mentions": _Row(
            "standoff.mentions",
            "mentions without offsets, as language models list them (needs the texts)",
            *(".mentions.jsonl", ".mentions.json", ".jsonl", ".ndjson"),
        ),
        "answers": _Row(
            "language_models.answers",
            "answers of language models as they come, with their envelopes (needs the texts)",
            *(".answers.jsonl", ".jsonl", ".ndjson", ".json"),
        ),
        "conll": _Row(
            "tokens.conll",
            "CoNLL columns, a token a line with its tags",
            *(".conll", ".iob", ".iob2", ".bio", ".tsv"),
        ),
        "hf": _Row(
            "tokens.hf_tokens",
            "Hugging Face tokens and tags, one document a line",
            *(".hf.jsonl", ".jsonl", ".json"),
        ),
        "hf-dataset": _Row(
            "tokens.hf_dataset",
            "Hugging Face dataset on disk, Arrow or Parquet with tokens and tags",
            *(".arrow", ".parquet"),
            holds=(".arrow", ".parquet"),
        ),
        "ebm-nlp": _Row(
            "tokens.ebm_nlp",
            "EBM-NLP, tokens a line and labels a line beside",
            ".tokens",
            holds=(".tokens",),
        ),
        "chart": _Row(
            "tokens.chart",
            "names as edges over tokens, with confidences, for a chart parser",
            *(".chart.jsonl", ".jsonl"),
        ),
        "docbin": _Row(
            "tokens.docbin", "spaCy DocBin, a span group a layer (extra: spacy)", ".spacy"
        ),
        "labelstudio": _Row(
            "tools.labelstudio",
            "Label Studio tasks with annotations and predictions",
            *(".labelstudio.json", ".json", ".jsonl"),
        ),
        "prodigy": _Row(
            "tools.prodigy",
            "Prodigy's JSON Lines, a row for each text and annotator",
            *(".prodigy.jsonl", ".jsonl"),
        ),
        "webanno": _Row(
            "tools.webanno",
            "WebAnno TSV 3 of INCEpTION, a file for each document and annotator",
            *(".webanno.tsv", ".tsv"),
            folder=True,
            holds=(".tsv",),
        ),
        "cas-xmi": _Row(
            "tools.cas",
            "UIMA CAS XMI of INCEpTION, a file for each document and annotator (extra: inception)",
            ".xmi",
            second="xml",
            folder=True,
            holds=(".xmi",),
        ),
        "cas-json": _Row(
            "tools.cas",
            "UIMA CAS JSON of INCEpTION, a file for each document and annotator (extra: inception)",
            *(".cas.json", ".json"),
            second="json",
            folder=True,
            holds=(".json",),
        ),
        "entities": _Row(
            "tools.entities",
            "texts with entities by offset in JSON, as models answer and spaCy and GLiNER train on",
            *(".entities.jsonl", ".entities.json", ".jsonl", ".json"),
        ),
        "doccano": _Row(
            "tools.doccano", "doccano's JSON Lines, one document a line", ".doccano.jsonl", ".jsonl"
        ),
    }
)
