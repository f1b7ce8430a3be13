"""Documents dealt into folds, so that nothing is judged by what it was trained on."""

from collections.abc import Sequence
from math import ceil

import numpy as np

from vermeil.arrays import Ints
from vermeil.document import Document
from vermeil.errors import UnknownNameError


def folds_of(n: int, n_folds: int, *, seed: int = 0) -> Ints:
    """Deal documents into folds of equal size, at random."""
    return np.random.default_rng(seed).permutation(np.arange(n) % n_folds)


def balanced_folds(kinds: Sequence[str], n_folds: int, *, seed: int = 0) -> Ints:
    """Deal documents into folds of equal size at random, those of each kind evenly.

    >>> fold = balanced_folds(["a", "b", "b", "a", "a", "b"], 3)
    >>> sorted(fold[[0, 3, 4]].tolist()), sorted(fold[[1, 2, 5]].tolist())
    ([0, 1, 2], [0, 1, 2])
    """
    shuffled = np.random.default_rng(seed).permutation(len(kinds)).tolist()
    fold = np.empty(len(kinds), dtype=np.int64)
    fold[sorted(shuffled, key=kinds.__getitem__)] = np.arange(len(kinds)) % n_folds
    return fold


def kinds_of(documents: Sequence[Document], field: str) -> list[str]:
    """Read the kind of each document off a field of its metadata; those without it are a kind."""
    fields = {name for document in documents for name in document.meta}
    if field not in fields:
        raise UnknownNameError("field of the metadata", field, fields)
    return [str(document.meta.get(field, "")) for document in documents]


def held_out(
    documents: Sequence[Document], fold: Ints, number: int
) -> tuple[list[Document], list[Document]]:
    """Return the documents of the other folds, and those of this one."""
    pairs = list(zip(documents, fold.tolist(), strict=True))
    rest = [document for document, own in pairs if own != number]
    return rest, [document for document, own in pairs if own == number]


def a_share(documents: Sequence[Document], share: float, *, seed: int = 0) -> list[Document]:
    """Choose a share of documents at random, at least one; a greater share holds a smaller."""
    order = np.random.default_rng(seed).permutation(len(documents))
    return [documents[place] for place in sorted(order[: ceil(share * len(documents))].tolist())]
