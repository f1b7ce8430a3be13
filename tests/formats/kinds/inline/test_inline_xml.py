"""Elements in running text: ours, and those of other corpora."""

from pathlib import Path

import pytest
from hypothesis import given

from tests.strategies import TEXTS, documents
from vermeil import Document, Span
from vermeil.errors import FormatError, UsageError
from vermeil.formats import Ledger, guess_format, read, write
from vermeil.formats.kinds.inline.markup import MAX_DEPTH, Mark, packed, unpacked, write_marks


def read_xml(path: Path, content: str) -> list[Document]:
    path.write_text(content, newline="")
    return list(read(path, format="inline-xml", annotator="anna"))


def content(*spans: Span, text: str = "alpha and beta globin", **more: tuple[Span, ...]) -> str:
    from io import BytesIO

    from vermeil.formats.files.sink import Sink
    from vermeil.formats.kinds.inline.inline_xml import write as write_inline

    document = Document(id="1", text=text, layers={"anna": spans, **more})
    buffer = BytesIO()
    write_inline([document], Sink(Path("x"), Ledger(), {}, buffer))
    return buffer.getvalue().decode().split("\n")[2]


def test_a_label_is_the_tag_and_the_rest_are_attributes() -> None:
    span = Span(10, 14, "Gene", 0.9, (), ("HGNC:4827", "P68871"), (("source", "db"),))
    assert content(span) == (
        '<document id="1" annotators="anna">alpha and <Gene confidence="0.9" '
        'ids="HGNC:4827 P68871" source="db">beta</Gene> globin</document>'
    )


def test_what_xml_cannot_say_plainly_is_said_in_attributes() -> None:
    span = Span(10, 14, "cell line", None, (), ("a b",), (("two words", "x"), ("id", "7")))
    assert content(span) == (
        '<document id="1" annotators="anna">alpha and <span label="cell line" '
        'ids=\'["a b"]\' attributes=\'[["two words","x"],["id","7"]]\'>beta</span> '
        "globin</document>"
    )


def test_nested_spans_are_nested_elements() -> None:
    assert content(Span(0, 21, "Protein"), Span(0, 5, "Greek")) == (
        '<document id="1" annotators="anna">'
        "<Protein><Greek>alpha</Greek> and beta globin</Protein></document>"
    )


def test_crossing_spans_are_cut_where_they_cross_and_joined_by_part() -> None:
    assert content(Span(0, 14, "A"), Span(6, 21, "B")) == (
        '<document id="1" annotators="anna">'
        '<A>alpha <B part="1">and beta</B></A><B part="1"> globin</B></document>'
    )


def test_the_fragments_of_a_discontinuous_span_are_numbered() -> None:
    fragments = ((0, 5), (15, 21))
    assert content(Span(0, 21, "Gene", 0.5, fragments), Span(10, 21, "Gene")) == (
        '<document id="1" annotators="anna"><Gene confidence="0.5" part="1.1">alpha</Gene> and '
        '<Gene>beta <Gene part="1.2">globin</Gene></Gene></document>'
    )


def test_fragments_that_touch_stay_apart(tmp_path: Path) -> None:
    document = Document(
        id="1", text="IL2R", layers={"a": (Span(0, 4, "G", None, ((0, 3), (3, 4))),)}
    )
    write([document], tmp_path / "a.inline.xml")
    assert list(read(tmp_path / "a.inline.xml")) == [document]


def test_several_annotators_are_named_and_so_is_who_found_nothing() -> None:
    assert content(Span(0, 5, "A"), ben=(), cleo=(Span(0, 5, "A"),)) == (
        '<document id="1" annotators="anna ben cleo"><A annotator="anna"><A annotator="cleo">'
        "alpha</A></A> and beta globin</document>"
    )


def test_the_carriage_return_survives() -> None:
    assert "a&#13;\tb &lt; c &amp; d" in content(text="a\r\tb < c & d")


def test_foreign_text_with_one_root_is_one_document(tmp_path: Path) -> None:
    xml = (
        '<?xml version="1.0"?><text>mutant <gene>p53</gene> in <cell type="x">HeLa</cell>\n</text>'
    )
    assert read_xml(tmp_path / "PMID-7.xml", xml) == [
        Document(
            id="PMID-7",
            text="mutant p53 in HeLa\n",
            layers={
                "anna": (Span(7, 10, "gene"), Span(14, 18, "cell", attributes=(("type", "x"),)))
            },
        )
    ]


def test_foreign_lists_of_documents_are_read_one_by_one(tmp_path: Path) -> None:
    xml = "<corpus>\n <doc id='a'>x<g>y</g></doc>\n <!-- no --><doc>z<g/></doc>\n</corpus>"
    first, second = read_xml(tmp_path / "c.xml", xml)
    assert (first.id, first.text, first.layers) == ("a", "xy", {"anna": (Span(1, 2, "g"),)})
    assert (second.id, second.text, second.layers) == ("2", "z", {"anna": ()})


