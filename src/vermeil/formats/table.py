"""The table of formats: how to read and write each, and what it can carry.

A module of ``kinds`` is one format, with functions and constants called as a row calls them, or
two; the row of the second is then written out. Packages installed beside this one add rows through
the entry-point group ``vermeil.formats``, whose entries are Format objects.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from vermeil.document import Document
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source
from vermeil.formats.kinds.inline import centroid_xml, inline_xml
from vermeil.formats.kinds.language_models import answers
from vermeil.formats.kinds.literature import bioc_files, pubannotation, pubmed, pubtator
from vermeil.formats.kinds.own import jsonl, parquet, plain_text
from vermeil.formats.kinds.standoff import biocreative, brat, chemdner, mentions, span_table
from vermeil.formats.kinds.tokens import chart, conll, docbin, ebm_nlp, hf_dataset, hf_tokens
from vermeil.formats.kinds.tools import cas, doccano, entities, labelstudio, prodigy, webanno
from vermeil.formats.kinds.treebanks import genia_xml, penn
from vermeil.shown import Brief

Read = Callable[[Source], Iterator[Document]]
Annotate = Callable[[Source, Iterable[Document]], Iterator[Document]]
Write = Callable[[Iterable[Document], Sink], None]


@dataclass(frozen=True, slots=True, repr=False)
class Format(Brief):
    """How to read and write one format, and what it can carry.

    A format with texts has ``read``; a stand-off format, whose files hold annotation without
    text, has ``annotate`` instead: it takes the documents and gives them back with one more
    layer. ``options`` lists the values of each option, the default first; an option without
    listed values takes any, and the empty string is its default. ``sniff`` tells from the
    beginning of a file whether it is of this format, for suffixes that several formats share; a
    format without it is known by its suffix alone. A format that reads a whole folder names in
    ``holds`` the suffixes that give such a folder away; ``folder`` says that it writes one. A
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

    def _told(self) -> str:
        return ", ".join((repr(self.summary), *self.suffixes))


def _format(
    kind: ModuleType,
    summary: str,
    *suffixes: str,
    folder: bool = False,
    holds: tuple[str, ...] = (),
    updates: bool = False,
) -> Format:
    """Make the row of a module that is one format, or of the one it is called after."""

    def own(name: str, default: Any = None) -> Any:
        return getattr(kind, name, default)

    return Format(
        summary,
        own("CARRIES"),
        suffixes,
        read=own("read"),
        annotate=own("annotate"),
        write=own("write"),
        sniff=own("sniff"),
        folder=folder,
        holds=holds,
        options=own("OPTIONS", {}),
        brackets=own("brackets"),
        updates=updates,
        own=own("OWN", frozenset()),
    )


