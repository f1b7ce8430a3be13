"""What every command shows on the terminal: progress, tables and the notes of the ledger.

rich is imported where something is drawn, so that commands start without it.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

import typer

from vermeil.shown import plain, plain_lines

if TYPE_CHECKING:
    from vermeil.verbs.tables.table import Block

T = TypeVar("T")

PATIENCE = 1.0
"""Seconds before progress is shown."""


def say(line: str) -> None:
    """Say a line on stderr; what documents put into it cannot steer the terminal."""
    typer.echo(plain(line), err=True)


def watched(items: Iterable[T], *, noun: str) -> Iterator[T]:
    """Pass ``items`` on, showing on a terminal's stderr how many there were so far."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    progress = Progress(
        SpinnerColumn(),
        TextColumn("{task.fields[n]:,} {task.description}"),
        TextColumn("{task.fields[rate]:,.0f}/s"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = progress.add_task(noun, total=None, n=0, rate=0.0)
    begun = shown = monotonic()
    n = 0
    try:
        for item in items:
            yield item
            n += 1
            now = monotonic()
            if now - shown > 0.1 and now - begun > PATIENCE:
                progress.start()
                progress.update(task, n=n, rate=n / (now - begun))
                shown = now
    finally:
        progress.stop()


def print_json(value: object) -> None:
    """Print data as JSON that people can read too; undefined numbers are null."""
    from vermeil.cli.showing.json_text import json_text

    # JSON is UTF-8, whatever the terminal has; what takes text only has no coding.
    is_plain = "utf" in (getattr(sys.stdout, "encoding", None) or "utf").lower()
    for piece in json_text(value):
        typer.echo(piece if is_plain else piece.encode(), nl=False)
    typer.echo()


def print_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], *, wide: str = ""
) -> None:
    """Print a table that lines up: words to the left, numbers to the right.

    ``wide`` names the column that may be folded where the terminal is narrow. A table that is wider
    still goes on below, where its first column is repeated.
    """
    from vermeil.verbs.tables.table import Table

    print_blocks([Table(title, columns, list(rows), wide)])


def print_blocks(blocks: "Iterable[Block]") -> None:
    """Print the lines and tables that tell a result."""
    for block in blocks:
        if isinstance(block, str):
            typer.echo(plain_lines(block))
            continue
        if block.title:
            typer.secho(plain(block.title), bold=True)
        for number, (heading, lines) in enumerate(block.parts()):
            if number:
                typer.echo()
            typer.secho("\n".join(heading), bold=True)
            for line in lines:
                typer.echo(line)
