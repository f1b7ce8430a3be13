"""How time and memory grow with size: each size in a process of its own, the same work each time.

GROWN names the functions that prepare data of a size and give the work to be measured. Seconds are
CPU time of the work alone; memory is the most that the whole process held. The exponents are slopes
of a line through the logarithms: 1 is linear, 0 does not grow.

    python -m benchmarks.growth NAME SIZE
"""

import os
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from math import nan
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import msgspec
import numpy as np

from benchmarks.generated import documents
from benchmarks.timing import best, peak_megabytes
from vermeil.cli import app
from vermeil.formats import write


@dataclass(frozen=True, slots=True)
class Work:
    """Where the work on data of a size is prepared: a script and a function of it.

    ``area`` is the script whose measures it belongs to, where that is another.
    """

    script: str
    prepare: str
    what: str
    area: str = ""


GROWN = {
    "consensus": Work("consensus", "grow", "`vermeil consensus`, five annotators"),
    "agreement": Work("agreement", "grow", "`vermeil agree`"),
    "scoring": Work("scoring", "grow", "`vermeil score`, four systems"),
    "constituents": Work("trees", "grow", "constituents of trees, from files"),
    "lineages": Work("lineages", "grow", "leaf-ancestor scores", area="trees"),
    "matching": Work("matching", "grow", "matching 100,000 names"),
    "tagging": Work("tagging", "grow", "tagging a quarter of the documents"),
    "training": Work("training", "grow", "training a linear tagger on a twentieth of them"),
    "jsonl": Work("read_write", "grow", "JSON Lines to Parquet"),
    "pubmed": Work("pubmed", "grow", "PubMed XML to JSON Lines"),
    "engine": Work("engine_overhead", "grow", "`vermeil consensus --engine process`"),
}
STEPS = (0.5, 1, 2, 4)
WARM_UP = 20


@dataclass(frozen=True, slots=True)
class Curve:
    """Seconds and megabytes at several sizes."""

    what: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    megabytes: tuple[float, ...]

    @property
    def time_exponent(self) -> float:
        """The power of the size with which time grows."""
        return slope(self.sizes, self.seconds)

    @property
    def memory_exponent(self) -> float:
        """The power of the size with which memory grows."""
        return slope(self.sizes, self.megabytes)


def slope(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Fit the exponent of growth; NaN where fewer than two sizes were measured.

    >>> round(slope([1, 2, 4], [3, 12, 48]), 6)
    2.0
    """
    if len(sizes) < 2:
        return nan
    return float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])


def curves(size: int, scripts: Collection[str]) -> Iterator[Curve]:
    """Measure what the ``scripts`` have to show, around ``size`` documents or sentences."""
    for name, work in GROWN.items():
        if (work.area or work.script) in scripts and _is_there(work):
            sizes = tuple(max(1, round(size * step)) for step in STEPS)
            try:
                found = [measured(name, each) for each in sizes]
            except subprocess.CalledProcessError as error:
                print(f"the growth of {name} could not be measured: {error}", file=sys.stderr)
                continue
            yield Curve(work.what, sizes, *(tuple(column) for column in zip(*found, strict=True)))


def measured(name: str, size: int) -> tuple[float, float]:
    """Run a size in a process of its own; give seconds and megabytes."""
    command = [sys.executable, "-m", "benchmarks.growth", name, str(size)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    seconds, megabytes = msgspec.json.decode(done.stdout.splitlines()[-1], type=tuple[float, float])
    return seconds, megabytes


def command(size: int, *arguments: str) -> Callable[[], object]:
    """Prepare a command of vermeil, whose words on stdout are thrown away.

    IN stands for a file of ``size`` generated documents, OUT for a file to write.
    """
    folder = Path(mkdtemp())
    write(documents(size), folder / "in.jsonl")
    paths = {"IN": str(folder / "in.jsonl"), "OUT": str(folder / "out.jsonl")}

    def work() -> None:
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
            app([paths.get(each, each) for each in arguments], standalone_mode=False)
        rmtree(folder)

    return work


def main(name: str, size: int) -> None:
    """Print seconds and megabytes as JSON, after a small round that loads what is needed."""
    work = GROWN[name]
    prepare = getattr(import_module(f"benchmarks.{work.script}"), work.prepare)
    prepare(WARM_UP)()
    seconds = best(prepare(size), 1)
    print(msgspec.json.encode((seconds, peak_megabytes())).decode())


def _is_there(work: Work) -> bool:
    name = f"benchmarks.{work.script}"
    return find_spec(name) is not None and hasattr(import_module(name), work.prepare)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
