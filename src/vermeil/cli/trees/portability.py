"""``vermeil trees portability``: what the same parsers lose from one treebank to another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from vermeil.cli.options.chance import Resamples, Seed
from vermeil.cli.options.declaring import argument, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.writing import AsJson
from vermeil.cli.showing.terminal import print_blocks, print_json
from vermeil.cli.trees.reading import Prepare, TreeInputs, TreeReading, TreeReadingOptions, steps_of

Versus = Annotated[
    list[str],
    option("TREES", "Trees at home, the treebank first; or a folder with files called the same."),
]


def portability(
    gold: Annotated[str, argument("GOLD", "File of the right trees.")],
    inputs: TreeInputs,
    *,
    versus: Versus,
    top: Annotated[int, option("N", "Show the N commonest rules.", min=1)] = 25,
    prepare: Prepare = "clegg",
    n_resamples: Resamples = 1000,
    seed: Seed = 0,
    reading: TreeReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Show what parsers lose between treebanks, and where.

    --versus is given once for that treebank and once for each parser's trees of it, or once for
    a folder. A constituent is missed by failure, vocabulary (a word of it is tagged wrongly),
    attachment, or convention (a phrase marked more or less finely, or called otherwise).
    """
    from vermeil.scoring.trees.porting import ported
    from vermeil.verbs.trees.porting import TreePortability

    here = reading.of([gold, *inputs])
    there = versus_reading(here, versus, reading)
    with keeping.ledger() as ledger:
        found = ported(
            here,
            there,
            steps_of(prepare),
            ledger=ledger,
            top=top,
            n_resamples=n_resamples,
            seed=seed,
        )
    told = TreePortability(found, top)
    if as_json:
        print_json(told.to_dict())
    else:
        print_blocks(told.blocks())


def versus_reading(
    here: TreeReading, versus: Sequence[str], reading: TreeReadingOptions
) -> TreeReading:
    """Describe the trees at home: as listed, or those of a folder with the same names."""
    from vermeil.verbs.trees.porting import files_in

    if len(versus) == 1 and Path(versus[0]).is_dir():
        return TreeReading(tuple(files_in(Path(versus[0]), here.inputs)), here.options)
    return reading.of(versus)
