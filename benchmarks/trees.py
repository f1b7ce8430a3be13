"""Scoring and combining parse trees: against EVALB, PYEVALB and a plain dynamic programme.

Constituents: all counts of one parser against gold, from the two files to the figures, with the
preparation ``evalb``. EVALB is timed where it is on the PATH or named by the variable EVALB; its
limits (words and characters of a sentence) may have to be raised to take these sentences. PYEVALB
gets sentences that both sides parsed, without traces, since it stops at failures and counts traces
as words. Constituents also on the files repeated a hundred times. Lineages: see ``lineages``;
what combining brings: see ``tree_sets``.

    python -m benchmarks.trees [PARSER]
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from benchmarks import lineages
from benchmarks.measures import Measure, show
from benchmarks.timing import best
from benchmarks.tree_pairs import write_pairs
from vermeil.formats.forests import read_forests
from vermeil.formats.inputs import Input
from vermeil.scoring.trees.constituents import compare
from vermeil.tree import TRACE, Tree, assemble

CORPUS = Path(os.environ.get("VERMEIL_CORPORA", "../shared/corpora")) / "genia-trees"
MEMBERS = ("bikelold", "bikelnew", "charniak", "stansmall")
N_GENERATED = 2_000
COLLINS = """\
LABELED 1
DELETE_LABEL TOP
DELETE_LABEL -NONE-
DELETE_LABEL ,
DELETE_LABEL :
DELETE_LABEL ``
DELETE_LABEL ''
DELETE_LABEL .
DELETE_LABEL_FOR_LENGTH -NONE-
EQ_LABEL ADVP PRT
"""


def main(parser: str) -> None:
    """Print the times and what the figures are."""
    if not CORPUS.is_dir():
        print(f"no corpora at {CORPUS}; set VERMEIL_CORPORA; generated trees instead")
        show(rows(N_GENERATED))
        return
    gold, parsed = CORPUS / "gold.mrg", CORPUS / f"{parser}.mrg"
    with tempfile.TemporaryDirectory() as folder:
        show(constituents(gold, parsed, Path(folder), "912 sentences", rounds=5))
        many = repeated(gold, 100, Path(folder)), repeated(parsed, 100, Path(folder))
        show(constituents(*many, Path(folder), "91,200 sentences", rounds=1, with_pyevalb=False))
    show(lineages.measured(gold, parsed))


def rows(size: int) -> list[Measure]:
    """Measure on one parser of the corpora, where they are there, and on ``size`` made-up trees."""
    measures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        gold, parsed = write_pairs(size, folder)
        if CORPUS.is_dir():
            real = CORPUS / "gold.mrg", CORPUS / "charniak.mrg"
            measures += constituents(*real, folder, "912 sentences of GENIA", rounds=3)
            measures += lineages.measured(*real)
        measures += constituents(gold, parsed, folder, f"{size:,} made-up sentences", rounds=1)
        measures += lineages.measured(gold, parsed)
    return measures


def grow(size: int) -> Callable[[], object]:
    """Prepare the files of ``size`` made-up sentences."""
    folder = Path(tempfile.mkdtemp())
    gold, parsed = write_pairs(size, folder)

    def work() -> None:
        counted(gold, parsed)
        shutil.rmtree(folder)

    return work


def constituents(
    gold: Path, parsed: Path, folder: Path, title: str, *, rounds: int, with_pyevalb: bool = True
) -> list[Measure]:
    """Time everything from two files to the counts of constituents."""
    counts: list[TreeCounts] = []
    seconds = best(lambda: counts.append(counted(gold, parsed)), rounds)
    ours = Measure(
        f"constituents, {title}",
        seconds,
        floor=best(lambda: loaded(gold, parsed), rounds),
        floor_name="reading both files",
        note=figures(*counts[-1]),
    )
    measures = []
    evalb = shutil.which(os.environ.get("EVALB", "evalb"))
    if evalb is not None:
        parameters = folder / "collins.prm"
        parameters.write_text(COLLINS, encoding="utf-8")
        command = [evalb, "-e", "1000000", "-p", str(parameters), str(gold), str(parsed)]
        said: list[str] = []
        theirs = min(children_seconds(command, said) for _ in range(rounds))
        note = f"{ours.note}; EVALB {bracketing(said[-1])}"
        measures.append(replace(ours, peer=theirs, peer_name="EVALB (C)", note=note))
    if with_pyevalb and find_spec("PYEVALB") is not None:
        measures += against_pyevalb(gold, parsed, folder, ours)
    return measures or [replace(ours, note=f"{ours.note}; no peer at hand")]


def loaded(gold: Path, parsed: Path) -> int:
    """Read the trees of two files and count them."""
    inputs = [Input(gold, "gold"), Input(parsed, "parsed")]
    return sum(len(batch.tables["gold"]) for batch in read_forests(inputs))


TreeCounts = tuple[int, int, int]


def counted(gold: Path, parsed: Path) -> TreeCounts:
    """Count constituents of the sentences that were parsed."""
    matched = predicted = wanted = 0
    for batch in read_forests([Input(gold, "gold"), Input(parsed, "parsed")]):
        tables = batch.prepared(["evalb"])
        found = compare(tables["gold"], tables["parsed"])
        matched += int(found.matched.sum())
        predicted += int(found.predicted.sum())
        wanted += int(found.wanted[found.comparable].sum())
    return matched, predicted, wanted


def against_pyevalb(gold: Path, parsed: Path, folder: Path, ours: Measure) -> list[Measure]:
    """Time PYEVALB on the sentences both sides parsed, without function labels or traces."""
    from PYEVALB import parser as reader
    from PYEVALB import scorer

    pairs = [
        (without_traces(one), without_traces(other))
        for one, other in zip(
            gold.read_text(encoding="utf-8").splitlines(),
            parsed.read_text(encoding="utf-8").splitlines(),
            strict=True,
        )
        if one and other
    ]
    sides = [folder / "gold.plain", folder / "parsed.plain"]
    for path, lines in zip(sides, zip(*pairs, strict=True), strict=True):
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    paths = [*map(str, sides), str(folder / "pyevalb.txt")]
    theirs = best(lambda: scorer.Scorer().evalb(*paths), 1)
    judge = scorer.Scorer()
    make = reader.create_from_bracket_string
    calls = best(lambda: [judge.score_trees(make(a), make(b)) for a, b in pairs], 1)
    return [
        replace(ours, peer=theirs, peer_name="PYEVALB, evalb()"),
        replace(ours, peer=calls, peer_name="PYEVALB, score_trees() alone", note=""),
    ]


def without_traces(line: str) -> str:
    """Spell a tree without the words that were never said."""
    tree = Tree.parse(line)
    leaves = [(tag, word) for tag, word in tree.leaves() if tag != TRACE]
    return str(assemble(leaves, tree.brackets, root="TOP"))


def repeated(path: Path, n: int, folder: Path) -> Path:
    """Write a file with the trees of another ``n`` times."""
    target = folder / path.name
    target.write_text(path.read_text(encoding="utf-8") * n, encoding="utf-8")
    return target


def children_seconds(command: Sequence[str], said: list[str]) -> float:
    """Run a command; give the CPU time it took and keep what it said."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=False, capture_output=True, text=True, errors="replace")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    said.append(done.stdout)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def bracketing(said: str) -> str:
    """Find EVALB's own figures for all sentences."""
    lines = [line.split("=")[1].strip() for line in said.splitlines() if "Bracketing" in line]
    return "R {} P {} F {}".format(*lines[:3]) if len(lines) >= 3 else "stopped early"


def figures(matched: int, predicted: int, wanted: int) -> str:
    """Give our figures in the same shape."""
    recall, precision = 100 * matched / wanted, 100 * matched / predicted
    f = 200 * matched / (wanted + predicted)
    return f"R {recall:.2f} P {precision:.2f} F {f:.2f}"


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else "charniak")