def test_entities_of_the_calbc_corpora_are_labelled_by_their_semantic_group(tmp_path: Path) -> None:
    xml = (
        '<document>the <e id="Uniprot:P01308:T116:PRGE|Uniprot:P01317:T116:PRGE">insulin</e> in '
        '<e id="UMLS:C1">mice</e> and <entity type="DNA">the <e>gene</e></entity></document>'
    )
    [document] = read_xml(tmp_path / "c.xml", xml)
    ids = ("Uniprot:P01308:T116:PRGE", "Uniprot:P01317:T116:PRGE")
    assert document.layers["anna"] == (
        Span(4, 11, "PRGE", ids=ids),
        Span(15, 19, "e", ids=("UMLS:C1",)),
        Span(24, 32, "DNA"),
        Span(28, 32, "e"),
    )


def test_a_confidence_that_is_a_word_stays_an_attribute(tmp_path: Path) -> None:
    [document] = read_xml(tmp_path / "c.xml", "<t>a <g confidence='high' part='F'>b</g></t>")
    attributes = (("confidence", "high"), ("part", "F"))
    assert document.layers["anna"] == (Span(2, 3, "g", attributes=attributes),)


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        ("<documents>\n<document>a</document> loose\n</documents>",
         ":2: 'loose' stands outside any document, after the one that begins here"),
        ("<documents>\n<document>a</document>b<document>c</document></documents>",
         ":2: 'b' stands outside any document, after the one that begins here"),
        ("<documents>\n<document>a</document>\n<gene>p53</gene></documents>",
         ":3: wanted a document element, found <gene>"),
        ("<documents>\n<document id='x'>a</document>\n<document id='x'/></documents>",
         ":3: the id 'x' is already that of line 2"),
        ("<documents><document>\n<g confidence='7'>a</g></document></documents>",
         ":2: a confidence lies between 0 and 1, got 7.0"),
        ("<t>\n<g part='1'>a<g part='1'>b</g></g></t>",
         ":2: fragments must be in order and apart, got ((1, 3), (2, 3))"),
        ("<documents>\n<document>a<g></document></documents>",
         ":2: broken XML: Opening and ending tag mismatch: g line 2 and document"),
    ],
)  # fmt: skip
def test_each_kind_of_error_names_its_line(tmp_path: Path, xml: str, message: str) -> None:
    path = tmp_path / "a.xml"
    with pytest.raises(FormatError) as raised:
        read_xml(path, xml)
    assert str(raised.value) == f"{path}{message}"


def test_a_bad_document_can_be_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "a.inline.xml"
    path.write_text(
        "<documents><document id='1'><g confidence='7'>a</g></document>"
        "<document id='2'>b</document></documents>"
    )
    ledger = Ledger(skip_bad=True)
    assert [document.id for document in read(path, ledger=ledger)] == ["2"]
    assert ledger.counts["skipped", "bad records"] == 1


def test_what_xml_cannot_hold_at_all_is_refused(tmp_path: Path) -> None:
    odd = Document(id="a\x01", text="a")
    with pytest.raises(UsageError, match=r"id 'a\\x01' holds a character that XML cannot hold"):
        write([odd], tmp_path / "a.inline.xml")
    deep = [Mark(((0, 1),), "g", {}) for _ in range(MAX_DEPTH + 1)]
    with pytest.raises(UsageError, match="too deep for XML"):
        write_marks("a", deep)


def test_as_many_names_over_one_another_as_can_be_written_can_be_read(tmp_path: Path) -> None:
    spans = tuple(Span(0, 1, f"g{n}") for n in range(MAX_DEPTH))
    document = Document(id="1", text="a", layers={"a": spans})
    write([document], tmp_path / "a.inline.xml")
    assert list(read(tmp_path / "a.inline.xml")) == [document]


def test_our_files_are_recognised_among_those_called_xml(tmp_path: Path) -> None:
    write([], tmp_path / "a.inline.xml")
    (tmp_path / "a.inline.xml").rename(tmp_path / "a.xml")
    assert guess_format(tmp_path / "a.xml") == "inline-xml"
    assert guess_format(tmp_path / "new.inline.xml", exists=False) == "inline-xml"


@given(values=...)
def test_packing_loses_nothing(values: list[str]) -> None:
    assert unpacked(packed(values)) == tuple(values)


@given(document=documents(texts=TEXTS))
def test_taking_the_tags_out_leaves_the_text(document: Document) -> None:
    from lxml import etree

    spans = [span for layer in document.layers.values() for span in layer]
    marked = write_marks(document.text, [Mark(span.pieces, "g", {}) for span in spans])
    assert "".join(etree.fromstring(f"<t>{marked}</t>".encode()).itertext()) == document.text
