"""Tagging: documents get one more layer, the names that a recogniser finds in them."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from vermeil.document import Centroid, Document, Span, Standard
from vermeil.recognise.placed_names import Finder, PlacedNames
from vermeil.sequences.chains.candidates import THRESHOLD
from vermeil.sequences.tokens.stretches import batches


def tag(
    finder: Finder,
    documents: Iterable[Document],
    *,
    name: str,
    threshold: float = 0.5,
    overlaps: bool = False,
    standard: bool = False,
) -> Iterator[Document]:
    """Add a layer to each document: the names found, with confidences. Streams.

    Without ``overlaps``, of names that share a token the more confident is kept. Very long
    documents are worked on stretch by stretch (see ``stretches``), so that memory stays bounded.

    With ``standard``, add their centroids as well. Boundaries come from all candidates, those below
    the threshold too; centroids are those of at least this confidence. A rescorer judges candidates
    one by one, so what overlaps may add up to more than 1; it counts as 1.
    """
    spans: list[Span] = []
    centroids: list[Centroid] = []
    least = THRESHOLD if standard else threshold
    for batch in batches(documents):
        names = finder.find([stretch.own for stretch in batch], threshold=least)
        sure = names.candidates.confidence >= threshold
        kept = names.candidates.keep(sure) if overlaps else names.apart(threshold)
        for number, stretch in enumerate(batch):
            spans += names.spans(number, kept, shift=stretch.start)
            if standard:
                centroids += _centroids(names, number, threshold, shift=stretch.start)
            if stretch.is_last:
                tagged = stretch.document.with_layer(name, tuple(spans))
                yield tagged.with_standard(name, tuple(centroids)) if standard else tagged
                spans, centroids = [], []


def _centroids(
    names: PlacedNames, number: int, min_confidence: float, *, shift: int = 0
) -> Standard:
    """Return the centroids of one document of a batch, ``shift`` characters further on."""
    # Few ask for centroids, and who does not need not wait for all that makes them.
    from vermeil.recognise.boundary_standard import boundary_standard

    axis, candidates = names.axis, names.candidates
    first, last = axis.first_of_document[number : number + 2].tolist()
    own = candidates.keep((candidates.start >= first) & (candidates.start < last))
    own = replace(own, start=own.start - first, end=own.end - first)
    return boundary_standard(
        own,
        axis.start[first:last] + shift,
        axis.end[first:last] + shift,
        min_confidence=min_confidence,
    )
