"""Consensus and scores of real abstracts by the code of several commits, beside each other.

Each commit has a work tree of its own (``git worktree add TREE COMMIT``); all run in this
environment, in turns, on the same files, as JSON Lines and as Parquet. CPU seconds and the peak of
resident memory are those of a whole command in one process.

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
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, file=sys.stderr)
"""


def main(n: int, trees: dict[str, Path]) -> None:
    """Print the table."""
    print(f"{n:,} abstracts{'':22}" + "".join(f"{name:>18}" for name in trees))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for suffix in ("jsonl", "parquet"):
            source = folder / f"in.{suffix}"
            write(documents(n), source)
            made = {tree: folder / f"{tree}.{suffix}" for tree in trees}
            rows = {
                "consensus": {
                    tree: cost(trees[tree], "consensus", str(source), "-o", str(out))
                    for tree, out in made.items()
                },
                "score": {
                    tree: cost(trees[tree], "score", str(out), "--standard", "consensus")
                    for tree, out in made.items()
                },
            }
            for command, costs in rows.items():
                said = "".join(f"{cpu:>7.2f} s {size:>6.0f} MB" for cpu, size in costs.values())
                print(f"{f'{command}, {suffix}':<35}{said}", flush=True)


def cost(tree: Path, *arguments: str) -> tuple[float, float]:
    """Run a command by the code of a work tree; give its CPU seconds and its peak in MB."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments],
        env={**os.environ, "PYTHONPATH": str(tree / "src")},
        check=True,
        capture_output=True,
        text=True,
    )
    cpu, size = map(float, done.stderr.splitlines()[-1].split())
    return cpu, size


if __name__ == "__main__":
    named = dict(each.split("=", 1) for each in sys.argv[2:])
    main(int(sys.argv[1]), {name: Path(tree) for name, tree in named.items()})
