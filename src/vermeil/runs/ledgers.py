"""Ledgers of shards: kept with each result, and added up in the order of the shards.

The sum is what one ledger over all documents would hold, notes and bad records in their order.
"""

import io

import numpy as np

from vermeil.arrays import AnyArray
from vermeil.formats.files.ledger import N_EXAMPLES, Ledger
from vermeil.runs.results import Result


def new_ledger(*, skip_bad: bool) -> Ledger:
    """Make a ledger that keeps every note and every bad record in memory."""
    return Ledger(skip_bad=skip_bad, bad_records=io.BytesIO(), log=io.BytesIO())


def with_ledger(result: Result, ledger: Ledger) -> Result:
    """Put what a ledger of ``new_ledger`` holds beside a result."""
    notes = [(*key, n, ledger.examples.get(key, [])) for key, n in ledger.counts.items()]
    arrays = {"ledger.log": _bytes_in(ledger.log), "ledger.bad": _bytes_in(ledger.bad_records)}
    return Result({**result.facts, "ledger": notes}, {**result.arrays, **arrays})


def add_to_ledger(ledger: Ledger, result: Result) -> None:
    """Add what stands beside a result to the ledger of the run."""
    for deed, what, n, examples in result.facts["ledger"]:
        ledger.counts[deed, what] += n
        shown = ledger.examples.setdefault((deed, what), [])
        shown.extend(examples[: N_EXAMPLES - len(shown)])
    if ledger.log is not None:
        ledger.log.write(result.arrays["ledger.log"].tobytes())
    if ledger.bad_records is not None:
        ledger.bad_records.write(result.arrays["ledger.bad"].tobytes())


def _bytes_in(stream: object) -> AnyArray:
    assert isinstance(stream, io.BytesIO), "a ledger of a shard is kept in memory"
    return np.frombuffer(stream.getvalue(), dtype=np.uint8)
