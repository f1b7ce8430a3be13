"""A soak: many real abstracts as Parquet through ``tag``, ``consensus`` and ``score``, with kills.

The documents are those of ``abstracts``, in files of FILE_SIZE each; beyond N_FILES of them a file
has the names of one before it, and its texts under other ids and numbers, for to annotate ten
million texts takes longer than to soak in them. Every command works on a pool in a folder of
shards. Each is killed with ``kill -9`` twice on its way, after a third and two
thirds of its shards, and goes on by the same command; seconds and CPU include what was lost. Memory
is resident, the largest of one process, in the first and the last third of a command: it must be
flat. With ``--dask``, workers of a local cluster of two are killed instead, one every so many
seconds; the same command without kills stands beside it.

Whatever is there already is not made again, so the soak itself can be stopped and goes on. Tagging
costs several times as much as the rest; ``--tag N`` tags the first files up to N documents.

    python -m benchmarks.soak N_DOCUMENTS FOLDER [--workers N] [--dask SECONDS]
        [--tag N [--model MODEL]]
"""

import argparse
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep

import psutil
import pyarrow
import pyarrow.parquet

from benchmarks.abstracts import documents, numbered
from vermeil.formats import write
from vermeil.formats.kinds.own.parquet import N_ROWS

FILE_SIZE = 5_000
N_FILES = 40
"""Files with chances of their own."""

VERMEIL = [sys.executable, "-c", "from vermeil.cli import main; main()"]


