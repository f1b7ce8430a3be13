"""What a stage is: what is done to each shard, and how the results are brought together.

A stage is one or more steps. A step has a function for one shard, which gives a result, and where
the next step or the end needs it one that merges all results in the order of the shards. Results
add: how documents are cut into shards changes nothing.

Runs know no stage. A module that has one calls it STAGE; workers find it by the module's name.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from vermeil.document import Document
from vermeil.runs.results import Result, write_result
from vermeil.runs.tasks import Outcome, Task, failed

Merge = Callable[[Iterator[Result], Any], Result]


@dataclass(frozen=True, slots=True)
class Step:
    """``shard`` takes a task and the options of the stage; ``writes`` says it gives documents."""

    name: str
    shard: Callable[[Task, Any], Result]
    merge: Merge | None = None
    writes: bool = False


@dataclass(frozen=True, slots=True)
class Stage:
    """The name of a command, the module it is in, the struct of its options, its steps in order.

    ``prepare`` is called before them, in the process that leads, with the folder of the run, all
    documents and the options, each time a run is begun or goes on. ``files`` gives what the stage
    reads besides documents; ``may_change`` names options that may be others when a run goes on.
    """

    name: str
    module: str
    options: type[msgspec.Struct]
    steps: tuple[Step, ...]
    prepare: Callable[[Path, Iterator[Document], Any], None] | None = None
    files: Callable[[Any], Sequence[str]] = lambda _: ()
    may_change: frozenset[str] = frozenset()


def stage_in(module: str) -> Stage:
    """Find the stage of a module."""
    stage = import_module(module).STAGE
    assert isinstance(stage, Stage), f"{module} has no stage"
    return stage


def perform(task: Task) -> Outcome:
    """Do a task, unless it is done; errors are told, not raised."""
    stage = stage_in(task.stage)
    [step] = [each for each in stage.steps if each.name == task.step]
    if task.result.exists():
        return Outcome()
    try:
        result = step.shard(task, msgspec.json.decode(task.options, type=stage.options))
        write_result(result, task.result)
    except Exception as error:  # a bug in one shard must not end the others
        return failed(error)
    return Outcome(int(result.facts.get("n_documents", 0)))
