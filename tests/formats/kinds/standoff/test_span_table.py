from pathlib import Path

import pytest

from vermeil import Document, Span
from vermeil.errors import FormatError, UsageError
from vermeil.formats import read, write
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.kinds.standoff.span_table import UNSEEN


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


TEXTS = [Document(id="1", text="We gave aspirin."), Document(id="2", text="We gave zinc.")]
FOUND_NOTHING = {"missing": "nothing-found"}


def who_looked(
    path: Path, said: str, ledger: Ledger | None = None, options: dict[str, str] | None = None
) -> list[set[str]]:
    """Read a table about two texts; return who looked at each."""
    path.write_text(said)
    found = read(path, documents=TEXTS, ledger=ledger, options=options)
    return [set(each.layers) for each in found]


def test_who_has_only_a_header_is_missed_or_found_nothing(tmp_path: Path) -> None:
    ledger, path = Ledger(), tmp_path / "ben.csv"
    assert who_looked(path, "doc_id,start,end,label\n", ledger) == [set(), set()]
    assert ledger.counts["found", "tables without a row"] == 1
    ledger = Ledger()
    found = who_looked(path, "doc_id,start,end,label\n", ledger, FOUND_NOTHING)
    assert found == [{"ben"}, {"ben"}]
    assert not ledger.counts
    header = "doc_id,start,end,label,annotator\n"
    assert who_looked(path, header, ledger, FOUND_NOTHING) == [set(), set()]
    assert ledger.counts["found", "tables without a row"] == 1


def test_documents_without_a_row_are_counted_by_annotator(tmp_path: Path) -> None:
    ledger = Ledger()
    row = "doc_id,start,end,label\n1,8,15,C\n"
    assert who_looked(tmp_path / "anna.csv", row, ledger) == [{"anna"}, set()]
    header = "doc_id,start,end,label,annotator\n"
    rows = f"{header}1,8,15,C,ben\n1,8,15,C,cyd\n2,8,12,C,cyd\n1,8,15,C,dan\n1,8,15,C,eve\n"
    assert who_looked(tmp_path / "crowd.csv", rows, ledger) == [
        {"ben", "cyd", "dan", "eve"},
        {"cyd"},
    ]
    [said] = ledger.summary()
    assert said.startswith(f"counted 4 {UNSEEN} by anna, ben, dan and 1 more (")
    assert not ledger.lost()


def test_a_table_with_rows_for_nothing_found_means_what_it_leaves_out(tmp_path: Path) -> None:
    ledger = Ledger()
    rows = "doc_id,start,end,label,annotator\n1,,,,ben\n1,8,15,C,cyd\n"
    assert who_looked(tmp_path / "crowd.csv", rows, ledger) == [{"ben", "cyd"}, set()]
    assert not ledger.counts


def test_who_has_no_row_of_a_document_may_have_found_nothing_in_tables_with_texts_too(
    tmp_path: Path,
) -> None:
    path = tmp_path / "crowd.spans.csv"
    rows = "1,8,15,C,anna,We gave aspirin.\n2,8,12,C,ben,We gave zinc.\n"
    path.write_text(f"doc_id,start,end,label,annotator,document_text\n{rows}")
    for options, looked in ({}, [{"anna"}, {"ben"}]), (FOUND_NOTHING, [{"anna", "ben"}] * 2):
        assert [set(each.layers) for each in read(path, options=options)] == looked
