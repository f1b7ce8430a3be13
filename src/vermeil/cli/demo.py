"""``vermeil demo``: the main jobs on the sample passages, in seconds."""

from pathlib import Path
from typing import Annotated

import typer

from vermeil.cli.info import show_inventory
from vermeil.errors import UsageError
from vermeil.formats import write
from vermeil.formats.corpus import read_corpus
from vermeil.formats.inventory import Inventory, take_inventory
from vermeil.formats.ledger import Ledger
from vermeil.formats.sink import replacing
from vermeil.samples import ANNOTATORS, GOLD


def demo(
    folder: Annotated[Path, typer.Argument(help="Where to put what it makes.")] = Path(
        "vermeil-demo"
    ),
) -> None:
    """Bring five annotators in five formats together and show what is there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made: {error.strerror}") from error
    typer.echo("Reading the sample passages:")
    for each in (GOLD, *ANNOTATORS):
        typer.echo(f"  {each.path.name:<22}{each.format or 'jsonl'}")
    ledger = Ledger()
    documents = list(read_corpus([GOLD, *ANNOTATORS], ledger=ledger))
    corpus, report = folder / "corpus.jsonl", folder / "report.md"
    write(documents, corpus, ledger=ledger)
    inventory = take_inventory(documents)
    with replacing(report) as stream:
        stream.write(_report(inventory, ledger).encode())
    typer.echo()
    show_inventory(inventory)
    for line in ledger.summary():
        typer.echo(f"note: {line}")
    typer.echo(f"\nall layers: {corpus}\nreport:     {report}")


def _report(inventory: Inventory, ledger: Ledger) -> str:
    layers = [
        f"| {name} | {layer.n_looked} | {layer.n_spans} | {layer.n_overlapping} "
        f"| {layer.n_discontinuous} |"
        for name, layer in sorted(inventory.layers.items())
    ]
    notes = [f"- {line}" for line in ledger.summary()] or ["- nothing"]
    return "\n".join(
        [
            "# The sample passages",
            "",
            f"{inventory.n_documents} documents, {inventory.n_characters:,} characters.",
            "",
            "| annotator | looked at | spans | overlapping | discontinuous |",
            "|---|---|---|---|---|",
            *layers,
            "",
            "## What happened on the way in",
            "",
            *notes,
            "",
        ]
    )
