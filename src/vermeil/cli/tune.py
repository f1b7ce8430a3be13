"""``vermeil tune``: the threshold that reaches a target, and what confidences are worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from vermeil.cli.options.declaring import flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions
from vermeil.cli.options.recognisers import (
    LayerOption,
    Model,
    open_model,
)
from vermeil.cli.options.writing import AsJson, check_picture
from vermeil.cli.showing.terminal import print_blocks, print_json
from vermeil.errors import UsageError
from vermeil.formats.files.replacement import replacing

if TYPE_CHECKING:
    pass

if TYPE_CHECKING:
    pass

SHOWN = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
"""Thresholds of the table; the chosen one is added."""

BAR = 30


def tune(
    inputs: Inputs,
    model: Model,
    *,
    precision: Annotated[
        float | None, option("P", "Reach this precision, with the best recall.", min=0, max=1)
    ] = None,
    recall: Annotated[
        float | None, option("R", "Reach this recall, with the best precision.", min=0, max=1)
    ] = None,
    best_f: Annotated[bool, flag("Reach the best F1, as without a target.", "--f")] = False,
    layer: LayerOption = None,
    overlaps: Annotated[
        bool, flag("Also count names that overlap surer ones.", "--overlaps")
    ] = False,
    svg: Annotated[Path | None, option("FILE", "Draw reliability and curve to this file.")] = None,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Choose the threshold of a model on annotated documents.

    They should not be those it was trained on. A name is right if it is exact. Give the threshold
    to tag --threshold.
    """
    from vermeil.recognise.corpus_wide import informed
    from vermeil.recognise.judging.tuning import choose, try_out
    from vermeil.reports.drawing.reliability import draw_reliability
    from vermeil.verbs.naming import believed_layer, count_labels
    from vermeil.verbs.tables.tuning import trial_blocks, trial_data

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
    trial = try_out(
        informed(recogniser, documents), documents, labels, layer=believed, overlaps=overlaps
    )
    choice = choose(trial.ranking, precision=precision, recall=recall)
    if svg is not None:
        picture = draw_reliability(trial.calibration(), trial.ranking, threshold=choice.threshold)
        with replacing(svg) as stream:
            stream.write(picture.encode())
    if as_json:
        print_json(trial_data(trial, choice))
    else:
        print_blocks(trial_blocks(trial, choice))
