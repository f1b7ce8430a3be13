"""A command at work in shards: the run, its progress on the terminal, and how it is stopped.

Imported where a command works in shards, for it loads every stage.
"""

import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import typer

from vermeil.cli.options.reading import Reading
from vermeil.cli.options.running import Engagement, is_shard_folder
from vermeil.cli.showing.terminal import PATIENCE
from vermeil.errors import UsageError, VermeilError
from vermeil.formats import get_format
from vermeil.formats.files.ledger import Ledger
from vermeil.runs.assembly import assemble
from vermeil.runs.crew import Progress
from vermeil.runs.engines import open_engine
from vermeil.runs.ledgers import add_to_ledger
from vermeil.runs.manifest import forget, is_untouched, refuse_foreign
from vermeil.runs.results import Result, read_result
from vermeil.runs.sharded import Run, go, learned
from vermeil.runs.shards import Shard, plan_shards
from vermeil.runs.stages import stage_in
from vermeil.runs.tasks import Output
from vermeil.runs.tasks import Reading as ShardReading
from vermeil.stages import STAGES

NAMELESS = "vermeil-run-"
"""How folders begin of runs that nobody asked to keep."""

STOPPED = 128
"""What a shell adds to the number of the signal that ended a command."""


@dataclass(frozen=True, slots=True)
class Job:
    """A run that has been worked through: its results, and where its documents are.

    ``earlier`` results are those that were there before.
    """

    run: Run
    results: list[Path]
    earlier: frozenset[Path]

    def learned(self, step: str) -> Result:
        """Give what a step made of all shards."""
        return learned(self.run, step)

    def add_ledgers(self, ledger: Ledger) -> None:
        """Add what was noted in all shards."""
        for path in self.results:
            add_to_ledger(ledger, read_result(path))

    def write(
        self, target: str, *, to: str, layer: str | None, ledger: Ledger, options: Mapping[str, str]
    ) -> None:
        """Put the documents together, unless they are to stay in a folder of shards."""
        output = self.run.output
        assert output is not None, "this run gives no documents"
        if is_shard_folder(target):
            return
        parts = [output.path(number) for number in range(len(self.results))]
        try:
            assemble(parts, Path(target), format=to, layer=layer, ledger=ledger, options=options)
        except UsageError as error:
            if not isinstance(error.__cause__, OSError):
                raise
            raise UsageError(
                f"{error}; all shards are done and kept in {self.run.folder}: make room and repeat "
                "the command to go on"
            ) from error


@contextmanager
def worked_through(
    engagement: Engagement,
    stage: str,
    options: msgspec.Struct,
    source: Reading,
    *,
    skip_bad: bool,
    target: str = "",
    output: tuple[str, str | None, Mapping[str, str]] | None = None,
    whole: bool = False,
) -> Iterator[Job]:
    """Run a stage over all shards; what it kept of them goes when the block has ended well.

    ``output`` says format, layer and options of what is written, ``target`` where to. With
    ``whole`` no file is cut.
    """

    def run_in(folder: Path) -> Run:
        return Run(
            stage_in(STAGES[stage]),
            options,
            partial(_shards, source, engagement.size, whole=whole),
            ShardReading(source.fuzzy, dict(source.options), skip_bad),
            folder,
            _output(target, folder, output) if output else None,
            {
                "sources": [
                    (str(each.path), each.annotator, each.format) for each in source.sources
                ],
                "output": (target, *output[:2]) if output else None,
                "shard_size": engagement.size,
            },
        )

    with carried_out(engagement, target, run_in) as job:
        yield job


