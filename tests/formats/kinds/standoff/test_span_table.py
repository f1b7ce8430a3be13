from pathlib import Path

import pytest

from vermeil import Document, Span
from vermeil.errors import FormatError, UsageError
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


TEXT = "We gave aspirin to mice."


def test_columns_go_by_their_usual_names(tmp_path: Path) -> None:
    (tmp_path / "semi.csv").write_text(
        "doc_id;annotator_name;begin;stop;type;mention;sentence\n"
        f"1;anna;8;15;Chemical;aspirin;{TEXT}\n1;ben;8;15;Chemical;aspirin;{TEXT}\n"
    )
    ledger = Ledger()
    [document] = read(tmp_path / "semi.csv", ledger=ledger)
    span = Span(8, 15, "Chemical")
    assert document.layers == {"anna": (span,), "ben": (span,)}
    assert not ledger.counts


@pytest.mark.parametrize(
    "header",
    [
        "pmid,worker,from,to,entity_type,passage",
        "Doc ID,User Name,startChar,endChar,Semantic Type,Full Text",
        "article-id,rater,start index,end index,tag,abstract_text",
    ],
)
def test_names_of_columns_are_spelt_in_many_ways(header: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"{header}\n1,anna,8,15,Chemical,{TEXT}\n")
    [document] = read(tmp_path / "a.csv")
    assert document.layers == {"anna": (Span(8, 15, "Chemical"),)}


def test_cells_of_columns_that_nobody_knows_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        "doc,start,end,label,text,comment,normalised_id,nothing\n"
        f"1,8,15,Chemical,{TEXT},sure,D001241,\n1,19,23,Species,{TEXT},,D051379,\n"
    )
    ledger = Ledger()
    assert len(list(read(tmp_path / "a.csv", ledger=ledger))) == 1
    assert ledger.counts == {("dropped", "cells of other columns"): 3}
    [said] = ledger.summary()
    assert "a.csv:1: comment" in said
    assert "a.csv:1: normalised_id" in said


def test_columns_are_named_by_options(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        f"which,one,two,kind,who,how sure,what,all\n1,8,15,Chemical,anna,0.5,aspirin,{TEXT}\n"
    )
    options = dict(
        zip(
            ("document", "start", "end", "label-column", "annotator", "confidence", "mention"),
            ("which", "one", "two", "Kind", "who", "how_sure", "what"),
            strict=True,
        )
    )
    ledger = Ledger()
    [document] = read(
        tmp_path / "a.csv", format="csv", options={**options, "text": "all"}, ledger=ledger
    )
    assert document == Document(id="1", text=TEXT, layers={"anna": (Span(8, 15, "Chemical", 0.5),)})
    assert not ledger.counts


def test_a_column_that_is_named_goes_before_one_that_is_known(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"doc,start,from,to,label,text\n1,0,8,15,Gene,{TEXT}\n")
    [document] = read(tmp_path / "a.csv", options={"start": "from"})
    assert document.layers == {"a": (Span(8, 15, "Gene"),)}
    with pytest.raises(UsageError, match=r"no column 'form' \(-O start=form\) among 'doc, start"):
        list(read(tmp_path / "a.csv", options={"start": "form"}))


def test_what_a_missing_column_may_be_called_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("pmid,worker,first,last\n1,anna,8,15\n")
    with pytest.raises(
        FormatError, match=r"no column 'end' among .* be called end, stop, to, .* -O end=NAME"
    ):
        list(read(tmp_path / "a.csv", format="csv"))
