"""Names as edges of a chart over tokens, for a parser that weighs them; one JSON object a line.

In the architecture of Corbett and Copestake a recogniser contributes edges to a lattice of tokens,
which a parser may take for tokens of their own; overlapping ones compete, and each brings its
confidence into the ranking of parses.

``{"id", "text", "tokens": [[start, end], …], "sentences": [[first, last], …], "edges": {…}}``:
tokens are offsets into the text; sentences are pairs of tokens, the last one not included. Under
``edges`` each annotator who looked has a list of ``{"from", "to", "start", "end", "label",
"confidence"}``. An edge leads from before its first token to before the one after its last, so
``tokens[from:to]`` are those it covers; where a name begins or ends inside a token, the whole token
is covered, and ``start`` and ``end`` tell the exact place. Offsets count code points. The option
``tokens`` chooses the tokeniser.

Reading takes the names by their offsets; tokens are not kept.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

import msgspec

from vermeil.document import Document, Span
from vermeil.formats.files.json_records import JsonRecord, probability, records
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source, json_keys
from vermeil.text.sentences import split_sentences
from vermeil.text.tokens import TOKENISERS, Token, tokenise

OPTIONS = {"tokens": ("words", *(name for name in TOKENISERS if name != "words"))}
CARRIES = frozenset(
    {"text", "line breaks", "control", "spans", "layers", "abstention", "labels", "any label"}
    | {"nested", "edges", "confidence", "offsets"}
)


class _Edge(msgspec.Struct, omit_defaults=True, rename={"first": "from", "last": "to"}):
    """A name over the tokens that it covers."""

    first: int
    last: int
    start: int
    end: int
    label: str
    confidence: float | None = None


class _Row(msgspec.Struct):
    """A line of the file."""

    id: str
    text: str
    tokens: list[tuple[int, int]]
    sentences: list[tuple[int, int]]
    edges: dict[str, list[_Edge]]


def read(source: Source) -> Iterator[Document]:
    """Yield one document a line."""
    for record in records(source):
        with record.guard(source):
            yield _document(record, source)


def write(documents: Iterable[Document], sink: Sink) -> None:
    """Write one document a line."""
    encode = msgspec.json.Encoder().encode
    for document in documents:
        sink.binary.write(encode(_row(document, sink.options["tokens"])) + b"\n")


def sniff(head: str) -> bool:
    """Tell whether a file begins with tokens and edges over them."""
    return {"text", "tokens", "edges"} <= json_keys(head)


def edge_of(tokens: list[Token], start: int, end: int) -> tuple[int, int]:
    """Find the tokens that a stretch of text covers, even in part; maybe none.

    >>> edge_of([(0, 3), (4, 9), (9, 10)], 5, 9), edge_of([(0, 3), (4, 9)], 3, 4)
    ((1, 2), (1, 1))
    """
    first = bisect_right(tokens, start, key=lambda token: token[1])
    return first, max(first, bisect_left(tokens, end, key=lambda token: token[0]))


def _row(document: Document, tokeniser: str) -> _Row:
    tokens = tokenise(document.text, by=tokeniser)
    sentences = [
        tuple(bisect_left(tokens, place, key=lambda token: token[0]) for place in bounds)
        for bounds in split_sentences(document.text)
    ]
    edges = {
        annotator: [
            _Edge(
                *edge_of(tokens, span.start, span.end),
                *(span.start, span.end),
                *(span.label, span.confidence),
            )
            for span in layer
        ]
        for annotator, layer in document.layers.items()
    }
    bounds = [(first, last) for first, last in sentences if first < last]
    return _Row(document.id, document.text, tokens, bounds, edges)


def _document(record: JsonRecord, source: Source) -> Document:
    row = msgspec.convert(record.fields, _Row)
    layers = {
        annotator: tuple(
            Span(
                edge.start,
                edge.end,
                edge.label,
                confidence=probability(edge.confidence, source, record.line),
            )
            for edge in edges
        )
        for annotator, edges in row.edges.items()
    }
    return Document(id=row.id, text=row.text, layers=layers)
