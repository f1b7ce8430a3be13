"""Documents, the layers annotators put on them, and standards.

Offsets are half-open and count Unicode code points of ``Document.text``, so ``text[start:end]``
is the marked string. Readers convert to this on the way in and writers convert back on the way
out; nothing in between adds or subtracts one.

A layer is what one annotator said about one document. An empty layer means that the annotator
looked and found nothing; no layer means that the annotator did not look.

The types are msgspec structs: frozen, slotted, compared by value, built and decoded at the speed
of C. They are checked when they are made and trusted afterwards.
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import msgspec

from vermeil.shown import Shown
from vermeil.tree import Tree

ALTERNATIVES = ".alternatives"
"""What the layer of other acceptable spans adds to the name of the layer it belongs to."""


class Span(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A labelled stretch of text.

    ``confidence`` is a probability, or None where the source gave none. A discontinuous mention
    lists all its ``fragments``, in order and apart; ``start`` and ``end`` are then its whole
    extent. ``ids`` are database identifiers, ``attributes`` whatever else the source said of it,
    as pairs of name and value.
    """

    start: int
    end: int
    label: str
    confidence: float | None = None
    fragments: tuple[tuple[int, int], ...] = ()
    ids: tuple[str, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"a span needs 0 <= start < end, got {self.start} and {self.end}")
        if not self.label:
            raise ValueError(f"the span {self.start}-{self.end} has an empty label")
        if self.confidence is not None and not 0 <= self.confidence <= 1:
            raise ValueError(f"a confidence lies between 0 and 1, got {self.confidence}")
        if self.fragments:
            _check_fragments(self.fragments, self.start, self.end)

    @property
    def pieces(self) -> tuple[tuple[int, int], ...]:
        """The stretches the span covers: its fragments, or the one from start to end."""
        return self.fragments or ((self.start, self.end),)

    def marked(self, text: str) -> str:
        """Give the marked string; fragments are joined by one space.

        >>> Span(0, 18, "Gene", fragments=((0, 6), (11, 18))).marked("alpha- or β-globin")
        'alpha- -globin'
        """
        return " ".join(text[start:end] for start, end in self.pieces)


Layer: TypeAlias = tuple[Span, ...]


class Centroid(
    msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True
):
    """The heart of a name and how its boundaries are distributed.

    ``start`` and ``end`` bound the heart. ``left`` and ``right`` are pairs of offset and value:
    so many votes for a name that starts (ends) there, nearest the heart first. ``labels`` is the
    distribution of labels where annotators differ. Section 4 of Lewin et al., "Centroids".
    """

    start: int
    end: int
    label: str
    votes: float
    left: tuple[tuple[int, float], ...]
    right: tuple[tuple[int, float], ...]
    confidence: float | None = None
    labels: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"a heart needs 0 <= start < end, got {self.start} and {self.end}")
        if not self.left or not self.right:
            raise ValueError("a centroid needs at least one boundary on each side")
        lefts, rights = [at for at, _ in self.left], [at for at, _ in self.right]
        if any(at > self.start for at in lefts) or lefts != sorted(set(lefts), reverse=True):
            raise ValueError(f"left boundaries must fall from {self.start}, got {lefts}")
        if lefts[-1] < 0:
            raise ValueError(f"a left boundary lies before the text: {lefts[-1]}")
        if any(at < self.end for at in rights) or rights != sorted(set(rights)):
            raise ValueError(f"right boundaries must rise from {self.end}, got {rights}")

    @property
    def extent(self) -> tuple[int, int]:
        """The maximal extent: from the leftmost to the rightmost boundary."""
        return self.left[-1][0], self.right[-1][0]

    @property
    def modal(self) -> Span:
        """The span with the best-supported boundaries; of equals, those nearest the heart."""
        start, _ = max(self.left, key=lambda boundary: boundary[1])
        end, _ = max(self.right, key=lambda boundary: boundary[1])
        return Span(start, end, self.label, self.confidence)

    @staticmethod
    def of(span: Span) -> "Centroid":
        """Give the standard with one boundary a side that a plain span stands for.

        >>> Centroid.of(Span(3, 8, "Gene")).extent
        (3, 8)
        """
        sides = ((span.start, 1.0),), ((span.end, 1.0),)
        return Centroid(span.start, span.end, span.label, 1.0, *sides, span.confidence)


Standard: TypeAlias = tuple[Centroid, ...]


