"""The paper's inline XML with boundary distributions."""

from pathlib import Path

import pytest

from vermeil import Centroid, Document
from vermeil.errors import FormatError
from vermeil.formats import guess_format, read, write

FIGURE_4 = (
    "<centroids>\n<document id='1'>that of the endogenous <e b='l:0:2,l:10:2,r:0:2,r:16:2'>"
    "TGF-beta</e>-specific complex observed</document>\n<document id='2'>Rel-related human "
    "<e b='l:16:2,l:5:3,l:0:2,r:0:2,r:13:1,r:20:3'>p75</e> nucleoprotein complex</document>\n"
    "</centroids>\n"
)


def read_xml(path: Path, content: str, **options: str) -> list[Document]:
    path.write_text(content, newline="")
    return list(read(path, format="centroid-xml", annotator="silver", options=options))


def names(document: Document, centroid: Centroid) -> tuple[list[str], list[str]]:
    """Spell out where names start and end, from the boundary to the heart."""
    text = document.text
    lefts = [text[at : centroid.start] for at, _ in centroid.left]
    return lefts, [text[centroid.end : at] for at, _ in centroid.right]


def test_figure_4_of_the_paper_is_read_as_it_is_meant(tmp_path: Path) -> None:
    first, second = read_xml(tmp_path / "figure.xml", FIGURE_4)
    assert guess_format(tmp_path / "figure.xml") == "centroid-xml"
    [tgf] = first.standards["silver"]
    assert first.text[tgf.start : tgf.end] == "TGF-beta"
    assert names(first, tgf) == (["", "endogenous "], ["", "-specific complex"])
    assert (tgf.label, tgf.votes) == ("Gene", 4)
    assert [value for _, value in tgf.left + tgf.right] == [2, 2, 2, 2]
    [p75] = second.standards["silver"]
    assert names(second, p75) == (
        ["", "human ", "Rel-related human "],
        ["", " nucleoprotein", " nucleoprotein complex"],
    )
    assert p75.left == ((18, 2), (12, 3), (0, 2))
    assert p75.right == ((21, 2), (35, 1), (43, 3))
    assert p75.votes == 7


def test_a_centroid_is_written_as_in_the_paper(tmp_path: Path) -> None:
    [first, _] = read_xml(tmp_path / "figure.xml", FIGURE_4)
    write([first], tmp_path / "out.centroids.xml")
    assert (tmp_path / "out.centroids.xml").read_text() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n<centroids>\n<document id="1" '
        'annotators="silver">that of the endogenous <e b="l:0:2,l:10:2,r:0:2,r:16:2" '
        'label="Gene">TGF-beta</e>-specific complex observed</document>\n</centroids>\n'
    )


def test_votes_confidence_and_labels_are_attributes(tmp_path: Path) -> None:
    shares = (("Gene", 2.0), ("DNA", 0.5))
    centroid = Centroid(0, 3, "Gene", 3.0, ((0, 2.0),), ((3, 2.5),), 0.75, shares)
    document = Document(id="1", text="p53", standards={"x": (centroid,), "y": ()})
    write([document], tmp_path / "a.centroids.xml")
    assert (
        '<e b="l:0:2,r:0:2.5" label="Gene" votes="3" confidence="0.75" labels="Gene:2,DNA:0.5" '
        'annotator="x">p53</e>'
    ) in (tmp_path / "a.centroids.xml").read_text()
    assert list(read(tmp_path / "a.centroids.xml")) == [document]


def test_boundaries_on_white_space_are_kept_exactly(tmp_path: Path) -> None:
    centroid = Centroid(5, 6, "G", 1.0, ((5, 1.0), (4, 1.0), (1, 1.0)), ((6, 1.0), (8, 1.0)))
    document = Document(id="1", text="a  b cd \n e", standards={"x": (centroid,)})
    write([document], tmp_path / "a.centroids.xml")
    assert 'b="l:0:1,l:0+1:1,l:1+2:1,r:0:1,r:1+1:1"' in (tmp_path / "a.centroids.xml").read_text()
    assert list(read(tmp_path / "a.centroids.xml")) == [document]


