"""Documents, the layers annotators put on them, and standards.

Offsets are half-open and count Unicode code points of ``Document.text``, so ``text[start:end]``
is the marked string. Readers convert to this on the way in and writers convert back on the way
out; nothing in between adds or subtracts one.

A layer is what one annotator said about one document. An empty layer means that the annotator
looked and found nothing; no layer means that the annotator did not look.

The types are msgspec structs: frozen, slotted, compared by value, built and decoded at the speed
of C. They are checked when they are made and trusted afterwards.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import inf
from typing import Any, TypeAlias, TypeVar

import msgspec

from vermeil.errors import DataError
from vermeil.given import (
    WHO,
    check_fragments,
    identifier,
    refuse_lone_surrogates,
    settle,
    settle_span,
    settled_layers,
    string,
    unlike,
)
from vermeil.shown import Shown, brief, cut
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
        try:
            if not 0 <= self.start < self.end:
                raise DataError(f"a span needs 0 <= start < end, got {self.start} and {self.end}")
            if not self.label:
                raise DataError(f"the span {self.start}-{self.end} has an empty label")
            if self.confidence is not None and not 0 <= self.confidence <= 1:
                raise DataError(f"a confidence lies between 0 and 1, got {self.confidence}")
            if self.fragments:
                check_fragments(self.fragments, self.start, self.end)
        except TypeError:
            settle_span(self)
            self.__post_init__()

    def __repr__(self) -> str:
        """Say what is not left out.

        >>> Span(0, 3, "Gene", confidence=0.5)
        Span(0, 3, 'Gene', confidence=0.5)
        """
        further = ("confidence", "fragments", "ids", "attributes")
        said = [f"{name}={value!r}" for name in further if (value := getattr(self, name))]
        if self.confidence == 0:
            said.insert(0, "confidence=0")
        return cut(f"Span({', '.join([f'{self.start}, {self.end}, {self.label!r}', *said])})")

    @property
    def pieces(self) -> tuple[tuple[int, int], ...]:
        """The stretches the span covers: its fragments, or the one from start to end."""
        return self.fragments or ((self.start, self.end),)

    @staticmethod
    def over(
        pieces: Sequence[tuple[int, int]],
        label: str,
        confidence: float | None = None,
        *,
        ids: tuple[str, ...] = (),
        attributes: tuple[tuple[str, str], ...] = (),
    ) -> "Span":
        """Make a span of the stretches that it covers, given in order.

        >>> Span.over([(0, 6), (11, 18)], "Gene").end
        18
        """
        return Span(
            start=pieces[0][0],
            end=pieces[-1][1],
            label=label,
            confidence=confidence,
            fragments=tuple(pieces) if len(pieces) > 1 else (),
            ids=ids,
            attributes=attributes,
        )

    def moved(self, pieces: Sequence[tuple[int, int]]) -> "Span":
        """Make the same span over other stretches."""
        return Span.over(
            pieces, self.label, self.confidence, ids=self.ids, attributes=self.attributes
        )

    def marked(self, text: str) -> str:
        """Return the marked string; fragments are joined by one space.

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
    so many votes for a name that starts (ends) there, or the chance that it does, the innermost
    first; those of a heart that was widened may lie inside it. ``labels`` is the distribution of
    labels where annotators differ. ``pairs`` are boundaries that were given together, as start, end
    and votes, where both sides have several; ``ids`` are database identifiers. Section 4 of Lewin
    et al., "Centroids".
    """

    start: int
    end: int
    label: str
    votes: float
    left: tuple[tuple[int, float], ...]
    right: tuple[tuple[int, float], ...]
    confidence: float | None = None
    labels: tuple[tuple[str, float], ...] = ()
    pairs: tuple[tuple[int, int, float], ...] = ()
    ids: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise DataError(f"a heart needs 0 <= start < end, got {self.start} and {self.end}")
        if not self.label or not all(label for label, _ in self.labels):
            raise DataError(f"the heart {self.start}-{self.end} has an empty label")
        if self.confidence is not None and not 0 <= self.confidence <= 1:
            raise DataError(f"a confidence lies between 0 and 1, got {self.confidence}")
        if not self.left or not self.right:
            raise DataError("a centroid needs at least one boundary on each side")
        for each in self.ids:
            string(each, "a database id of a centroid")
        self._check_votes()
        lefts, rights = [at for at, _ in self.left], [at for at, _ in self.right]
        if any(inner <= outer for inner, outer in pairwise(lefts)):
            raise DataError(f"left boundaries must fall from {lefts[0]}, got {lefts}")
        if any(inner >= outer for inner, outer in pairwise(rights)):
            raise DataError(f"right boundaries must rise from {rights[0]}, got {rights}")
        if lefts[-1] < 0:
            raise DataError(f"a left boundary lies before the text: {lefts[-1]}")
        if any(not 0 <= start < end for start, end, _ in self.pairs):
            raise DataError(f"a pair of boundaries needs 0 <= start < end, got {self.pairs}")
        if not lefts[0] < min(self.end, rights[0]) or not rights[0] > self.start:
            raise DataError(f"the boundaries {lefts[0]} and {rights[0]} leave nothing of the heart")

    def _check_votes(self) -> None:
        shared = (self.left, self.right, self.labels, self.pairs)
        for votes in (self.votes, *(each[-1] for values in shared for each in values)):
            if not 0 <= votes < inf:
                raise DataError(f"votes are a number from 0 on, got {votes}")

    def __repr__(self) -> str:
        sides = f"left={brief(self.left)}, right={brief(self.right)}"
        return cut(f"Centroid({self.start}, {self.end}, {self.label!r}, {self.votes:g}, {sides})")

    @property
    def extent(self) -> tuple[int, int]:
        """The maximal extent: from the leftmost to the rightmost boundary, over the heart."""
        return min(self.start, self.left[-1][0]), max(self.end, self.right[-1][0])

    @property
    def modal(self) -> Span:
        """The span with the best-supported boundaries; of equals, the innermost."""
        start, _ = max(self.left, key=lambda boundary: boundary[1])
        end, _ = max(self.right, key=lambda boundary: boundary[1])
        return Span(start, end, self.label, self.confidence, ids=self.ids)

    @staticmethod
    def of(span: Span) -> "Centroid":
        """Make the centroid with one boundary a side that a plain span stands for.

        >>> Centroid.of(Span(3, 8, "Gene")).extent
        (3, 8)
        """
        sides = ((span.start, 1.0),), ((span.end, 1.0),)
        return Centroid(
            span.start, span.end, span.label, 1.0, *sides, span.confidence, ids=span.ids
        )


Standard: TypeAlias = tuple[Centroid, ...]


Said = TypeVar("Said", covariant=True)
"""What an annotator said of a document: a layer or a standard."""


class Checked(Mapping[str, Said]):
    """Layers or standards in order, which fit their text: readers of columns made sure of it.

    A document takes them as they are; see ``columns.held``.
    """

    __slots__ = ()

    @abstractmethod
    def records(self) -> dict[str, Any]:
        """Return what is encoded as the objects are, by annotator."""


class Decoded(dict[str, Layer]):
    """Layers whose spans a decoder made, which has seen to it that numbers are numbers."""

    __slots__ = ()


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
        if type(self.id) is not str:
            settle(self, id=identifier(self.id))
        if not self.id:
            raise DataError("a document needs an id")
        if type(self.text) is not str:
            settle(self, text=string(self.text, f"the text of document {self.id!r}"))
        if not self.text.isascii():
            refuse_lone_surrogates(self.id, self.text)
        self._check_layers({})
        if self.standards:
            self._check_standards({})
        for name in self.trees:
            string(name, WHO)

    def __repr__(self) -> str:
        """Say how much there is, and from whom.

        >>> Document(id="1", text="p53 binds", layers={"anna": (Span(0, 3, "Gene"),), "ben": ()})
        <Document '1': 9 characters, anna 1, ben 0>
        """
        said = [f"{len(self.text):,} characters"]
        said += [f"{name} {len(layer)}" for name, layer in self.layers.items()]
        said += [f"{name}'s {len(trees)} trees" for name, trees in self.trees.items()]
        return f"<{cut(f'Document {self.id!r}: ' + ', '.join(said))}>"

    def with_layer(self, annotator: str, spans: Iterable[Span]) -> "Document":
        """Add what ``annotator`` said, replacing what that annotator said before."""
        [layer] = settled_layers({annotator: spans}, {}).values()
        layer = self._checked_layer(annotator, layer)
        return self._changed({"layers": {**self.layers, annotator: layer}})

    def with_standard(self, annotator: str, centroids: Iterable[Centroid]) -> "Document":
        """Add a standard under the name of the annotator (or consensus) it comes from."""
        standard = self._checked_standard(annotator, tuple(centroids))
        return self._changed({"standards": {**self.standards, annotator: standard}})

    def replace(self, **changes: Any) -> "Document":
        """Make a copy with the fields in ``changes`` changed; only what is new is checked."""
        if "id" in changes or "text" in changes:
            return msgspec.structs.replace(self, **changes)
        changed = self._changed(changes)
        if "layers" in changes:
            changed._check_layers(self.layers)
        if "standards" in changes:
            changed._check_standards(self.standards)
        return changed

    def bare(self) -> "Document":
        """Make a copy without layers; nothing in it is new, and nothing is checked."""
        bare: Document = self.__copy__()  # type: ignore[attr-defined]
        msgspec.structs.force_setattr(bare, "layers", {})
        return bare

    def alternatives(self, annotator: str) -> Layer:
        """Return the other acceptable spans that go with the layer of ``annotator``."""
        return self.layers.get(annotator + ALTERNATIVES, ())

    def _changed(self, changes: Mapping[str, Any]) -> "Document":
        """Make a copy with fields changed that have been checked, or will be."""
        changed: Document = self.__copy__()  # type: ignore[attr-defined]
        for field, value in changes.items():
            msgspec.structs.force_setattr(changed, field, value)
        return changed

    def _check_layers(self, checked: Mapping[str, Layer]) -> None:
        """Put layers in order and see that they fit the text; those ``checked`` before do."""
        if isinstance(self.layers, Checked):
            return
        given: Mapping[str, Layer] = self.layers
        if not isinstance(given, Decoded):
            given = settled_layers(given, checked)
        layers = {
            annotator: layer
            if layer is checked.get(annotator)
            else self._checked_layer(annotator, layer)
            for annotator, layer in given.items()
        }
        msgspec.structs.force_setattr(self, "layers", layers)

    def _checked_layer(self, annotator: str, layer: Layer) -> Layer:
        length = len(self.text)
        # Most layers come in order, and to see that costs a tenth of sorting them.
        is_in_order = True
        start, end = -1, 0
        for span in layer:
            if span.start <= start and (span.start < start or span.end >= end):
                is_in_order = False
            start, end = span.start, span.end
            if end > length:
                raise DataError(
                    f"document {self.id!r} has {length} characters, but {span.label!r} of "
                    f"{annotator!r} ends at {end}"
                )
        return layer if is_in_order else tuple(sorted(layer, key=reading_order))

    def _check_standards(self, checked: Mapping[str, Standard]) -> None:
        if isinstance(self.standards, Checked):
            return
        if not isinstance(self.standards, Mapping):
            raise unlike(self.standards, "standards", "a mapping of annotators and centroids")
        standards = {
            annotator: standard
            if standard is checked.get(annotator)
            else self._checked_standard(annotator, standard)
            for annotator, standard in self.standards.items()
        }
        msgspec.structs.force_setattr(self, "standards", standards)

    def _checked_standard(self, annotator: str, standard: Standard) -> Standard:
        length = len(self.text)
        string(annotator, WHO)
        try:
            ordered = tuple(sorted(standard, key=_heart_order))
        except (AttributeError, TypeError):
            raise unlike(standard, f"what {annotator!r} said", "centroids") from None
        for centroid in ordered:
            reach = max(centroid.extent[1], *(end for _, end, _ in centroid.pairs), 0)
            if reach > length:
                raise DataError(
                    f"document {self.id!r} has {length} characters, but a centroid of "
                    f"{annotator!r} extends to {reach}"
                )
        return ordered


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


def _heart_order(centroid: Centroid) -> tuple[Any, ...]:
    return centroid.start, -centroid.end, centroid.label, centroid.left, centroid.right
