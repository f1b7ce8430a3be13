"""``vermeil trees compare``: what treebanks are made of, side by side, and where parsers fail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from vermeil.cli.options.declaring import argument, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.writing import AsJson
from vermeil.cli.showing.terminal import print_blocks, print_json
from vermeil.cli.trees.reading import Prepare, TreeReadingOptions, steps_of
from vermeil.errors import UsageError

if TYPE_CHECKING:
    pass


def compare(
    inputs: Annotated[list[str], argument("TREES…", "Files of treebanks; name=PATH names one.")],
    *,
    gold: Annotated[
        str | None,
        option(
            "GOLD",
            "Show which sentences of GOLD parsers failed on, by length and complexity.",
            "--failures",
        ),
    ] = None,
    top: Annotated[int, option("N", "Show the N commonest rules.", min=1)] = 25,
    prepare: Prepare = "clegg",
    reading: TreeReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Compare treebanks: sizes, rules, labels, lengths.

    They may hold different sentences. With --failures they are parses of the sentences of GOLD,
    line by line, and GOLD is compared too.
    """
    from vermeil.verbs.tables.treebanks import failure_blocks, treebank_data, usage_blocks
    from vermeil.verbs.trees.comparing import compared

    steps = steps_of(prepare)
    paths = [*([gold] if gold is not None else []), *inputs]
    source = reading.of(paths)
    _refuse_namesakes(source.names)
    in_step = [source] if gold is not None else source.apart
    with keeping.ledger() as ledger:
        batches = (batch for each in in_step for batch in each.batches(ledger))
        usages, failed = compared(batches, steps, with_failures=gold is not None)
    for name, each in zip(source.names, source.inputs, strict=True):
        if name not in usages:
            raise UsageError(f"{each.path}: holds no trees")
    if as_json:
        print_json(treebank_data(usages, failed))
        return
    print_blocks(usage_blocks(usages, top=top))
    if failed:
        print_blocks(failure_blocks(failed))


def _refuse_namesakes(names: Sequence[str]) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two inputs are called {twice!r}; tell them apart with NAME=PATH")
