"""What every command costs before its first document, and with one document from start to end.

Each command is run in a fresh process over one sample document or two sample trees, several times,
with bytecode that an earlier run has left, as it is where vermeil is installed. The clock is read
when the command first opens an input to read it (it has looked at how the file begins by then). The
floor is an interpreter that loads nothing but the command line's library and numpy.

    python -m benchmarks.starting [COMMAND …]
"""

import os
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from math import nan
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measures import Measure, show
from vermeil import samples
from vermeil.formats import read, write

ROUNDS = 3
"""Runs of each command; the first leaves bytecode for the others, and the least counts."""

WANTED = 0.25
"""CPU seconds that a command may take before its first document."""

COMMANDS: Mapping[str, str] = {
    "--help": "--help",
    "convert": "convert three.jsonl -o out.parquet",
    "info": "info three.jsonl",
    "consensus": "consensus three.jsonl -o out.jsonl",
    "agree": "agree three.jsonl",
    "silver": "silver three.jsonl --gold anna",
    "audit": "audit gold.jsonl",
    "score": "score three.jsonl --standard anna",
    "tag": "tag three.jsonl --model chem -o out.jsonl",
    "tune": "tune gold.jsonl --model gene",
    "report": "report three.jsonl -o out.html",
    "acquire lexicon": "acquire lexicon SAMPLES/genes.tsv -o lexicon",
    "acquire label": "acquire label three.jsonl --lexicon lexicon -o out.jsonl",
    "trees score": "trees score treebank.mrg alpha.mrg",
    "trees diagnose": "trees diagnose treebank.mrg alpha.mrg",
    "trees compare": "trees compare treebank.mrg alpha.mrg",
    "trees combine": "trees combine alpha.mrg beta.mrg -o out.mrg",
    "trees trust": "trees trust alpha.mrg beta.mrg",
    "trees show": "trees show treebank.mrg",
}

_TIMED = """
import sys, time
from vermeil.formats.files.source import Source
read = []
def __new__(cls, *arguments, **options):
    read.append(time.process_time())
    return object.__new__(cls)
Source.__new__ = __new__
from vermeil.cli import main
try:
    main()
finally:
    print(read[0] if read else "nan", file=open("first", "w"))
"""


def main(commands: Sequence[str]) -> None:
    """Print the table."""
    show(measured({name: COMMANDS[name] for name in commands or COMMANDS}))


def rows(size: int) -> list[Measure]:
    """Measure every command; one document is enough whatever the size."""
    return measured(COMMANDS) if size else []


def measured(commands: Mapping[str, str]) -> list[Measure]:
    """Measure some of the commands."""
    with TemporaryDirectory() as folder:
        _lay_out(Path(folder))
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": f"{folder}/bytecode"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        bare = [sys.executable, "-c", "import typer, pydantic, numpy"]
        floor = min(_spent(bare, folder, environment) for _ in range(ROUNDS))
        return [
            _measured(name, command, floor, folder, environment)
            for name, command in commands.items()
        ]


def _measured(
    name: str, command: str, floor: float, folder: str, environment: Mapping[str, str]
) -> Measure:
    own = [each.replace("SAMPLES", str(samples.FOLDER)) for each in command.split()]
    if name == "--help":
        shown = [sys.executable, "-c", "from vermeil.cli import main; main()", *own]
        return Measure(name, min(_spent(shown, folder, environment) for _ in range(ROUNDS)))
    whole, before = [], []
    for _ in range(ROUNDS):
        whole.append(_spent([sys.executable, "-c", _TIMED, *own], folder, environment))
        before.append(float(Path(folder, "first").read_text()))
    over = f"; over the {WANTED} wanted" if min(before) > WANTED else ""
    return Measure(
        name,
        min(before),
        floor=floor,
        floor_name="typer, pydantic and numpy loaded",
        note=f"{min(whole):.2f} with one document{over}",
    )


def _spent(command: Sequence[str], folder: str, environment: Mapping[str, str]) -> float:
    """Run a command and tell what it took; NaN where it fails."""
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, cwd=folder, env=environment, check=False, capture_output=True, text=True
    )
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        print(f"{' '.join(command[3:])}: {done.stderr.strip()[-200:]}", file=sys.stderr)
        return nan
    return ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime


def _lay_out(folder: Path) -> None:
    """Write one document by three annotators, and two trees by each parser."""
    document = next(iter(read(samples.FOLDER / "gold.jsonl")))
    names = document.layers["gold"]
    layers = {"anna": names, "ben": names[:-1], "cy": names[1:]}
    write([document.replace(layers=layers)], folder / "three.jsonl")
    write([document], folder / "gold.jsonl")
    for name in ("treebank", "alpha", "beta"):
        lines = (samples.FOLDER / f"{name}.mrg").read_text(encoding="utf-8").splitlines()
        (folder / f"{name}.mrg").write_text("\n".join(lines[:2]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
