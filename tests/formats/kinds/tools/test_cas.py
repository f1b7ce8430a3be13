"""UIMA CAS: XMI and JSON of INCEpTION, types that are ours, theirs or nobody's."""

from pathlib import Path

import pytest

from vermeil import Document, Span, VermeilError
from vermeil.formats import Ledger, guess_format, read, write

pytest.importorskip("cassis", reason="dkpro-cassis is not installed")

TEXT = "\U0001d6fc-IL-2\nbinds"
LAYER = (Span(0, 6, "Gene", ids=("7157", "8")), Span(2, 6, "a b[1]|"), Span(2, 6, "Gene"))
XMI = """<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore"
 xmlns:type="http:///de/tudarmstadt/ukp/dkpro/core/api/ner/type.ecore"
 xmlns:custom="http:///webanno/custom.ecore"
 xmlns:seg="http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore" xmi:version="2.0">
<cas:NULL xmi:id="0"/>
<seg:Token xmi:id="2" sofa="1" begin="0" end="7"/>
<type:NamedEntity xmi:id="3" sofa="1" begin="0" end="7" value="Chemical" identifier="D001241"/>
<custom:Dose xmi:id="4" sofa="1" begin="8" end="16" amount="high"/>
<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text"
 sofaString="Aspirin inhibits"/>
<cas:View sofa="1" members="2 3 4"/>
</xmi:XMI>
"""
TYPES = """<?xml version="1.0" encoding="UTF-8"?>
<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier"><types>
<typeDescription><name>de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity</name><description/>
<supertypeName>uima.tcas.Annotation</supertypeName><features>
<featureDescription><name>value</name><description/><rangeTypeName>uima.cas.String</rangeTypeName>
</featureDescription><featureDescription><name>identifier</name><description/>
<rangeTypeName>uima.cas.String</rangeTypeName></featureDescription></features></typeDescription>
<typeDescription><name>de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token</name>
<description/><supertypeName>uima.tcas.Annotation</supertypeName></typeDescription>
<typeDescription><name>webanno.custom.Dose</name><description/>
<supertypeName>uima.tcas.Annotation</supertypeName><features><featureDescription>
<name>amount</name><description/><rangeTypeName>uima.cas.String</rangeTypeName>
</featureDescription></features></typeDescription></types></typeSystemDescription>
"""
DRUG = Span(0, 7, "Chemical", ids=("D001241",))


@pytest.mark.parametrize("format", ["cas-xmi", "cas-json"])
def test_annotators_of_a_document_come_back_as_layers(format: str, tmp_path: Path) -> None:
    document = Document(id="d/1", text=TEXT, layers={"anna": LAYER, "Dr. No": ()})
    nobody = Document(id="none", text="")
    write([document, nobody], tmp_path / "out", format=format)
    assert guess_format(tmp_path / "out") == format
    ledger = Ledger()
    assert list(read(tmp_path / "out", ledger=ledger)) == [document, nobody]
    assert not ledger.summary()


def test_a_type_system_beside_the_file_says_what_its_types_are(tmp_path: Path) -> None:
    (tmp_path / "anna.xmi").write_text(XMI)
    (tmp_path / "TypeSystem.xml").write_text(TYPES)
    assert guess_format(tmp_path / "anna.xmi") == "cas-xmi"
    [document] = read(tmp_path / "anna.xmi")
    assert document.text == "Aspirin inhibits"
    assert document.layers["anna"] == (DRUG, Span(8, 16, "high"))


def test_without_one_types_that_nobody_knows_are_left_out_and_counted(tmp_path: Path) -> None:
    (tmp_path / "anna.xmi").write_text(XMI)
    ledger = Ledger()
    [document] = read(tmp_path / "anna.xmi", ledger=ledger)
    assert document.layers["anna"] == (DRUG,)
    assert "types that no type system declares" in ledger.summary()[0]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('end="7" value', 'end="700" value', r"700"),
        ('begin="0" end="7" value', 'begin="x" end="7" value', r"anna\.xmi: not readable as UIMA"),
        ("<cas:Sofa", "<!-- no --><!ENTITY", r"broken XML"),
        ("<xmi:XMI", "<!DOCTYPE x [<!ENTITY a 'b'>]><xmi:XMI", r"declares the entity"),
    ],
)
def test_what_breaks_the_format_is_one_line(
    tmp_path: Path, old: str, new: str, complaint: str
) -> None:
    path = tmp_path / "anna.xmi"
    path.write_text(XMI.replace(old, new))
    with pytest.raises(VermeilError, match=complaint):
        list(read(path, format="cas-xmi"))
