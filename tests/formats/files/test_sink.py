import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vermeil import Document
from vermeil.errors import UsageError
from vermeil.formats import read, write
from vermeil.formats.files.replacement import replacing
from vermeil.formats.files.sink import document_id, file_name

DOCUMENT = Document(id="1", text="BRCA1", layers={"ann": ()})


def test_a_file_is_replaced_only_when_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write([DOCUMENT], path)
    before = path.read_bytes()

    def breaking() -> Iterator[Document]:
        yield DOCUMENT
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(breaking(), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", [".jsonl.gz", ".jsonl.zst"])
def test_compression_follows_the_suffix(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    write([DOCUMENT], path)
    assert list(read(path)) == [DOCUMENT]


def test_the_same_documents_make_the_same_compressed_bytes(tmp_path: Path) -> None:
    for name in ("a.jsonl.gz", "b.jsonl.gz"):
        write([DOCUMENT], tmp_path / name)
    packed = (tmp_path / "a.jsonl.gz").read_bytes()
    assert packed == (tmp_path / "b.jsonl.gz").read_bytes()
    assert gzip.decompress(packed).startswith(b'{"id":"1"')


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no folder .*; make it first"):
        write([DOCUMENT], tmp_path / "no" / "a.jsonl")


def test_a_full_disk_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with pytest.raises(UsageError, match="cannot be written: No space left"), replacing(path):
        raise OSError(28, "No space left on device")
    assert list(tmp_path.iterdir()) == []


def test_files_are_as_readable_as_the_umask_says(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.touch()
    write([DOCUMENT], tmp_path / "a.jsonl")
    assert (tmp_path / "a.jsonl").stat().st_mode == plain.stat().st_mode


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30))
def test_any_id_makes_a_file_name_and_comes_back(id: str) -> None:
    name = file_name(id)
    assert "/" not in name
    assert "\0" not in name
    assert not name.startswith(".")
    assert document_id(name) == id


@pytest.mark.parametrize("format", ["brat", "text"])
def test_a_document_whose_file_would_have_too_long_a_name_is_named(
    format: str, tmp_path: Path
) -> None:
    documents = [Document(id="1", text="a"), Document(id="long " * 60, text="b")]
    with pytest.raises(
        UsageError, match=r"out: the document 'long long .* needs a file of its own"
    ):
        write(documents, tmp_path / "out", format=format)
    write([Document(id="a" * 251, text="b")], tmp_path / "out", format=format)
    assert [each.id for each in read(tmp_path / "out", format="text")] == ["a" * 251]
