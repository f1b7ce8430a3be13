"""Tagging with boundary distributions: a layer of names, and the standard that goes with it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from vermeil.document import Centroid, Document, Span, Standard
from vermeil.recognise.found import Finder, Found
from vermeil.recognise.sequence.boundary_standard import boundary_standard
from vermeil.recognise.sequence.candidates import without_overlaps
from vermeil.recognise.tokens.pieces import batches


def tag_with_standard(
    finder: Finder,
    documents: Iterable[Document],
    *,
    name: str,
    threshold: float = 0.5,
    overlaps: bool = False,
) -> Iterator[Document]:
    """Tag as ``found.tag`` does, and add the centroids of all candidates. Streams.

    Boundaries come from all candidates, those below the threshold too; centroids are those of at
    least this confidence. A rescorer judges candidates one by one, so what overlaps may add up to
    more than 1; it counts as 1.
    """
    spans: list[Span] = []
    centroids: list[Centroid] = []
    for batch in batches(documents):
        found = finder.find([piece.own for piece in batch])
        sure = found.candidates.keep(found.candidates.confidence >= threshold)
        kept = sure if overlaps else without_overlaps(sure)
        for number, piece in enumerate(batch):
            spans += found.spans(number, kept, shift=piece.start)
            centroids += document_standard(
                found, number, min_confidence=threshold, shift=piece.start
            )
            if piece.is_last:
                tagged = piece.document.with_layer(name, tuple(spans))
                yield tagged.with_standard(name, tuple(centroids))
                spans, centroids = [], []


def document_standard(
    found: Found, number: int, *, min_confidence: float = 0.5, shift: int = 0
) -> Standard:
    """Give the centroids of one document of a batch, ``shift`` characters further on."""
    axis, candidates = found.axis, found.candidates
    first, last = axis.first_of_document[number : number + 2].tolist()
    own = candidates.keep((candidates.start >= first) & (candidates.start < last))
    own = replace(own, start=own.start - first, end=own.end - first)
    return boundary_standard(
        own,
        axis.start[first:last] + shift,
        axis.end[first:last] + shift,
        min_confidence=min_confidence,
    )
