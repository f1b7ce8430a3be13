"""Alternatives that a gold standard seems to lack: recombinations of boundaries it has.

Section 5.1 of Lewin et al., "Centroids": *p75 nucleoprotein* is in no list, though *human p75
nucleoprotein* and *p75* are; "we believe that p75 nucleoprotein ought to be acceptable too". A left
boundary of one name around a heart with a right boundary of another is proposed where no name of
the label has both, unless it would open a bracket and not close it.
"""

from collections.abc import Iterator, Mapping, Sequence

from vermeil.columns.span_table import SpanTable
from vermeil.consensus.centroids import find_centroids
from vermeil.document import Centroid, Document, Span
from vermeil.scoring.gold.findings import Finding

KIND = "missing alternative"


def find_recombinations(documents: Sequence[Document], table: SpanTable) -> Iterator[Finding]:
    """Propose names whose boundaries both occur around a heart, and never together.

    With each come two names of the standard, of which one begins and one ends there.
    """
    standards = find_centroids(table).standards()
    for document, standard in zip(documents, standards, strict=True):
        several = [centroid for centroid in standard if centroid.pairs]
        if not several:
            continue
        names = {
            (start, end, span.label): span
            for layer in document.layers.values()
            for span in reversed(layer)
            for start, end in span.pieces
        }
        seen: set[tuple[int, int, str]] = set()
        for centroid in several:
            for proposed in _recombined(centroid):
                place = proposed.start, proposed.end, proposed.label
                if place not in names and place not in seen and _is_closed(proposed, document):
                    seen.add(place)
                    yield _finding(document, proposed, centroid, names)


def _recombined(centroid: Centroid) -> Iterator[Span]:
    given = {(start, end) for start, end, _ in centroid.pairs}
    given.add((centroid.start, centroid.end))  # a heart that is no name is a finding of its own
    for start, _ in centroid.left:
        for end, _ in centroid.right:
            if (start, end) not in given:
                yield Span(start, end, centroid.label)


def _is_closed(span: Span, document: Document) -> bool:
    """Tell whether brackets that open in a span close in it, and the other way round."""
    depth = 0
    for character in span.marked(document.text):
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def _finding(
    document: Document,
    proposed: Span,
    centroid: Centroid,
    names: Mapping[tuple[int, int, str], Span],
) -> Finding:
    """Report a proposal with the shortest names that begin, and that end, where it does."""
    label = proposed.label

    def shortest(side: int, place: int) -> Span:
        places = [(start, end) for start, end, _ in centroid.pairs]
        start, end = min(
            (pair for pair in places if pair[side] == place), key=lambda pair: pair[1] - pair[0]
        )
        return names.get((start, end, label), Span(start, end, label))

    spans = [proposed, shortest(0, proposed.start), shortest(1, proposed.end)]
    return Finding.about(KIND, document, spans, "begins and ends as {}")
