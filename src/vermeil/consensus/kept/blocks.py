"""What a method says of a batch as blocks of columns, so that no object need be made to write it.

The twin of ``Decision.layers`` and ``CentroidTable.standards``; both wait until they are asked for.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.columns.further import FurtherSpans, RowLists, SpanColumns
from vermeil.columns.held import BlockMapping, GrownMapping, SpanBlock, in_order
from vermeil.columns.held_centroids import BlockEdges, CentroidBlock
from vermeil.consensus.centroids import CentroidTable
from vermeil.consensus.decision import Decision
from vermeil.consensus.kept.ids import elected_ids
from vermeil.consensus.kept.sides import Side
from vermeil.document import Document

_Blocks = tuple[SpanBlock, CentroidBlock | None]


def grown(
    documents: Sequence[Document],
    name: str,
    decision: Decision,
    centroids: tuple[CentroidTable, Floats] | None,
    *,
    together: bool,
) -> Iterator[Document] | None:
    """Add a decision, and its centroids with their confidences, to documents held as columns.

    None where some documents hold objects, or names would have to be put in order.
    """
    if not all(isinstance(document.layers, BlockMapping) for document in documents):
        return None
    if not all(_is_growable(document.standards) for document in documents):
        return None
    spans = _span_block(name, decision, together=together)
    hearts = None if centroids is None else _centroid_block(name, *centroids, together=together)
    if spans is None or (centroids is not None and hearts is None):
        return None
    return _with_blocks(documents, name, spans, hearts)


def _is_growable(standards: Mapping[str, object]) -> bool:
    return isinstance(standards, BlockMapping) or not standards


def _with_blocks(
    documents: Sequence[Document], name: str, spans: SpanBlock, hearts: CentroidBlock | None
) -> Iterator[Document]:
    for number, document in enumerate(documents):
        assert isinstance(document.layers, BlockMapping), "asked before"
        changes: dict[str, object] = {"layers": GrownMapping(document.layers, name, spans, number)}
        if hearts is not None:
            standards = document.standards
            base = standards if isinstance(standards, BlockMapping) else BlockMapping(hearts, ())
            changes["standards"] = GrownMapping(base, name, hearts, number)
        yield document.replace(**changes)


def _span_block(name: str, decision: Decision, *, together: bool) -> SpanBlock | None:
    table = decision.table
    first = _firsts(decision.document, len(table.documents))
    ordered = first is not None and in_order(first, decision.start, decision.end, decision.label)
    if first is None or not np.all(ordered):
        return None
    ids = elected_ids(
        table, decision.document, decision.label, decision.start, decision.end, together=together
    )
    gaps = decision.gaps() if decision.pieces is not None else ()
    columns = SpanColumns(
        decision.start, decision.end, decision.label, table.labels, decision.confidence
    )
    return SpanBlock(
        annotators=[name] * len(table.documents),
        first=first,
        start=decision.start,
        end=decision.end,
        label=decision.label,
        labels=table.labels,
        confidence=decision.confidence,
        further=FurtherSpans(RowLists.of_pairs(gaps), ids, RowLists(), columns),
    )


def _centroid_block(
    name: str, found: CentroidTable, sure: Floats, *, together: bool
) -> CentroidBlock | None:
    table = found.table
    first = _firsts(found.document, len(table.documents))
    ordered = first is not None and in_order(first, found.start, found.end, found.label)
    if first is None or not np.all(ordered):
        return None
    n = len(found)
    several = np.flatnonzero((found.label_votes > 0).sum(axis=1) > 1)
    return CentroidBlock(
        annotators=[name] * len(table.documents),
        first=first,
        start=found.start,
        end=found.end,
        label=found.label,
        labels=table.labels,
        votes=found.votes,
        confidence=sure,
        left=_edges(found.left, n),
        right=_edges(found.right, n),
        shared={row: found.labels_of(row) for row in several.tolist()},
        pairs=found.pairs.by_centroid(),
        ids=elected_ids(
            table, found.document, found.label, found.start, found.end, together=together
        ),
    )


def _firsts(document: Ints, n_documents: int) -> Ints | None:
    """Find where the rows of each document begin; None where they are not in order."""
    if (np.diff(document) < 0).any():
        return None
    first: Ints = np.searchsorted(document, np.arange(n_documents + 1))
    return first


def _edges(side: Side, n: int) -> BlockEdges:
    return BlockEdges(np.searchsorted(side.centroid, np.arange(n + 1)), side.offset, side.value)
