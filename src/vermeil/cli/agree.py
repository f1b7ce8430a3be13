"""``vermeil agree``: how far annotators agree, pair by pair and all together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from vermeil.cli.options.chance import Resamples, Seed
from vermeil.cli.options.declaring import flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions
from vermeil.cli.options.writing import AsJson
from vermeil.cli.showing.terminal import print_blocks, print_json
from vermeil.document import ALTERNATIVES, Document


def agree(
    inputs: Inputs,
    *,
    layers: Annotated[
        str | None, option("A,B,…", "Compare only these annotators; all without this.")
    ] = None,
    leave_one_out: Annotated[
        bool, flag("Compare each annotator with the consensus of all others.")
    ] = True,
    resamples: Resamples = 0,
    seed: Seed = 0,
    gold: Annotated[
        str | None, option("LAYER", "Also rank annotators against this layer and their consensus.")
    ] = None,
    show: Annotated[int, option("N", "List the N documents with the least agreement.", min=0)] = 0,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Show how far annotators agree: F1, kappa and alpha.

    Each is also compared with the consensus of the others. An annotator without a layer on a
    document did not look at it; two are compared over the documents both looked at. Layers of
    alternatives are left out.
    """
    from vermeil.scoring.agreement import agree as find_agreement
    from vermeil.scoring.silver import compare_standards
    from vermeil.verbs.tables.agreement import (
        agreement_blocks,
        agreement_data,
        comparison_blocks,
    )

    source = reading.of(inputs)
    with keeping.ledger() as ledger:
        documents = list(source.documents(ledger))
    chosen = [name.strip() for name in layers.split(",")] if layers else _layers_of(documents)
    names = [name for name in chosen if name != gold]
    agreement = find_agreement(
        documents,
        annotators=names,
        leave_one_out=leave_one_out,
        n_resamples=resamples,
        seed=seed,
    )
    comparison = compare_standards(documents, gold=gold, systems=names) if gold else None
    if as_json:
        data = agreement_data(agreement, n_worst=show)
        print_json(data | ({"silver_and_gold": comparison} if comparison else {}))
        return
    print_blocks(agreement_blocks(agreement, n_worst=show))
    if comparison:
        print_blocks(comparison_blocks(comparison))


def _layers_of(documents: Sequence[Document]) -> list[str]:
    names = {name for document in documents for name in document.layers}
    return sorted(name for name in names if not name.endswith(ALTERNATIVES))
