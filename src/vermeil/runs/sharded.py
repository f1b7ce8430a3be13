"""A run in shards: each through the steps of a stage, on any engine, resumed where it stopped.

What is done stands in the folder of the run (see ``manifest``); who does it, and what happens when
it fails, in ``crew``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.replacement import replacing
from vermeil.runs.crew import TRIALS, Crew
from vermeil.runs.engines import Engine
from vermeil.runs.fingerprints import Fingerprint, fingerprints
from vermeil.runs.manifest import (
    FAILURES,
    FINISHED,
    Manifest,
    begin,
    clear_partial,
    code_version,
    found_manifest,
    refuse_other_run,
)
from vermeil.runs.progress import Progress, Watch
from vermeil.runs.results import IDS, read_result, write_result
from vermeil.runs.shards import Shard, paths_of, refuse_twins
from vermeil.runs.stages import DECIDE, LEARNED, OBSERVE, AnyStage, place_of
from vermeil.runs.tasks import Output, Reading, Task

N_LISTED = 3


@dataclass(frozen=True, slots=True)
class Run:
    """What is to be done, and where it is kept; ``shards`` cuts the source when a run begins."""

    stage: AnyStage
    shards: Callable[[], Sequence[Shard]]
    reading: Reading
    folder: Path
    output: Output | None = None
    notes: Mapping[str, Any] = field(default_factory=dict)
    """Options that are not the stage's and still must not change on the way."""


def go(run: Run, engine: Callable[[], Engine], *, watch: Watch = lambda _: None) -> list[Path]:
    """Work through a run, or through what is left of it; return the results of its last step.

    The folder of the run must be ``locked``. Raise UsageError where it belongs to another run, or
    some shards could not be done.
    """
    stage = run.stage
    begun = _taken_up(run)
    with _cleared(run):
        if stage.prepares and not stage.is_prepared(run.folder):
            stage.prepare(_documents(run, begun.shards, watch), run.folder)
        with _opened(engine) as opened:
            if stage.observes:
                results = _go_through(run, OBSERVE, begun, opened, watch)
                _refuse_twins(run, begun.shards, results)
                _learn(run, results)
            if stage.decides:
                results = _go_through(run, DECIDE, begun, opened, watch)
            if not stage.observes:
                _refuse_twins(run, begun.shards, results)
    return results


def known_to(run: Run) -> Any:
    """Load what the stage of a run has learned from all of its shards."""
    return run.stage.known_in(read_result(run.folder / LEARNED))


@contextmanager
def _cleared(run: Run) -> Iterator[None]:
    """Remove what an earlier run was writing when it ended, and then what this one was."""

    def clear() -> None:
        clear_partial(run.folder)
        if run.output is not None:
            run.output.clear_partial()

    clear()
    try:
        yield
    finally:
        clear()


def _refuse_twins(run: Run, shards: Sequence[Shard], results: Sequence[Path]) -> None:
    """Refuse shards in which one id is used twice; what came of them is no good to anybody."""

    def read(shard: Shard) -> Iterator[Document]:
        return run.reading.documents(shard, Ledger(skip_bad=run.reading.skip_bad))

    try:
        refuse_twins(shards, [read_result(path).arrays[IDS] for path in results], read)
    except UsageError:
        written = map(run.output.path, range(len(shards))) if run.output else ()
        for path in (*results, *written):
            path.unlink(missing_ok=True)
        raise


def _learn(run: Run, results: Sequence[Path]) -> None:
    stage, path = run.stage, run.folder / LEARNED
    if not path.exists():
        seen = (stage.seen_in(read_result(each)) for each in results)
        write_result(stage.kept(stage.finish(stage.total(seen))), path)


def is_finished(run: Run, folder: Path) -> bool:
    """Tell whether a folder of documents holds all that this run would write there.

    Raise UsageError where another run has made it, or it is not whole.
    """
    found = found_manifest(folder, FINISHED)
    if found is None or run.output is None:
        return False
    inputs = fingerprints((each.path for each in found.inputs), found.inputs)
    refuse_other_run(folder, found, stage=run.stage.name, options=_how(run), inputs=inputs)
    if not all(run.output.path(number).exists() for number in range(len(found.shards))):
        raise UsageError(f"{folder}: a file of it is missing; remove it to begin anew")
    return True


def mark_finished(run: Run, folder: Path) -> None:
    """Leave the manifest of a run in the folder of documents that it has finished."""
    found = found_manifest(run.folder)
    assert found is not None, "a run that has ended was begun"
    begin(folder, found, FINISHED)


def _taken_up(run: Run) -> Manifest:
    """Find what a run that was begun works on, or begin it."""
    stage, found, how = run.stage, found_manifest(run.folder), _how(run)
    if found is None:
        shards = tuple(run.shards())
        inputs = fingerprints([*paths_of(shards), *stage.files()])
        begun = Manifest(stage.name, how, inputs, code_version(), shards)
        begin(run.folder, begun)
        return begun
    inputs = fingerprints((each.path for each in found.inputs), found.inputs)
    mended = _mended(run, found, inputs)
    then = msgspec.structs.replace(
        found,
        inputs=[
            now if now.path in mended or now.digest == before.digest else before
            for before, now in _both(found, inputs)
        ],
    )
    refuse_other_run(run.folder, then, stage=stage.name, options=how, inputs=inputs)
    if then.inputs != found.inputs:
        begin(run.folder, then)
    return then


