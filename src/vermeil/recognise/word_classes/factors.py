"""From counts of company to vectors: words that keep the same company point the same way.

Counts become positive pointwise mutual information, with the frequencies of contexts raised to
SMOOTHING (Levy, Goldberg and Dagan 2015), and the matrix is factored by a randomised singular
value decomposition (Halko, Martinsson and Tropp 2011). Vectors are scaled by the singular values
to the power SPREAD and have length 1.
"""

from typing import TYPE_CHECKING

import numpy as np

from vermeil.sequences.features.matrix import Singles

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

SMOOTHING = 0.75
SPREAD = 0.75
"""The higher, the more the leading directions count; 0 makes all alike."""

OVERSAMPLED = 20
"""Directions that are looked at beside those that are kept."""

N_POWERS = 2
"""How often the matrix is applied again, so that what is kept stands out."""


def vectors_of(counts: "csr_matrix", n_dimensions: int, *, seed: int = 0) -> Singles:
    """Make a vector of length 1 for each row; all zero where a row has no company.

    Where the matrix has fewer rows or columns than dimensions are asked for, the rest is zero.
    """
    weighed = mutual_information(counts)
    left, values = leading_factors(weighed, n_dimensions, seed=seed)
    vectors = np.zeros((counts.shape[0], n_dimensions), dtype=np.float32)
    vectors[:, : len(values)] = left * values**SPREAD
    return unit(vectors)


def unit(vectors: Singles) -> Singles:
    """Scale vectors to length 1; those of next to none become zero.

    >>> unit(np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32)).round(1).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Singles = np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 1e-6)
    return scaled


def mutual_information(counts: "csr_matrix") -> "csr_matrix":
    """Weigh counts by how much more often a word and a context meet than by chance; none below 0.

    >>> from scipy.sparse import csr_matrix
    >>> mutual_information(csr_matrix([[4, 0], [0, 4]])).toarray().astype(float).round(2).tolist()
    [[0.69, 0.0], [0.0, 0.69]]
    """
    of_rows = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
    of_columns = np.asarray(counts.sum(axis=0), dtype=np.float64).ravel() ** SMOOTHING
    row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    by_chance = of_rows[row] * of_columns[counts.indices] / max(of_columns.sum(), 1.0)
    weighed = counts.astype(np.float32)
    weighed.data = np.maximum(np.log(counts.data / by_chance), 0.0).astype(np.float32)
    weighed.eliminate_zeros()
    return weighed


def leading_factors(matrix: "csr_matrix", n: int, *, seed: int = 0) -> tuple[Singles, Singles]:
    """Find the ``n`` leading left singular vectors and their values, or as many as there are."""
    n_looked_at = min(n + OVERSAMPLED, *matrix.shape)
    chance = np.random.default_rng(seed)
    sketch = chance.standard_normal((matrix.shape[1], n_looked_at), dtype=np.float32)
    turned = matrix.T.tocsr()
    basis = _orthogonal(matrix @ sketch)
    for _ in range(N_POWERS):
        basis = _orthogonal(matrix @ _orthogonal(turned @ basis))
    left, values, _ = np.linalg.svd((turned @ basis).T, full_matrices=False)
    return (basis @ left)[:, :n], values[:n]


def _orthogonal(columns: Singles) -> Singles:
    basis: Singles = np.linalg.qr(columns)[0]
    return basis
