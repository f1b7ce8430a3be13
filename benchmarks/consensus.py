"""Consensus against crowd-kit's Dawid-Skene and against a bare sort of all boundaries.

One million tokens of BioCreative sentences with five noisy annotators (of generated documents where
there are no corpora), in columns, a batch of documents at a time as the commands work. The second
table shows how time grows with the number of spans, on generated columns.

    python -m benchmarks.consensus [N_TOKENS]
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial, reduce
from importlib.util import find_spec
from math import nan
from operator import add
from time import process_time

import numpy as np

from benchmarks.generated import N_WORDS
from benchmarks.generated import documents as generated
from benchmarks.growth import command
from benchmarks.measures import Measure, show
from benchmarks.perturbed import CORPORA, perturbed
from benchmarks.timing import best
from vermeil import Document, Layer, SpanTable
from vermeil.columns.further import FurtherSpans
from vermeil.consensus.centroids import find_centroids
from vermeil.consensus.decision import Decision
from vermeil.consensus.evidence import gather
from vermeil.consensus.hearts import judge
from vermeil.consensus.reliability import Patterns, Reliability, learn
from vermeil.consensus.rivals import dawid_skene
from vermeil.consensus.voters import tables
from vermeil.scoring.scores import score

GROWTH = (10_000, 100_000, 1_000_000, 10_000_000)
PER_BATCH = 10_000


def main(n_tokens: int) -> None:
    """Print the tables."""
    show(speed(n_tokens))
    growth()


def rows(size: int) -> list[Measure]:
    """Measure on as many tokens as ``size`` generated documents have."""
    return speed(size * N_WORDS)


def grow(size: int) -> Callable[[], object]:
    """Prepare the consensus of ``size`` generated documents, from file to file."""
    return command(size, "consensus", "IN", "-o", "OUT")


def speed(n_tokens: int) -> list[Measure]:
    """Time each method and show how good it is."""
    is_real = (CORPORA / "bc2gm").is_dir()
    documents = list(perturbed(n_tokens) if is_real else generated(n_tokens // N_WORDS))
    table = SpanTable.from_documents(map(voters, documents))
    batches = list(tables(map(voters, documents)))
    places = np.concatenate((table.start, table.end)) + np.tile(table.origin[table.document], 2)
    floor = best(lambda: np.sort(places))
    peer = against_crowdkit(table)
    bed = f"{n_tokens:,} tokens, {len(table):,} names of {len(table.annotators)} annotators"
    layers = [layer for decision in decided(batches) for layer in decision.layers()]
    f1 = f"exact F1 {exact(documents, layers):.3f}" if is_real else ""
    works: dict[str, tuple[Callable[[], object], int, str]] = {
        "centroids, modal spans": (
            lambda: [find_centroids(batch).decided("modal") for batch in map(replace, batches)],
            3,
            bed,
        ),
        "hearts with reliabilities, the default": (lambda: decided(batches), 3, f1),
        "our Dawid-Skene over tokens": (
            lambda: dawid_skene.learn(dawid_skene.TagPatterns.of(table)),
            1,
            "",
        ),
    }
    return [
        Measure(
            what,
            best(work, rounds),
            peer=peer,
            peer_name="crowd-kit's Dawid-Skene",
            floor=floor,
            floor_name="numpy.sort of all boundaries",
            note=note,
        )
        for what, (work, rounds, note) in works.items()
    ]


def against_crowdkit(table: SpanTable) -> float:
    """Time crowd-kit on the same tokens; NaN where it is not installed."""
    if find_spec("crowdkit") is None:
        return nan
    from crowdkit.aggregation import DawidSkene

    from benchmarks.crowd import votes_of

    frame, _ = votes_of(table)
    return best(lambda: DawidSkene(n_iter=100).fit(frame), 1)


def growth() -> None:
    """Time centroids and reliabilities on more and more spans, a batch of documents at a time."""
    print("\ntime against the number of spans, five annotators (CPU s)")
    print(f"{'spans':>12}{'centroids':>12}{'hearts':>12}")
    times = []
    for n in GROWTH:
        plain = seconds = 0.0
        pieces = []
        for seed in range(n // PER_BATCH):
            table = made_up(PER_BATCH, seed)
            plain += best(partial(find_centroids, table), 1)
            begun = process_time()
            pieces.append(Patterns.of(gather(table), table.annotators))
            seconds += process_time() - begun
        begun = process_time()
        reliability = learn(reduce(add, pieces))
        seconds += process_time() - begun
        for seed in range(n // PER_BATCH):
            table = made_up(PER_BATCH, seed)
            seconds += best(partial(verdict, table, reliability), 1)
        times.append((plain, seconds))
        print(f"{n:>12,}{plain:>12.3f}{seconds:>12.3f}")
    for column, title in enumerate(("centroids", "hearts")):
        slope = np.polyfit(np.log(GROWTH), np.log([row[column] for row in times]), 1)[0]
        print(f"{title}: time grows with the power {slope:.2f} of the size")


def made_up(n_spans: int, seed: int) -> SpanTable:
    """Make columns of five annotators who mark the same places, each a bit differently."""
    rng = np.random.default_rng(seed)
    n_places = n_spans // 5
    n_documents = max(1, n_places // 10)
    document = np.repeat(np.arange(n_places, dtype=np.int32) // 10, 5)
    document = np.minimum(document, n_documents - 1)
    start = (
        np.repeat((np.arange(n_places) % 10) * 100 + 20, 5) - rng.integers(0, 3, 5 * n_places) * 4
    )
    end = np.repeat((np.arange(n_places) % 10) * 100 + 40, 5) + rng.integers(0, 3, 5 * n_places) * 5
    text = "x" * 1200
    return SpanTable(
        documents=tuple(Document(id=str(k), text=text) for k in range(n_documents)),
        annotators=("a", "b", "c", "d", "e"),
        labels=("Gene",),
        document=document,
        annotator=np.tile(np.arange(5, dtype=np.int32), n_places),
        label=np.zeros(5 * n_places, dtype=np.int32),
        start=start,
        end=end,
        confidence=np.full(5 * n_places, np.nan),
        looked=np.ones((n_documents, 5), dtype=bool),
        origin=np.arange(n_documents, dtype=np.int64) * (len(text) + 1),
        further=FurtherSpans(),
        loose=np.zeros(0, dtype=np.int64),
    )


def decided(batches: Sequence[SpanTable]) -> list[Decision]:
    """Learn the reliabilities from all batches and decide each, as if none had been seen."""
    batches = list(map(replace, batches))
    gathered = [gather(table) for table in batches]
    pairs = list(zip(batches, gathered, strict=True))
    patterns = [Patterns.of(evidence, table.annotators) for table, evidence in pairs]
    reliability = learn(reduce(add, patterns))
    return [judge(table, evidence, reliability).decided() for table, evidence in pairs]


def verdict(table: SpanTable, reliability: Reliability) -> Decision:
    """Decide a batch that is new."""
    return judge(table, gather(table), reliability).decided()


def exact(documents: list[Document], layers: list[Layer]) -> float:
    """Give the exact F1 against gold."""
    judged = [d.with_layer("silver", layer) for d, layer in zip(documents, layers, strict=True)]
    return score(judged, standard="gold", systems=["silver"])["silver"].counts("exact").f1


def voters(document: Document) -> Document:
    """Leave gold out."""
    kept = {name: layer for name, layer in document.layers.items() if name != "gold"}
    return document.replace(layers=kept)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1_000_000)
