"""PubMed's own XML: the baseline, the daily updates and what they delete. Read only.

    <PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">12345</PMID>
      <Article><ArticleTitle>…</ArticleTitle><Abstract><AbstractText Label="AIM">…

An article is a document, its id the PMID. The text is the title, a line break and the abstract,
each part of a structured abstract on a line of its own after its label (``AIM: …``); the sections
are ``title`` and ``abstract``, or the labels as they stand. With ``layout=pubtator`` one space
stands for each line break and the abstract is one section, as in PubTator files. Inline markup
(``i``, ``sub``, MathML) is taken off and its characters stay; a line break inside a paragraph is
one space. Chapters and books are articles too. ``abstracts=all`` adds the further abstracts
(``OtherAbstract``), by section ``other abstract``.

``meta`` has the journal, the language, the date of the issue as far as it is given, the types of
publication, the ids of MeSH headings and, but for the first, the version.

A file is read as it stands. A folder is read as one collection, its files in order of name: the
last version of an article is the one that counts, and what was deleted is gone. https://dtd.nlm.nih.gov/ncbi/pubmed/doc/out/190101/
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.safe_xml import Element, local_name, release, walk
from vermeil.formats.files.source import COMPRESSED, Source

CARRIES = frozenset({"text", "line breaks", "title", "sections", "plain meta", "meta"})
OPTIONS = {"layout": ("lines", "pubtator"), "abstracts": ("main", "all")}
SETS = ("PubmedArticleSet", "PubmedBookArticleSet", "MedlineCitationSet")
ARTICLES = ("PubmedArticle", "PubmedBookArticle", "MedlineCitation")
DELETIONS = ("DeleteCitation", "DeleteDocument")
MONTHS = {
    name: f"{number:02}"
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}

PAGE = 13
"""Bits of an id that count within a page of the map of articles met; a page is then 1 KB."""

_BREAKS = re.compile(r"[ \t]*[\t\n\r][ \t\n\r]*")
_BEGINNING = re.compile(
    r"<(?:PubmedArticle|PubmedBookArticle|MedlineCitation)(?:Set)?\b|<DeleteCitation\b"
)
_TREEBANK = re.compile(r"<(?:cons|tok)\s")

Part: TypeAlias = tuple[str, str]
"""The kind of a section and its text."""


def read(source: Source) -> Iterator[Document]:
    """Yield the articles of a file as they stand, or the current ones of a folder."""
    if source.path.is_dir():
        yield from current(files_of(source))
        return
    for id, element in _events(source):
        if element is None:
            what = "deletions of articles, which take effect where a folder of files is read"
            source.ledger.note("left out", what, source.where(), detail=str(id))
            continue
        with source.guard(element.sourceline, str(id)):
            yield _document(id, element, source)


def files_of(folder: Source) -> list[Source]:
    """List the XML files of a folder and of those below it, by name, which is by time."""
    endings = tuple(f".xml{ending}" for ending in ("", *COMPRESSED))
    paths = [path for path in folder.path.rglob("*") if path.name.lower().endswith(endings)]
    if not paths and any(folder.path.iterdir()):
        raise folder.error(None, "there is no .xml or .xml.gz file in this folder")
    return [folder.member(path) for path in sorted(paths, key=lambda path: (path.name, path))]


def current(files: Sequence[Source]) -> Iterator[Document]:
    """Yield the articles that are left when each file has been applied to those before it.

    Every file is read twice, and between the two only numbers are kept (see ``Updates``). What
    was replaced or deleted is counted in the ledger.
    """
    updates = Updates()
    for file in files:
        # What is bad is noted the second time.
        for id, _ in _events(replace(file, ledger=Ledger(skip_bad=file.ledger.skip_bad))):
            updates.note(id)
    n_events = 0
    again = ((file, *event) for file in files for event in _events(file))
    for place, (file, id, element) in enumerate(again):
        n_events += 1
        if element is None:
            continue
        if not updates.is_current(id, place):
            what = "articles that were replaced or deleted later"
            file.ledger.note("left out", what, file.where(element.sourceline), detail=str(id))
            continue
        with file.guard(element.sourceline, str(id)):
            yield _document(id, element, file)
    if n_events != updates.n_events:
        raise UsageError(f"{files[0].path.parent}: files changed while they were read; try again")


def sniff(head: str) -> bool:
    """Tell whether a file that begins like this comes from PubMed; a treebank borrows its names."""
    if not head.lstrip().startswith("<"):
        return False
    return _BEGINNING.search(head) is not None and _TREEBANK.search(head) is None


class Updates:
    """The events of a series of files, each with its place; the last about an article decides.

    Only numbers are kept: one bit for an article, and a place for those that were met again or
    deleted. The 40 million articles of PubMed take 6 MB, and some 100 bytes more for each that
    changed.

    >>> updates = Updates()
    >>> for id in (11, 12, 13, 11, 12):  # the last may be a deletion of 12
    ...     updates.note(id)
    >>> [updates.is_current(id, place) for place, id in enumerate((11, 12, 13, 11))]
    [False, False, True, True]
    """

    def __init__(self) -> None:
        self._pages: dict[int, bytearray] = {}
        self._last: dict[int, int] = {}
        self.n_events = 0

    def note(self, id: int) -> None:
        """Count an event in: a version of an article, or that it is deleted."""
        if self._is_met(id):
            self._last[id] = self.n_events
        self.n_events += 1

    def is_current(self, id: int, place: int) -> bool:
        """Tell whether the event at ``place`` is the last one about the article ``id``."""
        return self._last.get(id, place) == place

    def _is_met(self, id: int) -> bool:
        """Tell whether ``id`` was here before; from now on it was."""
        page = self._pages.get(id >> PAGE)
        if page is None:
            page = self._pages[id >> PAGE] = bytearray(1 << PAGE >> 3)
        within = id & ((1 << PAGE) - 1)
        bit = 1 << (within & 7)
        before = page[within >> 3] & bit
        page[within >> 3] |= bit
        return bool(before)


def _events(source: Source) -> Iterator[tuple[int, Element | None]]:
    """Yield the id of each article with its element, and of each deletion with None."""
    for record in _records(source):
        is_deletion = record.tag in DELETIONS
        where = record if is_deletion else _citation(record)
        for pmid in where.iterchildren("PMID") if is_deletion else [_child(where, "PMID")]:
            with source.guard(record.sourceline, local_name(record)):
                yield _number(pmid), None if is_deletion else record


def _records(source: Source) -> Iterator[Element]:
    """Yield articles and lists of deletions, each whole, and free them afterwards."""
    depth, is_empty = 0, True
    for event, element in walk(source, *SETS, *ARTICLES, *DELETIONS):
        is_empty = False
        if local_name(element) in SETS:
            continue
        depth += 1 if event == "start" else -1
        if depth == 0:
            yield element
            release(element)
    if is_empty:
        raise source.error(None, f"wanted a <{SETS[0]}>, and found none")


def _citation(record: Element) -> Element:
    """Find the element that holds the id and the content."""
    return next(record.iterchildren("MedlineCitation", "BookDocument"), record)


def _number(pmid: Element | None) -> int:
    """Read a PMID off its element."""
    text = "" if pmid is None else (pmid.text or "").strip()
    if not (text.isascii() and text.isdigit() and len(text) < 19 and int(text)):
        raise ValueError(f"wanted a PMID, which is a number, and found {text[:40]!r}")
    return int(text)


def _document(id: int, record: Element, source: Source) -> Document:
    citation = _citation(record)
    article = next(citation.iterchildren("Article"), citation)
    parts = list(_abstract(article))
    if source.options.get("abstracts") == "all":
        others = _within(citation, "OtherAbstract", "AbstractText")
        parts += [("other abstract", text) for each in others if (text := _text(each))]
    joint = "\n"
    if source.options.get("layout") == "pubtator":
        joint = " "
        parts = [("abstract", joint.join(text for _, text in parts))] if parts else []
    title = _title(article)
    text, sections = _laid_out([("title", title), *parts] if title else parts, joint)
    meta = {"sections": sections, **_meta(citation, article)}
    return Document(id=str(id), text=text, meta={key: each for key, each in meta.items() if each})


def _title(article: Element) -> str:
    """Find the title, that of the book where a chapter has none, or the one not in English."""
    for path in (("ArticleTitle",), ("Book", "BookTitle"), ("VernacularTitle",)):
        if text := _text(_child(article, *path)):
            return text
    return ""


def _abstract(article: Element) -> Iterator[Part]:
    """Yield the parts of the abstract that say something, each after its label."""
    for element in _within(article, "Abstract", "AbstractText"):
        if text := _text(element):
            label = " ".join(element.get("Label", "").split())
            yield label or "abstract", f"{label}: {text}" if label else text


def _child(element: Element, *path: str) -> Element | None:
    """Follow a path of names; the library's own paths take three times as long."""
    for name in path:
        element = next(element.iterchildren(name), None)
        if element is None:
            return None
    return element


