"""Kappas and alpha over character pairs against the krippendorff package and NLTK.

Both peers are given what they need, a category for each character pair and annotator, and only
their own work is timed; ours begins at the documents laid out as columns. NLTK gets a share of the
pairs and its time is scaled up; it is linear in them.

    python -m benchmarks.agreement [N_DOCUMENTS]
"""

import sys
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from benchmarks.generated import documents
from benchmarks.timing import best
from vermeil.scoring.agreement import agree
from vermeil.scoring.kappa import Units, character_pairs, cohen, fleiss, krippendorff
from vermeil.scoring.names import Batch
from vermeil.span_table import SpanTable

NLTK_SHARE = 200


def main(n: int) -> None:
    """Print the times and check that all agree on the figures."""
    corpus = list(documents(n))
    n_tokens = sum(len(document.text.split()) for document in corpus)
    table = SpanTable.from_documents(corpus)
    n_annotators = len(table.annotators)
    n_names = len(table) // n_annotators
    print(f"{n_tokens:,} tokens, {n_annotators} annotators, {n_names:,} names each")
    batch = Batch.of(corpus)
    units = character_pairs(batch)
    print(f"{units.weight.sum():,.0f} character pairs, {len(units.category)} distinct combinations")
    report("alpha, Fleiss, all Cohen", best(lambda: all_coefficients(batch)))
    report("agree() but leave-one-out", best(lambda: agree(corpus, leave_one_out=False)))
    report("agree()", best(lambda: agree(corpus), 1))
    ratings = written_out(units)
    against_krippendorff(ratings, float(krippendorff(units)))
    against_nltk(ratings)


def all_coefficients(batch: Batch) -> list[float]:
    """Compute every coefficient."""
    units = character_pairs(batch)
    pairs = combinations(range(units.category.shape[1]), 2)
    return [
        float(krippendorff(units)),
        float(fleiss(units)),
        *(float(cohen(units, a, b)) for a, b in pairs),
    ]


def written_out(units: Units) -> NDArray[np.int64]:
    """Give a row an annotator and a column a character pair."""
    rows = np.repeat(units.category, units.weight.astype(np.int64), axis=0)
    return np.ascontiguousarray(np.random.default_rng(0).permutation(rows).T)


def against_krippendorff(ratings: NDArray[np.int64], wanted: float) -> None:
    """Time the krippendorff package on all pairs."""
    try:
        import krippendorff as peer
    except ImportError:
        print("krippendorff: not installed")
        return
    found = 0.0

    def work() -> None:
        nonlocal found
        found = peer.alpha(reliability_data=ratings, level_of_measurement="nominal")

    report("krippendorff, alpha alone", best(work, 1), found - wanted)


def against_nltk(ratings: NDArray[np.int64]) -> None:
    """Time NLTK on a share of the pairs."""
    try:
        from nltk.metrics.agreement import AnnotationTask
    except ImportError:
        print("nltk: not installed")
        return
    some = ratings[:, ::NLTK_SHARE]
    triples = [
        (annotator, pair, category)
        for annotator, row in enumerate(some.tolist())
        for pair, category in enumerate(row)
    ]
    found = 0.0

    def work() -> None:
        nonlocal found
        found = AnnotationTask(data=triples).alpha()

    seconds = best(work, 1)
    wanted = float(krippendorff(Units.of(some.T)))
    report("nltk, alpha alone, scaled up", seconds * NLTK_SHARE, found - wanted)


def report(what: str, seconds: float, difference: float | None = None) -> None:
    """Print a line of the table."""
    differs = "" if difference is None else f"   differs by {abs(difference):.1e}"
    print(f"{what:30}{seconds:>9.3f} CPU s{differs}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 6_700)
