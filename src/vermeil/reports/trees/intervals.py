"""The figures of a parser over sentences, each with its interval from resampled sentences."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Floats
from vermeil.scoring.significance import Interval, bootstrap, f1, precision, recall
from vermeil.scoring.trees.scores import Sentences

Counted = NDArray[Any]
"""What is counted for each sentence, a column a count."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure; its 95% interval, or None where none was asked for."""

    value: float
    interval: Interval | None = None


def measured(sentences: Sentences, n_resamples: int = 0) -> dict[str, Measured]:
    """Return the leaf-ancestor score, precision, recall and F of brackets, and perfect sentences.

    Intervals are from ``n_resamples``, none if 0.
    """
    counts = sentences.counts
    values = {
        "LA": sentences.leaf_ancestor,
        "P": counts.precision,
        "R": counts.recall,
        "F": counts.f1,
        "perfect": sentences.share_perfect,
    }
    if not n_resamples or not len(sentences):
        return {name: Measured(value) for name, value in values.items()}
    brackets = np.stack(
        (sentences.matched, sentences.predicted, sentences.matched, sentences.wanted), axis=1
    )
    words = np.stack((sentences.la, sentences.n_words), axis=1)
    whole_tree = np.stack((sentences.perfect, np.ones(len(sentences))), axis=1)
    drawn: dict[str, tuple[Counted, Callable[[Floats], Floats]]] = {
        "LA": (words, _share),
        "P": (brackets, precision),
        "R": (brackets, recall),
        "F": (brackets, f1),
        "perfect": (whole_tree, _share),
    }
    return {
        name: Measured(values[name], bootstrap(rows, measure, n_resamples=n_resamples))
        for name, (rows, measure) in drawn.items()
    }


def _share(pooled: Floats) -> Floats:
    """Divide the first column by the second; NaN where that is 0."""
    total = pooled[..., 1]
    share: Floats = np.divide(
        pooled[..., 0], total, out=np.full(total.shape, np.nan), where=total > 0
    )
    return share
