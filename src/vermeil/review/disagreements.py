"""A table of who differs where: a row a heart, a column an annotator or curator.

A cell holds the marked string with its offsets, nothing where the annotator marked nothing, and –
where the annotator did not look, or not for that label. Tab-separated; a cell that a spreadsheet
would take for a formula is preceded by an apostrophe.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from vermeil.consensus import voting
from vermeil.consensus.all_hearts import every_heart
from vermeil.document import Document, Span
from vermeil.formats.files.replacement import replacing
from vermeil.review.decisions import layers_of
from vermeil.review.history import works_on
from vermeil.review.importing import scope_of
from vermeil.review.store import Store

HEAD = ("document", "start", "end", "label", "heart")
NOT_LOOKED = "–"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_disagreements(store: Store, path: Path) -> None:
    """Write the table of all documents."""
    annotators, curators = _names(store)
    with replacing(path) as out:
        text = io.TextIOWrapper(out, encoding="utf-8", newline="")
        rows = csv.writer(text, dialect="excel-tab", lineterminator="\n")
        rows.writerow([*HEAD, *map(_safe, annotators), *(_safe(f"{c} decided") for c in curators)])
        for row in disagreements(store, annotators, curators):
            rows.writerow(map(_safe, row))
        text.flush()
        text.detach()


def disagreements(
    store: Store, annotators: Sequence[str], curators: Sequence[str]
) -> Iterator[list[str]]:
    """Yield the rows on which not everybody who looked for that label says the same."""
    scope = scope_of(store)
    for number, document in store.documents():
        decided = {
            curator: layers_of(work)[0]
            for curator, (work, done) in works_on(store, number).items()
            if done
        }
        layers = [voting(document).layers.get(name) for name in annotators]
        layers += [decided.get(name) for name in curators]
        for start, end, label in _places(document, list(decided.values())):
            cells = [_cell(layer, start, end, label, document.text) for layer in layers]
            for column, name in enumerate(annotators):
                if not cells[column] and not scope.looks_for(name, label, document):
                    cells[column] = NOT_LOOKED
            if len(set(cells) - {NOT_LOOKED}) > 1:
                heart = document.text[start:end]
                yield [document.id, str(start), str(end), label, heart, *cells]


def _names(store: Store) -> tuple[list[str], list[str]]:
    annotators = {name for _, document in store.documents() for name in voting(document).layers}
    return sorted(annotators), store.layers()


def _places(document: Document, decided: Sequence[Sequence[Span]]) -> list[tuple[int, int, str]]:
    """List the hearts of the annotators, and names of curators at which there is none."""
    [hearts] = every_heart([document])
    places = [(heart.start, heart.end, heart.label) for heart in hearts]
    for layer in decided:
        for span in layer:
            if not any(s < span.end and span.start < e and n == span.label for s, e, n in places):
                places.append((span.start, span.end, span.label))
    return sorted(places)


def _cell(layer: Sequence[Span] | None, start: int, end: int, label: str, text: str) -> str:
    if layer is None:
        return NOT_LOOKED
    return "; ".join(
        f"{span.marked(text)} ({span.start}-{span.end})"
        for span in layer
        if span.label == label and span.start < end and start < span.end
    )


def _safe(cell: str) -> str:
    flat = " ".join(cell.splitlines()) if cell.splitlines()[1:] else cell
    return f"'{flat}" if flat.startswith(_FORMULA) else flat
