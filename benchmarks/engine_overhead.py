"""What an engine adds to a command: each engine against the same command without one.

The commands and the watching of their processes are those of ``engine``. The floor is the command
as it streams in one process; CPU seconds are those of all processes, start and end included, so
that small sizes show the price of starting workers.

    python -m benchmarks.engine_overhead [N_DOCUMENTS]
"""

import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from benchmarks.growth import command
from benchmarks.measures import Measure, show

PLAIN = "stream"
N_SHARDS = 12


def main(n: int) -> None:
    """Print the table."""
    show(rows(n))


def rows(size: int) -> list[Measure]:
    """Measure consensus and scoring of ``size`` generated documents on every engine."""
    if find_spec("benchmarks.engine") is None:
        return []
    from benchmarks.engine import ENGINES, both, generate

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / f"{size}.jsonl"
        generate(size, path)
        shards = ("--shard-size", str(path.stat().st_size / N_SHARDS / 1e6))
        costs = {
            engine: both(folder, size, (*options, *shards) if options else ())
            for engine, options in ENGINES.items()
        }
    floor = dict(costs[PLAIN])
    return [
        Measure(
            f"{what}, {engine}",
            cost.cpu,
            floor=floor[what].cpu,
            floor_name="the plain command",
            note=f"{size:,} documents; {cost.wall:.1f} s on the clock, {cost.largest:.0f} MB in "
            "the largest process",
        )
        for engine, found in costs.items()
        for what, cost in found
        if engine != PLAIN
    ]


def grow(size: int) -> Callable[[], object]:
    """Prepare the consensus of ``size`` generated documents in shards, one after the other."""
    return command(size, "consensus", "IN", "-o", "OUT", "--engine", "process")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 20_000)