def _within(element: Element, parent: str, name: str) -> list[Element]:
    """List all elements called ``name`` in the children called ``parent``."""
    return [found for child in element.iterchildren(parent) for found in child.iter(name)]


def _text(element: Element | None) -> str:
    """Join the characters of an element and of all within it, a line break being one space."""
    if element is None:
        return ""
    text: str = "".join(element.itertext()) if len(element) else element.text or ""
    if "\n" in text or "\t" in text or "\r" in text:
        text = _BREAKS.sub(" ", text)
    return text.strip(" ")


def _laid_out(parts: list[Part], joint: str) -> tuple[str, list[dict[str, Any]]]:
    """Join the parts to the whole text, and say where its sections are."""
    sections, place = [], 0
    for kind, text in parts:
        sections.append({"start": place, "end": place + len(text), "kind": kind})
        place += len(text) + len(joint)
    return joint.join(text for _, text in parts), sections


def _meta(citation: Element, article: Element) -> dict[str, Any]:
    version = next(citation.iterchildren("PMID")).get("Version", "1")
    is_book = article is citation
    around = _child(article, "Book" if is_book else "Journal")
    journal = {} if around is None else {each.tag: each for each in around}
    types = (
        article.iterchildren("PublicationType")
        if is_book
        else _within(article, "PublicationTypeList", "PublicationType")
    )
    headings = _within(citation, "MeshHeadingList", "DescriptorName")
    names = (_text(journal.get(tag)) for tag in ("ISOAbbreviation", "Title", "BookTitle"))
    issue = journal.get("JournalIssue")
    date = journal.get("PubDate") if issue is None else _child(issue, "PubDate")
    return {
        "journal": next(filter(None, names), ""),
        "language": " ".join(_text(each) for each in article.iterchildren("Language")),
        "date": "" if date is None else _date({each.tag: _text(each) for each in date}),
        "types": [_text(each) for each in types],
        "mesh": [each.get("UI") or _text(each) for each in headings],
        "version": version if version != "1" else "",
    }


def _date(given: Mapping[str, str]) -> str:
    """Spell a date as YYYY-MM-DD, as far as it goes, or in the words of the file.

    >>> _date({"Year": "1998", "Month": "Dec", "Day": "3"}), _date({"MedlineDate": "1975 Fall"})
    ('1998-12-03', '1975 Fall')
    """
    year, month, day = (given.get(name, "") for name in ("Year", "Month", "Day"))
    if not year:
        return given.get("MedlineDate", "")
    month = MONTHS.get(month[:3].lower(), month.zfill(2) if month.isdigit() else "")
    return "-".join(filter(None, (year, month, day.zfill(2) if month and day else "")))
