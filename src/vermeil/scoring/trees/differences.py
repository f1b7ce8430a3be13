"""How two parsers differ, and whether that could be chance.

The two-tailed paired t-test over sentences is that of Clegg and Shepherd, section 5.1. It tests the
means over sentences; the bootstrap draws sentences again and gives an interval for the corpus-wide
figures, which are what the tables show.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Floats
from vermeil.scoring.significance import (
    Interval,
    Significance,
    f1,
    paired_bootstrap,
    paired_t,
    precision,
    recall,
)
from vermeil.scoring.trees.scores import Sentences


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure of a parser less that of another, its interval, and two tests."""

    interval: Interval
    bootstrap: Significance
    paired_t: Significance


def differences(
    one: Sentences, other: Sentences, *, n_resamples: int = 1000, seed: int = 0
) -> dict[str, Difference]:
    """Compare two parsers on the sentences both were scored on: la, precision, recall and f1.

    Failures count as they do in ``all`` or ``parsed``, whichever is given.
    """
    _, here, there = np.intersect1d(one.number, other.number, return_indices=True)
    a, b = one.keep(here), other.keep(there)
    figures = {"la": _ratio, "precision": precision, "recall": recall, "f1": f1}
    found = {}
    for name, figure in figures.items():
        rows = (_lineage_rows(a), _lineage_rows(b)) if name == "la" else (_rows(a), _rows(b))
        interval, bootstrap = paired_bootstrap(*rows, figure, n_resamples=n_resamples, seed=seed)
        found[name] = Difference(interval, bootstrap, paired_t(a.means[name], b.means[name]))
    return found


def _rows(sentences: Sentences) -> Floats:
    columns = (sentences.matched, sentences.predicted, sentences.matched, sentences.wanted)
    return np.stack(columns, axis=1).astype(np.float64)


def _lineage_rows(sentences: Sentences) -> Floats:
    return np.stack((sentences.la, sentences.n_words), axis=1)


def _ratio(pooled: Floats) -> Floats:
    ratio: Floats = np.divide(
        pooled[..., 0],
        pooled[..., 1],
        out=np.full(pooled.shape[:-1], np.nan),
        where=pooled[..., 1] > 0,
    )
    return ratio
