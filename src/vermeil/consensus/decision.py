"""What a consensus method decides: spans with confidences, as columns of a batch."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from vermeil.arrays import ColumnTable, Floats, Ints
from vermeil.columns.broken_names import ObjectColumn, pieces_of
from vermeil.columns.levels import Levels, Pieces
from vermeil.columns.span_table import SpanTable
from vermeil.document import Document, Layer, Span


@dataclass(frozen=True, slots=True, eq=False)
class Decision(ColumnTable):
    """Spans for the documents of ``table``: document, label code, offsets, confidence.

    Spans of different levels may overlap; all have the same one where there is no ``level``. Those
    that are discontinuous have ``pieces``, and the others (). Of spans that overlap, the ``worth``
    decides, or the confidence where there is none.
    """

    table: SpanTable
    document: Ints
    label: Ints
    start: Ints
    end: Ints
    confidence: Floats
    level: Ints | None = None
    pieces: ObjectColumn | None = None
    worth: Floats | None = None

    def whole(self, levels: Levels | None, *, together: bool) -> "Decision":
        """Let those who gave names with a gap say where the gaps of these are."""
        if levels is None or not levels.pieces or self.level is None:
            return self
        pieces = pieces_of(
            self.table,
            levels,
            document=self.document,
            level=self.level,
            label=None if together else self.label,
            start=self.start,
            end=self.end,
        )
        return replace(self, pieces=pieces)

    def beside(self, other: "Decision") -> "Decision":
        """Put two decisions on the same batch together."""
        pair = (self, other)
        pieces = np.empty(len(self) + len(other), dtype=object)
        pieces[:] = [gaps for each in pair for gaps in each.gaps()]
        return Decision(
            self.table,
            np.concatenate([each.document for each in pair]),
            np.concatenate([each.label for each in pair]),
            np.concatenate([each.start for each in pair]),
            np.concatenate([each.end for each in pair]),
            np.concatenate([each.confidence for each in pair]),
            level=np.concatenate(
                [np.zeros_like(each.start) if each.level is None else each.level for each in pair]
            ),
            pieces=pieces,
            worth=np.concatenate([each.rank for each in pair]),
        )

    @property
    def rank(self) -> Floats:
        """What decides between spans that overlap."""
        return self.confidence if self.worth is None else self.worth

    def gaps(self) -> list[Pieces]:
        """Return the pieces of each span, () for one without a gap."""
        return [()] * len(self) if self.pieces is None else self.pieces.tolist()

    def layers(self) -> list[Layer]:
        """Return the layer of each document of the batch."""
        layers: list[list[Span]] = [[] for _ in self.table.documents]
        columns = (self.document, self.start, self.end, self.label, self.confidence)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for (document, start, end, label, confidence), gaps in zip(rows, self.gaps(), strict=True):
            layers[document].append(Span(start, end, self.table.labels[label], confidence, gaps))
        return [tuple(layer) for layer in layers]

    def documents(self, annotator: str) -> Iterator[Document]:
        """Return the documents of the batch again, with this decision for a layer."""
        for document, layer in zip(self.table.to_documents(), self.layers(), strict=True):
            yield document.with_layer(annotator, layer)


def without_overlaps(decision: Decision) -> Decision:
    """Keep the best spans that do not overlap; of equals the first, then the longest.

    Spans overlap where they are on the same level and share a character, whatever their labels. Of
    equal spans on several levels one is kept.
    """
    origin = decision.table.origin[decision.document]
    start, end = decision.start + origin, decision.end + origin
    has_levels = decision.level is not None and bool(decision.level.any())
    if decision.level is not None and has_levels:
        base = decision.level * (int(end.max()) + 1)
        start, end = start + base, end + base
    order = np.lexsort((start, decision.label, -end, start))
    start, end = start[order], end[order]
    reach = np.maximum.accumulate(end) if len(end) else end
    # Where no span begins before all earlier ones have ended, there is nothing to choose.
    alone = np.concatenate(([True], start[1:] >= reach[:-1])) if len(start) else start == 0
    cluster = np.cumsum(alone) - 1
    size = np.bincount(cluster) if len(cluster) else cluster
    kept = size[cluster] == 1 if len(cluster) else alone
    contested = np.flatnonzero(~kept)
    rank = decision.rank[order]
    taken: dict[int, list[tuple[int, int]]] = {}
    ranked = contested[np.lexsort((contested, -rank[contested]))]
    for row in ranked.tolist():
        others = taken.setdefault(int(cluster[row]), [])
        if all(end[row] <= first or last <= start[row] for first, last in others):
            others.append((start[row], end[row]))
            kept[row] = True
    rest = decision.keep(order[kept])
    return _once(rest) if has_levels else rest


def _once(decision: Decision) -> Decision:
    """Put spans of all levels into reading order, and leave out what is there already."""
    columns = (decision.label, -decision.end, decision.start, decision.document)
    order = np.lexsort((-decision.rank, *columns))
    spans = decision.keep(order)
    is_again = np.zeros(len(order), dtype=bool)
    is_again[1:] = np.all([column[order][1:] == column[order][:-1] for column in columns], axis=0)
    if not is_again.any():
        return spans
    if spans.pieces is None:
        return spans.keep(~is_again)
    # Spans that are equal follow each other; where they have gaps, only some of them are the same.
    first = np.flatnonzero(~is_again)[np.cumsum(~is_again) - 1]
    gaps, seen = spans.gaps(), set[tuple[int, Pieces]]()
    kept = np.ones(len(order), dtype=bool)
    for row in np.flatnonzero(is_again | np.append(is_again[1:], False)).tolist():
        span = int(first[row]), gaps[row]
        kept[row] = span not in seen
        seen.add(span)
    return spans.keep(kept)
