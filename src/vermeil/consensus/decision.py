"""What a consensus method decides: spans with confidences, as columns of a batch."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import ColumnTable, Floats, Ints
from vermeil.columns.span_table import SpanTable
from vermeil.document import Document, Layer, Span


@dataclass(frozen=True, slots=True, eq=False)
class Decision(ColumnTable):
    """Spans for the documents of ``table``: document, label code, offsets, confidence."""

    table: SpanTable
    document: Ints
    label: Ints
    start: Ints
    end: Ints
    confidence: Floats

    def layers(self) -> list[Layer]:
        """Return the layer of each document of the batch."""
        layers: list[list[Span]] = [[] for _ in self.table.documents]
        columns = (self.document, self.start, self.end, self.label, self.confidence)
        for document, start, end, label, confidence in zip(
            *(column.tolist() for column in columns), strict=True
        ):
            layers[document].append(Span(start, end, self.table.labels[label], confidence))
        return [tuple(layer) for layer in layers]

    def documents(self, annotator: str) -> Iterator[Document]:
        """Return the documents of the batch again, with this decision for a layer."""
        for document, layer in zip(self.table.to_documents(), self.layers(), strict=True):
            yield document.with_layer(annotator, layer)


def without_overlaps(decision: Decision) -> Decision:
    """Keep the most confident spans that do not overlap; of equals the first, then the longest.

    Spans overlap where they share a character, whatever their labels.
    """
    origin = decision.table.origin[decision.document]
    start, end = decision.start + origin, decision.end + origin
    order = np.lexsort((start, decision.label, -end, start))
    start, end = start[order], end[order]
    reach = np.maximum.accumulate(end) if len(end) else end
    # Where no span begins before all earlier ones have ended, there is nothing to choose.
    alone = np.concatenate(([True], start[1:] >= reach[:-1])) if len(start) else start == 0
    cluster = np.cumsum(alone) - 1
    size = np.bincount(cluster) if len(cluster) else cluster
    kept = size[cluster] == 1 if len(cluster) else alone
    contested = np.flatnonzero(~kept)
    confidence = decision.confidence[order]
    taken: dict[int, list[tuple[int, int]]] = {}
    ranked = contested[np.lexsort((contested, -confidence[contested]))]
    for row in ranked.tolist():
        others = taken.setdefault(int(cluster[row]), [])
        if all(end[row] <= first or last <= start[row] for first, last in others):
            others.append((start[row], end[row]))
            kept[row] = True
    return decision.keep(order[kept])
