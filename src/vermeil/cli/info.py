"""``vermeil info``: what is in these files."""

from __future__ import annotations

from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions
from vermeil.cli.options.writing import AsJson, Full
from vermeil.cli.showing.terminal import print_blocks, print_json


def info(
    inputs: Inputs,
    *,
    full: Full = False,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Show what files hold, who looks for what, and oddities.

    Of a layer it counts the documents looked at, those left empty, spans that overlap or are
    discontinuous, and spans with a confidence or database ids.
    """
    from vermeil.formats.inventory import take_inventory
    from vermeil.verbs.tables.inventory import inventory_blocks

    source = reading.of(inputs)
    with keeping.ledger() as ledger:
        inventory = take_inventory(source.documents(ledger))
    if as_json:
        print_json(inventory)
    else:
        print_blocks(inventory_blocks(inventory, full=full))
