"""Classes of vectors: few coarse ones, more, and many fine ones, each clustered by itself.

Classes are found by mini-batch k-means on the unit sphere (Sculley 2010). Coarse classes that were
found by themselves part words elsewhere than fine ones do, so that a word that one of them puts
with strangers is known by the others.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Ints
from vermeil.sequences.features.matrix import Singles

SIZES = (64, 256, 1024)
"""Numbers of classes, the coarsest first."""

N_ROUNDS = 100
BATCH = 8192
N_AT_A_TIME = 16_384
"""Vectors that are compared with all centres at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """The classes of each vector (row) by size (column), and the centres of each size."""

    numbers: Ints
    centres: tuple[Singles, ...]


def classes_of(vectors: Singles, *, seed: int = 0) -> Classes:
    """Put vectors into classes, of which there are no more than vectors."""
    centres = tuple(
        # As they are stored, so that a word has the same class when they are read back.
        centres_of(vectors, min(size, len(vectors)), seed=seed)
        .astype(np.float16)
        .astype(np.float32)
        for size in SIZES
    )
    return Classes(np.stack([nearest(vectors, each) for each in centres], axis=1), centres)


def centres_of(vectors: Singles, n: int, *, seed: int = 0) -> Singles:
    """Find the centres of ``n`` classes, each of length 1."""
    from scipy.sparse import csr_matrix

    chance = np.random.default_rng(seed)
    centres = vectors[np.sort(chance.permutation(len(vectors))[:n])].copy()
    n_seen = np.ones(n, dtype=np.float32)
    for _ in range(N_ROUNDS if len(vectors) > n else 0):
        some = vectors[np.sort(chance.integers(len(vectors), size=min(BATCH, len(vectors))))]
        own = nearest(some, centres)
        n_own = np.bincount(own, minlength=n).astype(np.float32)
        members = csr_matrix((np.ones(len(own), dtype=np.float32), (own, np.arange(len(own)))))
        members.resize(n, len(own))
        total = members @ some
        n_seen += n_own
        # A centre moves towards the mean of its new members by their share of all it has seen.
        moved = centres * ((n_seen - n_own) / n_seen)[:, None] + total / n_seen[:, None]
        length = np.linalg.norm(moved, axis=1, keepdims=True)
        centres = np.divide(moved, length, out=centres.copy(), where=length > 1e-6)
    return centres


def nearest(vectors: Singles, centres: Singles) -> Ints:
    """Find the centre that each vector points to most, the first of equals.

    >>> nearest(np.eye(2, dtype=np.float32), np.eye(2, dtype=np.float32)[::-1]).tolist()
    [1, 0]
    """
    if not len(vectors):
        return np.zeros(0, dtype=np.int64)
    parts = [
        (vectors[first : first + N_AT_A_TIME] @ centres.T).argmax(axis=1)
        for first in range(0, len(vectors), N_AT_A_TIME)
    ]
    return np.concatenate(parts)
