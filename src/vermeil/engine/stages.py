"""The table of stages: what is done to each shard, and how the results are brought together.

A stage is one or more steps. A step has a function for one shard, which gives a result, and where
the next step or the end needs it one that merges all results in the order of the shards. Results
add: how documents are cut into shards changes nothing.

A new streaming stage is a module with such functions and a row here.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from vermeil.document import Document
from vermeil.engine import (
    consensus_stage,
    convert_stage,
    label_stage,
    parse_stage,
    parser_runs,
    score_stage,
    tag_stage,
    tree_score_stage,
)
from vermeil.engine.results import Result, write_result
from vermeil.engine.tasks import Outcome, Task, failed

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
    """The struct of its options, and its steps in order.

    ``prepare`` is called before them, in the process that leads, with the folder of the run, all
    documents and the options, each time a run is begun or goes on. ``files`` gives what the stage
    reads besides documents; ``may_change`` names options that may be others when a run goes on.
    """

    options: type[msgspec.Struct]
    steps: tuple[Step, ...]
    prepare: Callable[[Path, Iterator[Document], Any], None] | None = None
    files: Callable[[Any], Sequence[str]] = lambda _: ()
    may_change: frozenset[str] = frozenset()


STAGES: dict[str, Stage] = {
    "convert": Stage(
        convert_stage.ConvertOptions,
        (Step("write", convert_stage.convert_shard, writes=True),),
    ),
    "consensus": Stage(
        consensus_stage.ConsensusOptions,
        (
            Step("observe", consensus_stage.observe_shard, consensus_stage.learn_from_all),
            Step("write", consensus_stage.decide_shard, writes=True),
        ),
    ),
    "tag": Stage(
        tag_stage.TagOptions,
        (Step("write", tag_stage.tag_shard, writes=True),),
        files=tag_stage.files,
    ),
    "acquire-label": Stage(
        label_stage.LabelOptions,
        (Step("write", label_stage.label_shard, writes=True),),
        prepare=label_stage.learn_once,
        files=label_stage.files,
    ),
    "trees-parse": Stage(
        parser_runs.Parser,
        (Step("parse", parse_stage.parse_shard),),
        may_change=frozenset({"timeout", "startup", "memory", "at_once"}),
    ),
    "score": Stage(score_stage.ScoreOptions, (Step("score", score_stage.score_shard),)),
    "trees-score": Stage(
        tree_score_stage.TreeScoreOptions,
        (Step("score", tree_score_stage.score_shard),),
    ),
}


def perform(task: Task) -> Outcome:
    """Do a task, unless it is done; errors are told, not raised."""
    stage = STAGES[task.stage]
    [step] = [each for each in stage.steps if each.name == task.step]
    if task.result.exists():
        return Outcome()
    try:
        result = step.shard(task, msgspec.json.decode(task.options, type=stage.options))
        write_result(result, task.result)
    except Exception as error:  # a bug in one shard must not end the others
        return failed(error)
    return Outcome(int(result.facts.get("n_documents", 0)))
