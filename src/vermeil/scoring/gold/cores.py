"""Core names and alternatives from one flat list of overlapping names.

The Arizona Disease Corpus lists all acceptable names and marks none of them as core. Section 5.1 of
Lewin et al., "Centroids", takes the first of each overlapping set for its core. Where A overlaps B
and B overlaps C but A and C lie apart, C would then be an alternative of nothing; so here a name is
core unless it overlaps one that was chosen before it, and every alternative overlaps a core name.
"""

from bisect import bisect, insort
from collections import Counter
from collections.abc import Callable, Iterable

from vermeil.document import ALTERNATIVES, Document, Layer, Span
from vermeil.errors import UnknownNameError

OVERLAPS = ("alternatives", "names")
"""What overlapping names of a layer can be, where no alternatives are marked."""


def partition(document: Document, layer: str, *, core: str = "first") -> Document:
    """Move the names of ``layer`` that overlap a core name of their label to its alternatives.

    With ``first``, names are chosen in reading order (of those that begin together the longest);
    with ``modal``, names whose boundaries most others share come before. A discontinuous name
    counts by its whole extent. Alternatives the document has already stay what they are.

    >>> names = tuple(Span(start, end, "Disease") for start, end in ((0, 9), (4, 15), (4, 20)))
    >>> flat = Document(id="1", text="multiple polyps of the colon", layers={"gold": names})
    >>> [span.end for span in partition(flat, "gold").layers["gold"]]
    [9]
    >>> [span.end for span in partition(flat, "gold", core="modal").layers["gold"]]
    [20]
    """
    if core not in CORES:
        raise UnknownNameError("choice of core names", core, CORES)
    cores: list[Span] = []
    others = list(document.alternatives(layer))
    taken: dict[str, list[tuple[int, int]]] = {}
    for span in CORES[core](document.layers[layer]):
        apart = taken.setdefault(span.label, [])
        place = bisect(apart, (span.start, span.end))
        before = place > 0 and apart[place - 1][1] > span.start
        after = place < len(apart) and apart[place][0] < span.end
        if before or after:
            others.append(span)
        else:
            insort(apart, (span.start, span.end))
            cores.append(span)
    return document.with_layer(layer, cores).with_layer(layer + ALTERNATIVES, others)


def parted(
    documents: Iterable[Document], layer: str, *, core: str = "first", overlaps: str = OVERLAPS[0]
) -> tuple[list[Document], bool]:
    """Take those that have a layer; part its names into core and alternatives if it is flat.

    It is flat where no document marks alternatives. With ``overlaps`` for ``names``, it stays as it
    is. Tell also whether it was parted.
    """
    if overlaps not in OVERLAPS:
        raise UnknownNameError("way to take overlapping names", overlaps, OVERLAPS)
    standard = [document for document in documents if layer in document.layers]
    is_marked = any(layer + ALTERNATIVES in document.layers for document in standard)
    if is_marked or overlaps == "names":
        return standard, False
    return [partition(document, layer, core=core) for document in standard], True


def count_overlapping(document: Document, layer: str) -> int:
    """Count the names of a layer that overlap one of their label that is read before them.

    None count where the document carries centroids under the name of the layer.

    >>> names = (Span(0, 9, "Gene"), Span(4, 7, "Gene"), Span(4, 7, "Disease"))
    >>> count_overlapping(Document(id="1", text="the BRCA1 gene", layers={"gold": names}), "gold")
    1
    """
    if layer in document.standards:
        return 0
    reach: dict[str, int] = {}
    n = 0
    for span in document.layers.get(layer, ()):
        n += span.start < reach.get(span.label, 0)
        reach[span.label] = max(span.end, reach.get(span.label, 0))
    return n


def _in_reading_order(names: Layer) -> Layer:
    return names


def _by_shared_boundaries(names: Layer) -> list[Span]:
    """Order names by how many begin or end where they do, then as they are read."""
    starts = Counter((span.label, span.start) for span in names)
    ends = Counter((span.label, span.end) for span in names)
    return sorted(
        names, key=lambda span: -starts[span.label, span.start] - ends[span.label, span.end]
    )


CORES: dict[str, Callable[[Layer], Layer | list[Span]]] = {
    "first": _in_reading_order,
    "modal": _by_shared_boundaries,
}
"""In which order names are tried as core names."""
