"""Vectors guessed from spelling, for words that were never seen.

A word is a bag of its beginnings, ends and stretches of characters, hashed into N_BUCKETS. A vector
for each bucket is learned by ridge regression, so that the mean of a word's buckets comes near the
word's own vector.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Floats, Ints
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


def guessed(words: Sequence[str], buckets: Singles | NDArray[np.int8]) -> Singles:
    """Guess the vectors of words from those of buckets: ``bags_of(words) @ buckets``.

    The first parts of all words are added, then the second ones, and so on, which is the order of
    the sparse product. To load scipy for it would take longer than to tag a hundred abstracts.
    """
    first, bucket, share = _parts_of(words)
    n_parts = np.diff(first)
    order = np.argsort(-n_parts, kind="stable")
    begin, share = first[:-1][order], share[order, None]
    made = np.zeros((len(words), buckets.shape[1]), dtype=np.float32)
    n_left = len(words) - np.cumsum(np.bincount(n_parts))
    for place, n in enumerate(n_left[:-1].tolist()):
        made[:n] += share[:n] * buckets[bucket[begin[:n] + place]]
    vectors = np.empty_like(made)
    vectors[order] = made
    return vectors


def bags_of(words: Sequence[str]) -> "csr_matrix":
    """Lay out words as bags of buckets, a row each, which sums to 1."""
    from scipy.sparse import csr_matrix

    first, bucket, share = _parts_of(words)
    shares = np.repeat(share, np.diff(first))
    return csr_matrix((shares, bucket, first), shape=(len(words), N_BUCKETS))


def _parts_of(words: Sequence[str]) -> tuple[Ints, Ints, Singles]:
    """List the buckets of all words: where each word's begin, the buckets, and the share of one."""
    rows = part_rows(words)
    spread = rows.hashes * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(64 - BUCKET_BITS)
    shares: Floats = 1 / np.maximum(np.diff(rows.first), 1)
    return rows.first, spread.astype(np.int64), shares.astype(np.float32)


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
