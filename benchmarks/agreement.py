"""Kappas and alpha over character pairs against the krippendorff package and NLTK.

Both peers are given what they need, a category for each character pair and annotator, and only
their own work is timed; ours begins at the documents laid out as columns. NLTK gets a share of the
pairs and its time is scaled up; it is linear in them. Then crowds: the same documents with six
annotators each, drawn from 6, 60 and 600; the exponent tells how the time grows with the crowd.

    python -m benchmarks.agreement [N_DOCUMENTS]
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from itertools import combinations, islice

import numpy as np
from numpy.typing import NDArray

from benchmarks.generated import documents
from benchmarks.growth import command
from benchmarks.measures import Measure, show
from benchmarks.timing import best
from vermeil import Document
from vermeil.columns.span_table import SpanTable
from vermeil.scoring.agreement import agree
from vermeil.scoring.agreement.left_out import FEW
from vermeil.scoring.kappa import Units, character_pairs, cohen, fleiss, krippendorff
from vermeil.scoring.pairing.names import ScoringBatch

NLTK_SHARE = 200
SAME = 1e-12
CROWDS, N_EACH = (6, 60, 600), 6
"""Annotators there are, and those on each document."""


def main(n: int) -> None:
    """Print the times and check that all agree on the figures."""
    show(rows(n))


def rows(size: int) -> list[Measure]:
    """Measure on ``size`` generated documents."""
    corpus = list(documents(size))
    batch = ScoringBatch.of(corpus)
    units = character_pairs(batch)
    ratings = written_out(units)
    table = SpanTable.from_documents(corpus)
    places = np.concatenate((table.start, table.end)) + np.tile(table.origin[table.document], 2)
    ours = Measure(
        "alpha, Fleiss and all Cohens over character pairs",
        best(lambda: all_coefficients(batch)),
        floor=best(lambda: np.sort(places)),
        floor_name="numpy.sort of all boundaries",
        note=f"{units.weight.sum():,.0f} pairs, {len(table.annotators)} annotators",
    )
    return [
        against_krippendorff(ours, ratings, float(krippendorff(units))),
        against_nltk(ours, ratings),
        Measure("agree() but leave-one-out", best(lambda: agree(corpus, leave_one_out=False))),
        Measure("agree()", best(lambda: agree(corpus), 1)),
        *crowds(size),
    ]


def crowds(size: int) -> list[Measure]:
    """Measure how the cost grows with the annotators where six look at each document."""
    half = size // 2
    seconds, found = [], []
    for n in CROWDS:
        people = crowd(half, n)
        pairs = agree(people, leave_one_out=False).pairs
        seconds.append(best(partial(agree, people, leave_one_out=False), 1))
        note = f"{half:,} documents, {len(pairs):,} pairs met"
        found.append(Measure(f"agree() of {n} annotators, six on each", seconds[-1], note=note))
        if n > FEW:
            what = f"agree() of {n} annotators, each against the others too"
            found.append(Measure(what, best(partial(agree, people), 1)))
    slope = float(np.polyfit(np.log(CROWDS), np.log(seconds), 1)[0])
    return [*found, Measure("exponent of time in annotators", slope, unit="")]


def crowd(size: int, n_annotators: int) -> list[Document]:
    """Make documents with six annotators each of so many, who err as those of ``generated`` do."""
    random = np.random.default_rng(0)
    people = []
    for one in documents(size):
        layers = [*one.layers.values(), *islice(one.layers.values(), 1)]
        chosen = random.choice(n_annotators, N_EACH, replace=False)
        names = [f"person-{code:03}" for code in sorted(chosen.tolist())]
        people.append(one.replace(layers=dict(zip(names, layers, strict=True))))
    return people


def grow(size: int) -> Callable[[], object]:
    """Prepare the agreement of five annotators, from a file."""
    return command(size, "agree", "IN", "--json")


def all_coefficients(batch: ScoringBatch) -> list[float]:
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


def against_krippendorff(ours: Measure, ratings: NDArray[np.int64], wanted: float) -> Measure:
    """Time the krippendorff package on all pairs."""
    if find_spec("krippendorff") is None:
        return replace(ours, note="krippendorff is not installed")
    import krippendorff as peer

    found = 0.0

    def work() -> None:
        nonlocal found
        found = peer.alpha(reliability_data=ratings, level_of_measurement="nominal")

    seconds = best(work, 1)
    note = f"{ours.note}; {differing(found, wanted)}"
    return replace(ours, peer=seconds, peer_name="krippendorff, alpha alone", note=note)


def against_nltk(ours: Measure, ratings: NDArray[np.int64]) -> Measure:
    """Time NLTK on a share of the pairs."""
    if find_spec("nltk") is None:
        return replace(ours, note="nltk is not installed")
    from nltk.metrics.agreement import AnnotationTask

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

    seconds = best(work, 1) * NLTK_SHARE
    note = differing(found, float(krippendorff(Units.of(some.T))))
    return replace(ours, peer=seconds, peer_name="NLTK, alpha alone, scaled up", note=note)


def differing(found: float, wanted: float) -> str:
    """Say how far a peer's figure is from ours."""
    apart = abs(found - wanted)
    return "the same alpha" if apart < SAME else f"alpha differs by {apart:.0e}"


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 6_700)