def test_boundaries_inside_a_widened_heart_are_kept_exactly(tmp_path: Path) -> None:
    sides = ((7, 1.0), (4, 1.0), (0, 2.0)), ((8, 2.0), (12, 1.0), (14, 1.0))
    centroid = Centroid(0, 14, "G", 4.0, *sides)
    document = Document(id="1", text="ab cd  efgh ij", standards={"x": (centroid,)})
    write([document], tmp_path / "a.centroids.xml")
    written = (tmp_path / "a.centroids.xml").read_text()
    assert 'b="l:-4:1,l:-3:1,l:0:2,r:-5:2,r:-2+1:1,r:0:1"' in written
    assert list(read(tmp_path / "a.centroids.xml")) == [document]
    assert guess_format(tmp_path / "a.centroids.xml") == "centroid-xml"


def test_the_label_of_files_without_one_is_an_option(tmp_path: Path) -> None:
    first, _ = read_xml(tmp_path / "figure.xml", FIGURE_4, label="Protein")
    assert first.standards["silver"][0].label == "Protein"


def test_a_root_that_is_a_heart_itself_is_one(tmp_path: Path) -> None:
    [document] = read_xml(tmp_path / "a.xml", "<e id='7' b='l:0:2,r:0:2' label='DNA'>BRCA1</e>")
    assert (document.id, document.text) == ("7", "BRCA1")
    [heart] = document.standards["silver"]
    assert heart == Centroid(0, 5, "DNA", 2.0, ((0, 2.0),), ((5, 2.0),))
    assert guess_format(tmp_path / "a.xml") == "centroid-xml"
    nested = "<e b='l:0:1,r:0:1'>the <e b='l:0:2,l:3:1,r:0:2'>p53</e></e>"
    [document] = read_xml(tmp_path / "b.xml", nested)
    assert [(each.start, each.end) for each in document.standards["silver"]] == [(0, 7), (4, 7)]
    with pytest.raises(FormatError, match="wanted a boundary like l:10:2, found ''"):
        read_xml(tmp_path / "c.xml", "<e>BRCA1</e>")


@pytest.mark.parametrize(
    ("element", "reason"),
    [
        ("<e>p53</e>", "wanted a boundary like l:10:2, found ''"),
        ("<e b='1:0:2,r:0:2'>p53</e>", "wanted a boundary like l:10:2, found '1:0:2'"),
        ("<e b='l:0:2'>p53</e>", "a centroid needs at least one boundary on each side"),
        ("<e b='l:9:2,r:0:2'>p53</e>", "the boundary l:9 lies outside the text"),
        ("<e b='l:0:2,r:9:2'>p53</e>", "the boundary r:9 lies outside the text"),
        ("<e b='l:0:2,l:0:1,r:0:2'>p53</e>", "left boundaries must fall from 4, got [4, 4]"),
        ("<e b='l:0:2,r:0:1e999'>p53</e>", "wanted a number, found '1e999'"),
        ("<e b='l:0:2,r:0:2' votes='many'>p53</e>", "wanted a number, found 'many'"),
        ("<e b='l:0:2,r:0:2' labels='Gene'>p53</e>",
         "wanted labels like Gene:2,DNA:1, found 'Gene'"),
        ("<g b='l:0:2,r:0:2'>p53</g>", "wanted an <e> element, found <g>"),
    ],
)  # fmt: skip
def test_each_kind_of_error_names_its_line(tmp_path: Path, element: str, reason: str) -> None:
    path = tmp_path / "a.xml"
    with pytest.raises(FormatError) as raised:
        read_xml(path, f"<document>\nthe{element}</document>")
    assert str(raised.value) == f"{path}:2: {reason}"
