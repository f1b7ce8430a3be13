"""The one driver of every verb: a stage, a source and a target, worked through in any way.

Without an engagement a stage streams in this process. With one, or where an input is a set of
files, it works in shards, which are kept in a folder until all are done, so that the same work goes
on where it was stopped. Whoever asks for a verb need not know which it was: the bytes are the same.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic

from vermeil.errors import FinishedRunError, UsageError, VermeilError
from vermeil.formats.corpus import CorpusFiles, note_called
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.replacement import at_once, together
from vermeil.formats.files.sink import file_name
from vermeil.formats.files.source import COMPRESSED
from vermeil.formats.files.states import RUN
from vermeil.formats.files.streams import is_stream
from vermeil.formats.inputs import LAYER, Input, files_of, is_several
from vermeil.formats.labels import Labels
from vermeil.runs.engines import check_engine, open_engine
from vermeil.runs.folder import KEPT, StoppedRunError
from vermeil.runs.manifest import RESULTS, forget, is_untouched, locked, refuse_foreign, remove
from vermeil.runs.progress import Watch
from vermeil.runs.results import add_to_ledger, read_result
from vermeil.runs.shards import SIZE
from vermeil.runs.stages import DECIDE, N_ITEMS, WRITTEN, Known, Material, Seen, Stage, Sums
from vermeil.runs.streaming import Streaming
from vermeil.runs.target import Target
from vermeil.runs.tasks import Reading

if TYPE_CHECKING:  # most work is little, and goes through without shards
    from vermeil.runs.sharded import Run

PACKED, PACKED_SUFFIXES = 7, frozenset({".parquet", *COMPRESSED})
"""How many times as large files of these kinds are when they are JSON Lines, about."""

NAMELESS = "vermeil-run-"
"""How folders begin of runs that nobody asked to keep."""


@dataclass(frozen=True, slots=True)
class Engagement:
    """What was said about how to work: on which engine, and where shards are kept."""

    engine: str | None = None
    address: str | None = None
    workers: int | None = None
    resume: Path | None = None
    shard_size: float | None = None

    def __post_init__(self) -> None:
        """Refuse what contradicts itself, before anything is begun."""
        if any(each is not None for each in (self.engine, self.address, self.workers)):
            check_engine(self.name, n_workers=self.workers, address=self.address)

    @property
    def is_asked_for(self) -> bool:
        """Whether anything was said."""
        said = (self.engine, self.address, self.workers, self.resume, self.shard_size)
        return any(each is not None for each in said)

    @property
    def name(self) -> str:
        """The engine: the one named, or the one that has a use for what else was said."""
        if self.engine is not None:
            return self.engine
        return "dask" if self.address else "pool" if (self.workers or 1) > 1 else "process"

    @property
    def size(self) -> int:
        """Bytes of a shard."""
        return SIZE if self.shard_size is None else int(self.shard_size * 1e6)


@dataclass(frozen=True, slots=True)
class Done(Generic[Known, Sums]):
    """What came of a stage: what it knows of all items, and what it counted while it decided.

    ``n_before`` of the ``n_items`` had been done by an earlier run; ``format`` is that of the
    target, empty where nothing was written.
    """

    known: Known
    sums: Sums
    n_items: int = 0
    n_before: int = 0
    format: str = ""


@dataclass(frozen=True, slots=True)
class Job(Generic[Seen, Known, Sums]):
    """What is to be done: a stage works through a source, and what it decides goes to a target.

    ``ledger`` is told what happened on the way; ``restart`` forgets what an interrupted run of the
    same job has left.
    """

    stage: Stage[Seen, Known, Sums]
    source: Material
    ledger: Ledger
    target: Target | None = None
    engagement: Engagement = Engagement()
    restart: bool = False


def carry_out(job: Job[Seen, Known, Sums], *, watch: Watch | None = None) -> Done[Known, Sums]:
    """Do a job.

    Raise UsageError where a target cannot be written or shards have failed, StoppedRunError where
    a run in shards is interrupted.
    """
    with carrying_out(job, watch=watch) as done:
        return done


@contextmanager
def carrying_out(
    job: Job[Seen, Known, Sums], *, watch: Watch | None = None
) -> Iterator[Done[Known, Sums]]:
    """Do a job, and keep the shards of its run until the block has ended well."""
    if job.target is not None:
        job.target.refuse_out_of_reach()
    job = _spared(job)
    with (_in_shards if _is_cut(job) else _streamed)(job, watch) as done:
        yield done


def _spared(job: Job[Seen, Known, Sums]) -> Job[Seen, Known, Sums]:
    """Spare a job the start of workers that takes longer than all of its work, and say so.

    It is left as it is where more was said than a number of workers, where a folder is to get a
    file a shard, and where a run goes on.
    """
    asked = job.engagement
    if asked != Engagement(workers=asked.workers) or (asked.workers or 1) == 1:
        return job
    target = job.target
    if target is not None and (target.is_folder or _run_folder_of(target).exists()):
        return job
    size = sum(_weight(each) for each in _inputs(job.source))
    if size > job.stage.little or any(is_stream(each.path) for each in _inputs(job.source)):
        return job
    job.ledger.note("worked in", "process: for so little it is faster", "--engine pool insists")
    return replace(job, engagement=Engagement())


def _weight(given: Input) -> int:
    """Estimate what the files of an input are in bytes of JSON Lines."""
    return sum(
        each.path.stat().st_size * (PACKED if each.path.suffix in PACKED_SUFFIXES else 1)
        for each in files_of(given)
        if each.path.exists()
    )


def _is_cut(job: Job[Any, Any, Any]) -> bool:
    """Tell whether to work in shards: asked for, of dear work, or much in many files.

    A target that is a folder gets a file for each file of an input.
    """
    if job.engagement.is_asked_for or (job.stage.is_dear and job.target is not None):
        return True
    several = [each for each in _inputs(job.source) if is_several(each)]
    if several and not isinstance(job.source, CorpusFiles):
        return True  # what is known by its place alone is read file by file
    if several and job.target is not None and job.target.is_folder:
        return True
    return sum(_size(each) for each in several) > job.engagement.size


def _size(given: Input) -> int:
    """Weigh the files of an input in bytes."""
    return sum(each.path.stat().st_size for each in files_of(given))


def _inputs(source: Material) -> Sequence[Input]:
    """List the files of a source that has any."""
    inputs: Sequence[Input] = getattr(source, "inputs", ())
    return inputs


@contextmanager
def _streamed(job: Job[Seen, Known, Sums], watch: Watch | None) -> Iterator[Done[Known, Sums]]:
    stage, target = job.stage, job.target
    streaming = Streaming(stage, job.source, ledger=job.ledger, watch=watch)
    if target is None or not stage.decides:
        yield Done(streaming.known, _counted(streaming))
        return
    if target.is_folder and target.format is None:
        raise UsageError(
            f"{target.path}: is a folder; name a file, or the format with --to; with --engine "
            "process it gets a file for each shard"
        )
    format = target.kind
    if LAYER in target.path:
        sums = _write_layers(streaming, target)
    else:
        target.write(streaming.documents(), job.ledger)
        assert streaming.sums is not None, "documents were counted on their way"
        sums = streaming.sums
    yield Done(streaming.known, sums, format=format)


def _counted(streaming: Streaming[Seen, Known, Sums]) -> Sums:
    """Decide without writing, where a stage has nothing else to give than what it counts."""
    if streaming.stage.observes:
        return streaming.stage.nothing()
    for _ in streaming.documents():
        pass
    assert streaming.sums is not None, "documents were counted on their way"
    return streaming.sums


def _write_layers(streaming: Streaming[Seen, Known, Sums], target: Target) -> Sums:
    """Write each layer to a file of its own, going through the source for every one of them."""
    stage, source, ledger = streaming.stage, streaming.source, streaming.ledger
    names = sorted({name for each in source.read(ledger) for name in each.layers})
    if not names:
        raise UsageError(f"{target.path}: there is no layer to write; leave {LAYER} out")
    sums = stage.nothing()
    with together():
        for name in names:
            again = Ledger(skip_bad=ledger.skip_bad)
            stream = stage.decide(source.read(again), streaming.known, sums)
            path = target.path.replace(LAYER, file_name(name))
            target.write(stream, ledger, path=path, layer=name)
    return sums


@contextmanager
def _in_shards(job: Job[Seen, Known, Sums], watch: Watch | None) -> Iterator[Done[Known, Sums]]:
    """Go through a run in a folder of its own, which goes when the block has ended well."""
    from vermeil.runs.sharded import Run, go, is_finished, mark_finished

    stage, source, target, engagement = job.stage, job.source, job.target, job.engagement
    _refuse_what_cannot_be_cut(source, target)
    folder, is_ours = _run_folder(engagement, target)
    refuse_foreign(folder)
    if job.restart:
        forget(folder)
    written = target if stage.decides else None
    output = written.output(folder / DECIDE, folder) if written else None
    run = Run(
        stage,
        partial(stage.shards, source, folder, engagement.size),
        _reading(source, job.ledger),
        folder,
        output,
        {
            **stage.identity(source),
            "output": (written.path, written.kind, written.only) if written else None,
            "shard_size": engagement.size,
        },
    )
    if written is not None and written.is_folder and is_finished(run, Path(written.path)):
        raise FinishedRunError(
            f"{written.path}: all is done already; remove it to have it done again"
        )
    engine = partial(
        open_engine, engagement.name, n_workers=engagement.workers, address=engagement.address
    )
    earlier = frozenset(folder.glob(RESULTS))
    # What shards have made goes when the target is there: it must not wait for other files.
    with at_once(), ExitStack() as stack:
        with _tidied(folder, is_ours=is_ours):
            stack.enter_context(locked(folder))
            results = go(run, engine, watch=watch or (lambda _: None))
        note_called(_inputs(source), job.ledger)
        format = written.kind if written else ""
        done: Done[Known, Sums] = _gathered(run, results, earlier, job.ledger, format)
        if written is not None and not written.is_folder:
            _assemble(run, len(results), written, job.ledger)
        yield done
        if written is not None and written.is_folder:
            mark_finished(run, Path(written.path))
        if is_ours:
            remove(folder)


def _refuse_what_cannot_be_cut(source: Material, target: Target | None) -> None:
    if any(is_stream(each.path) for each in _inputs(source)):
        raise UsageError(
            "standard input (-) and pipes cannot be cut into shards; give files, or no engine"
        )
    if target is not None and LAYER in target.path:
        raise UsageError(f"an engine writes one file; leave {LAYER} out and choose with --layer")


def _run_folder(engagement: Engagement, target: Target | None) -> tuple[Path, bool]:
    """Choose the folder for what is kept of shards; tell whether it is ours to remove."""
    if engagement.resume is not None:
        return engagement.resume, False
    if target is None or target.path in ("", "-"):
        from tempfile import mkdtemp  # a stream does without

        return Path(mkdtemp(prefix=NAMELESS)), True
    return _run_folder_of(target), True


def _run_folder_of(target: Target) -> Path:
    return Path(f"{target.path.rstrip('/')}{RUN}")


def _reading(source: Material, ledger: Ledger) -> Reading:
    fuzzy = isinstance(source, CorpusFiles) and source.fuzzy
    options = dict(getattr(source, "options", {}))
    labels = source.labels if isinstance(source, CorpusFiles) else Labels()
    return Reading(fuzzy, options, ledger.skip_bad, labels)


def _gathered(
    run: "Run", results: Sequence[Path], earlier: frozenset[Path], ledger: Ledger, format: str
) -> Done[Any, Any]:
    """Add up what came of shards, in their order."""
    from vermeil.runs.sharded import known_to

    stage = run.stage
    known = known_to(run) if stage.observes else None
    for note in stage.notes(known) if stage.observes else ():
        ledger.note(*note)
    sums, n_items, n_before = stage.nothing(), 0, 0
    for number, path in enumerate(results):
        result = read_result(path)
        if run.output is not None and path in earlier:
            _refuse_edited(run.output.path(number), result.facts[WRITTEN], path)
        add_to_ledger(ledger, result)
        n_items += result.facts[N_ITEMS]
        n_before += result.facts[N_ITEMS] if path in earlier else 0
        if stage.decides:
            sums = sums + stage.sums_in(result)
    return Done(known, sums, n_items, n_before, format)


def _refuse_edited(path: Path, written: str, result: Path) -> None:
    """Refuse documents that are no longer what an earlier part of a run wrote."""
    from vermeil.runs.fingerprints import digest_of_file

    if not path.is_file() or digest_of_file(path) != written:
        raise UsageError(
            f"{path}: is not what this run has written there; remove {result} to have it made again"
        )


def _assemble(run: "Run", n_shards: int, target: Target, ledger: Ledger) -> None:
    """Put the documents of all shards together."""
    assert run.output is not None, "this run writes documents"
    try:
        parts = [run.output.path(number) for number in range(n_shards)]
        target.assemble(parts, ledger)
    except UsageError as error:
        if not isinstance(error.__cause__, OSError):
            raise
        raise UsageError(
            f"{error}; all shards are done and kept in {run.folder}: make room and repeat the "
            "command to go on"
        ) from error


@contextmanager
def _tidied(folder: Path, *, is_ours: bool) -> Iterator[None]:
    """Leave no folder behind where a run failed before it did anything; else say how to go on."""
    is_nameless = is_ours and folder.name.startswith(NAMELESS)
    try:
        yield
    except VermeilError as error:
        if is_ours and is_untouched(folder):
            shutil.rmtree(folder, ignore_errors=True)
        elif is_nameless:
            raise UsageError(
                f"{error}; add --resume {folder} to go on from what is done"
            ) from error
        raise
    except KeyboardInterrupt:
        if is_nameless:
            shutil.rmtree(folder, ignore_errors=True)
            raise StoppedRunError("with --resume FOLDER it could go on") from None
        raise StoppedRunError(KEPT.format(folder=folder)) from None
