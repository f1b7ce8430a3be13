"""``vermeil trees trust``: which sentences and words to check first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from vermeil.cli.options.declaring import option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.writing import AsJson
from vermeil.cli.showing.terminal import print_blocks, print_json
from vermeil.cli.trees.combine import By, Learn, Members, ensemble_of
from vermeil.cli.trees.reading import (
    Cascades,
    Prepare,
    TreeInputs,
    TreeReadingOptions,
    use_one_thread,
)
from vermeil.errors import UsageError
from vermeil.formats.files.ledger import Ledger


def trust(
    inputs: TreeInputs,
    *,
    gold: Annotated[
        str | None, option("GOLD", "File of right trees, to see if trust is deserved.")
    ] = None,
    by: By = "best",
    cascade: Cascades = None,
    members: Members = "",
    top: Annotated[int, option("N", "Show the N least trusted sentences.", min=1)] = 20,
    below: Annotated[
        float, option("SHARE", "Mark words as doubtful on which fewer parsers agree.", min=0, max=1)
    ] = 0.75,
    learn: Learn = None,
    names: Annotated[
        str | None,
        option("FILE", "Also list names of these documents where parsers do not agree."),
    ] = None,
    prepare: Prepare = "clegg",
    reading: TreeReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Rank sentences by how little their trees can be trusted.

    Trust is how far the parsers agree on the tree that --by makes of theirs, from 0 to 1.
    """
    use_one_thread()
    from vermeil.consensus.trees import TreeOptions
    from vermeil.consensus.trees.known import read_gold
    from vermeil.formats import read
    from vermeil.verbs.trees.doubtful_names import DoubtfulNames
    from vermeil.verbs.trees.trusting import TrustFindings

    if by == "fallback":
        raise UsageError("fallback compares nothing, so it says nothing about trust; try --by best")
    ensemble = ensemble_of(
        by, cascade, members, prepare, TreeOptions(), {"learn": learn is not None}
    )
    if learn is not None:
        ensemble = replace(ensemble, gold=read_gold(learn, reading.source_format))
    source = reading.of(inputs)
    with_gold = source
    if gold is not None:
        with_gold = reading.of([gold, *inputs])
    found = TrustFindings(names=DoubtfulNames.of(read(Path(names)) if names else ()))
    with keeping.ledger() as ledger:
        alone = source.batches(Ledger(skip_bad=keeping.skip_bad), noun="batches to learn from")
        learned = ensemble.learn(alone)
        for batch in with_gold.batches(ledger):
            found.add(
                batch, with_gold.names[0] if gold is not None else None, ensemble, learned, below
            )
    if not found.trust:
        raise UsageError("there are no sentences")
    if as_json:
        print_json(found.as_data(by))
    else:
        print_blocks(found.blocks(by, top, below))
