"""Texts without annotation: a file, a folder of files, a file of lines."""

import gzip
from pathlib import Path

import pytest

from vermeil import Document
from vermeil.errors import FormatError, UsageError
from vermeil.formats import Ledger, guess_format, read, write


def test_a_file_is_one_document_called_like_it_with_every_character(tmp_path: Path) -> None:
    (tmp_path / "PMC12.v2.txt").write_bytes("TGF-β\r\n\r\n binds\t\u2028\n".encode())
    [document] = read(tmp_path / "PMC12.v2.txt")
    assert document == Document(id="PMC12.v2", text="TGF-β\r\n\r\n binds\t\u2028\n")


def test_a_folder_holds_many_documents_and_folders_are_part_of_their_ids(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "b.txt").write_text("two")
    (tmp_path / "dev" / "a.txt.gz").write_bytes(gzip.compress(b"three"))
    (tmp_path / "a.txt").write_text("")
    (tmp_path / "README.md").write_text("no document")
    (tmp_path / ".hidden.txt").write_text("no document")
    assert guess_format(tmp_path) == "text"
    assert [(d.id, d.text) for d in read(tmp_path)] == [("a", ""), ("b", "two"), ("dev/a", "three")]


def test_a_folder_without_texts_is_an_error_and_an_empty_one_is_not(tmp_path: Path) -> None:
    assert list(read(tmp_path, format="text")) == []
    (tmp_path / "README.md").write_text("x")
    with pytest.raises(FormatError, match=r"there is no \.txt file in this folder"):
        list(read(tmp_path, format="text"))
    with pytest.raises(UsageError, match="cannot tell the format"):
        read(tmp_path)


def test_two_files_for_one_id_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one")
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"one"))
    with pytest.raises(FormatError, match=r"a\.txt\.gz: .*a\.txt has the same id"):
        list(read(tmp_path))


def test_a_file_that_is_not_utf8_is_an_error_or_set_aside(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("é".encode("latin1"))
    (tmp_path / "b.txt").write_text("é")
    with pytest.raises(FormatError, match=r"a\.txt: not UTF-8: byte 0xe9 at column 1"):
        list(read(tmp_path))
    ledger = Ledger(skip_bad=True)
    assert [document.id for document in read(tmp_path, ledger=ledger)] == ["b"]


def test_writing_makes_a_folder_with_a_file_a_document(tmp_path: Path) -> None:
    corpus = [Document(id="a/b", text="one\r\n"), Document(id="..", text="\ufefftwo")]
    write(corpus, tmp_path / "texts", format="text")
    names = sorted(path.name for path in (tmp_path / "texts").iterdir())
    assert names == ["%2E%2E.txt", "a%2Fb.txt"]
    back = {document.id: document.text for document in read(tmp_path / "texts")}
    assert back == {"a/b": "one\r\n", "..": "\ufefftwo"}


@pytest.mark.parametrize(
    ("name", "format"),
    [
        *(("out.txt", "text"), ("out.txt.gz", "text"), ("out.ann", "brat"), ("out.xmi", "cas-xmi")),
        *(("out.webanno.tsv", "webanno"), ("out.cas.json", "cas-json")),
    ],
)
def test_a_folder_is_not_written_under_the_name_of_a_file_by_guessing(
    name: str, format: str, tmp_path: Path
) -> None:
    reason = rf"{name}: {format} is written as a folder of files.* -o FOLDER/ --to {format}$"
    with pytest.raises(UsageError, match=reason):
        write([Document(id="1", text="")], tmp_path / name)


def test_lines_are_documents_called_by_their_number(tmp_path: Path) -> None:
    (tmp_path / "a.lines").write_bytes(b"\xef\xbb\xbfBRCA1 binds.\r\n\n p53 \xe2\x80\xa8too")
    assert [(d.id, d.text) for d in read(tmp_path / "a.lines")] == [
        ("1", "BRCA1 binds."),
        ("2", ""),
        ("3", " p53 \u2028too"),
    ]


def test_ids_lost_in_lines_are_counted(tmp_path: Path) -> None:
    ledger = Ledger()
    corpus = [Document(id="1", text="\ufeffa"), Document(id="x", text="b\nc")]
    write(corpus, tmp_path / "a.lines", ledger=ledger)
    assert [d.text for d in read(tmp_path / "a.lines")] == ["\ufeffa", "b c"]
    assert ledger.counts["dropped", "document ids"] == 1
