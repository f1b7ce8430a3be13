"""``vermeil info``: what is in these files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from vermeil.cli.options.documents import LedgerOptions, ReadingOptions
from vermeil.cli.options.reading import Inputs
from vermeil.cli.showing.terminal import (
    AsJson,
    print_json,
    print_table,
)

if TYPE_CHECKING:
    from vermeil.formats.inventory import Inventory


def info(
    inputs: Inputs,
    *,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Show what is in the files: documents, layers, labels, overlaps and oddities."""
    from vermeil.formats.inventory import take_inventory

    source = reading.of(inputs)
    with keeping.ledger() as ledger:
        inventory = take_inventory(source.documents(ledger))
    if as_json:
        print_json(inventory)
    else:
        show_inventory(inventory)


def show_inventory(inventory: Inventory) -> None:
    """Print an inventory as tables."""
    typer.echo(f"{inventory.n_documents:,} documents, {inventory.n_characters:,} characters\n")
    if inventory.layers:
        _show_layers(inventory)
        _show_labels(inventory)
    for title, counts in (("Centroids", inventory.n_centroids), ("Trees", inventory.n_trees)):
        if counts:
            print_table(title, ["annotator", "n"], sorted(counts.items()))
            typer.echo()
    if inventory.oddities:
        ranked = inventory.oddities.most_common()
        print_table(
            "Oddities",
            ["what", "n", "first in"],
            [[kind, n, inventory.first_odd[kind]] for kind, n in ranked],
        )


def _show_layers(inventory: Inventory) -> None:
    print_table(
        "Layers",
        ["annotator", "looked", "empty", "spans", "overlap", "discont.", "conf.", "ids", "length"],
        [
            [
                name,
                layer.n_looked,
                layer.n_empty,
                layer.n_spans,
                layer.n_overlapping,
                layer.n_discontinuous,
                layer.n_with_confidence,
                layer.n_with_ids,
                f"{layer.n_characters / layer.n_spans:.1f}" if layer.n_spans else "",
            ]
            for name, layer in sorted(inventory.layers.items())
        ],
    )
    typer.echo()


def _show_labels(inventory: Inventory) -> None:
    labels = sorted({label for layer in inventory.layers.values() for label in layer.labels})
    names = sorted(inventory.layers)
    print_table(
        "Labels",
        ["label", *names],
        [[label, *(inventory.layers[name].labels[label] for name in names)] for label in labels],
    )
    typer.echo()
