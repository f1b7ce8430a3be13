"""The BioCreative training data to every writable format and back: no name, no offset changes.

Every fiftieth sentence, since some formats take a file for each; with
``HYPOTHESIS_PROFILE=thorough`` all 7,500.
"""

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vermeil import Document
from vermeil.cli import app
from vermeil.formats import FORMATS, read

N_NAMES = {"gene": 18265, "alternative": 14499}
STEP = 1 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 50
WRITABLE = [name for name, row in FORMATS.items() if row.write and "spans" in row.carries]


def run(*arguments: str | Path) -> None:
    result = CliRunner().invoke(app, [str(each) for each in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output


@pytest.fixture(scope="module")
def folder(corpora: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the sentences that are tried, and their names."""
    whole, part = corpora / "bc2gm" / "train", tmp_path_factory.mktemp("bc2gm")
    lines = (whole / "train.in").read_text(encoding="utf-8").splitlines()
    sentences = list(zip(lines[::2], lines[1::2], strict=True))[::STEP]
    (part / "train.in").write_text("".join(f"{key}\n{text}\n" for key, text in sentences), "utf-8")
    tried = {key for key, _ in sentences}
    for name, n_names in zip(("GENE.eval", "ALTGENE.eval"), N_NAMES.values(), strict=True):
        names = (whole / name).read_text(encoding="utf-8").splitlines(keepends=True)
        assert len(names) == n_names
        (part / name).write_text("".join(n for n in names if n.split("|")[0] in tried), "utf-8")
    return part


@pytest.fixture(scope="module")
def original(folder: Path) -> dict[str, Document]:
    documents = read(folder / "train.in")
    for annotator, path in (("gene", "GENE.eval"), ("alternative", "ALTGENE.eval")):
        documents = read(folder / path, annotator=annotator, documents=documents)
    return {document.id: document for document in documents}


@pytest.mark.corpus
@pytest.mark.parametrize("name", WRITABLE)
def test_no_name_and_no_offset_changes(
    name: str, original: dict[str, Document], folder: Path, tmp_path: Path
) -> None:
    inputs = {"gene": folder / "GENE.eval", "alternative": folder / "ALTGENE.eval"}
    several = "layers" in FORMATS[name].carries
    for group in [list(inputs)] if several else [["gene"], ["alternative"]]:
        there, back = tmp_path / f"{group[0]}.there", tmp_path / f"{group[0]}.jsonl"
        sources = [f"{annotator}={inputs[annotator]}" for annotator in group]
        run("convert", "--text", folder / "train.in", *sources, "--to", name, "-o", there)
        source = str(there) if several else f"{group[0]}={there}"
        texts = ["--text", str(folder / "train.in")] if FORMATS[name].annotate else []
        run("convert", *texts, source, "--from", name, "--to", "jsonl", "-o", back)
        for annotator in group:
            assert_unchanged(annotator, back, original, exact="offsets" in FORMATS[name].carries)


def assert_unchanged(
    annotator: str, back: Path, original: dict[str, Document], *, exact: bool
) -> None:
    """Compare offsets; where the format has none, the strings, each of which it keeps once."""
    n_documents = 0
    for document in read(back):
        before, after = original[document.id].layers[annotator], document.layers[annotator]
        n_documents += 1
        if exact:
            assert [(s.start, s.end) for s in after] == [(s.start, s.end) for s in before]
        text = original[document.id].text
        assert {s.marked(document.text) for s in after} == {s.marked(text) for s in before}
    assert n_documents == len(original) or not exact
