"""PubTator files as NCBI and its users write them."""

from io import StringIO
from pathlib import Path

import pytest
from bioc import pubtator
from hypothesis import given
from hypothesis import strategies as st

from vermeil import Document, Span, VermeilError
from vermeil.formats import Ledger, guess_format, read, write
from vermeil.formats.kinds.literature.pubtator import join_ids, split_ids

FILE = (
    "1|t|Naloxone and β-blockers\n"
    "1|a|Clonidine lowers pressure.\n"
    "1\t0\t8\tNaloxone\tChemical\tMESH:D009270\n"
    "1\t24\t33\tClonidine\tChemical\tD003000|D003001\n"
    "1\tCID\tD003000\tD007022\n"
    "\n"
    "2|t|No abstract here\n"
    "2|a|\n"
    "2\t0\t2\tNo\tGene\n"
    "\n"
)


def read_text(tmp_path: Path, content: str, ledger: Ledger | None = None) -> list[Document]:
    path = tmp_path / "a.pubtator"
    path.write_bytes(content.encode())
    return list(read(path, annotator="anna", ledger=ledger))


def test_title_abstract_mentions_and_relations_are_read(tmp_path: Path) -> None:
    ledger = Ledger()
    first, second = read_text(tmp_path, FILE, ledger)
    assert first.text == "Naloxone and β-blockers Clonidine lowers pressure."
    assert first.layers["anna"] == (
        Span(0, 8, "Chemical", ids=("MESH:D009270",)),
        Span(
            24,
            33,
            "Chemical",
            ids=("D003000", "D003001"),
            attributes=(("identifier", "D003000|D003001"),),
        ),
    )
    assert first.meta["sections"] == [
        {"start": 0, "end": 23, "kind": "title"},
        {"start": 24, "end": 50, "kind": "abstract"},
    ]
    assert (second.text, second.meta) == ("No abstract here", {})
    assert second.layers["anna"] == (Span(0, 2, "Gene"),)
    assert ledger.counts["dropped", "relations"] == 1


def test_the_format_is_known_by_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "corpus.pubtator.txt"
    path.write_text(FILE)
    assert guess_format(path) == "pubtator"


def test_blank_lines_may_be_missing_doubled_or_windows_like(tmp_path: Path) -> None:
    wanted = read_text(tmp_path, FILE)
    assert read_text(tmp_path, FILE.replace("\n\n", "\n").strip()) == wanted
    assert read_text(tmp_path, "\ufeff\n" + FILE.replace("\n", "\r\n")) == wanted
    assert read_text(tmp_path, FILE.replace("\n1\t0", "\n\n1\t0")) == wanted


def test_a_seventh_column_becomes_an_attribute(tmp_path: Path) -> None:
    content = (
        "1|t|breast and ovarian cancer\n1|a|\n"
        "1\t0\t25\tbreast and ovarian cancer\tDisease\tD001943|D010051\t"
        "breast cancer|ovarian cancer"
    )
    (document,) = read_text(tmp_path, content)
    (span,) = document.layers["anna"]
    assert span.ids == ("D001943", "D010051")
    assert span.attributes == (
        ("identifier", "D001943|D010051"),
        ("parts", "breast cancer|ovarian cancer"),
    )
    write([document], tmp_path / "o.pubtator")
    assert (tmp_path / "o.pubtator").read_text().strip() == content


def test_an_id_of_minus_one_is_none_and_comes_back(tmp_path: Path) -> None:
    content = "1|t|p53 binds\n1|a|\n1\t0\t3\tp53\tGene\t-1"
    (document,) = read_text(tmp_path, content)
    assert document.layers["anna"][0].ids == ()
    write([document], tmp_path / "o.pubtator")
    assert (tmp_path / "o.pubtator").read_text().strip() == content


def test_a_full_text_has_sections(tmp_path: Path) -> None:
    content = (
        "PMC1|title|On p53\nPMC1|abstract|It binds.\nPMC1|methods|We looked at p53.\n"
        "PMC1\t30\t33\tp53\tGene\t7157\n"
    )
    path = tmp_path / "full.txt"
    path.write_text(content)
    (document,) = read(path)
    assert document.text == "On p53 It binds. We looked at p53."
    assert document.layers["full"] == (Span(30, 33, "Gene", ids=("7157",)),)
    kinds = [section["kind"] for section in document.meta["sections"]]
    assert kinds == ["title", "abstract", "methods"]