class Document(Shown, msgspec.Struct, frozen=True, kw_only=True):
    """A text with what its annotators said about it.

    ``layers``, ``standards`` and ``trees`` are keyed by annotator. Spans and centroids are put
    into reading order. ``trees`` holds one tree a sentence, None where the parser failed.
    ``meta`` is anything JSON can hold; ``meta["sections"]`` lists ``{"start", "end", "kind"}``.
    """

    id: str
    text: str
    layers: Mapping[str, Layer] = {}
    standards: Mapping[str, Standard] = {}
    trees: Mapping[str, tuple[Tree | None, ...]] = {}
    meta: Mapping[str, Any] = {}

    def __post_init__(self) -> None:
        length = len(self.text)
        if not self.id:
            raise ValueError("a document needs an id")
        if not self.text.isascii():
            _refuse_lone_surrogates(self.id, self.text)
        layers = _in_order(self.layers)
        for annotator, layer in layers.items():
            for span in layer:
                if span.end > length:
                    raise ValueError(
                        f"document {self.id!r} has {length} characters, but {span.label!r} of "
                        f"{annotator!r} ends at {span.end}"
                    )
        msgspec.structs.force_setattr(self, "layers", layers)
        if self.standards:
            self._check_standards(length)

    def with_layer(self, annotator: str, spans: Iterable[Span]) -> "Document":
        """Add what ``annotator`` said, replacing what that annotator said before."""
        return self.replace(layers={**self.layers, annotator: tuple(spans)})

    def with_standard(self, annotator: str, centroids: Iterable[Centroid]) -> "Document":
        """Add a standard under the name of the annotator (or consensus) it comes from."""
        return self.replace(standards={**self.standards, annotator: tuple(centroids)})

    def replace(self, **changes: Any) -> "Document":
        """Give a copy with the fields in ``changes`` changed."""
        return msgspec.structs.replace(self, **changes)

    def alternatives(self, annotator: str) -> Layer:
        """Give the other acceptable spans that go with the layer of ``annotator``."""
        return self.layers.get(annotator + ALTERNATIVES, ())

    def _check_standards(self, length: int) -> None:
        standards = {
            annotator: tuple(sorted(standard, key=_heart_order))
            for annotator, standard in self.standards.items()
        }
        for annotator, standard in standards.items():
            for centroid in standard:
                if centroid.extent[1] > length:
                    raise ValueError(
                        f"document {self.id!r} has {length} characters, but a centroid of "
                        f"{annotator!r} extends to {centroid.extent[1]}"
                    )
        msgspec.structs.force_setattr(self, "standards", standards)


def reading_order(span: Span) -> tuple[Any, ...]:
    """Sort key of a layer: by start, the longer first, then by all the rest.

    It is a total order, so a layer does not depend on the order in which its spans came.
    """
    confidence = -1.0 if span.confidence is None else span.confidence
    return (
        span.start,
        -span.end,
        span.label,
        span.fragments,
        span.ids,
        confidence,
        span.attributes,
    )


def _in_order(layers: Mapping[str, Layer]) -> dict[str, Layer]:
    return {
        annotator: tuple(sorted(layer, key=reading_order)) if _is_out_of_order(layer) else layer
        for annotator, layer in layers.items()
    }


def _is_out_of_order(layer: Layer) -> bool:
    """Tell whether sorting is needed, at a tenth of the price of sorting."""
    if type(layer) is not tuple:
        return True
    start, end = -1, 0
    for span in layer:
        if span.start < start or (span.start == start and span.end >= end):
            return True
        start, end = span.start, span.end
    return False


def _heart_order(centroid: Centroid) -> tuple[Any, ...]:
    return centroid.start, -centroid.end, centroid.label, centroid.left, centroid.right


def _check_fragments(fragments: tuple[tuple[int, int], ...], start: int, end: int) -> None:
    if len(fragments) < 2:
        raise ValueError(f"a discontinuous span has at least two fragments, got {len(fragments)}")
    place = 0
    for first, last in fragments:
        if not place <= first < last:
            raise ValueError(f"fragments must be in order and apart, got {fragments}")
        place = last
    if (fragments[0][0], fragments[-1][1]) != (start, end):
        raise ValueError(f"fragments {fragments} do not reach from {start} to {end}")


def _refuse_lone_surrogates(id: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"document {id!r} has half a surrogate pair at {error.start}, which is no character"
        ) from None
