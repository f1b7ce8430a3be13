"""The tables of ``trees score``, in the shape of Tables 3 and 4 of Clegg and Shepherd."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan

import numpy as np
import typer

from vermeil.cli.showing.terminal import print_table
from vermeil.scoring.trees.differences import Difference
from vermeil.scoring.trees.scores import Sentences, TreeScores


@dataclass(frozen=True, slots=True)
class FurtherTables:
    """What the user wants to see beside the main tables."""

    per_label: bool = False
    n_words: int = 0
    n_worst: int = 0


def print_tree_scores(
    scores: Mapping[str, TreeScores],
    shown: FurtherTables,
    best: Sentences | None,
    against: str | None,
    compared: Mapping[str, Mapping[str, Difference]],
) -> None:
    """Print all tables."""
    n = max(len(each.all) for each in scores.values())
    rows = [
        [name, *_main(each.all), _percent(each.n_failed / max(1, len(each.all)))]
        for name, each in scores.items()
    ]
    if best is not None:
        rows.append(["oracle", *_main(best), _percent(float((~best.parsed).mean()))])
    print_table(
        f"All {n:,} sentences, a failure counting as all wrong",
        ["parser", "LA", "precision", "recall", "F", "mean X", "% perfect", "% failure"],
        rows,
    )
    typer.echo()
    print_table(
        "Parsed sentences only",
        ["parser", "LA", "precision", "recall", "F", "mean X", "% perfect", "parsed"],
        [[name, *_main(each.parsed), len(each.parsed)] for name, each in scores.items()],
    )
    typer.echo()
    print_table(
        "Parsed sentences only, further",
        ["parser", "unlabelled F", "% no X", "% X ≤ 2", "% tags right", "mean F a sentence"],
        [[name, *_further(each.parsed)] for name, each in scores.items()],
    )
    if compared:
        _print_differences(against or "", compared)
    if shown.per_label:
        _print_labels(scores)
    for name, each in scores.items():
        if shown.n_words:
            _print_words(name, each, shown.n_words)
        if shown.n_worst:
            _print_worst(name, each, shown.n_worst)


def _main(sentences: Sentences) -> list[str]:
    counts = sentences.counts
    return [
        _percent(sentences.leaf_ancestor),
        _percent(counts.precision),
        _percent(counts.recall),
        _percent(counts.f1),
        _figure(sentences.mean_crossing),
        _percent(sentences.share_perfect),
    ]


def _further(sentences: Sentences) -> list[str]:
    return [
        _percent(sentences.unlabelled_counts.f1),
        _percent(sentences.share_crossing_at_most(0)),
        _percent(sentences.share_crossing_at_most(2)),
        _percent(sentences.tagging),
        _percent(sentences.mean_over_sentences["f1"]),
    ]


def _print_differences(against: str, compared: Mapping[str, Mapping[str, Difference]]) -> None:
    rows = [
        [
            name,
            {"la": "LA", "f1": "F"}.get(figure, figure),
            f"{100 * each.interval.value:+.2f}",
            f"{100 * each.interval.low:+.2f} to {100 * each.interval.high:+.2f}",
            _p(each.bootstrap.p_value),
            _p(each.paired_t.p_value),
        ]
        for name, figures in compared.items()
        for figure, each in figures.items()
    ]
    typer.echo()
    print_table(
        f"All sentences, compared with {against}",
        ["parser", "figure", "difference", "95% interval", "p bootstrap", "p paired t"],
        rows,
        n_keys=2,
    )


def _print_labels(scores: Mapping[str, TreeScores]) -> None:
    wanted: dict[str, float] = {}
    for each in scores.values():
        for label, counts in each.labels.items():
            wanted[label] = max(wanted.get(label, 0), counts.wanted)
    rows = []
    for label in sorted(wanted, key=lambda label: (-wanted[label], label)):
        for name, each in scores.items():
            if label in each.labels:
                counts = each.labels[label]
                figures = map(_percent, (counts.precision, counts.recall, counts.f1))
                rows.append([label, name, int(counts.wanted), int(counts.predicted), *figures])
    typer.echo()
    columns = ["label", "parser", "wanted", "written", "precision", "recall", "F"]
    print_table("By label", columns, rows, n_keys=2)


def _print_words(name: str, scores: TreeScores, n: int) -> None:
    rows = [
        [word, n_times, _percent(mean), _figure(n_times * (1 - mean))]
        for word, n_times, mean in scores.hardest_words(n)
    ]
    typer.echo()
    print_table(f"{name}: the words that suffer most", ["word", "times", "LA", "lost"], rows)


def _print_worst(name: str, scores: TreeScores, n: int) -> None:
    sentences = scores.all
    means = sentences.means
    order = np.argsort(means["la"], kind="stable")[:n]
    rows = [
        [
            int(sentences.number[row]),
            int(sentences.n_words[row]),
            _percent(float(means["la"][row])),
            _percent(float(means["f1"][row])),
            "" if sentences.parsed[row] else "no parse",
        ]
        for row in order
    ]
    typer.echo()
    print_table(f"{name}: the worst sentences", ["sentence", "words", "LA", "F", ""], rows)


def _percent(share: float) -> str:
    return "–" if isnan(share) else f"{100 * share:.2f}"


def _figure(value: float) -> str:
    return "–" if isnan(value) else f"{value:.2f}"


def _p(value: float) -> str:
    return "–" if isnan(value) else f"{value:.4f}" if value >= 0.0001 else "<0.0001"