FORMATS: dict[str, Format] = {
    "jsonl": _format(jsonl, "vermeil's own JSON Lines, one document a line", ".jsonl", ".ndjson"),
    "parquet": _format(parquet, "vermeil's own Parquet, one row a document", ".parquet"),
    "brat": _format(
        brat,
        "brat stand-off, .txt with .ann or .a1 beside it",
        *(".ann", ".a1"),
        folder=True,
        holds=(".ann", ".a1"),
    ),
    "text": _format(
        plain_text, "plain text, one file a document", ".txt", folder=True, holds=(".txt",)
    ),
    "lines": Format(
        "plain text, one line a document",
        plain_text.CARRIES_LINES,
        (".lines",),
        read=plain_text.read_lines,
        write=plain_text.write_lines,
    ),
    "biocreative-text": Format(
        "BioCreative sentences, one a line after its id",
        biocreative.CARRIES_TEXT,
        (".in",),
        read=biocreative.read_text,
        write=biocreative.write_text,
        sniff=biocreative.sniff_text,
    ),
    "biocreative": _format(
        biocreative,
        "BioCreative names by offset in non-space characters (needs the texts)",
        ".eval",
    ),
    "bioc-xml": Format(
        "BioC XML",
        bioc_files.CARRIES_XML,
        (".bioc.xml", ".xml"),
        read=bioc_files.read_xml,
        write=bioc_files.write_xml,
        sniff=bioc_files.sniff_xml,
        options=bioc_files.OPTIONS,
    ),
    "bioc-json": Format(
        "BioC JSON, a collection or one document a line",
        bioc_files.CARRIES_JSON,
        (".bioc.json", ".json"),
        read=bioc_files.read_json,
        write=bioc_files.write_json,
        sniff=bioc_files.sniff_json,
        options=bioc_files.OPTIONS,
    ),
    "pubtator": _format(
        pubtator,
        "PubTator, title and abstract with a line a mention",
        *(".pubtator", ".pubtator.txt"),
    ),
    "pubmed": _format(
        pubmed,
        "PubMed's XML, or a folder of baseline and update files",
        *(".pubmed.xml", ".xml"),
        updates=True,
    ),
    "pubannotation": _format(
        pubannotation,
        "PubAnnotation JSON, denotations over a text",
        *(".pubannotation.json", ".json", ".jsonl"),
        holds=(".json",),
    ),
    "chemdner-text": Format(
        "CHEMDNER abstracts, id, title and abstract a line",
        chemdner.CARRIES_TEXT,
        (".abstracts.txt", ".abstracts.tsv"),
        read=chemdner.read_text,
        write=chemdner.write_text,
        sniff=chemdner.sniff_text,
    ),
    "chemdner": _format(
        chemdner,
        "CHEMDNER mentions by offset in title or abstract (needs the texts)",
        *(".annotations.txt", ".annotations.tsv", ".chemdner.tsv"),
    ),
    "csv": Format(
        "CSV or TSV with a row a span, and the texts in a column; or a row a text",
        span_table.CARRIES,
        (".spans.csv", ".spans.tsv", ".csv", ".tsv"),
        read=span_table.read_text,
        write=span_table.write_text,
        sniff=span_table.sniff_text,
        options=span_table.OPTIONS,
    ),
    "csv-standoff": Format(
        "CSV or TSV with a row a span (needs the texts)",
        span_table.CARRIES_STANDOFF,
        (".standoff.csv", ".standoff.tsv", ".csv", ".tsv"),
        annotate=span_table.annotate,
        write=span_table.write,
        sniff=span_table.sniff,
        options=span_table.OPTIONS,
    ),
    "inline-xml": _format(
        inline_xml, "text with an XML element around each span", ".inline.xml", ".xml"
    ),
    "centroid-xml": _format(
        centroid_xml,
        "text with the hearts of names and their boundaries, as in the centroids paper",
        *(".centroids.xml", ".xml"),
    ),
    "penn": _format(
        penn,
        "Penn treebank brackets, one tree a document",
        *(".mrg", ".penn", ".ptb", ".parse"),
    ),
    "genia-xml": _format(genia_xml, "GENIA treebank XML", ".xml"),
    "mentions": _format(
        mentions,
        "mentions without offsets, as language models list them (needs the texts)",
        *(".mentions.jsonl", ".mentions.json", ".jsonl", ".ndjson"),
    ),
    "answers": _format(
        answers,
        "answers of language models as they come, with their envelopes (needs the texts)",
        *(".answers.jsonl", ".jsonl", ".ndjson", ".json"),
    ),
    "conll": _format(
        conll,
        "CoNLL columns, a token a line with its tags",
        *(".conll", ".iob", ".iob2", ".bio", ".tsv"),
    ),
    "hf": _format(
        hf_tokens,
        "Hugging Face tokens and tags, one document a line",
        *(".hf.jsonl", ".jsonl", ".json"),
    ),
    "hf-dataset": _format(
        hf_dataset,
        "Hugging Face dataset on disk, Arrow or Parquet with tokens and tags",
        *(".arrow", ".parquet"),
        holds=(".arrow", ".parquet"),
    ),
    "ebm-nlp": _format(
        ebm_nlp, "EBM-NLP, tokens a line and labels a line beside", ".tokens", holds=(".tokens",)
    ),
    "chart": _format(
        chart,
        "names as edges over tokens, with confidences, for a chart parser",
        *(".chart.jsonl", ".jsonl"),
    ),
    "docbin": _format(docbin, "spaCy DocBin, a span group a layer (extra: spacy)", ".spacy"),
    "labelstudio": _format(
        labelstudio,
        "Label Studio tasks with annotations and predictions",
        *(".labelstudio.json", ".json", ".jsonl"),
    ),
    "prodigy": _format(
        prodigy,
        "Prodigy's JSON Lines, a row for each text and annotator",
        *(".prodigy.jsonl", ".jsonl"),
    ),
    "webanno": _format(
        webanno,
        "WebAnno TSV 3 of INCEpTION, a file for each document and annotator",
        *(".webanno.tsv", ".tsv"),
        folder=True,
        holds=(".tsv",),
    ),
    "cas-xmi": Format(
        "UIMA CAS XMI of INCEpTION, a file for each document and annotator (extra: inception)",
        cas.CARRIES_XML,
        (".xmi",),
        read=cas.read_xml,
        write=cas.write_xml,
        sniff=cas.sniff_xml,
        folder=True,
        holds=(".xmi",),
    ),
    "cas-json": Format(
        "UIMA CAS JSON of INCEpTION, a file for each document and annotator (extra: inception)",
        cas.CARRIES_JSON,
        (".cas.json", ".json"),
        read=cas.read_json,
        write=cas.write_json,
        sniff=cas.sniff_json,
        folder=True,
        holds=(".json",),
    ),
    "entities": _format(
        entities,
        "texts with entities by offset in JSON, as models answer and spaCy and GLiNER train on",
        *(".entities.jsonl", ".entities.json", ".jsonl", ".json"),
    ),
    "doccano": _format(
        doccano, "doccano's JSON Lines, one document a line", ".doccano.jsonl", ".jsonl"
    ),
}
