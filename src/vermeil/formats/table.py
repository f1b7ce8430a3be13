"""The table of formats: how to read and write each, and what it can carry.

Packages installed beside this one add rows through the entry-point group ``vermeil.formats``, whose
entries are Format objects.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from vermeil.document import Document
from vermeil.formats.files.features import EVERYTHING
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source
from vermeil.formats.kinds.inline import centroid_xml, inline_xml
from vermeil.formats.kinds.literature import bioc_files, pubannotation, pubmed, pubtator
from vermeil.formats.kinds.own import jsonl, parquet, plain_text
from vermeil.formats.kinds.standoff import biocreative, brat, chemdner, mentions
from vermeil.formats.kinds.tokens import conll, docbin, hf_tokens
from vermeil.formats.kinds.tools import doccano, labelstudio, prodigy
from vermeil.formats.kinds.treebanks import genia_xml, penn

Read = Callable[[Source], Iterator[Document]]
Annotate = Callable[[Source, Iterable[Document]], Iterator[Document]]
Write = Callable[[Iterable[Document], Sink], None]


@dataclass(frozen=True, slots=True)
class Format:
    """How to read and write one format, and what it can carry.

    A format with texts has ``read``; a stand-off format, whose files hold annotation without
    text, has ``annotate`` instead: it takes the documents and gives them back with one more
    layer. ``options`` lists the values of each option, the default first; an option without
    listed values takes any, and the empty string is its default. ``sniff`` tells from the
    beginning of a file whether it is of this format, for suffixes that several formats share; a
    format without it is known by its suffix alone. A format that reads a whole folder names in
    ``holds`` the suffixes that give such a folder away; ``folder`` says that it writes one. A
    format of trees may have ``brackets``, which yields each tree as it stands in the file, unread,
    with its line: many are then read at once (see ``vermeil.formats.forests``).
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
        options={"label": (), "names": ("check", "note", "ignore")},
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
    "pubmed": Format(
        "PubMed's XML, or a folder of baseline and update files",
        pubmed.CARRIES,
        (".pubmed.xml", ".xml"),
        read=pubmed.read,
        sniff=pubmed.sniff,
        options=pubmed.OPTIONS,
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
        brackets=penn.brackets,
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
