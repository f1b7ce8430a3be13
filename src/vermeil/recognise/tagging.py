"""Tagging with boundary distributions: a layer of names, and the standard that goes with it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from vermeil.document import Document, Standard
from vermeil.recognise.boundary_standard import boundary_standard
from vermeil.recognise.candidates import without_overlaps
from vermeil.recognise.found import BATCH, Finder, Found


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
    rest = iter(documents)
    while batch := list(islice(rest, BATCH)):
        found = finder.find(batch)
        sure = found.candidates.keep(found.candidates.confidence >= threshold)
        kept = sure if overlaps else without_overlaps(sure)
        for number, document in enumerate(batch):
            tagged = document.with_layer(name, tuple(found.spans(number, kept)))
            standard = document_standard(found, number, min_confidence=threshold)
            yield tagged.with_standard(name, standard)


def document_standard(found: Found, number: int, *, min_confidence: float = 0.5) -> Standard:
    """Give the centroids of one document of a batch."""
    axis, candidates = found.axis, found.candidates
    first, last = axis.first_of_document[number : number + 2].tolist()
    own = candidates.keep((candidates.start >= first) & (candidates.start < last))
    shifted = replace(own, start=own.start - first, end=own.end - first)
    return boundary_standard(
        shifted, axis.start[first:last], axis.end[first:last], min_confidence=min_confidence
    )
