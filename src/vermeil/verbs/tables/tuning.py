"""What thresholds give and whether confidences can be believed, as tables and as data."""

from collections.abc import Iterator
from typing import Any

from vermeil.recognise.judging.tuning import Choice, Trial
from vermeil.scoring.counts import Counts
from vermeil.verbs.tables.bars import bar
from vermeil.verbs.tables.table import Block, Table, figure

SHOWN = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
"""Thresholds of the table; the chosen one is added."""

BAR = 30


def trial_blocks(trial: Trial, choice: Choice) -> Iterator[Block]:
    """Tell the choice, the curve and the reliability of confidences."""
    counts, ranking, calibration = choice.counts, trial.ranking, trial.calibration()
    yield (
        f"{trial.n_documents:,} documents with {trial.n_wanted:,} names; "
        f"{len(trial.confidence):,} candidates"
    )
    yield (
        f"threshold {choice.threshold:g}: precision {figure(counts.precision)}, "
        f"recall {figure(counts.recall)}, F1 {figure(counts.f1)}"
    )
    yield ""
    yield Table(
        "What thresholds give",
        ["threshold", "names", "precision", "recall", "F1", ""],
        [_row(each, ranking.at(each), choice) for each in sorted({*SHOWN, choice.threshold})],
    )
    yield ""
    yield (
        f"average precision {figure(ranking.average_precision, 4)}; "
        f"recall at 95% precision {figure(ranking.recall_at(0.95))}; "
        f"precision at 90% recall {figure(ranking.precision_at(0.9))}"
    )
    yield ""
    columns = (calibration.low, calibration.n, calibration.mean_confidence, calibration.share_right)
    yield Table(
        "Can confidences be believed?",
        ["from", "candidates", "confidence", "right", ""],
        [
            [f"{low:.1f}", n, figure(confidence), figure(right), bar(right, full=1, width=BAR)]
            for low, n, confidence, right in zip(*(each.tolist() for each in columns), strict=True)
        ],
    )
    yield (
        f"expected calibration error {figure(calibration.expected_error, 4)}, "
        f"Brier score {figure(calibration.brier, 4)}"
    )


def trial_data(trial: Trial, choice: Choice) -> dict[str, Any]:
    """Return everything as JSON has it, with a step of the curve for each distinct confidence."""
    ranking, calibration = trial.ranking, trial.calibration()
    return {
        "documents": trial.n_documents,
        "names": trial.n_wanted,
        "candidates": len(trial.confidence),
        "chosen": {"threshold": choice.threshold, **_figures(choice.counts)},
        "average_precision": ranking.average_precision,
        "recall_at_95_precision": ranking.recall_at(0.95),
        "precision_at_90_recall": ranking.precision_at(0.9),
        "calibration": {
            "expected_error": calibration.expected_error,
            "brier": calibration.brier,
            "bins": [
                {"low": low, "high": high, "n": n, "confidence": confidence, "right": right}
                for low, high, n, confidence, right in zip(
                    calibration.low.tolist(),
                    calibration.high.tolist(),
                    calibration.n.tolist(),
                    calibration.mean_confidence.tolist(),
                    calibration.share_right.tolist(),
                    strict=True,
                )
            ],
        },
        "curve": {
            "threshold": ranking.threshold.tolist(),
            "precision": ranking.precision.tolist(),
            "recall": ranking.recall.tolist(),
            "f1": ranking.f1.tolist(),
        },
    }


def _row(threshold: float, counts: Counts, choice: Choice) -> list[object]:
    return [
        f"{threshold:g}",
        int(counts.predicted),
        figure(counts.precision),
        figure(counts.recall),
        figure(counts.f1),
        "chosen" if threshold == choice.threshold else "",
    ]


def _figures(counts: Counts) -> dict[str, float]:
    return {"precision": counts.precision, "recall": counts.recall, "f1": counts.f1}
