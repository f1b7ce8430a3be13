"""How every script takes its times."""

from collections.abc import Callable
from time import process_time


def best(work: Callable[[], object], rounds: int = 3) -> float:
    """Give the least CPU time of a few rounds, in seconds."""
    times = []
    for _ in range(rounds):
        begun = process_time()
        work()
        times.append(process_time() - begun)
    return min(times)
