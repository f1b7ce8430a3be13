import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.generated import documents
from vermeil import Document
from vermeil.errors import FormatError
from vermeil.formats import read, write
from vermeil.formats.corpus import read_corpus
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.inputs import Input, files_of, is_several
from vermeil.runs.shards import (
    Shard,
    paths_of,
    plan_shards,
    read_shard,
)


def everything(shards: tuple[Shard, ...], ledger: Ledger | None = None) -> list[Document]:
    noted = ledger or Ledger()
    return [each for shard in shards for each in read_shard(shard, noted, fuzzy=False, options={})]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shards")
    write(documents(40), folder / "whole.jsonl")
    write(documents(3000), folder / "whole.parquet")
    for name in ("anna", "ben"):
        some = (
            Document(id=each.id, text=each.text, layers={name: each.layers[name]})
            for each in documents(40)
        )
        write(some, folder / f"{name}.jsonl")
    return folder


@given(size=st.integers(1, 130_000))
def test_a_file_cut_anywhere_holds_the_same_documents(folder: Path, size: int) -> None:
    path = folder / "whole.jsonl"
    shards = plan_shards([Input(path)], size=size)
    assert sum(shard.size for shard in shards) == path.stat().st_size
    assert everything(shards) == list(read(path))


def test_a_parquet_file_is_cut_between_row_groups(folder: Path) -> None:
    path = folder / "whole.parquet"
    shards = plan_shards([Input(path)], size=1)
    assert [shard.parts[0].first for shard in shards] == [1, 1025, 2049]
    assert everything(shards) == list(read(path))


@given(size=st.integers(1, 130_000))
def test_files_with_the_same_documents_are_cut_in_step(folder: Path, size: int) -> None:
    inputs = [Input(folder / "anna.jsonl"), Input(folder / "ben.jsonl", "benjamin")]
    shards = plan_shards(inputs, size=size)
    assert len(shards) > 1 or size > 50_000
    assert everything(shards) == list(read_corpus(inputs))


def test_files_with_other_documents_are_one_shard(folder: Path, tmp_path: Path) -> None:
    write(reversed(list(read(folder / "ben.jsonl"))), tmp_path / "ben.jsonl")
    inputs = [Input(folder / "anna.jsonl"), Input(tmp_path / "ben.jsonl")]
    shards = plan_shards(inputs, size=1)
    assert len(shards) == 1
    assert everything(shards) == list(read_corpus(inputs))


def test_a_folder_and_a_pattern_are_their_files_in_order(folder: Path, tmp_path: Path) -> None:
    whole = list(read(folder / "whole.jsonl"))
    for number in (2, 0, 1):
        write(whole[number * 10 : number * 10 + 10], tmp_path / f"{number}.jsonl.gz")
    for given_path in (tmp_path, tmp_path / "*.jsonl.gz"):
        assert is_several(Input(given_path))
        shards = plan_shards([Input(given_path)], size=1)
        assert len(shards) == 3
        assert everything(shards) == whole[:30]
    assert files_of(Input(tmp_path))[0].path.name == "0.jsonl.gz"


def test_files_that_do_not_name_their_layer_get_the_name_of_their_folder(tmp_path: Path) -> None:
    parts = tmp_path / "anna"
    parts.mkdir()
    for number in range(2):
        text = f"{number}|t|p53 binds\n{number}|a|DNA\n{number}\t0\t3\tp53\tGene\t7157\n\n"
        (parts / f"{number}.pubtator").write_text(text)
    shards = plan_shards([Input(parts)])
    assert [list(each.layers) for each in everything(shards)] == [["anna"], ["anna"]]


def test_folders_in_other_pieces_are_brought_together_all_the_same(
    folder: Path, tmp_path: Path
) -> None:
    parts = tmp_path / "parts"
    parts.mkdir()
    whole = list(read(folder / "ben.jsonl"))
    for number in range(4):
        write(whole[number * 10 : number * 10 + 10], parts / f"{number}.jsonl")
    shards = plan_shards([Input(parts), Input(folder / "anna.jsonl")])
    assert len(shards) == 1
    plain = [Input(folder / "ben.jsonl"), Input(folder / "anna.jsonl")]
    assert everything(shards) == list(read_corpus(plain))
    assert paths_of(shards)[0] == str(parts / "0.jsonl")