@contextmanager
def carried_out(
    engagement: Engagement,
    target: str,
    run_in: Callable[[Path], Run],
    *,
    restart: bool = False,
    noun: str = "documents",
) -> Iterator[Job]:
    """Go through a run in a folder of its own, which goes when the block has ended well.

    ``restart`` forgets what an earlier run has left there.
    """
    folder, is_ours = _run_folder(engagement, target)
    refuse_foreign(folder)
    if restart:
        forget(folder)
    run = run_in(folder)
    engine = partial(
        open_engine,
        engagement.name,
        n_workers=engagement.workers,
        address=engagement.address,
    )
    with (
        _stoppable(folder, is_ours=is_ours),
        _progress(noun) as watch,
        _tidied(folder, is_ours=is_ours),
    ):
        earlier = frozenset(folder.glob("*/*.npz"))
        results = go(run, engine, watch=watch)
    yield Job(run, results, earlier)
    if is_ours:
        shutil.rmtree(folder)


def _run_folder(engagement: Engagement, target: str) -> tuple[Path, bool]:
    """Give the folder for what is kept of shards, and whether it is ours to remove."""
    if engagement.resume is not None:
        return engagement.resume, False
    if target in ("", "-"):
        return Path(tempfile.mkdtemp(prefix=NAMELESS)), True
    return Path(f"{target.rstrip('/')}.run"), True


def _shards(source: Reading, size: int, *, whole: bool) -> Sequence[Shard]:
    uncut = sys.maxsize if whole else size
    return plan_shards(source.sources, text=source.text, size=uncut, options=source.options)


def _output(target: str, folder: Path, chosen: tuple[str, str | None, Mapping[str, str]]) -> Output:
    format, layer, options = chosen
    if not is_shard_folder(target):
        return Output(str(folder / "write"))
    if get_format(format).folder:
        raise UsageError(f"{target}: {format} is a folder itself; choose another format with --to")
    path = Path(target)
    if not folder.exists() and path.is_dir() and any(path.iterdir()):
        raise UsageError(f"{path}: is there already; choose a new folder or empty this one")
    path.mkdir(exist_ok=True)
    return Output(str(path), format, layer, dict(options), "part-")


@contextmanager
def _tidied(folder: Path, *, is_ours: bool) -> Iterator[None]:
    """Leave no folder behind where a run failed before it did anything.

    Say where a nameless one is.
    """
    try:
        yield
    except VermeilError as error:
        if is_ours and is_untouched(folder):
            shutil.rmtree(folder, ignore_errors=True)
        elif is_ours and _is_nameless(folder):
            raise UsageError(
                f"{error}; add --resume {folder} to go on from what is done"
            ) from error
        raise


def _is_nameless(folder: Path) -> bool:
    return folder.name.startswith(NAMELESS)


@contextmanager
def _stoppable(folder: Path, *, is_ours: bool) -> Iterator[None]:
    """Stop on SIGINT and SIGTERM with one line that says how to go on."""
    caught = [signal.SIGINT]

    def stop(number: int, frame: object) -> None:
        caught[0] = signal.Signals(number)
        raise KeyboardInterrupt

    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, stop) if is_main else None
    try:
        yield
    except KeyboardInterrupt:
        is_lost = is_ours and _is_nameless(folder)
        how = "; with --resume FOLDER it could go on" if is_lost else ""
        kept = f"; what is done is in {folder}: repeat the command to go on"
        typer.echo(f"vermeil: stopped by {caught[0].name}{how or kept}", err=True)
        if is_lost:
            shutil.rmtree(folder, ignore_errors=True)
        raise typer.Exit(STOPPED + caught[0]) from None
    finally:
        if is_main:
            signal.signal(signal.SIGTERM, before)


@contextmanager
def _progress(noun: str) -> Iterator[Callable[[Progress], None]]:
    """Show on a terminal how far a run has come, how fast it is, and what failed."""
    if not sys.stderr.isatty():
        yield lambda _: None
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
            tasks[progress.step] = bars.add_task(progress.step, total=progress.size, said="")
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
    """
    new = progress.size_done - progress.size_before
    said = [f"{progress.n_done:,} of {progress.n_shards:,} shards"]
    if new and seconds:
        left = (progress.size - progress.size_done) / new * seconds
        said += [f"{progress.n_documents / seconds:,.0f} {noun}/s", f"{left:,.0f} s left"]
    if progress.n_failed:
        said.append(f"{progress.n_failed:,} failed")
    return ", ".join(said)
