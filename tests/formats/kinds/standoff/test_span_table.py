from pathlib import Path

import pytest

from vermeil import Document, Span
from vermeil.errors import FormatError
from vermeil.formats import read, write
from vermeil.formats.files.ledger import Ledger


def test_a_lone_carriage_return_in_a_text_does_not_end_its_row(tmp_path: Path) -> None:
    document = Document(id="1", text="p53\rbinds", layers={"anna": (Span(0, 3, "Gene"),)})
    write([document, Document(id="2", text="\r")], tmp_path / "spans.csv")
    back = list(read(tmp_path / "spans.csv"))
    assert [each.text for each in back] == ["p53\rbinds", "\r"]
    assert back[0].layers == document.layers


def test_a_table_of_texts_is_read_as_documents_that_nobody_looked_at(tmp_path: Path) -> None:
    (tmp_path / "export.csv").write_bytes(
        b"\xef\xbb\xbfPMID;Title;Abstract;Journal\r\n"
        b'17;"A; b";"We gave\r\naspirin.";JBC\r\n18;c;No.;\r\n'
    )
    assert list(read(tmp_path / "export.csv")) == [
        Document(id="17", text="We gave\r\naspirin.", meta={"Title": "A; b", "Journal": "JBC"}),
        Document(id="18", text="No.", meta={"Title": "c"}),
    ]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("1,a,b", "2: 3 cells, wanted 2"),
        (",a", "2: there is no document in this row"),
        ("1,a\n1,b", "3: the document '1' has another text before this row"),
        ('1,a\n2,"b\n3,c', "3: a cell begins with a quotation mark and does not end"),
        ('1,"a" b', "2: a cell begins with a quotation mark and does not end"),
    ],
)
def test_what_is_wrong_with_a_table_of_texts_is_said(
    rows: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "texts.csv").write_text(f"id,text\n{rows}\n")
    with pytest.raises(FormatError, match=reason):
        list(read(tmp_path / "texts.csv"))


def test_what_comes_before_a_broken_row_is_kept_and_the_rest_put_aside(tmp_path: Path) -> None:
    (tmp_path / "texts.csv").write_text('id,text\n1,a\n2,"b\n3,c\n')
    ledger = Ledger(skip_bad=True)
    assert [each.id for each in read(tmp_path / "texts.csv", ledger=ledger)] == ["1"]
    [said] = ledger.summary()
    assert "texts.csv:3: a cell begins with a quotation mark" in said
