"""``score`` by shards: counts that add."""

from collections.abc import Iterable

from vermeil.engine.ledgers import new_ledger, with_ledger
from vermeil.engine.results import Result, put_together, taken_apart
from vermeil.engine.score_sums import ScoreOptions, ScoreSums, sum_scores
from vermeil.engine.tasks import Task

__all__ = ["ScoreOptions", "score_shard", "sums_in"]


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
