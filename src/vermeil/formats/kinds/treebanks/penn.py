"""Penn treebank brackets: every tree is a document, called by its number.

The text of the document is the words of the tree with one space between them, escapes undone and
traces left out. ``(())`` and ``()`` are a parser that found no parse.

The option ``layout`` says how trees lie in the file:

* ``line``: one tree a line; an empty line is a failure, so that parsers can be compared by line.
* ``pretty``: a tree begins at a bracket that is inside no other and may take several lines; empty
  lines only separate.
* ``auto`` (default): ``pretty`` if, among the first LOOK_AHEAD lines, a tree goes on in a line that
  is indented, or most lines do not close what they open; otherwise ``line``.

Lines outside trees that begin with ``*x*`` or ``;;`` are comments. Documents with several
sentences are written one after the other, each failure as ``(())``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source
from vermeil.tree import Tree, parse_line

CARRIES = frozenset({"trees"})
OPTIONS = {"layout": ("auto", "line", "pretty")}
LOOK_AHEAD = 1000
MAX_LINES = 10_000
"""Lines one tree may take; beyond that a bracket was surely left open."""

COMMENTS = ("*x*", ";;")

_SPEAKABLE = re.compile(r"[^\s()]+")

Lines = Iterator[tuple[int, str]]


def read(source: Source) -> Iterator[Document]:
    """Yield a document a tree; a failure has no text."""
    for number, (line, text) in enumerate(brackets(source), start=1):
        with source.guard(line, text):
            yield _document(str(number), parse_line(text), source.annotator)


def brackets(source: Source) -> Iterator[tuple[int, str]]:
    """Yield the text of each tree, unread, with the line on which it begins."""
    lines = source.lines()
    layout = source.options.get("layout", "auto")
    if layout == "auto":
        first = list(islice(lines, LOOK_AHEAD))
        layout = "pretty" if _looks_pretty([line for _, line in first]) else "line"
        lines = chain(first, lines)
    return _by_line(lines) if layout == "line" else _by_bracket(lines)


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write the trees of one parser, one a line or prettily (option ``layout=pretty``)."""
    spell = _pretty if sink.options.get("layout") == "pretty" else str
    number = 0
    with sink.text() as stream:
        for document in documents:
            if not document.trees:
                sink.ledger.note("dropped", "documents without parse trees", document.id)
            for tree in _trees(document, sink):
                number += 1
                if document.id != str(number):
                    sink.ledger.note("dropped", "document ids", document.id)
                if tree is not None:
                    _refuse_unspeakable(tree, document.id)
                stream.write("(())" if tree is None else spell(tree))
                stream.write("\n")


def sniff(head: str) -> bool:
    """Tell whether a file that begins like this holds trees: labels in front of words, no prose."""
    if re.match(r"\s*\(\s*(\(\s*)?([^\s()]+\s*\(|\)\s*\))", head) is None:
        return False
    # In a tree there is one word after the last label, and a bracket after that.
    innermost = re.findall(r"\(([^()]*)\)", head[:2000])
    return all(len(each.split()) in (0, 2) for each in innermost[:20])


def _document(id: str, tree: Tree | None, annotator: str) -> Document:
    text = " ".join(tree.words) if tree is not None else ""
    return Document(id=id, text=text, trees={annotator: (tree,)})


def _by_line(lines: Lines) -> Lines:
    return (each for each in lines if not each[1].startswith(COMMENTS))


def _by_bracket(lines: Lines) -> Lines:
    """Yield the text of each tree with the line on which it began."""
    depth, start, parts = 0, 0, [""]
    indents = False
    for number, line in lines:
        if depth == 0 and line.startswith(COMMENTS):
            continue
        if depth and line.startswith("(") and indents:
            # The next tree begins, so this one was never closed.
            yield start, " ".join(parts)
            depth = 0
        indents = indents or (depth > 0 and line[:1].isspace())
        for piece in re.split(r"(?<=\))|(?=\()", line):
            if depth == 0 and piece.strip():
                start, parts = number, []
            parts.append(piece)
            depth += piece.startswith("(") - piece.endswith(")")
            if depth <= 0 and piece.strip():
                depth = 0
                yield start, " ".join(parts)
        if depth and number - start >= MAX_LINES:
            yield start, " ".join(parts)
            depth = 0
    if depth:
        yield start, " ".join(parts)


def _looks_pretty(lines: Sequence[str]) -> bool:
    depth = n_open = 0
    for line in lines:
        if depth > 0 and line[:1].isspace() and line.strip():
            return True
        balance = line.count("(") - line.count(")")
        n_open += balance != 0
        depth += balance
    return 2 * n_open > sum(1 for line in lines if line.strip())


def _trees(document: Document, sink: Sink) -> tuple[Tree | None, ...]:
    if len(document.trees) > 1:
        parsers = " and ".join(repr(parser) for parser in list(document.trees)[:2])
        raise UsageError(
            f"{sink.path}: penn holds the trees of one parser, and there are {parsers}; "
            "choose one with --layer"
        )
    return next(iter(document.trees.values()), ())


def _refuse_unspeakable(tree: Tree, id: str) -> None:
    for word in (tree.label, *(child for child in tree.children if isinstance(child, str))):
        if not _SPEAKABLE.fullmatch(word):
            raise UsageError(
                f"document {id!r}: {word!r} cannot be written as brackets; escape white space, "
                "( and ) in it"
            )
    for child in tree.children:
        if isinstance(child, Tree):
            _refuse_unspeakable(child, id)


def _pretty(tree: Tree, depth: int = 0) -> str:
    if all(isinstance(child, str) or child.is_tag for child in tree.children):
        return "  " * depth + str(tree)
    inner = [_pretty(child, depth + 1) for child in tree.children if isinstance(child, Tree)]
    return "\n".join(["  " * depth + f"({tree.label}", *inner]) + ")"
