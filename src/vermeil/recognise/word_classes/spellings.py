"""Vectors guessed from spelling, for words that were never seen.

A word is a bag of its beginnings, ends and stretches of characters, hashed into N_BUCKETS. A vector
for each bucket is learned by ridge regression, so that the mean of a word's buckets comes near the
word's own vector.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from vermeil.arrays import Floats
from vermeil.sequences.features.hashed_rows import part_rows
from vermeil.sequences.features.matrix import Singles

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

BUCKET_BITS = 13
N_BUCKETS = 1 << BUCKET_BITS
PENALTY = 0.02
"""Weight of the squares of the vectors, for each word."""

N_ROUNDS = 15


def spelling_vectors(words: Sequence[str], vectors: Singles) -> Singles:
    """Learn a vector for each bucket from words and theirs."""
    bags = bags_of(words)
    turned = bags.T.tocsr()
    penalty = np.float32(PENALTY * len(words) / N_BUCKETS)
    return _solved(bags, turned, penalty, turned @ vectors)


def guessed(words: Sequence[str], buckets: Singles) -> Singles:
    """Guess the vectors of words from those of buckets."""
    made: Singles = bags_of(words) @ buckets
    return made


def bags_of(words: Sequence[str]) -> "csr_matrix":
    """Lay out words as bags of buckets, a row each, which sums to 1."""
    from scipy.sparse import csr_matrix

    rows = part_rows(words)
    spread = rows.hashes * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(64 - BUCKET_BITS)
    n_parts = np.diff(rows.first)
    shares: Floats = np.repeat(1 / np.maximum(n_parts, 1), n_parts)
    return csr_matrix(
        (shares.astype(np.float32), spread.astype(np.int64), rows.first),
        shape=(len(words), N_BUCKETS),
    )


def _solved(
    bags: "csr_matrix", turned: "csr_matrix", penalty: np.float32, wanted: Singles
) -> Singles:
    """Solve (bags' bags + penalty) x = wanted by conjugate gradients, all columns at once."""
    x = np.zeros_like(wanted)
    residual = wanted.copy()
    direction = residual.copy()
    squares = np.einsum("ij,ij->j", residual, residual)
    for _ in range(N_ROUNDS):
        image = turned @ (bags @ direction) + penalty * direction
        curvature = np.einsum("ij,ij->j", direction, image)
        step = np.divide(squares, curvature, out=np.zeros_like(squares), where=curvature > 0)
        x += step * direction
        residual -= step * image
        before, squares = squares, np.einsum("ij,ij->j", residual, residual)
        ratio = np.divide(squares, before, out=np.zeros_like(squares), where=before > 0)
        direction = residual + ratio * direction
    return x
