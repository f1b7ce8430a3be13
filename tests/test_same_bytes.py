"""The same inputs, options and seed give the same bytes, whatever else differs: all commands."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from tests.acquisition.bed import GENES, WORDS, abstracts, write_links
from tests.recognise.tiny import samples as passages
from tests.same_bytes import COMMANDS, ELSEWHERE
from vermeil import samples
from vermeil.cli import app
from vermeil.formats import write
from vermeil.formats.corpus import read_corpus

ROOT = Path(__file__).parent.parent
FINDS = """#!{python}
import json, sys
for line in sys.stdin:
    end = len(json.loads(line)["text"].split()[0])
    print(json.dumps({{"spans": [{{"start": 0, "end": end, "label": "Gene"}}]}}), flush=True)
"""
PARSES = """#!{python}
import sys
for line in sys.stdin:
    print("(S " + " ".join(f"(X {{word}})" for word in line.split()) + ")", flush=True)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What the commands read."""
    folder = tmp_path / "one"
    shutil.copytree(samples.FOLDER / "news", folder / "news")
    everybody = list(read_corpus([samples.GOLD, *samples.ANNOTATORS]))[:24]
    write(everybody, folder / "all.jsonl")
    for file in ("gold.jsonl", "ben.pubtator", "llm.jsonl"):
        write(everybody, folder / file, layer=file.partition(".")[0])
    write(everybody, folder / "anna.xml", format="bioc-xml", layer="anna")
    few = [each.replace(layers={"gold": each.layers["gold"]}) for each in passages()[:8]]
    write(few, folder / "few.jsonl")
    for name in ("alpha", "beta", "gamma", "treebank"):
        shutil.copy(samples.FOLDER / f"{name}.mrg", folder)
    rows = [f"{number}\t{name}\tGene" for number, name in enumerate([*GENES, *WORDS])]
    (folder / "genes.tsv").write_text("\n".join(["id\tname\tlabel", *rows, ""]))
    write(abstracts()[:120], folder / "abstracts.jsonl")
    write_links(folder / "links.tsv")
    (folder / "words.txt").write_text("p53 binds DNA .\nCOX-2 is an enzyme .\n")
    for name, script in (("finds", FINDS), ("parses", PARSES)):
        (folder / name).write_text(script.format(python=sys.executable))
        (folder / name).chmod(0o755)
    return folder


def test_every_command_gives_the_same_bytes_again(folder: Path) -> None:
    pytest.importorskip("sklearn")
    pytest.importorskip("pyarrow")
    other = Path(shutil.copytree(folder, folder.parent / "other"))
    processes = []
    for place, more, hashes, threads in ((folder, (), "1", "1"), (other, ("other",), "77", "3")):
        said = {"PYTHONHASHSEED": hashes, "OMP_NUM_THREADS": threads}
        processes.append(
            subprocess.Popen(
                [sys.executable, "-m", "tests.same_bytes", str(place), *more],
                cwd=ROOT,
                env={**os.environ, **said, "OPENBLAS_NUM_THREADS": threads},
                stdout=subprocess.PIPE,
            )
        )
    here, there = (json.loads(process.communicate()[0] or "[]") for process in processes)
    assert here
    for command, one, two in zip(COMMANDS, here, there, strict=True):
        assert one == two, command


def test_every_command_is_tried_or_told_why_not() -> None:
    assert {each.name for each in COMMANDS} | ELSEWHERE.keys() == set(_names(app))


def _names(group: typer.Typer) -> Iterator[str]:
    shown = typer.main.get_group(group)
    for name, command in shown.commands.items():
        inner = getattr(command, "commands", None)
        yield from [f"{name} {each}" for each in inner] if inner else [name]
