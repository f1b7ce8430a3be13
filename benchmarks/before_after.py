"""Consensus and scores of real abstracts by the code of several commits, beside each other.

Each commit has a work tree of its own (``git worktree add TREE COMMIT``); all run in this
environment, in turns, on the same files, as JSON Lines and as Parquet. CPU seconds and the peak of
resident memory are those of a whole command in one process, which finds its modules compiled, as it
does where vermeil is installed; of ROUNDS, in which the trees take turns, the least counts. The
consensus of a tree that can read texts is also made without (``--no-read``), for the first release
did not read, and alike: by hearts, without levels and chances of boundaries, as the first release
did it. Scores are of what the same tree decided by default.

    python -m benchmarks.before_after N_DOCUMENTS NAME=TREE…
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.abstracts import documents
from vermeil.formats import write

SCRIPT = """
import resource, sys
from vermeil.cli import main
try:
    main()
except SystemExit as end:
    if end.code:
        raise
used = resource.getrusage(resource.RUSAGE_SELF)
with open("/proc/self/status") as status:
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
print(used.ru_utime + used.ru_stime, peak / 1024, file=sys.stderr)
"""
"""The peak is asked of /proc: getrusage would not tell less than the parent process held."""


ROUNDS = 3
"""Runs of each command; the first leaves its modules compiled."""


def main(n: int, trees: dict[str, Path]) -> None:
    """Print the table."""
    print(f"{n:,} abstracts{'':22}" + "".join(f"{name:>18}" for name in trees))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for suffix in ("jsonl", "parquet"):
            source = folder / f"in.{suffix}"
            write(documents(n), source)
            made = {tree: str(folder / f"{tree}.{suffix}") for tree in trees}
            rows: dict[str, dict[str, tuple[str, ...]]] = {
                "consensus": {
                    tree: ("consensus", str(source), "-o", out) for tree, out in made.items()
                },
                "score": {
                    tree: ("score", out, "--standard", "consensus") for tree, out in made.items()
                },
                "consensus --no-read": {
                    tree: ("consensus", str(source), "-o", out, *_unread(trees[tree]))
                    for tree, out in made.items()
                },
                "consensus, alike": {
                    tree: ("consensus", str(source), "-o", out, *_alike(trees[tree]))
                    for tree, out in made.items()
                },
            }
            for command, asked in rows.items():
                runs = [
                    {tree: cost(trees[tree], folder, *own) for tree, own in asked.items()}
                    for _ in range(ROUNDS)
                ]
                least = [min(run[tree] for run in runs) for tree in trees]
                said = "".join(f"{cpu:>7.2f} s {size:>6.0f} MB" for cpu, size in least)
                print(f"{f'{command}, {suffix}':<35}{said}", flush=True)


def _alike(tree: Path) -> tuple[str, ...]:
    """Tell a tree to do what the first release did, where that is not all it can do."""
    ways = ("--by", "hearts", "--no-levels", "--extents", "votes")
    return ways if (tree / "src/vermeil/consensus/people").is_dir() else ()


def _unread(tree: Path) -> tuple[str, ...]:
    """Tell a tree not to read texts, where it can."""
    return ("--no-read",) if (tree / "src/vermeil/consensus/reading").is_dir() else ()


def cost(tree: Path, folder: Path, *arguments: str) -> tuple[float, float]:
    """Run a command by the code of a work tree; give its CPU seconds and its peak in MB."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(tree / "src"),
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    cpu, size = map(float, done.stderr.splitlines()[-1].split())
    return cpu, size


if __name__ == "__main__":
    named = dict(each.split("=", 1) for each in sys.argv[2:])
    main(int(sys.argv[1]), {name: Path(tree) for name, tree in named.items()})
