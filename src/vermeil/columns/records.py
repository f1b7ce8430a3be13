"""Spans and centroids as records: fields and JSON as those of the objects, without their checks."""

import msgspec


class SpanRecord(
    msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True
):
    """A span, unchecked."""

    start: int
    end: int
    label: str
    confidence: float | None = None
    fragments: tuple[tuple[int, int], ...] = ()
    ids: tuple[str, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()


class CentroidRecord(
    msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True
):
    """A centroid, unchecked."""

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