def test_offsets_in_utf16_are_repaired(tmp_path: Path) -> None:
    ledger = Ledger()
    (document,) = read_text(tmp_path, "1|t|🧬 p53\n1|a|\n1\t3\t6\tp53\tGene\t7157\n", ledger)
    assert document.layers["anna"] == (Span(2, 5, "Gene", ids=("7157",)),)
    assert ledger.counts["repaired", "offsets that count UTF-16 code units"] == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1|t|p53\n1|a|\n1\t0\t3\tp54\tGene\t1\n", r":3: text at 0-3 is 'p53', not 'p54'"),
        ("1|t|p53\n1|a|\n2\t0\t3\tp53\tGene\t1\n", r":3: a line of '2' inside document '1'"),
        ("1|t|p53\n2|a|b\n", r":2: abstract of '2' after the title of '1'"),
        ("1|a|p53\n", r":1: wanted ID\|t\|title, found '1\|a\|p53'"),
        ("1|t|p53\n1|a|\n1\t0\t3\n", r":3: wanted ID, start, end, mention, label"),
        ("1|t|p53\n1|a|\n1\t0\t3\tp53\t\t\n", r":3: the span 0-3 has an empty label"),
        ("|t|p53\n", r":1: a document needs an id"),
    ],
)
def test_what_breaks_the_format_is_named_with_its_line(
    tmp_path: Path, content: str, message: str
) -> None:
    with pytest.raises(VermeilError, match=r"a\.pubtator" + message):
        read_text(tmp_path, content)


def test_a_bad_document_is_set_aside_and_the_next_is_read(tmp_path: Path) -> None:
    ledger = Ledger(skip_bad=True)
    documents = read_text(tmp_path, "1|t|a\n1|a|b\n1\tx\n\n" + FILE, ledger)
    assert [document.id for document in documents] == ["1", "2"]


def test_the_bioc_library_reads_what_we_write(tmp_path: Path) -> None:
    documents = read_text(tmp_path, FILE)
    write(documents, tmp_path / "o.pubtator")
    first, second = pubtator.load(StringIO((tmp_path / "o.pubtator").read_text()))
    assert (first.title, first.abstract) == (
        "Naloxone and β-blockers",
        "Clonidine lowers pressure.",
    )
    assert [(ann.start, ann.text, ann.id) for ann in first.annotations] == [
        (0, "Naloxone", "MESH:D009270"),
        (24, "Clonidine", "D003000|D003001"),
    ]
    assert [ann.id for ann in second.annotations] == ["-"]


@pytest.mark.parametrize("id", ["a\tb", "a\nb", "a|t", "a|t|b", "\ufeffa"])
def test_a_document_id_that_cannot_be_written_is_refused_by_name(tmp_path: Path, id: str) -> None:
    with pytest.raises(VermeilError, match="cannot hold the document id"):
        write([Document(id=id, text="p53")], tmp_path / "o.pubtator")


def test_a_label_that_cannot_be_written_is_refused_by_name(tmp_path: Path) -> None:
    document = Document(id="1", text="p53", layers={"anna": (Span(0, 3, "a\tb"),)})
    with pytest.raises(VermeilError, match=r"cannot hold the label 'a\\tb'"):
        write([document], tmp_path / "o.pubtator")


@pytest.mark.parametrize(
    ("column", "ids"),
    [
        ("MESH:D001", ("MESH:D001",)),
        ("D1;D2, D3|D4", ("D1", "D2", "D3", "D4")),
        ("D1+D2", ("D1+D2",)),
        ("-", ()),
        ("-1", ()),
        ("c|SUB|C|1858|T;RS#:2476601", ("c|SUB|C|1858|T", "RS#:2476601")),
    ],
)
def test_ids_are_taken_apart_as_the_corpora_write_them(column: str, ids: tuple[str, ...]) -> None:
    assert split_ids(column) == ids


@given(st.lists(st.text(alphabet='D1|;, -["]p\t\n\\', max_size=5)).map(tuple))
def test_any_ids_survive_in_one_column(ids: tuple[str, ...]) -> None:
    column = join_ids(ids)
    assert split_ids(column) == ids
    assert not set(column) & set("\t\n\r")
