"""``vermeil trees tagger``: parts of speech and chunks, learned from a treebank."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from vermeil.cli.options.chance import Seed
from vermeil.cli.options.completion import tokeniser_names
from vermeil.cli.options.declaring import argument, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.writing import AsJson, check_target
from vermeil.cli.showing.terminal import print_blocks, print_json, say
from vermeil.cli.trees.reading import TreeReadingOptions


def tagger(
    treebank: Annotated[str, argument("TREES", "File with the right trees.")],
    output: Annotated[Path, option("TAGS", "File for the tagger (.zip).", "-o", "--output")],
    *,
    tokeniser: Annotated[
        str,
        option(
            "NAME",
            "How words are cut into tokens; give train the same.",
            offered=tokeniser_names,
        ),
    ] = "punctuation",
    rounds: Annotated[int, option("N", "Go through the treebank N times.", min=1)] = 8,
    folds: Annotated[int, option("N", "Also cross-validate, in N folds.", min=0)] = 0,
    seed: Seed = 0,
    reading: TreeReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Learn parts of speech and chunks from a treebank.

    Features for the linear tagger, as in Table 1 of the acquisition paper: vermeil train --by
    linear --tags TAGS. The file holds weights and hashes, and no word of the treebank.
    """
    from vermeil.verbs.trees.tagging import learned_tags

    check_target(output)
    with keeping.ledger(beside=output) as ledger:
        trees = [
            tree
            for batch in reading.of([treebank]).read(ledger)
            for table in batch.tables.values()
            for number in range(len(table))
            if (tree := table.tree(number)) is not None
        ]
    made = learned_tags(
        trees,
        tokeniser=tokeniser,
        rounds=rounds,
        folds=folds,
        seed=seed,
        watch=say,
    )
    made.tagger.save(output)
    made = made.kept_in(output)
    if as_json:
        print_json(made.to_dict())
    else:
        print_blocks(made.blocks())
