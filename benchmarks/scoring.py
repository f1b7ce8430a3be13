"""All scoring views together against nervaluate's four modes and seqeval's strict report.

One million tokens in 40,000 sentences, with 43,000 gold names and a system that misses some,
invents some, cuts some wider and mislabels some. The peers are given the same names in the form
they read fastest: nervaluate spans as dictionaries, seqeval IOB2 tags. Reading and conversion are
not timed for them; ours includes laying documents out as columns.

    python -m benchmarks.scoring [N_TOKENS]

The peers are not requirements of vermeil: ``pip install nervaluate seqeval``.
"""

import random
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from time import process_time
from typing import Any

from benchmarks.generated import N_WORDS
from benchmarks.growth import command
from benchmarks.measures import Measure, show
from benchmarks.timing import best
from vermeil import Document, Span
from vermeil.scoring.scores import VIEWS, Scores, score

SENTENCE = 25
SAME = 1e-12
NAME_RATE = 0.0585
LABELS = ("Gene", "Disease", "Chemical")
WORD = "abcdefg "
"""Every word has seven letters, so token n begins at character 8n."""

Names = list[tuple[int, int, str]]
"""First token, last token and label."""


def main(n_tokens: int) -> None:
    """Print the seconds each scorer takes, and check that counts agree where they should."""
    show(speed(n_tokens))
    growth(n_tokens)


def rows(size: int) -> list[Measure]:
    """Measure on as many tokens as ``size`` generated documents have."""
    return speed(size * N_WORDS)


def grow(size: int) -> Callable[[], object]:
    """Prepare the scores of four annotators against a fifth, from a file."""
    return command(size, "score", "IN", "--standard", "anna", "--json")


def speed(n_tokens: int) -> list[Measure]:
    """Time us and the peers, and compare their figures with ours."""
    gold, system = names(n_tokens, random.Random(0))
    n_names, n_predicted = (sum(map(len, side)) for side in (gold, system))
    documents = laid_out(gold, system)
    begun = process_time()
    scores = all_views(documents)
    seconds = process_time() - begun
    ours = Measure(
        f"all {len(VIEWS)} views, by label and document",
        seconds,
        floor=best(lambda: matched(gold, system)),
        floor_name="exact matches by sets",
        note=f"{n_tokens:,} tokens, {n_names:,} gold names, {n_predicted:,} predicted",
    )
    return [
        against_nervaluate(gold, system, ours, scores),
        against_seqeval(gold, system, ours, scores),
    ]


def laid_out(gold: list[Names], system: list[Names]) -> list[Document]:
    """Make documents of the names."""
    return [document(n, *pair) for n, pair in enumerate(zip(gold, system, strict=True))]


def all_views(documents: list[Document]) -> Scores:
    """Compute the counts of all views, from documents."""
    scores = score(documents, standard="gold")["system"]
    for name, view in scores.views.items():
        _ = view.counts, view.by_label, view.over_labels, scores.per_document(name)
    return scores


def matched(gold: list[Names], system: list[Names]) -> int:
    """Count what both sides have, the plainest way there is."""
    return sum(len({*one} & {*other}) for one, other in zip(gold, system, strict=True))


def growth(n_tokens: int) -> None:
    """Show that the cost of a name does not depend on how many there are."""
    print("\nmicroseconds a name of either side")
    for size in (n_tokens // 16, n_tokens // 4, n_tokens, n_tokens * 4):
        gold, system = names(size, random.Random(0))
        n_names = sum(map(len, gold)) + sum(map(len, system))
        documents = laid_out(gold, system)
        seconds = best(partial(all_views, documents), 1)
        print(f"{n_names:>12,}{seconds / n_names * 1e6:>8.2f}")


def against_nervaluate(
    gold: list[Names], system: list[Names], ours: Measure, scores: Scores
) -> Measure:
    """Time nervaluate's strict, exact, partial and ent_type modes."""
    if find_spec("nervaluate") is None:
        return replace(ours, note="nervaluate is not installed")
    evaluator = import_module("nervaluate").Evaluator

    def spans(side: list[Names]) -> list[list[dict[str, Any]]]:
        return [
            [{"label": label, "start": first, "end": last} for first, last, label in sentence]
            for sentence in side
        ]

    true, predicted = spans(gold), spans(system)
    begun = process_time()
    results = evaluator(true, predicted, tags=list(LABELS), loader="dict").evaluate()["overall"]
    seconds = process_time() - begun
    modes = {"strict": "exact", "exact": "boundaries", "partial": "partial", "ent_type": "type"}
    apart = max(abs(results[theirs].f1 - scores.counts(view).f1) for theirs, view in modes.items())
    note = f"{ours.note}; {differing(apart)}"
    return replace(ours, peer=seconds, peer_name="nervaluate, four modes", note=note)


def against_seqeval(
    gold: list[Names], system: list[Names], ours: Measure, scores: Scores
) -> Measure:
    """Time seqeval's strict report."""
    if find_spec("seqeval") is None:
        return replace(ours, note="seqeval is not installed")
    classification_report = import_module("seqeval.metrics").classification_report
    scheme = import_module("seqeval.scheme").IOB2

    def tags(side: list[Names]) -> list[list[str]]:
        rows = []
        for sentence in side:
            row = ["O"] * SENTENCE
            for first, last, label in sentence:
                row[first : last + 1] = [f"B-{label}", *[f"I-{label}"] * (last - first)]
            rows.append(row)
        return rows

    true, predicted = tags(gold), tags(system)
    begun = process_time()
    found = classification_report(true, predicted, mode="strict", scheme=scheme, output_dict=True)
    seconds = process_time() - begun
    apart = abs(found["micro avg"]["f1-score"] - scores.counts("exact").f1)
    note = differing(apart)
    return replace(ours, peer=seconds, peer_name="seqeval, strict report", note=note)


def differing(apart: float) -> str:
    """Say how far a peer's F is from ours."""
    return "the same F" if apart < SAME else f"F differs by {apart:.0e}"


def names(n_tokens: int, rng: random.Random) -> tuple[list[Names], list[Names]]:
    """Make sentences of gold names, and what a system makes of them; no side overlaps itself."""
    gold, system = [], []
    for _ in range(n_tokens // SENTENCE):
        true: Names = []
        place = 0
        while place < SENTENCE - 4:
            if rng.random() < NAME_RATE:
                last = place + rng.choice((0, 0, 1, 1, 2))
                true.append((place, last, rng.choice(LABELS)))
                place = last + 2
            place += 1
        gold.append(true)
        system.append(perturbed(true, rng))
    return gold, system


def perturbed(true: Names, rng: random.Random) -> Names:
    """Miss, widen and mislabel some names; invent one now and then at the end of the sentence."""
    made: Names = []
    for first, last, label in true:
        chance = rng.random()
        if chance < 0.1:
            continue
        wider = last + 1 if chance < 0.2 else last
        made.append((first, wider, rng.choice(LABELS) if chance > 0.95 else label))
    if rng.random() < 0.08 and (not made or made[-1][1] < SENTENCE - 2):
        made.append((SENTENCE - 1, SENTENCE - 1, rng.choice(LABELS)))
    return made


def document(number: int, gold: Names, system: Names) -> Document:
    """Put names on a sentence of made-up words."""
    layers = {
        name: tuple(
            Span(first * len(WORD), (last + 1) * len(WORD) - 1, label)
            for first, last, label in side
        )
        for name, side in (("gold", gold), ("system", system))
    }
    return Document(id=f"{number:07}", text=(WORD * SENTENCE).rstrip(), layers=layers)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1_000_000)
