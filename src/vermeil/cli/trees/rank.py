"""``vermeil trees rank``: of several parses, the one that the names in the sentence speak for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from vermeil.cli.options.declaring import option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.recognisers import Model
from vermeil.cli.options.writing import AsJson, Output, TargetFormat, check_output
from vermeil.cli.showing.terminal import print_blocks, print_json
from vermeil.cli.trees.reading import TreeInputs, TreeReadingOptions
from vermeil.errors import UsageError
from vermeil.formats import get_format, guess_format, write


def rank(
    inputs: TreeInputs,
    model: Model,
    *,
    output: Output,
    target_format: TargetFormat = None,
    margin: Annotated[
        float,
        option("N", "Expected names that a later parser must have more than the first.", min=0),
    ] = 0.0,
    least: Annotated[
        float, option("P", "Confidence from which on names count.", min=0, max=1)
    ] = 0.05,
    name: Annotated[str, option("NAME", "Name of the chosen trees.")] = "ranked",
    reading: TreeReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Choose the tree of each sentence by the names in it.

    A tree gains by each name that is a constituent and loses by each that one crosses, as much as
    the model is sure of the name. The first parser is the one to beat.
    """
    from vermeil.verbs.trees.ranking import RankSummary, ranker_of

    check_output(output, as_json=as_json)
    ranker = ranker_of(model, margin=margin, least=least, name=name)
    source = reading.of(inputs)
    to = target_format or ("penn" if output == "-" else guess_format(Path(output), exists=False))
    if "trees" not in get_format(to).carries:
        raise UsageError(f"{output}: {to} holds no parse trees; try a name that ends in .mrg")
    if output != "-" and Path(output) in (each.path for each in source.inputs):
        raise UsageError(f"{output}: is one of the inputs; write to another file")
    summary = RankSummary()
    with keeping.ledger(beside=output) as ledger:
        documents = ranker.documents(source.batches(ledger), summary)
        write(documents, output, format=to, ledger=ledger)
    if as_json:
        print_json(summary.as_data())
    elif output != "-":
        print_blocks([*summary.blocks(), f"written to {output}"])
