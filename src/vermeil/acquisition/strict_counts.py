"""Names of one layer counted against another, by start and end alone (section 2.1)."""

from collections.abc import Collection

from vermeil.document import Document
from vermeil.scoring.counts import Counts


def strict_counts(
    document: Document, found: str, gold: str, labels: Collection[str] | None = None
) -> Counts:
    """Count the spans of a layer that are spans of another, of some labels or of all.

    >>> from vermeil.document import Span
    >>> layers = {"gold": (Span(0, 5, "Protein"),), "found": (Span(0, 5, "Gene"),)}
    >>> strict_counts(Document(id="1", text="BRCA1", layers=layers), "found", "gold").f1
    1.0
    """
    predicted = {(span.start, span.end) for span in document.layers[found]}
    wanted = {
        (span.start, span.end)
        for span in document.layers[gold]
        if labels is None or span.label in labels
    }
    right = len(predicted & wanted)
    return Counts(right, len(predicted), right, len(wanted))
