"""Documents dealt into folds, so that nothing is judged by what it was trained on."""

from collections.abc import Sequence

import numpy as np

from vermeil.arrays import Ints
from vermeil.document import Document


def folds_of(n: int, n_folds: int, *, seed: int = 0) -> Ints:
    """Deal documents into folds of equal size, at random."""
    return np.random.default_rng(seed).permutation(np.arange(n) % n_folds)


def held_out(
    documents: Sequence[Document], fold: Ints, number: int
) -> tuple[list[Document], list[Document]]:
    """Return the documents of the other folds, and those of this one."""
    pairs = list(zip(documents, fold.tolist(), strict=True))
    rest = [document for document, own in pairs if own != number]
    return rest, [document for document, own in pairs if own == number]