def test_folders_are_matched_by_what_is_in_their_files(folder: Path, tmp_path: Path) -> None:
    for name, order in (("anna", (0, 1, 2)), ("ben", (2, 0, 1))):
        whole = list(read(folder / f"{name}.jsonl"))
        (tmp_path / name).mkdir()
        for number, part in enumerate(order):
            write(whole[part * 10 : part * 10 + 10], tmp_path / name / f"{number}.jsonl")
    shards = plan_shards([Input(tmp_path / "anna"), Input(tmp_path / "ben")])
    names = [[Path(part.path).name for part in shard.parts] for shard in shards]
    assert names == [["0.jsonl", "1.jsonl"], ["1.jsonl", "2.jsonl"], ["2.jsonl", "0.jsonl"]]
    assert all(set(each.layers) == {"anna", "ben"} for each in everything(shards))


def test_a_bad_line_is_named_as_in_the_whole_file(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "whole.jsonl").read_bytes().splitlines(keepends=True)
    lines[30] = b'{"id": 3}\n'
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b"".join(lines))
    shards = plan_shards([Input(path)], size=20_000)
    with pytest.raises(FormatError) as apart:
        everything(shards)
    with pytest.raises(FormatError) as whole:
        list(read(path))
    assert str(apart.value) == str(whole.value)
    assert ":31:" in str(apart.value)


def test_a_bad_row_is_named_as_in_the_whole_file(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    path = tmp_path / "bad.parquet"
    table = pyarrow.table({"id": ["a", "b", ""], "text": ["x", "y", "z"]})
    pyarrow.parquet.write_table(table, path, row_group_size=1)
    ledger = Ledger(skip_bad=True)
    shards = plan_shards([Input(path)], size=1)
    assert [each.id for each in everything(shards, ledger)] == ["a", "b"]
    assert ledger.examples["skipped", "bad records"][0].startswith(f"{path}:3: ")


def test_every_file_of_shards_is_named_once(tmp_path: Path) -> None:
    write(documents(9), tmp_path / "a.jsonl")
    shards = plan_shards([Input(tmp_path / "a.jsonl")], size=2000)
    assert len(shards) > 2
    assert paths_of(shards) == [str(tmp_path / "a.jsonl")]


def test_more_files_are_cut_in_step_than_may_be_open(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    for number in range(80):
        name = f"p{number}"
        batch = [Document(id=str(id), text="p53", layers={name: ()}) for id in range(50)]
        write(batch, tmp_path / f"{name}.jsonl")
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    code = f"""
import resource, sys
from pathlib import Path
from vermeil.errors import VermeilError
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.inputs import Input
from vermeil.runs.shards import plan_shards, read_shard
def as_a_worker_begins():
    resource.setrlimit(resource.RLIMIT_NOFILE, (50, int(sys.argv[1])))
paths = sorted(Path({str(tmp_path)!r}).iterdir())
try:
    as_a_worker_begins()
    shards = plan_shards([Input(path) for path in paths], size=40_000)
    as_a_worker_begins()
    read = [read_shard(each, Ledger(), fuzzy=False, options={{}}) for each in shards]
    found = [len(document.layers) for documents in read for document in documents]
    print(len(shards) > 1, len(found), set(found))
except VermeilError as error:
    print(error)
"""
    run = partial(subprocess.run, capture_output=True, text=True)
    done = run([sys.executable, "-c", code, str(hard)])
    assert (done.stdout, done.stderr) == ("True 50 {80}\n", "")
    said = run([sys.executable, "-c", code, "60"]).stdout
    assert "cannot be read: too many open files; read fewer inputs at once" in said
