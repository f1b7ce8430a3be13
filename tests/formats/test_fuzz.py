"""Readers given damaged files: a result or one clear error, never anything else.

Some 8,000 mutants over all readers, the same ones every time. A mutant is a file that we wrote
with a few bytes flipped, cut, doubled, swapped or replaced by what formats trip over.
"""

import random
from itertools import islice
from pathlib import Path

import pytest

from tests.fuzzing import mutated, no_hang
from vermeil import Document, Span, VermeilError
from vermeil.formats import FORMATS, Ledger, read, write
from vermeil.samples import GOLD

N_MUTANTS = 8_000
READABLE = sorted(name for name, row in FORMATS.items() if row.read or row.annotate)
PER_FORMAT = -(-N_MUTANTS // len(READABLE))
DEAR = {
    "cas-xmi": 30,
    "cas-json": 30,
    "webanno": 100,
}  # mutants of formats that another library reads slowly
N_CONVERTED = 20  # of each format's mutants are also written out again
DATA = Path(__file__).parent.parent / "data"


def seeds(name: str, folder: Path) -> list[Path]:
    """Files that are right, to be damaged: what we write, or what we keep for read-only formats."""
    kept = sorted((DATA / name).glob("*"))
    if FORMATS[name].write is None:
        assert kept, f"{name} cannot be written, so tests/data/{name} must hold a file to damage"
        return kept
    path = folder / "seed"
    annotators = {"gold", "gold.alternatives"} if "layers" in FORMATS[name].carries else {"gold"}
    documents = [
        each.replace(layers={key: each.layers[key] for key in annotators})
        for each in islice(read(GOLD.path), 2)
    ]
    awkward = Document(
        id="awkward", text="\U0001d6fc-b\t(c)", layers={"gold": (Span(0, 3, "Gene"),)}
    )
    write([*documents, awkward], path, format=name)
    return sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]


@pytest.mark.parametrize("name", READABLE)
def test_a_damaged_file_gives_a_result_or_one_clear_error(name: str, tmp_path: Path) -> None:
    rng = random.Random(name)
    files = seeds(name, tmp_path)
    contents = [path.read_bytes() for path in files]
    texts = [Document(id=each.id, text=each.text) for each in islice(read(GOLD.path), 2)]
    root, target = tmp_path / "seed", tmp_path / "out" / "corpus.jsonl"
    target.parent.mkdir()
    folder = root.is_dir()
    for number in range(DEAR.get(name, PER_FORMAT)):
        place = rng.randrange(len(files))
        mutant = mutated(contents[place], rng)
        path = files[place] if folder else tmp_path / f"mutant{files[place].suffix}"
        path.write_bytes(mutant)
        ledger = Ledger(skip_bad=number % 3 == 0)
        with no_hang(mutant):
            complaint = outcome(
                root if folder else path,
                name,
                texts,
                ledger,
                target if number < N_CONVERTED else None,
            )
        assert "\n" not in complaint, (path, complaint)
        assert not list(target.parent.iterdir())
        if folder:
            path.write_bytes(contents[place])


def outcome(
    path: Path, name: str, texts: list[Document], ledger: Ledger, target: Path | None
) -> str:
    """Read a file, and write it out where there is a target; give the clear error, if any."""
    try:
        documents = read(path, format=name, annotator="ann", documents=texts, ledger=ledger)
        if target is None:
            for _ in documents:
                pass
        else:
            write(documents, target)
            target.unlink()
    except VermeilError as error:
        return str(error)
    return ""
