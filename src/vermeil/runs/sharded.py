"""A run: every shard through every step of a stage, on any engine, resumed where it stopped.

What is done stands in the folder of the run (see ``manifest``); who does it, and what happens when
it fails, in ``crew``.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.sink import replacing
from vermeil.runs.crew import TRIALS, Crew, Progress
from vermeil.runs.engines import Engine
from vermeil.runs.fingerprints import Fingerprint, fingerprints
from vermeil.runs.manifest import (
    FAILURES,
    Manifest,
    begin,
    clear_partial,
    code_version,
    found_manifest,
    locked,
    refuse_other_run,
)
from vermeil.runs.results import Result, read_result, write_result
from vermeil.runs.shards import Shard, paths_of
from vermeil.runs.stages import Stage, Step
from vermeil.runs.tasks import Output, Reading, Task

N_LISTED = 3


Watch = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Run:
    """What is to be done. ``options`` is the struct that the stage takes."""

    stage: Stage
    options: msgspec.Struct
    shards: Callable[[], Sequence[Shard]]
    reading: Reading
    folder: Path
    output: Output | None = None
    notes: dict[str, Any] | None = None
    """Options that are not the stage's and still must not change on the way."""


def go(run: Run, engine: Callable[[], Engine], *, watch: Watch = lambda _: None) -> list[Path]:
    """Work through a run, or through what is left of it; give the results of its last step.

    Raise UsageError where the folder belongs to another run, or some shards could not be done.
    """
    stage = run.stage
    with locked(run.folder):
        shards = _taken_up(run, stage)
        clear_partial(run.folder)
        if stage.prepare is not None:
            stage.prepare(run.folder, _documents(run, shards, watch), run.options)
        with _opened(engine) as opened:
            for step in stage.steps:
                results = _go_through(run, step, shards, opened, watch)
    return results


def learned(run: Run, step: str) -> Result:
    """Read what a step of a run made of all its shards."""
    return read_result(_merged(run, step))


def _taken_up(run: Run, stage: Stage) -> Sequence[Shard]:
    """Give the shards of the run as it was begun, or begin it."""
    found = found_manifest(run.folder)
    how = {
        **msgspec.to_builtins(run.options, order="deterministic"),
        **msgspec.to_builtins(run.reading),
        **(run.notes or {}),
    }
    how = {key: value for key, value in how.items() if key not in stage.may_change}
    if found is None:
        shards = tuple(run.shards())
        inputs = fingerprints([*paths_of(shards), *stage.files(run.options)])
        begin(run.folder, Manifest(run.stage.name, how, inputs, code_version(), shards))
        return shards
    inputs = fingerprints((each.path for each in found.inputs), found.inputs)
    mended = _mended(run, found, inputs)
    then = msgspec.structs.replace(
        found,
        inputs=[
            now if now.path in mended or now.digest == before.digest else before
            for before, now in _both(found, inputs)
        ],
    )
    refuse_other_run(run.folder, then, stage=run.stage.name, options=how, inputs=inputs)
    if then.inputs != found.inputs:
        begin(run.folder, then)
    return found.shards


def _both(
    found: Manifest, inputs: Sequence[Fingerprint]
) -> Iterator[tuple[Fingerprint, Fingerprint]]:
    """Pair what files were when the run began with what they are."""
    return zip(found.inputs, inputs, strict=True)


def _mended(run: Run, found: Manifest, inputs: Sequence[Fingerprint]) -> set[str]:
    """Give the files that may have changed: whole ones from which nothing has come yet."""
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
        watch(Progress("learn", len(shards), 0, number, n_documents, size, done, 0, 0))
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
    run: Run, step: Step, shards: Sequence[Shard], engine: Callable[[], Engine], watch: Watch
) -> list[Path]:
    """Do a step for all shards, and make of their results what the next step needs."""
    options = msgspec.json.encode(run.options)
    output = run.output if step.writes else None
    tasks = [
        Task(
            run.stage.module,
            step.name,
            number,
            shard,
            options,
            run.reading,
            str(run.folder),
            output,
        )
        for number, shard in enumerate(shards)
    ]
    (run.folder / step.name).mkdir(exist_ok=True)
    todo = [task for task in tasks if not task.result.exists()]
    if todo:
        _work_through(run, step.name, tasks, todo, engine(), watch)
    results = [task.result for task in tasks]
    if step.merge is not None and not _merged(run, step.name).exists():
        merged = step.merge((read_result(path) for path in results), run.options)
        write_result(merged, _merged(run, step.name))
    return results


def _merged(run: Run, step: str) -> Path:
    return run.folder / f"{step}.npz"


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
                len(tasks),
                n_before,
                n_before + crew.n_done,
                crew.n_documents,
                size,
                before + crew.size_done,
                len(crew.failures),
                before,
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
