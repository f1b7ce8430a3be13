"""Vermeil: from many imperfect annotators of biomedical text, one standard worth its gold."""

from typing import TYPE_CHECKING

from vermeil.document import Centroid, Document, Layer, Span, Standard
from vermeil.errors import VermeilError
from vermeil.tree import Tree

if TYPE_CHECKING:
    from vermeil.columns.span_table import SpanTable

del TYPE_CHECKING  # only public names stay

__version__ = "0.1.0"

__all__ = [
    "Centroid",
    "Document",
    "Layer",
    "Span",
    "SpanTable",
    "Standard",
    "Tree",
    "VermeilError",
]


def __getattr__(name: str) -> object:
    """Load ``SpanTable``, and numpy with it, where it is first asked for."""
    if name != "SpanTable":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from vermeil.columns.span_table import SpanTable

    globals()[name] = SpanTable
    return SpanTable
