"""EBM-NLP (https://github.com/bepnye/EBM-NLP): a token a line, and labels a line in files beside.

A folder with ``documents/PMID.tokens`` and, anywhere below, ``PMID.ANNOTATOR.ann`` with a number
for each token: 0 outside, other numbers inside. The label is the folder of the element
(``participants``, ``interventions``, ``outcomes``) with the number where there are several
(``outcomes-3``), unless the option ``label`` says otherwise. ``PMID.text`` gives the text where
it is there and the tokens can be found in it; else tokens are joined by single spaces. Files of
one annotator on one document add up to one layer; ``AGGREGATED`` is an annotator, too.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from vermeil.document import Document, Span
from vermeil.formats.files.members import inside
from vermeil.formats.files.source import Source
from vermeil.formats.kinds.tokens.token_rows import find_in, lay_out
from vermeil.text.tokens import Token

OPTIONS: dict[str, tuple[str, ...]] = {"label": ()}
CARRIES = frozenset(
    {"text", "spans", "layers", "abstention", "labels", "any label", "nested", "offsets"}
)
TOKENS, LABELS = ".tokens", ".ann"
ELEMENTS = ("participants", "interventions", "outcomes")


def read(source: Source) -> Iterator[Document]:
    """Yield a document for each file of tokens, with the layers of all its annotators."""
    if not source.path.is_dir():
        yield from _document(source.path, [], source)
        return
    files = inside(source)
    annotated: dict[str, list[Path]] = {}
    for path in files:
        if path.suffix == LABELS:
            annotated.setdefault(path.name.partition(".")[0], []).append(path)
    tokens = [path for path in files if path.suffix == TOKENS]
    if not tokens:
        raise source.error(None, f"there is no file {TOKENS} in this folder")
    for path in tokens:
        yield from _document(path, annotated.pop(path.stem, []), source)
    for id, paths in annotated.items():
        source.ledger.note("found no", "tokens for labels", str(paths[0]), detail=id)


def _document(path: Path, labels: Sequence[Path], source: Source) -> Iterator[Document]:
    member = source.member(path)
    with member.guard(None, path.name):
        words = [line for _, line in member.lines() if line]
        text, places = _placed(path, words, source)
        layers: dict[str, list[Span]] = {}
        for each in labels:
            name = each.name.removesuffix(LABELS).partition(".")[2] or source.annotator
            spans = _spans(source.member(each), places)
            layers.setdefault(name, []).extend(span for span in spans)
        ordered = {
            name: tuple(sorted(spans, key=lambda span: (span.start, span.end, span.label)))
            for name, spans in layers.items()
        }
        yield Document(id=path.stem, text=text, layers=ordered)


def _placed(path: Path, words: list[str], source: Source) -> tuple[str, list[Token]]:
    beside = path.with_suffix(".text")
    if beside.is_file():
        text = source.member(beside).text()
        try:
            return text, find_in(text, words)
        except ValueError as error:
            what = "texts in which the tokens are not, for tokens joined by spaces"
            source.ledger.note("passed over", what, str(beside), detail=str(error))
    text, [places] = lay_out([words])
    return text, places


def _spans(source: Source, places: Sequence[Token]) -> Iterator[Span]:
    numbers: list[tuple[int, str]] = []
    for line, cell in source.lines():
        if not cell:
            continue
        value = cell.strip().rpartition(",")[2]
        if not value.isdecimal():
            raise source.error(line, f"wanted a number for each token, found {cell!r:.40}")
        numbers.append((len(numbers), value))
    if len(numbers) != len(places):
        raise source.error(None, f"{len(numbers)} labels for {len(places)} tokens")
    element = next((part for part in reversed(source.path.parts) if part in ELEMENTS), "Name")
    label = source.options["label"] or element
    for value, run in groupby(numbers, key=lambda item: item[1]):
        ats = [at for at, _ in run]
        if value.strip("0"):
            named = label if value == "1" else f"{label}-{value}"
            yield Span(places[ats[0]][0], places[ats[-1]][1], named)
