"""A folder with abstracts, their lexicon and its references, for commands that need all three."""

from functools import partial
from pathlib import Path

import pytest

from tests.acquisition.bed import GENES, WORDS, abstracts, write_links
from tests.cli import command_line
from vermeil.formats import write

GIVEN = ("abstracts.jsonl", "--lexicon", "genes.zip", "--references", "links.tsv")

run = partial(command_line.run, "acquire")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [f"{number}\t{name}\tGene" for number, name in enumerate([*GENES, *WORDS])]
    Path("genes.tsv").write_text("\n".join(["id\tname\tlabel", *rows, ""]))
    write(abstracts(), "abstracts.jsonl")
    write_links(Path("links.tsv"))
    run("lexicon", "genes.tsv", "-o", "genes.zip")
