"""The GENIA treebank's XML, in a small abstract of our own."""

from pathlib import Path

import pytest

from vermeil.errors import FormatError
from vermeil.formats import Ledger, guess_format, read

ABSTRACT = (Path(__file__).parents[3] / "data" / "genia-xml" / "abstract.xml").read_text()


def test_an_abstract_is_a_document_with_text_title_and_trees(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(ABSTRACT)
    assert guess_format(tmp_path / "a.xml") == "genia-xml"
    ledger = Ledger()
    [document] = read(tmp_path / "a.xml", annotator="genia", ledger=ledger)
    assert document.id == "12345"
    assert document.text == "IL-2 binding. p53 (TP53) binds. in vitro"
    assert [str(tree) for tree in document.trees["genia"]] == [
        "(TOP (NP (NN IL-2) (NN binding)) (. .))",
        "(TOP (S (NP-SBJ (NP (NN p53)) (PRN (-LRB- -LRB-) (NN TP53) (-RRB- -RRB-))) "
        "(VP-COOD (VBZ binds) (NP (-NONE- *RNR*))) (. .)))",
        "(TOP (NP (NN in) (NN vitro)))",
    ]
    assert document.meta["sections"] == [
        {"start": 0, "end": 13, "kind": "title"},
        {"start": 14, "end": 40, "kind": "abstract"},
    ]
    assert ledger.counts == {("dropped", "co-indices"): 2}


def test_a_folder_holds_many_abstracts_called_by_file_where_they_have_no_pmid(
    tmp_path: Path,
) -> None:
    sentence = "<sentence><tok cat='NN'>{}</tok><tok cat='NN'>b</tok></sentence>"
    (tmp_path / "2.xml").write_text(f"<annotation>{sentence.format('two')}</annotation>")
    (tmp_path / "1.xml").write_text(f"<annotation>{sentence.format('one')}</annotation>")
    found = list(read(tmp_path, format="genia-xml"))
    assert [(document.id, document.text) for document in found] == [("1", "one b"), ("2", "two b")]
    (tmp_path / "3.xml").write_text(
        f"<annotation><PMID>1</PMID>{sentence.format('one')}</annotation>"
    )
    with pytest.raises(FormatError, match=r"3\.xml:1: the id '1' is already that of .*1\.xml:1"):
        list(read(tmp_path, format="genia-xml"))


@pytest.mark.parametrize(
    ("null", "trace"), [("NONE", "*NONE*"), ("*T*", "*T*"), ("0", "0"), ("", "*")]
)
def test_null_elements_are_traces(tmp_path: Path, null: str, trace: str) -> None:
    (tmp_path / "a.xml").write_text(
        f"<a><sentence><cons cat='S'><cons cat='NP' role='SBJ' null='{null}'/>"
        "<tok cat='VB'>go</tok></cons></sentence></a>"
    )
    [document] = read(tmp_path / "a.xml", format="genia-xml", annotator="genia")
    [tree] = document.trees["genia"]
    assert str(tree) == f"(TOP (S (NP-SBJ (-NONE- {trace})) (VB go)))"
    assert document.text == "go"


@pytest.mark.parametrize(
    ("xml", "reason"),
    [
        ("<a>\n<b/></a>", ":1: wanted <sentence> elements, found none"),
        ("<a>\n<sentence>\n<cons><tok cat='NN'>a</tok></cons></sentence></a>",
         ":3: <cons> has no cat"),
        ("<a>\n<sentence>a <tok cat='NN'>b</tok></sentence></a>",
         ":2: 'a' stands outside any <tok>"),
        ("<a>\n<sentence><tok cat='NN'/></sentence></a>",
         ":2: <tok cat='NN'> is empty and not null"),
        ("<a>\n<sentence/></a>", ":2: the sentence holds no token"),
    ],
)  # fmt: skip
def test_each_kind_of_error_names_its_line(tmp_path: Path, xml: str, reason: str) -> None:
    (tmp_path / "a.xml").write_text(xml)
    with pytest.raises(FormatError) as raised:
        list(read(tmp_path / "a.xml", format="genia-xml"))
    assert str(raised.value) == f"{tmp_path}/a.xml{reason}"