def _how(run: Run) -> dict[str, Any]:
    """List the options of a run that must not change on the way."""
    how = {
        **msgspec.to_builtins(run.stage, order="deterministic"),
        **msgspec.to_builtins(run.reading),
        **run.notes,
    }
    return {key: value for key, value in how.items() if key not in run.stage.may_change}


def _both(
    found: Manifest, inputs: Sequence[Fingerprint]
) -> Iterator[tuple[Fingerprint, Fingerprint]]:
    """Pair what files were when the run began with what they are."""
    return zip(found.inputs, inputs, strict=True)


def _mended(run: Run, found: Manifest, inputs: Sequence[Fingerprint]) -> set[str]:
    """Return the files that may have changed: whole ones from which nothing has come yet."""
    changed = {now.path for before, now in _both(found, inputs) if before.digest != now.digest}
    changed.intersection_update(paths_of(found.shards))
    for number, shard in enumerate(found.shards):
        parts = [part for part in (*shard.parts, shard.text) if part and part.path in changed]
        if any(run.folder.glob(f"*/{number:06}.*")) or not all(part.is_whole for part in parts):
            changed.difference_update(part.path for part in parts)
    return changed


def _documents(run: Run, shards: Sequence[Shard], watch: Watch) -> Iterator[Document]:
    """Read the documents of all shards in this process, one after the other."""
    ledger = Ledger(skip_bad=run.reading.skip_bad)
    size, done, n_documents = sum(shard.size for shard in shards), 0, 0
    for number, shard in enumerate(shards):
        watch(
            Progress(
                "learn",
                n_shards=len(shards),
                n_done=number,
                n_items=n_documents,
                size=size,
                size_done=done,
            )
        )
        for document in run.reading.documents(shard, ledger):
            n_documents += 1
            yield document
        done += shard.size


@contextmanager
def _opened(engine: Callable[[], Engine]) -> Iterator[Callable[[], Engine]]:
    """Start the engine when it is first needed, and stop it."""
    started: list[Engine] = []

    def opened() -> Engine:
        if not started:
            started.append(engine())
        return started[0]

    try:
        yield opened
    finally:
        for each in started:
            each.stop()


def _go_through(
    run: Run, step: str, begun: Manifest, engine: Callable[[], Engine], watch: Watch
) -> list[Path]:
    """Do a step for all shards; return where their results are."""
    (run.folder / step).mkdir(exist_ok=True)
    by_path = {each.path: each for each in begun.inputs}
    needed = [path for path in run.stage.files() if path in by_path]  # not what it made itself
    tasks = [
        Task(
            stage=place_of(run.stage),
            step=step,
            number=number,
            shard=shard,
            options=msgspec.json.encode(run.stage),
            reading=run.reading,
            folder=str(run.folder),
            output=run.output if step == DECIDE else None,
            files=tuple(by_path[path] for path in (*paths_of([shard]), *needed)),
        )
        for number, shard in enumerate(begun.shards)
    ]
    todo = [task for task in tasks if not task.result.exists()]
    if todo:
        _work_through(run, step, tasks, todo, engine(), watch)
    return [task.result for task in tasks]


def _work_through(
    run: Run, step: str, tasks: Sequence[Task], todo: Sequence[Task], engine: Engine, watch: Watch
) -> None:
    crew = Crew(engine, todo)
    size = sum(task.shard.size for task in tasks)
    before = size - sum(task.shard.size for task in todo)
    n_before = len(tasks) - len(todo)

    def show() -> None:
        watch(
            Progress(
                step,
                n_shards=len(tasks),
                n_before=n_before,
                n_done=n_before + crew.n_done,
                n_items=crew.n_items,
                size=size,
                size_done=before + crew.size_done,
                n_failed=len(crew.failures),
                size_before=before,
            )
        )

    while crew.is_busy:
        show()
        crew.advance()
    show()
    if crew.failures:
        _tell_of_failures(run, crew.failures, len(tasks))


def _tell_of_failures(run: Run, failures: dict[str, str], n_shards: int) -> None:
    listing = run.folder / FAILURES
    with replacing(listing) as stream:
        for shard, error in failures.items():
            stream.write(msgspec.json.encode({"shard": shard, "error": error}) + b"\n")
    shown = "; ".join(
        f"{shard} ({error.splitlines()[0]})" for shard, error in [*failures.items()][:N_LISTED]
    )
    more = f"; and {len(failures) - N_LISTED} more" if len(failures) > N_LISTED else ""
    raise UsageError(
        f"{len(failures):,} of {n_shards:,} shards failed {TRIALS} times and are set aside: "
        f"{shown}{more}; see {listing}; the others are done and kept; mend these files "
        "and repeat the command"
    )
