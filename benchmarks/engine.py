"""Consensus and scoring of many documents on every engine: CPU, wall, memory, growth, overhead.

Documents are made up (five annotators, about 8 names each). Every command is run as a user runs it,
in a process of its own, and all its processes are watched: CPU seconds are those of the whole
family, memory is resident, as the sum over the family and as the largest of one process (pages
that two share count twice in the sum). Outputs must be the same to the byte on every engine.

    python -m benchmarks.engine [N_DOCUMENTS]        growth to N, and all engines at N
    python -m benchmarks.engine --large N_DOCUMENTS [FOLDER]
        the pool alone, growth to a size that takes long
"""

import resource
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import monotonic, sleep

import psutil

from benchmarks.generated import documents
from benchmarks.growth import slope
from vermeil.formats import write

SCORE = ("--standard", "consensus", "--json", "--no-documents")
ENGINES = {
    "stream": (),
    "process": ("--engine", "process"),
    "pool, 1 worker": ("--engine", "pool", "-j", "1"),
    "pool, 2 workers": ("--engine", "pool", "-j", "2"),
    "dask, 2 workers": ("--engine", "dask", "-j", "2"),
}


@dataclass(frozen=True, slots=True)
class Cost:
    """What a command cost: seconds, and resident megabytes of all its processes and of one."""

    wall: float
    cpu: float
    together: float
    largest: float

    def __str__(self) -> str:
        return f"{self.wall:>9.1f}{self.cpu:>9.1f}{self.together:>9.0f}{self.largest:>9.0f}"


def main(n: int) -> None:
    """Print growth, then the engines."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sizes = [n // 8, n // 4, n // 2, n]
        print(f"growth, one process{'':19}wall s    CPU s   RSS MB  largest")
        costs: dict[str, list[Cost]] = {"consensus": [], "score": []}
        for size in sizes:
            generate(size, folder / f"{size}.jsonl")
            for what, cost in both(folder, size, ()):
                costs[what].append(cost)
                print(f"{size:>12,} {what:<24}{cost}")
        print_growth(sizes, costs)
        print(f"\nengines at {n:,} documents, in shards of a twelfth")
        size = (folder / f"{n}.jsonl").stat().st_size
        shards = ("--shard-size", str(size / 12e6))
        seen, found = set(), {}
        for label, options in ENGINES.items():
            for what, cost in both(folder, n, (*options, *shards) if options else ()):
                print(f"{label:>20} {what:<16}{cost}", flush=True)
                found[label, what] = cost
            seen.add(digest(folder / "silver.jsonl"))
        for what in costs:
            one, two, dask = (found[each, what] for each in list(ENGINES)[2:])
            print(
                f"    {what}: two workers {one.wall / two.wall:.2f} times as fast as one on the "
                f"clock; Dask takes {dask.cpu / two.cpu:.2f} times the CPU of the pool"
            )
        print("outputs are", "the same" if len(seen) == 1 else "DIFFERENT")


def large(n: int, folder: Path) -> None:
    """Print what the pool of two takes for a sixteenth, a quarter and all of ``n`` documents."""
    sizes = [n // 16, n // 4, n]
    costs: dict[str, list[Cost]] = {"consensus": [], "score": []}
    print(f"pool of two workers{'':19}wall s    CPU s   RSS MB  largest")
    for size in sizes:
        if not (folder / f"{size}.jsonl").exists():
            generate(size, folder / f"{size}.jsonl")
        for what, cost in both(folder, size, ("-j", "2")):
            costs[what].append(cost)
            print(f"{size:>12,} {what:<24}{cost}", flush=True)
    print_growth(sizes, costs)


def print_growth(sizes: Sequence[int], costs: Mapping[str, Sequence[Cost]]) -> None:
    """Fit how CPU time grows with the number of documents."""
    for what, rows in costs.items():
        power = slope(sizes, [each.cpu for each in rows])
        print(f"    {what}: CPU time grows with the power {power:.3f} of the documents")


def both(folder: Path, n: int, options: Sequence[str]) -> list[tuple[str, Cost]]:
    """Run consensus and then scoring against it."""
    source, silver = folder / f"{n}.jsonl", folder / "silver.jsonl"
    made = watched(["consensus", str(source), "-o", str(silver), *options])
    return [("consensus", made), ("score", watched(["score", str(silver), *SCORE, *options]))]


def watched(arguments: Sequence[str]) -> Cost:
    """Run a command and watch its family until it ends."""
    begun, before = monotonic(), _cpu()
    command = [sys.executable, "-c", "from vermeil.cli import main; main()", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    peaks = [0.0, 0.0]
    watcher = threading.Thread(target=_watch, args=(process, peaks))
    watcher.start()
    status = process.wait()
    watcher.join()
    if status:
        raise SystemExit(f"{' '.join(arguments)} ended with {status}")
    return Cost(monotonic() - begun, _cpu() - before, *peaks)


def generate(n: int, path: Path) -> None:
    """Write ``n`` documents."""
    write(documents(n), path)


def digest(path: Path) -> str:
    """Give the digest of a file."""
    summed = sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            summed.update(chunk)
    return summed.hexdigest()


def _watch(process: "subprocess.Popen[bytes]", peaks: list[float]) -> None:
    leader = psutil.Process(process.pid)
    while process.poll() is None:
        sizes = []
        try:
            for each in (leader, *leader.children(recursive=True)):
                sizes.append(each.memory_info().rss / 1e6)
        except psutil.NoSuchProcess:
            pass
        peaks[0] = max(peaks[0], sum(sizes))
        peaks[1] = max(peaks[1], *sizes, 0.0)
        sleep(0.1)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    if sys.argv[1:2] == ["--large"]:
        with tempfile.TemporaryDirectory() as temporary:
            large(int(sys.argv[2]), Path(sys.argv[3] if sys.argv[3:] else temporary))
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else 40_000)
