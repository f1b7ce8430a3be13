"""``vermeil acquire label``: text with layers of acquired annotation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from vermeil.cli.acquire.resources import LexiconPath, ReferencesPath, TokeniserName
from vermeil.cli.options.declaring import flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions, listed
from vermeil.cli.options.running import RunningOptions
from vermeil.cli.options.writing import AsJson, Output, TargetFormat, check_output
from vermeil.cli.showing.terminal import print_blocks, print_json


def label(
    inputs: Inputs,
    lexicon: LexiconPath,
    output: Output,
    *,
    target_format: TargetFormat = None,
    references: ReferencesPath = None,
    like_paper: Annotated[
        bool,
        flag(
            "Do as the paper does, unless told: --layers exact,reference,coordination "
            "--tokeniser separators-paper --coordinate tokens --conjunction , --conjunction . "
            "--conjunction and.",
            "--like-paper",
        ),
    ] = False,
    layers: Annotated[
        str,
        option(
            "A,B,…",
            "Make only these layers: dictionary, exact, reference, coordination, consensus; all "
            "but exact unless told. With exact instead of dictionary, names count only as the "
            "database spells them.",
        ),
    ] = "",
    learned: Annotated[
        Path | None,
        option("FILE", "Read what was learned from this file, or write it if there is none."),
    ] = None,
    threshold: Annotated[
        float | None,
        option("SCORE", "Score that names in the layer consensus need.  [default: -2.5]"),
    ] = None,
    by_length: Annotated[
        bool,
        flag(
            "Let the threshold differ by how many tokens names have, so that as many are found of "
            "each length; set on names whose references are hidden.",
            "--by-length",
        ),
    ] = False,
    coordinate: Annotated[
        str | None,
        option(
            "names|tokens",
            "In the layer coordination, join whole names (unless told), or step from token to "
            "token as Figure 5 is printed.",
        ),
    ] = None,
    conjunction: Annotated[
        list[str] | None,
        option(
            "TEXT",
            "What may stand between coordinated names; may be given several times.  [default: "
            "21 of them: comma, and, as well as …]",
        ),
    ] = None,
    by_discourse: Annotated[
        bool, flag("In the layer coordination, what is once a name always is.", "--discourse")
    ] = False,
    tokeniser: TokeniserName = None,
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
    from vermeil.acquisition.asking import label_stage
    from vermeil.cli.showing.long_runs import work_through
    from vermeil.runs.driver import Job
    from vermeil.runs.target import Target
    from vermeil.verbs.acquired import labelled_figures, labelled_table

    check_output(output, as_json=as_json)
    stage = label_stage(
        lexicon=str(lexicon),
        references=str(references) if references else None,
        learned=str(learned) if learned else None,
        threshold=threshold,
        by_length=by_length,
        by_discourse=by_discourse,
        gold=gold,
        asked={
            "layers": listed(layers),
            "tokeniser": tokeniser,
            "conjunctions": conjunction,
            "coordinate": coordinate,
        },
        like_paper=like_paper,
    )
    source = reading.of(inputs, written=(output, keeping.log))
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
