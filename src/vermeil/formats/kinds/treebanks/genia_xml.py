"""The GENIA treebank's XML: constituents around the tokens of abstracts. Read only.

    <sentence id="s1"><cons cat="S"><cons cat="NP" role="SBJ"><tok cat="NN">p53</tok></cons> …

A file holds one abstract, or several in ``PubmedArticle`` elements; a folder holds files. The id
is the PMID, or else the name of the file. ``cat``, ``role`` and ``syn`` together make the label
(``NP-SBJ``, ``NP-COOD``); what is ``null`` becomes a trace (``(NP (-NONE- *RNR*))``); every
sentence gets the root ``TOP``. Co-indices (``id``, ``ref``) are counted as dropped.

The text is that of the sentences as the file spaces it, each run of white space made one space,
with one space between sentences; the sentences of the title are the title section.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vermeil.document import Document
from vermeil.formats.files.features import title_sections
from vermeil.formats.files.safe_xml import Element, local_name, release, walk
from vermeil.formats.files.source import Source, stem
from vermeil.tree import MAX_DEPTH, TRACE, Tree, escape

CARRIES = frozenset({"text", "title", "trees"})
ROOT_LABEL = "TOP"
TITLES = ("ArticleTitle", "title")

_SPACES = re.compile(r"\s+")


def read(source: Source) -> Iterator[Document]:
    """Yield the abstracts of a file, or of the ``.xml`` files of a folder by name."""
    place_of: dict[str, str] = {}
    for member in _members(source):
        for article in _articles(member):
            with member.guard(article.sourceline, local_name(article)):
                document = _document(article, member)
                if document.id in place_of:
                    place = place_of[document.id]
                    raise ValueError(f"the id {document.id!r} is already that of {place}")
                place_of[document.id] = member.where(article.sourceline)
                yield document


def sniff(head: str) -> bool:
    """Tell whether a file that begins like this is of the treebank."""
    if not head.lstrip().startswith("<"):
        return False
    return "<sentence" in head and re.search(r"<(cons|tok)\s[^>]*\bcat\s*=", head) is not None


def _members(source: Source) -> list[Source]:
    if not source.path.is_dir():
        return [source]
    paths: list[Path] = sorted(source.path.glob("*.xml"))
    if not paths and any(source.path.iterdir()):
        raise source.error(None, "there is no .xml file in this folder")
    return [source.member(path) for path in paths]


def _articles(source: Source) -> Iterator[Element]:
    """Yield the articles of a file; a file without any is one article."""
    depth, n_articles = 0, 0
    for event, element in walk(source):
        depth += 1 if event == "start" else -1
        if event == "end" and local_name(element) == "PubmedArticle":
            n_articles += 1
            yield element
            release(element)
        elif event == "end" and depth == 0 and not n_articles:
            yield element


def _document(article: Element, source: Source) -> Document:
    trees: list[Tree] = []
    texts: dict[str, list[str]] = {"title": [], "abstract": []}
    for sentence in article.iter("{*}sentence"):
        kind = "title" if _is_in_title(sentence) else "abstract"
        texts[kind].append(_text(sentence))
        trees.append(_tree(sentence, source))
    if not trees:
        raise source.error(article.sourceline, "wanted <sentence> elements, found none")
    title, abstract = " ".join(texts["title"]), " ".join(texts["abstract"])
    meta: dict[str, Any] = {}
    text = f"{title} {abstract}" if title and abstract else title or abstract
    if title and abstract:
        meta["sections"] = title_sections(title, text)
    pmid = article.findtext(".//{*}PMID", "").strip()
    id = pmid or article.get("id") or stem(source.path)
    return Document(id=id, text=text, trees={source.annotator: tuple(trees)}, meta=meta)


def _is_in_title(sentence: Element) -> bool:
    return any(local_name(above) in TITLES for above in sentence.iterancestors())


def _text(sentence: Element) -> str:
    text = "".join(sentence.itertext())
    tokens = ["".join(token.itertext()) for token in sentence.iter("{*}tok")]
    if len(tokens) > 1 and text.strip() == "".join(tokens).strip():
        text = " ".join(tokens)
    return _SPACES.sub(" ", text).strip()


def _tree(sentence: Element, source: Source) -> Tree:
    children = _children(sentence, source, 1)
    if not children:
        raise source.error(sentence.sourceline, "the sentence holds no token")
    return Tree(ROOT_LABEL, children)


def _children(element: Element, source: Source, depth: int) -> tuple[Tree, ...]:
    """Make trees of what lies below ``element``."""
    if depth > MAX_DEPTH:
        raise source.error(element.sourceline, f"nested deeper than {MAX_DEPTH} constituents")
    trees: list[Tree] = []
    for child in element:
        name = local_name(child)
        if name not in ("cons", "tok"):
            trees.extend(_children(child, source, depth))
            continue
        if not child.get("cat"):
            raise source.error(child.sourceline, f"<{name}> has no cat")
        if child.get("ref") or (name == "cons" and child.get("id")):
            source.ledger.note("dropped", "co-indices", source.where(child.sourceline))
        trees.extend(_nodes(child, name, source, depth))
    _refuse_loose_text(element, source)
    return tuple(trees)


def _nodes(element: Element, name: str, source: Source, depth: int) -> list[Tree]:
    """Make the node of a constituent, or those of a token: one for each of its words."""
    label = _label(element)
    if name == "tok":
        words = "".join(element.itertext()).split()
        if words:
            return [Tree(label, (escape(word),)) for word in words]
    elif children := _children(element, source, depth + 1):
        return [Tree(label, children)]
    if element.get("null") is None:
        raise source.error(element.sourceline, f"<{name} cat={label!r}> is empty and not null")
    return [Tree(label, (Tree(TRACE, (_trace(element.get("null")),)),))]


def _label(element: Element) -> str:
    parts = [element.get(name, "").strip() for name in ("cat", "role", "syn")]
    label = "-".join(part for part in parts if part)
    return escape(_SPACES.sub("_", label))


def _trace(null: str) -> str:
    null = escape(_SPACES.sub("_", null.strip()))
    return null if null.startswith("*") or null == "0" else f"*{null}*" if null else "*"


def _refuse_loose_text(element: Element, source: Source) -> None:
    loose = [element.text, *(child.tail for child in element)]
    for text in loose:
        if text and text.strip():
            found = text.strip()[:40]
            raise source.error(element.sourceline, f"{found!r} stands outside any <tok>")