@dataclass
class Soaked:
    """What a command cost in all its attempts, and how large its processes were."""

    seconds: float = 0.0
    cpu: float = 0.0
    n_kills: int = 0
    sizes: list[float] = field(default_factory=list)

    def row(self, what: str, n: int) -> str:
        """Write a line of the table."""
        third = max(1, len(self.sizes) // 3)
        early, late = max(self.sizes[:third]), max(self.sizes[-third:])
        return (
            f"{what:<26}{n:>12,}{self.seconds:>9.0f}{self.cpu:>9.0f}{self.cpu / n * 1e6:>9.0f}"
            f"{early:>9.0f}{late:>9.0f}{self.n_kills:>7}"
        )


def main() -> None:
    """Make what is missing, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("n", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tag", type=int, default=0)
    parser.add_argument("--model", default="gene")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--dask", type=float, default=0.0)
    asked = parser.parse_args()
    folder: Path = asked.folder
    source = made(asked.n, folder / "in")
    size = sum(path.stat().st_size for path in source.iterdir()) / 1e6
    print(f"{asked.n:,} abstracts with five layers, {size:,.0f} MB of Parquet")
    heads = "".join(f"{head:>9}" for head in ("s", "CPU s", "µs each", "MB", "late"))
    print(f"{'command':<26}{'documents':>12}{heads}  kills")
    pool = ("--engine", "pool", "-j", str(asked.workers))
    if asked.dask:
        dask = ("--engine", "dask", "-j", str(asked.workers))
        for name, every in (
            ("undisturbed", 0.0),
            (f"a worker killed every {asked.dask:g} s", asked.dask),
        ):
            command = [
                "consensus",
                str(source),
                "-o",
                f"{folder}/dask{every:g}/",
                "--to",
                "parquet",
            ]
            print(name)
            print(
                soaked([*command, *dask], folder / f"dask{every:g}.run", 0, every).row(
                    "consensus, Dask", asked.n
                )
            )
        return
    if asked.tag:
        some = made(asked.tag, folder / "some")
        tag = [
            "tag",
            str(some),
            "--model",
            asked.model,
            "-o",
            f"{folder}/tagged/",
            "--to",
            "parquet",
        ]
        print(
            soaked([*tag, *pool], folder / "tagged.run", 2).row(
                f"tag --model {asked.model}", asked.tag
            ),
            flush=True,
        )
    silver = folder / "silver"
    consensus = ["consensus", str(source), "-o", f"{silver}/", "--to", "parquet", *pool]
    print(soaked(consensus, folder / "silver.run", 2).row("consensus", asked.n), flush=True)
    score = ["score", str(silver), "--standard", "consensus", "--by", "exact", *pool]
    score += ["--resume", str(folder / "score.run")]
    print(soaked(score, folder / "score.run", 2).row("score --by exact", asked.n), flush=True)


def made(n: int, folder: Path) -> Path:
    """Write ``n`` documents, in files of FILE_SIZE, the first N_FILES with chances of their own."""
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(0, n, FILE_SIZE):
        number = first // FILE_SIZE
        path, like = (folder / f"{each:05}.parquet" for each in (number, number % N_FILES))
        if path.exists():
            continue
        size = min(FILE_SIZE, n - first)
        if path == like:
            write(documents(size, seed=first, first=first), path)
        else:
            _copy(like, path, range(first, first + size))
    return folder


def _copy(like: Path, path: Path, numbers: range) -> None:
    """Write the documents of a file under other ids, with other numbers before their texts."""
    table = pyarrow.parquet.read_table(like).slice(0, len(numbers))
    texts = table.column("text").to_pylist()
    anew = {
        "id": [str(number) for number in numbers],
        "text": [
            numbered(number, text[len(numbered(0, "")) :])
            for number, text in zip(numbers, texts, strict=True)
        ],
    }
    for name, values in anew.items():
        place = table.schema.get_field_index(name)
        column = pyarrow.array(values, table.schema.field(name).type)
        table = table.set_column(place, table.schema.field(name), column)
    half_written = path.with_suffix(".part")
    pyarrow.parquet.write_table(table, half_written, compression="zstd", row_group_size=N_ROWS)
    half_written.replace(path)


def soaked(arguments: Sequence[str], run: Path, n_kills: int, every: float = 0.0) -> Soaked:
    """Do a command to its end, killing it so many times, or its workers every so many seconds."""
    total = Soaked()
    while True:
        is_killed = _attempt(arguments, run, total, n_kills, every)
        if not is_killed:
            return total


def _attempt(
    arguments: Sequence[str], run: Path, total: Soaked, n_kills: int, every: float
) -> bool:
    """Begin or go on with a command; tell whether it was killed."""
    begun, before = monotonic(), _cpu()
    process = subprocess.Popen(
        [*VERMEIL, *arguments], stdout=subprocess.DEVNULL, start_new_session=True
    )
    killing = threading.Event()
    watcher = threading.Thread(target=_watch, args=(process, run, total, n_kills, every, killing))
    watcher.start()
    status = process.wait()
    watcher.join()
    total.seconds += monotonic() - begun
    total.cpu += _cpu() - before
    if status and not killing.is_set():
        raise SystemExit(f"{' '.join(arguments)} ended with {status}")
    return killing.is_set()


def _watch(
    process: "subprocess.Popen[bytes]",
    run: Path,
    total: Soaked,
    n_kills: int,
    every: float,
    killing: threading.Event,
) -> None:
    leader, last = psutil.Process(process.pid), monotonic()
    while process.poll() is None:
        try:
            family = leader.children(recursive=True)
            total.sizes.append(max(each.memory_info().rss / 1e6 for each in (leader, *family)))
        except psutil.NoSuchProcess:
            pass
        if total.n_kills < n_kills and _share(run) * (n_kills + 1) >= total.n_kills + 1:
            total.n_kills += 1
            total.cpu += _used(leader)
            killing.set()
            os.killpg(process.pid, signal.SIGKILL)
            return
        if every and monotonic() - last > every and (workers := _dask_workers(leader)):
            workers[0].kill()
            total.n_kills += 1
            last = monotonic()
        sleep(0.2)


def _used(leader: psutil.Process) -> float:
    """Add up the CPU seconds of the children of a process that is about to be killed."""
    used = 0.0
    for each in leader.children(recursive=True):
        try:
            used += sum(each.cpu_times()[:2])
        except psutil.NoSuchProcess:
            continue
    return used


def _share(run: Path) -> float:
    """Estimate how much of a run is done, by the results of both of its steps."""
    manifest = run / "manifest.json"
    if not manifest.exists():
        return 0.0
    n_shards = max(1, manifest.read_bytes().count(b'"parts"'))
    steps = 1 if run.name.startswith(("score", "tagged")) else 2
    return sum(1 for _ in run.glob("*/*.npz")) / (n_shards * steps)


def _dask_workers(leader: psutil.Process) -> list[psutil.Process]:
    found = []
    for each in leader.children(recursive=True):
        try:
            if "spawn_main" in " ".join(each.cmdline()) and not each.children():
                found.append(each)
        except psutil.NoSuchProcess:
            continue
    return found


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
