"""What every command shows on the terminal: progress, tables and the notes of the ledger.

rich is imported where something is drawn, so that commands start without it.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, TypeVar

import msgspec
import typer

from vermeil.cli.options.writing import check_target
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.sink import replacing

if TYPE_CHECKING:
    from vermeil.verbs.tables.table import Block

T = TypeVar("T")

PATIENCE = 1.0
"""Seconds before progress is shown."""

SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Set bad records aside in a side file and go on.")
]
Log = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write every repair, change and loss there, as JSON lines."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


@contextmanager
def keeping_ledger(*, skip_bad: bool, log: Path | None, side_file: Path) -> Iterator[Ledger]:
    """Open the files a ledger writes to, and say on stderr what it holds when all is done.

    ``side_file`` receives the bad records; it is only made where there are some.
    """
    check_target(log)
    with ExitStack() as stack:
        ledger = Ledger(skip_bad=skip_bad)
        if log is not None:
            ledger.log = stack.enter_context(replacing(log))
        if skip_bad:
            ledger.bad_records = stack.enter_context(replacing(side_file))
        yield ledger
    n_bad = ledger.counts["skipped", "bad records"]
    if skip_bad and not n_bad:
        side_file.unlink(missing_ok=True)
    for line in ledger.summary():
        typer.echo(f"vermeil: {line}", err=True)
    if skip_bad and n_bad:
        typer.echo(f"vermeil: the bad records are in {side_file}", err=True)


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
    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def print_table(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    wide: str = "",
    n_keys: int = 1,
) -> None:
    """Print a table that lines up: words to the left, numbers to the right.

    ``wide`` names the column that may be folded where the terminal is narrow. A table that is wider
    still goes on below, where its first ``n_keys`` columns are repeated.
    """
    from vermeil.verbs.tables.table import Table

    print_blocks([Table(title, columns, list(rows), wide, n_keys)])


def print_blocks(blocks: "Iterable[Block]") -> None:
    """Print the lines and tables that tell a result."""
    for block in blocks:
        if isinstance(block, str):
            typer.echo(block)
            continue
        if block.title:
            typer.secho(block.title, bold=True)
        for number, (heading, lines) in enumerate(block.parts()):
            if number:
                typer.echo()
            typer.secho("\n".join(heading), bold=True)
            for line in lines:
                typer.echo(line)
