"""The benchmark house: all scripts in one run, one table for people and one file for programs.

    python -m benchmarks [--size N] [--full] [--only AREA …] [--output FOLDER] [--before TREE]

Writes ``results.md`` and ``results.json``; docs/benchmarks.md shows the former between marks. Each
script is run on generated data of ``--size`` documents, and on the corpora of VERMEIL_CORPORA
where they are there, in a process of its own so that none inherits another's memory. ``--full``
takes ten times the size, and a million names in real abstracts. ``--before`` has the scripts of
another work tree (``git worktree add TREE COMMIT``) measure its own code in the same run, each
right after ours. ``recognisers``, which takes an hour, and ``online_learning``, which makes
gigabytes, are run by hand.
"""

import argparse
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from math import isnan
from pathlib import Path
from textwrap import fill
from typing import Any

import msgspec

from benchmarks.growth import Curve, curves
from benchmarks.measures import COLUMNS, Measure, figure
from benchmarks.perturbed import CORPORA

HERE = Path(__file__).parent
SHOWN = HERE.parent / "docs" / "benchmarks.md"
AREAS = {
    "consensus": "Consensus",
    "taggers": "Consensus of real taggers",
    "agreement": "Reliability",
    "many_annotators": "Crowds",
    "scoring": "Scoring",
    "trees": "Trees",
    "matching": "Matching",
    "tagging": "Tagging",
    "training": "Training",
    "read_write": "Reading and writing",
    "pubmed": "PubMed",
    "review": "Review",
    "engine_overhead": "Engine",
    "starting": "Before the first document",
}
SIZE = 2_000
VERSIONS = (
    *("vermeil", "numpy", "msgspec", "pyarrow", "lxml", "crowd-kit", "krippendorff", "nltk"),
    *("nervaluate", "seqeval", "PYEVALB", "daachorse", "python-crfsuite"),
)
MARKS = re.compile(r"(?<=<!-- benchmarks -->\n).*(?=<!-- end of benchmarks -->)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Results:
    """All that one run found, and where."""

    command: str
    machine: Mapping[str, str]
    versions: Mapping[str, str]
    size: int
    areas: Mapping[str, Sequence[Measure]]
    curves: Sequence[Curve]
    left_out: Sequence[str] = ()
    before: Mapping[str, Sequence[Measure]] = field(default_factory=dict)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what was asked for and write the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("--size", type=int, default=SIZE, help="documents to generate")
    parser.add_argument("--full", action="store_true", help="ten times the size, and what is long")
    parser.add_argument("--only", nargs="*", choices=AREAS, default=list(AREAS))
    parser.add_argument("--output", type=Path, default=HERE)
    parser.add_argument("--before", type=Path, metavar="TREE", help="a work tree to compare with")
    parser.add_argument("--area", choices=AREAS, help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    size = asked.size * (10 if asked.full else 1)
    if asked.area:
        measures = import_module(f"benchmarks.{asked.area}").rows(size)
        print(msgspec.json.encode(measures).decode())
        return
    results = run(size, asked.only, asked.before)
    asked.output.mkdir(exist_ok=True)
    (asked.output / "results.json").write_bytes(
        msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n"
    )
    page = markdown(results)
    (asked.output / "results.md").write_text(page, encoding="utf-8")
    if asked.output == HERE:
        SHOWN.write_text(with_results(SHOWN.read_text(encoding="utf-8"), page), encoding="utf-8")
    print(page)


def run(size: int, areas: Sequence[str], before: Path | None = None) -> Results:
    """Measure all areas, one after the other, and then how each grows."""
    found: dict[str, list[Measure]] = {}
    earlier: dict[str, list[Measure]] = {}
    for area in areas:
        found[area] = _measured(area, size, HERE.parent)
        if before is not None:
            earlier[area] = _measured(area, size, before)
    there = [area for area in areas if found[area]]
    partial = "" if [*areas] == [*AREAS] else f" --only {' '.join(areas)}"
    return Results(
        command=f"python -m benchmarks --size {size}{partial}{' --before TREE' if before else ''}",
        machine=machine(),
        versions={name: known for name in VERSIONS if (known := _version(name))},
        size=size,
        areas={AREAS[area]: found[area] for area in there},
        curves=list(curves(size, there)),
        left_out=[AREAS[area] for area in areas if area not in there],
        before={AREAS[area]: measures for area, measures in earlier.items() if measures},
    )


def machine() -> dict[str, str]:
    """Describe the machine."""
    info = Path("/proc/cpuinfo")
    model = re.search(r"model name\s*:\s*(.+)", info.read_text()) if info.exists() else None
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return {
        "processor": model[1] if model else platform.processor(),
        "cores": str(os.cpu_count()),
        "memory": f"{memory:.0f} GB",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "corpora": "yes" if CORPORA.is_dir() else "no",
    }


def markdown(results: Results) -> str:
    """Write the tables as Markdown."""
    facts = results.machine
    made = (
        f"`{results.command}` on {facts['processor']}, {facts['cores']} cores, {facts['memory']}, "
        f"Python {facts['python']}, {facts['date']}; one core, CPU time, "
        f"{'with' if facts['corpora'] == 'yes' else 'without'} the corpora."
    )
    lines = [
        fill(made, 100, break_on_hyphens=False),
        "",
        _row(COLUMNS),
        _row(["---"] * len(COLUMNS)),
    ]
    for area, measures in results.areas.items():
        lines += [_row([f"**{area}**", *[""] * (len(COLUMNS) - 1)])]
        lines += [_row(measure.cells()) for measure in measures]
    lines += ["", *_growth(results.curves)] if results.curves else []
    lines += ["", *_compared(results)] if results.before else []
    lines += ["", f"Left out: {', '.join(results.left_out)}."] if results.left_out else []
    return "\n".join(lines) + "\n"


def results_of(content: bytes) -> Results:
    """Read results.json."""
    return msgspec.convert(_defined(msgspec.json.decode(content)), Results)


def with_results(shown: str, page: str) -> str:
    """Put the tables between the marks of the page that shows them."""
    return MARKS.sub(lambda _: f"\n{page}\n", shown)


def _compared(results: Results) -> Iterator[str]:
    """Set rows that both trees have beside each other; peers and floors are those of each."""
    columns = ("before and after", "before", "now", "of before", "peers and floors, of before")
    yield _row(columns)
    yield _row(["---"] * len(columns))
    for area, measures in results.areas.items():
        known: dict[str, Measure] = {}
        for each in results.before.get(area, ()):
            known.setdefault(each.what, each)
        shown = {each.what: each for each in reversed(measures) if each.what in known}
        if shown:
            yield _row([f"**{area}**", *[""] * (len(columns) - 1)])
        for what, now in reversed(shown.items()):
            then = known[what]
            yield _row(
                [
                    what,
                    f"{figure(then.ours)} {then.unit}",
                    f"{figure(now.ours)} {now.unit}",
                    figure(now.ours / then.ours) if then.ours else "",
                    figure(_same_work(now) / _same_work(then)),
                ]
            )


def _same_work(measure: Measure) -> float:
    """Tell what others took for it, which no change of ours can make faster."""
    return measure.floor if isnan(measure.peer) else measure.peer


def _growth(found: Sequence[Curve]) -> Iterator[str]:
    columns = ("growth", "sizes", "CPU s", "time grows with", "peak MB", "memory grows with")
    yield _row(columns)
    yield _row(["---"] * len(columns))
    for curve in found:
        yield _row(
            [
                curve.what,
                f"{curve.sizes[0]:,} to {curve.sizes[-1]:,}",
                f"{figure(curve.seconds[0])} to {figure(curve.seconds[-1])}",
                f"n^{curve.time_exponent:.2f}",
                f"{figure(curve.megabytes[0])} to {figure(curve.megabytes[-1])}",
                f"n^{curve.memory_exponent:.2f}",
            ]
        )


def _measured(area: str, size: int, tree: Path) -> list[Measure]:
    """Run the rows of a tree's script in a process of its own; none where it fails or is not."""
    if not (tree / "benchmarks" / f"{area}.py").exists():
        return []
    command = [sys.executable, "-m", "benchmarks", "--area", area, "--size", str(size)]
    environment = {
        **os.environ,
        "PYTHONPATH": str(tree / "src"),
        "VERMEIL_CORPORA": str(CORPORA.resolve()),
    }
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, cwd=tree, env=environment)
    if done.returncode:
        print(f"benchmarks.{area} of {tree} could not be measured; it is left out", file=sys.stderr)
        return []
    return msgspec.convert(
        _defined(msgspec.json.decode(done.stdout.splitlines()[-1])), list[Measure]
    )


def _defined(value: Any) -> Any:
    """Leave out what is null: an undefined number, which is the default of its field too."""
    if isinstance(value, dict):
        return {key: _defined(each) for key, each in value.items() if each is not None}
    return [_defined(each) for each in value] if isinstance(value, list) else value


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
