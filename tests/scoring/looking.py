"""Scores of systems that look for every label, as definitions have it."""

from collections.abc import Iterable
from typing import Any

from vermeil import Document
from vermeil.scope import EVERYTHING, Scope
from vermeil.scoring import scores

ALL = Scope(told={name: frozenset({EVERYTHING}) for name in ("ann", "ben", "gold", "self")})


def score(documents: Iterable[Document], **options: Any) -> dict[str, scores.Scores]:
    """Score, charging each system for all labels, whichever it uses."""
    return scores.score(documents, scope=ALL, **options)
