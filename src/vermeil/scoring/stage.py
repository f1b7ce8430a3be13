"""``score`` by shards: counts that add."""

from collections.abc import Iterable

from vermeil.runs.ledgers import new_ledger, with_ledger
from vermeil.runs.results import Result, put_together, taken_apart
from vermeil.runs.stages import Stage, Step
from vermeil.runs.tasks import Task
from vermeil.scoring.score_sums import ScoreOptions, ScoreSums, sum_scores


def score_shard(task: Task, options: ScoreOptions) -> Result:
    """Score the documents of a shard."""
    ledger = new_ledger(skip_bad=task.reading.skip_bad)
    sums = sum_scores(task.documents(ledger), options)
    result = taken_apart(sums)
    return with_ledger(Result({**result.facts, "n_documents": sums.n_read}, result.arrays), ledger)


def sums_in(results: Iterable[Result]) -> ScoreSums:
    """Add up the scores of shards."""
    total = ScoreSums()
    for result in results:
        total += put_together(ScoreSums, result)
    return total


STAGE = Stage("score", __name__, ScoreOptions, (Step("score", score_shard),))
