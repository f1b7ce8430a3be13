"""Scores of parsers, in tables like Tables 3 and 4 of Clegg and Shepherd, and as data."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np

from vermeil.scoring.counts import Counts
from vermeil.scoring.trees.differences import Difference
from vermeil.scoring.trees.scores import Sentences, TreeScores
from vermeil.verbs.tables.table import Block, Table


@dataclass(frozen=True, slots=True)
class FurtherTables:
    """What the user wants to see beside the main tables."""

    per_label: bool = False
    n_words: int = 0
    n_worst: int = 0


def tree_score_blocks(
    scores: Mapping[str, TreeScores],
    shown: FurtherTables,
    best: Sentences | None,
    against: str | None,
    compared: Mapping[str, Mapping[str, Difference]],
) -> Iterator[Block]:
    """Tell all tables."""
    n = max(len(each.all) for each in scores.values())
    rows = [
        [name, *_main(each.all), _percent(each.n_failed / max(1, len(each.all)))]
        for name, each in scores.items()
    ]
    if best is not None:
        rows.append(["oracle", *_main(best), _percent(float((~best.parsed).mean()))])
    yield Table(
        f"All {n:,} sentences, a failure counting as all wrong",
        ["parser", "LA", "precision", "recall", "F", "mean X", "% perfect", "% failure"],
        rows,
    )
    yield ""
    yield Table(
        "Parsed sentences only",
        ["parser", "LA", "precision", "recall", "F", "mean X", "% perfect", "parsed"],
        [[name, *_main(each.parsed), len(each.parsed)] for name, each in scores.items()],
    )
    yield ""
    yield Table(
        "Parsed sentences only, further",
        ["parser", "unlabelled F", "% no X", "% X ≤ 2", "% tags right", "mean F a sentence"],
        [[name, *_further(each.parsed)] for name, each in scores.items()],
    )
    if compared:
        yield ""
        yield _differences(against or "", compared)
    if shown.per_label:
        yield ""
        yield _labels(scores)
    for name, each in scores.items():
        if shown.n_words:
            yield ""
            yield _words(name, each, shown.n_words)
        if shown.n_worst:
            yield ""
            yield _worst(name, each, shown.n_worst)


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


def _differences(against: str, compared: Mapping[str, Mapping[str, Difference]]) -> Table:
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
    return Table(
        f"All sentences, compared with {against}",
        ["parser", "figure", "difference", "95% interval", "p bootstrap", "p paired t"],
        rows,
        n_keys=2,
    )


def _labels(scores: Mapping[str, TreeScores]) -> Table:
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
    columns = ["label", "parser", "wanted", "written", "precision", "recall", "F"]
    return Table("By label", columns, rows, n_keys=2)


def _words(name: str, scores: TreeScores, n: int) -> Table:
    rows = [
        [word, n_times, _percent(mean), _figure(n_times * (1 - mean))]
        for word, n_times, mean in scores.hardest_words(n)
    ]
    return Table(f"{name}: the words that suffer most", ["word", "times", "LA", "lost"], rows)


def _worst(name: str, scores: TreeScores, n: int) -> Table:
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
    return Table(f"{name}: the worst sentences", ["sentence", "words", "LA", "F", ""], rows)


def tree_score_data(
    standard: str,
    scores: Mapping[str, TreeScores],
    best: Sentences | None,
    against: str | None,
    compared: Mapping[str, Any],
) -> dict[str, Any]:
    """Return everything as JSON has it."""
    data: dict[str, Any] = {"gold": standard, "parsers": {}}
    for name, each in scores.items():
        data["parsers"][name] = said = {
            "sentences": len(each.all),
            "failed": each.n_failed,
            "without_gold": each.n_without_gold,
            "unequal": each.unequal.tolist(),
            "all": sentence_figures(each.all),
            "parsed": sentence_figures(each.parsed),
            "labels": {label: _counts(counts) for label, counts in each.labels.items()},
            "words": [
                {"word": word, "n": n, "la": mean}
                for word, n, mean in each.hardest_words(100, at_least=1)
            ],
            "by_sentence": _by_sentence(each.all),
        }
        if name in compared:
            said["against"] = {against: compared[name]}
    if best is not None:
        data["oracle"] = sentence_figures(best)
    return data


def sentence_figures(sentences: Sentences) -> dict[str, Any]:
    """Return the figures of some sentences by name."""
    return {
        "sentences": len(sentences),
        "words": int(sentences.n_words.sum()),
        "la": sentences.leaf_ancestor,
        **_counts(sentences.counts),
        "unlabelled": _counts(sentences.unlabelled_counts),
        "crossing": sentences.mean_crossing,
        "no_crossing": sentences.share_crossing_at_most(0),
        "two_or_less_crossing": sentences.share_crossing_at_most(2),
        "perfect": sentences.share_perfect,
        "tagging": sentences.tagging,
        "mean_over_sentences": sentences.mean_over_sentences,
    }


def _counts(counts: Counts) -> dict[str, float]:
    return {
        "matched": counts.right,
        "predicted": counts.predicted,
        "wanted": counts.wanted,
        "precision": counts.precision,
        "recall": counts.recall,
        "f1": counts.f1,
    }


def _by_sentence(sentences: Sentences) -> list[dict[str, Any]]:
    means = {name: column.tolist() for name, column in sentences.means.items()}
    columns = {
        "sentence": sentences.number.tolist(),
        "parsed": sentences.parsed.tolist(),
        "words": sentences.n_words.tolist(),
        "matched": sentences.matched.tolist(),
        "predicted": sentences.predicted.tolist(),
        "wanted": sentences.wanted.tolist(),
        "crossing": sentences.crossing.tolist(),
        **means,
    }
    rows = zip(*columns.values(), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _percent(share: float) -> str:
    return "–" if isnan(share) else f"{100 * share:.2f}"


def _figure(value: float) -> str:
    return "–" if isnan(value) else f"{value:.2f}"


def _p(value: float) -> str:
    return "–" if isnan(value) else f"{value:.4f}" if value >= 0.0001 else "<0.0001"
