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
from importlib import import_module
from importlib.util import find_spec
from time import process_time
from typing import Any

from vermeil import Document, Span
from vermeil.scoring.scores import VIEWS, Scores, score

SENTENCE = 25
NAME_RATE = 0.0585
LABELS = ("Gene", "Disease", "Chemical")
WORD = "abcdefg "
"""Every word has seven letters, so token n begins at character 8n."""

Names = list[tuple[int, int, str]]
"""First token, last token and label."""


def main(n_tokens: int) -> None:
    """Print the seconds each scorer takes, and check that counts agree where they should."""
    gold, system = names(n_tokens, random.Random(0))
    n_names, n_predicted = (sum(map(len, side)) for side in (gold, system))
    print(f"{n_tokens:,} tokens, {n_names:,} gold names, {n_predicted:,} predicted; CPU seconds")
    ours, scores = timed(gold, system)
    report(f"vermeil, {len(VIEWS)} views, by label and document", ours, ours)
    against_nervaluate(gold, system, ours, scores)
    against_seqeval(gold, system, ours, scores)
    growth(n_tokens)


def timed(gold: list[Names], system: list[Names]) -> tuple[float, Scores]:
    """Give the seconds it takes from documents to the counts of all views."""
    documents = [document(n, *pair) for n, pair in enumerate(zip(gold, system, strict=True))]
    begun = process_time()
    scores = score(documents, standard="gold")["system"]
    for name, view in scores.views.items():
        _ = view.counts, view.by_label, view.over_labels, scores.per_document(name)
    return process_time() - begun, scores


def growth(n_tokens: int) -> None:
    """Show that the cost of a name does not depend on how many there are."""
    print("\nmicroseconds a name of either side")
    for size in (n_tokens // 16, n_tokens // 4, n_tokens, n_tokens * 4):
        gold, system = names(size, random.Random(0))
        n_names = sum(map(len, gold)) + sum(map(len, system))
        seconds, _ = timed(gold, system)
        print(f"{n_names:>12,}{seconds / n_names * 1e6:>8.2f}")


def against_nervaluate(gold: list[Names], system: list[Names], ours: float, scores: Scores) -> None:
    """Time nervaluate's strict, exact, partial and ent_type modes."""
    if find_spec("nervaluate") is None:
        print("nervaluate is not installed, so it is left out")
        return
    evaluator = import_module("nervaluate").Evaluator

    def spans(side: list[Names]) -> list[list[dict[str, Any]]]:
        return [
            [{"label": label, "start": first, "end": last} for first, last, label in sentence]
            for sentence in side
        ]

    true, predicted = spans(gold), spans(system)
    begun = process_time()
    results = evaluator(true, predicted, tags=list(LABELS), loader="dict").evaluate()["overall"]
    report("nervaluate, four modes", process_time() - begun, ours)
    modes = {"strict": "exact", "exact": "boundaries", "partial": "partial", "ent_type": "type"}
    for theirs, view in modes.items():
        print(f"    {theirs:9} F {results[theirs].f1:.4f}, ours {scores.counts(view).f1:.4f}")


def against_seqeval(gold: list[Names], system: list[Names], ours: float, scores: Scores) -> None:
    """Time seqeval's strict report."""
    if find_spec("seqeval") is None:
        print("seqeval is not installed, so it is left out")
        return
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
    report("seqeval, strict report", process_time() - begun, ours)
    counts = scores.counts("exact")
    print(f"    strict F {found['micro avg']['f1-score']:.4f}, ours {counts.f1:.4f}")


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


def report(what: str, seconds: float, ours: float) -> None:
    """Print a line of the table."""
    print(f"{what:44}{seconds:>8.2f}{seconds / ours:>8.1f}x")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1_000_000)
