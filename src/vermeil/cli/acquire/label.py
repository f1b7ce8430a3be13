"""``vermeil acquire label``: text with layers of acquired annotation."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vermeil.cli.acquire.resources import LexiconPath, ReferencesPath
from vermeil.cli.options.reading import Align, From, Inputs, Options, TextPath, reading
from vermeil.cli.options.running import Address, Engine, Resume, ShardSize, Workers
from vermeil.cli.options.writing import check_target, refuse_two_on_stdout
from vermeil.cli.showing.terminal import (
    AsJson,
    Log,
    SkipBad,
    keeping_ledger,
    print_json,
    print_table,
)
from vermeil.errors import UsageError

if TYPE_CHECKING:
    from vermeil.acquire.stage import Labelled

KEYS = ("precision", "recall", "f1")


def label(
    inputs: Inputs,
    lexicon: LexiconPath,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="OUT", help="Where to write; - for stdout.")
    ],
    references: ReferencesPath = None,
    learned: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Use what was learned before; made where it is missing."),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(help="Score a name of the layer consensus needs.  [default: -2.5]"),
    ] = None,
    by_discourse: Annotated[
        bool, typer.Option("--discourse", help="Coordination: a name once is a name everywhere.")
    ] = False,
    tokeniser: Annotated[
        str, typer.Option(metavar="NAME", help="Names start and end where its tokens do.")
    ] = "punctuation",
    gold: Annotated[
        str | None, typer.Option(metavar="LAYER", help="Score the layers against this one.")
    ] = None,
    target_format: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="Format of the output.")
    ] = None,
    source_format: From = None,
    text: TextPath = None,
    align: Align = "exact",
    options: Options = None,
    skip_bad: SkipBad = False,
    log: Log = None,
    engine: Engine = None,
    address: Address = None,
    workers: Workers = None,
    resume: Resume = None,
    shard_size: ShardSize = None,
    as_json: AsJson = False,
) -> None:
    """Annotate texts with the names of a lexicon, in layers.

    A layer for each way to believe the lexicon. dictionary: every match. With references also
    reference, coordination, and consensus: matches that look like those which references support,
    learned from these texts without gold.
    """
    from vermeil.acquire.labelling import THRESHOLD
    from vermeil.acquire.stage import LabelStage
    from vermeil.cli.long_runs import work_through
    from vermeil.runs.driver import Engagement, Job
    from vermeil.runs.target import Target
    from vermeil.text.tokens import tokenise

    refuse_two_on_stdout(output, as_json=as_json)
    check_target(output)
    tokenise("", by=tokeniser)
    if learned is not None and references is None:
        raise UsageError("--learned is of a lexicon and its references; give --references, too")
    source = reading(inputs, source_format=source_format, text=text, align=align, options=options)
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
    side_file = Path(f"{output if output != '-' else 'vermeil'}.bad.jsonl")
    with keeping_ledger(skip_bad=skip_bad, log=log, side_file=side_file) as ledger:
        labelled = work_through(
            Job(
                stage,
                source,
                ledger=ledger,
                target=Target(output, target_format),
                engagement=Engagement(engine, address, workers, resume, shard_size),
            )
        ).sums
    if output != "-":
        _show(labelled, as_json)


def _show(labelled: Labelled, as_json: bool) -> None:
    figures = {
        name: {"names": n, **_figures(labelled, name)} for name, n in labelled.n_names.items()
    }
    if as_json:
        print_json({"documents": labelled.n_documents, "layers": figures})
        return
    columns: Sequence[str] = ("layer", "names")
    rows: list[list[object]] = [[name, own["names"]] for name, own in figures.items()]
    if labelled.counts:
        columns = (*columns, "P", "R", "F1")
        rows = [
            [name, own["names"], *(f"{own.get(key, nan):.3f}" for key in KEYS)]
            for name, own in figures.items()
        ]
    print_table(f"{labelled.n_documents:,} documents", columns, rows)


def _figures(labelled: Labelled, name: str) -> dict[str, float]:
    if name not in labelled.counts:
        return {}
    counts = labelled.counts[name]
    return {key: getattr(counts, key) for key in KEYS}
