"""Vermeil: from many imperfect annotators of biomedical text, one standard worth its gold."""

from vermeil.document import Centroid, Document, Layer, Span, Standard
from vermeil.errors import VermeilError
from vermeil.span_table import SpanTable
from vermeil.tree import Tree

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
