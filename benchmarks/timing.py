"""How every script takes its times and its memory."""

import re
from collections.abc import Callable
from pathlib import Path
from time import process_time


def best(work: Callable[[], object], rounds: int = 3) -> float:
    """Give the least CPU time of a few rounds, in seconds."""
    times = []
    for _ in range(rounds):
        begun = process_time()
        work()
        times.append(process_time() - begun)
    return min(times)


def peak_megabytes() -> float:
    """Give the most memory that this process has held so far; what its parent held is left out."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    found = re.search(r"VmHWM:\s+(\d+)", status)
    assert found
    return int(found[1]) / 1024
