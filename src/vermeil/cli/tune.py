"""``vermeil tune``: the threshold that reaches a target, and what confidences are worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vermeil.cli.options.documents import LedgerOptions, ReadingOptions
from vermeil.cli.options.reading import Inputs
from vermeil.cli.options.recognisers import (
    LayerOption,
    Model,
    believed_layer,
    count_labels,
    figure,
    open_model,
)
from vermeil.cli.options.writing import check_picture
from vermeil.cli.showing.bars import bar
from vermeil.cli.showing.terminal import (
    AsJson,
    print_json,
    print_table,
)
from vermeil.errors import UsageError
from vermeil.formats.files.sink import replacing

if TYPE_CHECKING:
    from vermeil.scoring.counts import Counts

if TYPE_CHECKING:
    from vermeil.recognise.judging.tuning import Choice, Trial

SHOWN = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
"""Thresholds of the table; the chosen one is added."""

BAR = 30


def tune(
    inputs: Inputs,
    model: Model,
    *,
    precision: Annotated[
        float | None,
        typer.Option(metavar="P", min=0, max=1, help="Reach this precision, with the best recall."),
    ] = None,
    recall: Annotated[
        float | None,
        typer.Option(metavar="R", min=0, max=1, help="Reach this recall, with the best precision."),
    ] = None,
    best_f: Annotated[
        bool, typer.Option("--f", help="Reach the best F1, as without a target.")
    ] = False,
    layer: LayerOption = None,
    overlaps: Annotated[
        bool, typer.Option("--overlaps", help="Also count names that overlap surer ones.")
    ] = False,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw reliability and curve to this file.")
    ] = None,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Choose the threshold of a model on annotated documents.

    They should not be those it was trained on. A name is right if it is exact. Give the threshold
    to tag --threshold.
    """
    from vermeil.recognise.judging.tuning import choose, try_out
    from vermeil.report.drawing.reliability import draw_reliability

    if (precision is not None) + (recall is not None) + best_f > 1:
        raise UsageError("give one target: --precision, --recall or --f")
    check_picture(svg)
    source = reading.of(inputs)
    recogniser = open_model(model)
    labels = recogniser.recipe.labels
    with keeping.ledger() as ledger:
        documents = list(source.documents(ledger))
    believed = believed_layer(documents, layer)
    there = count_labels(documents, believed)
    if not set(labels) & set(there):
        raise UsageError(
            f"layer {believed!r} has no names of {', '.join(labels)}, which the model finds; "
            f"it has {', '.join(sorted(there)) or 'none'}"
        )
    trial = try_out(recogniser, documents, labels, layer=believed, overlaps=overlaps)
    choice = choose(trial.ranking, precision=precision, recall=recall)
    if svg is not None:
        picture = draw_reliability(trial.calibration(), trial.ranking, threshold=choice.threshold)
        with replacing(svg) as stream:
            stream.write(picture.encode())
    if as_json:
        print_json(as_data(trial, choice))
    else:
        show_trial(trial, choice)


def show_trial(trial: Trial, choice: Choice) -> None:
    """Print the choice, the curve and the reliability of confidences as tables."""
    counts = choice.counts
    typer.echo(
        f"{trial.n_documents:,} documents with {trial.n_wanted:,} names; "
        f"{len(trial.confidence):,} candidates\n"
        f"threshold {choice.threshold:g}: precision {figure(counts.precision)}, "
        f"recall {figure(counts.recall)}, F1 {figure(counts.f1)}\n"
    )
    print_table(
        "What thresholds give",
        ["threshold", "names", "precision", "recall", "F1", ""],
        [_row(each, trial.ranking.at(each), choice) for each in sorted({*SHOWN, choice.threshold})],
    )
    ranking, calibration = trial.ranking, trial.calibration()
    typer.echo(
        f"\naverage precision {figure(ranking.average_precision, n_digits=4)}; "
        f"recall at 95% precision {figure(ranking.recall_at(0.95))}; "
        f"precision at 90% recall {figure(ranking.precision_at(0.9))}\n"
    )
    columns = (calibration.low, calibration.n, calibration.mean_confidence, calibration.share_right)
    print_table(
        "Can confidences be believed?",
        ["from", "candidates", "confidence", "right", ""],
        [
            [f"{low:.1f}", n, figure(confidence), figure(right), bar(right, full=1, width=BAR)]
            for low, n, confidence, right in zip(*(each.tolist() for each in columns), strict=True)
        ],
    )
    typer.echo(
        f"expected calibration error {figure(calibration.expected_error, n_digits=4)}, "
        f"Brier score {figure(calibration.brier, n_digits=4)}"
    )


def as_data(trial: Trial, choice: Choice) -> dict[str, Any]:
    """Give everything as JSON has it, with a step of the curve for each distinct confidence."""
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
