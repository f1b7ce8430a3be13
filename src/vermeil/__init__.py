"""Vermeil: from many imperfect annotators of biomedical text, one standard worth its gold.

This is the one import most users need: the types, and a verb for each command. Verbs are loaded
when they are first used, so that ``import vermeil`` costs next to nothing.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.document import Centroid, Document, Layer, Span, Standard
from vermeil.errors import VermeilError
from vermeil.tree import Tree

if _TYPE_CHECKING:
    from vermeil.columns.span_table import SpanTable
    from vermeil.verbs import trees
    from vermeil.verbs.combining import combine
    from vermeil.verbs.corpus import Corpus
    from vermeil.verbs.files import convert, info, read, write
    from vermeil.verbs.judging import agree, audit, score
    from vermeil.verbs.models import Model, explain, load, tag, tune
    from vermeil.verbs.training import train

__version__ = "0.1.0"

__all__ = [
    "Centroid",
    "Corpus",
    "Document",
    "Layer",
    "Model",
    "Span",
    "SpanTable",
    "Standard",
    "Tree",
    "VermeilError",
    "agree",
    "audit",
    "combine",
    "convert",
    "explain",
    "info",
    "load",
    "read",
    "score",
    "tag",
    "train",
    "trees",
    "tune",
    "write",
]

_HOMES = {
    "vermeil.columns.span_table": ("SpanTable",),
    "vermeil.verbs.combining": ("combine",),
    "vermeil.verbs.corpus": ("Corpus",),
    "vermeil.verbs.files": ("convert", "info", "read", "write"),
    "vermeil.verbs.judging": ("agree", "audit", "score"),
    "vermeil.verbs.models": ("Model", "explain", "load", "tag", "tune"),
    "vermeil.verbs.training": ("train",),
}
"""Where the names are that are loaded when they are first asked for."""

_HOME_OF = {_name: _home for _home, _names in _HOMES.items() for _name in _names}
_MODULES = {"trees": "vermeil.verbs.trees"}
"""Names that stand for a module as a whole."""


def __getattr__(name: str) -> object:
    """Load a name where it is first asked for."""
    value: object
    if name in _MODULES:
        value = _import_module(_MODULES[name])
    elif name in _HOME_OF:
        value = getattr(_import_module(_HOME_OF[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
