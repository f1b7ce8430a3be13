"""What documents hold cannot steer the terminal on which a command speaks of them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from vermeil import Document, Span, Tree
from vermeil.formats import write

STEERING = "\x1b]0;owned\x07\x1b[31m"
SHOWN = r"\x1b]0;owned\x07\x1b[31m"
RUN = [sys.executable, "-c", "import vermeil.cli; vermeil.cli.main()"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = (Span(0, 3, f"Gene{STEERING}", confidence=0.5),)
    layers = {"gold": (Span(4, 6, "Gene"),), f"a{STEERING}": names}
    write([Document(id=f"d{STEERING}", text="p53 ab", layers=layers)], "in.jsonl")
    write([Document(id="1", text="p53 ab", layers={"gold": ()})], "gold.jsonl")
    bad = {"id": "1", "text": "p53", "layers": {}, f"field{STEERING}": 1}
    Path("bad.jsonl").write_text(json.dumps(bad) + "\n")
    Path("folder").mkdir()
    Path("folder", f"x{STEERING}.jsonl").write_text("{}\n")
    tree = Tree.parse(f"(S (NN p{STEERING}))")
    write([Document(id="1", text=f"p{STEERING}", trees={f"t{STEERING}": (tree,)})], "trees.jsonl")


@pytest.mark.parametrize(
    "command",
    [
        ["convert", "in.jsonl", "--layer", f"a{STEERING}", "-o", "out.conll"],
        ["convert", "in.jsonl", "--layer", "nobody at all", "-o", "out.conll"],
        ["convert", "in.jsonl", "-o", "out.conll"],
        ["convert", "bad.jsonl", "--from", "jsonl", "-o", "out.jsonl"],
        ["info", "folder"],
        ["info", "in.jsonl"],
        ["info", f"missing{STEERING}.jsonl"],
        ["agree", "in.jsonl", "--show", "3"],
        ["score", "in.jsonl", "--standard", "gold", "--show", "3"],
        ["consensus", "in.jsonl", "-o", "out.jsonl", "--show", "3"],
        ["trees", "show", "trees.jsonl"],
    ],
    ids=lambda command: " ".join(command[:2]).replace(STEERING, ""),
)
def test_no_control_character_of_a_document_reaches_the_terminal(command: list[str]) -> None:
    said = subprocess.run([*RUN, *command], capture_output=True, text=True)
    told = said.stdout + said.stderr
    assert said.returncode in (0, 1), told
    assert not set("\x1b\x07").intersection(told)
    assert SHOWN in told


def test_json_of_a_command_holds_what_the_documents_hold() -> None:
    said = subprocess.run([*RUN, "info", "in.jsonl", "--json"], capture_output=True, text=True)
    assert f"a{STEERING}" in json.loads(said.stdout)["layers"]
