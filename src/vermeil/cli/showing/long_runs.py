"""A command at work: what the driver does, and its progress on the terminal.

Imported where a command begins to work, for it loads engines.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from vermeil.cli.showing.terminal import PATIENCE
from vermeil.runs.driver import Done, Job, carry_out, carrying_out
from vermeil.runs.progress import Progress, Watch
from vermeil.runs.stages import Known, Seen, Sums


def work_through(job: Job[Seen, Known, Sums]) -> Done[Known, Sums]:
    """Do a job, showing progress."""
    with _progress(job.stage.noun) as watch:
        return carry_out(job, watch=watch)


@contextmanager
def worked_through(job: Job[Seen, Known, Sums]) -> Iterator[Done[Known, Sums]]:
    """Do the same; what was kept of a run goes when the block has ended well."""
    with _progress(job.stage.noun) as watch, carrying_out(job, watch=watch) as done:
        yield done


@contextmanager
def _progress(noun: str) -> Iterator[Watch | None]:
    """Show on a terminal how far a run has come, how fast it is, and what failed."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bars

    bars = Bars(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[said]}"),
        console=Console(stderr=True),
        transient=True,
    )
    tasks: dict[str, Any] = {}
    begun: dict[str, float] = {}

    def show(progress: Progress) -> None:
        now = monotonic()
        since = begun.setdefault(progress.step, now)
        if now - min(begun.values()) < PATIENCE:
            return
        bars.start()
        if progress.step not in tasks:
            total = progress.size or None
            tasks[progress.step] = bars.add_task(progress.step, total=total, said="")
        said = in_words(progress, now - since, noun)
        bars.update(tasks[progress.step], completed=progress.size_done, said=said)

    try:
        yield show
    finally:
        bars.stop()


def in_words(progress: Progress, seconds: float, noun: str = "documents") -> str:
    """Say how far a step has come.

    >>> in_words(Progress("write", 8, 2, 5, 3000, 800, 500, 1, 200), 10.0)
    '5 of 8 shards, 300 documents/s, 10 s left, 1 failed'
    >>> in_words(Progress("write", n_items=3000), 10.0)
    '3,000 documents, 300/s'
    """
    if not progress.n_shards:
        rate = f", {progress.n_items / seconds:,.0f}/s" if seconds else ""
        return f"{progress.n_items:,} {noun}{rate}"
    new = progress.size_done - progress.size_before
    said = [f"{progress.n_done:,} of {progress.n_shards:,} shards"]
    if new and seconds:
        left = (progress.size - progress.size_done) / new * seconds
        said += [f"{progress.n_items / seconds:,.0f} {noun}/s", f"{left:,.0f} s left"]
    if progress.n_failed:
        said.append(f"{progress.n_failed:,} failed")
    return ", ".join(said)
