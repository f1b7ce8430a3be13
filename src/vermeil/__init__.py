"""Vermeil: from many imperfect annotators of biomedical text, one standard worth its gold.

This is the one import most users need: the types, and a verb for each command. Verbs are loaded
when they are first used, so that ``import vermeil`` costs next to nothing.
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.document import Centroid, Document, Layer, Span, Standard
from vermeil.errors import VermeilError
from vermeil.lazy import lazily as _lazily
from vermeil.tree import Tree

if _TYPE_CHECKING:
    from vermeil.columns.span_table import SpanTable
    from vermeil.exchange.dataset_rows import from_datasets_rows, to_datasets_rows
    from vermeil.exchange.frames import from_pandas, to_pandas
    from vermeil.exchange.spacy_docs import from_spacy, to_spacy
    from vermeil.verbs import trees
    from vermeil.verbs.acquiring import acquire
    from vermeil.verbs.annotating import annotate
    from vermeil.verbs.combining import combine
    from vermeil.verbs.comparisons.silver import silver
    from vermeil.verbs.corpus import Corpus
    from vermeil.verbs.files import convert, info, read, write
    from vermeil.verbs.judging import agree, audit
    from vermeil.verbs.models import Model, explain, load, tag, tune
    from vermeil.verbs.recognisers.learning import KnownWords, learn_words
    from vermeil.verbs.reporting import report
    from vermeil.verbs.scoring import score
    from vermeil.verbs.training import train

__version__ = "0.1.0"

__all__ = [
    "Centroid",
    "Corpus",
    "Document",
    "KnownWords",
    "Layer",
    "Model",
    "Span",
    "SpanTable",
    "Standard",
    "Tree",
    "VermeilError",
    "acquire",
    "agree",
    "annotate",
    "audit",
    "combine",
    "convert",
    "explain",
    "from_datasets_rows",
    "from_pandas",
    "from_spacy",
    "info",
    "learn_words",
    "load",
    "read",
    "report",
    "score",
    "silver",
    "tag",
    "to_datasets_rows",
    "to_pandas",
    "to_spacy",
    "train",
    "trees",
    "tune",
    "write",
]

# The package of this name is behind it, and a module cannot be called.
__getattr__ = _lazily(__name__, {"consensus": "combine"})


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
