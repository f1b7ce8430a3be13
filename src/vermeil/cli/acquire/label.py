"""``vermeil acquire label``: text with layers of acquired annotation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from vermeil.cli.acquire.resources import LexiconPath, ReferencesPath
from vermeil.cli.options.completion import tokeniser_names
from vermeil.cli.options.declaring import flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions
from vermeil.cli.options.running import RunningOptions
from vermeil.cli.options.writing import AsJson, Output, TargetFormat, check_output
from vermeil.cli.showing.terminal import print_blocks, print_json
from vermeil.errors import UsageError


def label(
    inputs: Inputs,
    lexicon: LexiconPath,
    output: Output,
    *,
    target_format: TargetFormat = None,
    references: ReferencesPath = None,
    learned: Annotated[
        Path | None,
        option("FILE", "Read what was learned from this file, or write it if there is none."),
    ] = None,
    threshold: Annotated[
        float | None,
        option("SCORE", "Score that names in the layer consensus need.  [default: -2.5]"),
    ] = None,
    by_discourse: Annotated[
        bool, flag("In the layer coordination, what is once a name always is.", "--discourse")
    ] = False,
    tokeniser: Annotated[
        str,
        option(
            "NAME",
            "How texts are cut into tokens, where names begin and end.",
            offered=tokeniser_names,
        ),
    ] = "punctuation",
    gold: Annotated[str | None, option("LAYER", "Score the new layers against this one.")] = None,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    running: RunningOptions,
    as_json: AsJson = False,
) -> None:
    """Annotate texts with the names of a lexicon, in layers.

    A layer for each way to believe the lexicon. dictionary: every match. With references also
    reference, coordination, and consensus: matches that look like those which references support,
    learned from these texts without gold.
    """
    from vermeil.acquisition.labelling import THRESHOLD
    from vermeil.acquisition.stage import LabelStage
    from vermeil.cli.long_runs import work_through
    from vermeil.runs.driver import Job
    from vermeil.runs.target import Target
    from vermeil.text.tokens import tokenise
    from vermeil.verbs.acquired import labelled_figures, labelled_table

    check_output(output, as_json=as_json)
    tokenise("", by=tokeniser)
    if learned is not None and references is None:
        raise UsageError("--learned is of a lexicon and its references; give --references, too")
    source = reading.of(inputs)
    if references is not None and any(str(each.path) == "-" for each in source.inputs):
        raise UsageError("with --references the texts are read twice, so they cannot come from -")
    stage = LabelStage(
        lexicon=str(lexicon),
        references=str(references) if references else None,
        learned=str(learned) if learned else None,
        threshold=THRESHOLD if threshold is None else threshold,
        by_discourse=by_discourse,
        tokeniser=tokeniser,
        gold=gold,
    )
    with keeping.ledger(beside=output) as ledger:
        labelled = work_through(
            Job(
                stage,
                source,
                ledger=ledger,
                target=Target(output, target_format),
                engagement=running.engagement(),
            )
        ).sums
    if output == "-":
        return
    if as_json:
        print_json({"documents": labelled.n_documents, "layers": labelled_figures(labelled)})
    else:
        print_blocks([labelled_table(labelled)])
