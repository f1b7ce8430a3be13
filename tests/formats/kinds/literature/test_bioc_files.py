"""BioC as its tools write it: PubTator, PMC, TeamTat, with sentences, in bytes, in JSON lines."""

import json
from pathlib import Path

import bioc
import pytest
from bioc import biocjson, biocxml
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents
from vermeil import Document, Span, VermeilError
from vermeil.formats import FORMATS, Ledger, guess_format, read, write
from vermeil.formats.files.features import reduce

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE collection SYSTEM "BioC.dtd">
<collection><source>PubTator</source><date></date><key>BioC.key</key><infon key="x">y</infon>
"""
PAPER = """<document><id>10021369</id><infon key="journal">Hum. Genet.</infon>
<passage><infon key="type">title</infon><offset>0</offset><text>APC2 and β-catenin</text>
  <annotation id="1"><infon key="identifier">10297;324</infon><infon key="type">Gene</infon>
    <infon key="score">0.9</infon><infon key="note">new</infon>
    <location offset="0" length="4"/><text>APC2</text></annotation>
</passage>
<passage><infon key="type">abstract</infon><infon key="year">1999</infon><offset>19</offset>
  <text>Alpha and beta chains.</text>
  <annotation id="2"><infon key="type">Gene</infon><infon key="MESH">D1|D2</infon>
    <location offset="34" length="6"/><location offset="19" length="5"/>
    <text>chains Alpha</text></annotation>
  <annotation id="3"><infon key="type">MeSH heading</infon><text/></annotation>
  <relation id="R1"><infon key="type">same</infon><node refid="1" role="a"/></relation>
</passage></document>
"""
SPANS = (
    Span(
        0,
        4,
        "Gene",
        0.9,
        ids=("10297", "324"),
        attributes=(("note", "new"),),
    ),
    Span(
        19,
        40,
        "Gene",
        fragments=((19, 24), (34, 40)),
        ids=("MESH:D1", "MESH:D2"),
        attributes=(("MESH", "D1|D2"),),
    ),
)


def read_xml(tmp_path: Path, content: str, ledger: Ledger | None = None) -> list[Document]:
    path = tmp_path / "a.bioc.xml"
    path.write_text(content)
    return list(read(path, annotator="anna", ledger=ledger))


def read_json(tmp_path: Path, content: object, ledger: Ledger | None = None) -> list[Document]:
    path = tmp_path / "a.bioc.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=1))
    return list(read(path, annotator="anna", ledger=ledger))


def passage(offset: int, text: str, *annotations: tuple[int, str], **infons: str) -> object:
    return {
        "offset": offset,
        "infons": infons,
        "text": text,
        "annotations": [
            {
                "id": str(number),
                "infons": {"type": "Gene"},
                "text": marked,
                "locations": [{"offset": at, "length": len(marked)}],
            }
            for number, (at, marked) in enumerate(annotations)
        ],
    }


def paper(*passages: object) -> dict[str, object]:
    return {"id": "1", "infons": {}, "passages": list(passages)}


def test_passages_annotations_and_infons_are_read(tmp_path: Path) -> None:
    ledger = Ledger()
    (document,) = read_xml(tmp_path, HEAD + PAPER + "</collection>", ledger)
    assert document == Document(
        id="10021369",
        text="APC2 and β-catenin Alpha and beta chains.",
        layers={"anna": SPANS},
        meta={
            "bioc source": "PubTator",
            "bioc key": "BioC.key",
            "journal": "Hum. Genet.",
            "sections": [
                {"start": 0, "end": 18, "kind": "title"},
                {"start": 19, "end": 41, "kind": "abstract"},
            ],
        },
    )
    assert {what: n for (deed, what), n in ledger.counts.items() if deed == "dropped"} == {
        "infons of the collection": 1,
        "relations": 1,
        "annotations without a location": 1,
        "infons of passages and sentences": 1,
    }


def test_json_of_the_bioc_library_says_the_same_as_its_xml(tmp_path: Path) -> None:
    wanted = read_xml(tmp_path, HEAD + PAPER + "</collection>")
    collection = biocxml.loads(HEAD + PAPER + "</collection>")
    collection.documents[0].passages[1].annotations.pop()
    assert read_json(tmp_path, biocjson.dumps(collection)) == wanted
    assert read_json(tmp_path, biocjson.dumps(collection, indent=2)) == wanted
    assert read_json(tmp_path, f"[{biocjson.dumps(collection)}]") == wanted
    line = json.dumps(biocjson.toJSON(collection.documents[0])) + "\n"
    other = line.replace(f'"{wanted[0].id}"', '"other"', 1)
    own = {key: value for key, value in wanted[0].meta.items() if not key.startswith("bioc ")}
    alone = wanted[0].replace(meta=own)
    assert read_json(tmp_path, line + other) == [alone, alone.replace(id="other")]


@pytest.mark.parametrize("format", ["bioc-xml", "bioc-json"])
def test_what_a_collection_and_its_infons_say_comes_back(tmp_path: Path, format: str) -> None:
    content = (HEAD + PAPER + "</collection>").replace(
        '<infon key="MESH">D1|D2</infon>', '<infon key="NCBI Gene">4221</infon>'
    )
    documents = read_xml(tmp_path, content)
    assert documents[0].layers["anna"][1].ids == ("NCBIGene:4221",)
    path = tmp_path / "o"
    write(documents, path, format=format)
    said = path.read_text()
    assert "PubTator" in said
    assert "BioC.key" in said
    assert ('<infon key="NCBI Gene">4221<' in said) or ('"NCBI Gene":"4221"' in said)
    assert list(read(path, format=format, annotator="anna")) == documents


def test_an_annotation_without_a_type_is_a_name_or_what_the_user_says(tmp_path: Path) -> None:
    content = (HEAD + PAPER + "</collection>").replace('<infon key="type">Gene</infon>', "")
    ledger = Ledger()
    [document] = read_xml(tmp_path, content, ledger)
    assert {span.label for span in document.layers["anna"]} == {"Name"}
    assert ledger.counts["changed", "annotations without an infon 'type' to Name"] == 2
    [document] = read(tmp_path / "a.bioc.xml", options={"label": "Gene"})
    assert {span.label for span in document.layers["a"]} == {"Gene"}


def test_the_formats_are_known_by_suffix_and_beginning(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(HEAD + PAPER + "</collection>")
    (tmp_path / "a.json").write_text(json.dumps({"PubTator3": [paper()]}))
    assert guess_format(tmp_path / "a.xml") == "bioc-xml"
    assert guess_format(tmp_path / "a.json") == "bioc-json"


def test_an_export_of_pubtator_3_is_read(tmp_path: Path) -> None:
    fields = paper(passage(0, "p53 binds", (0, "p53")))
    fields["passages"][0]["annotations"][0]["infons"] = {  # type: ignore[index]
        "identifier": None,
        "type": "Gene",
        "valid": True,
        "normalized": [7157],
    }
    (document,) = read_json(tmp_path, {"PubTator3": [fields | {"pmid": 1, "relations": []}]})
    attributes = (("valid", "true"), ("normalized", "[7157]"))
    assert document.layers["anna"] == (Span(0, 3, "Gene", attributes=attributes),)


def test_sentences_make_up_a_passage(tmp_path: Path) -> None:
    sentences = [passage(5, "First p53.", (11, "p53")), passage(17, "Then p63.", (22, "p63"))]
    fields = paper(passage(0, "Head"), {"offset": 5, "infons": {}, "sentences": sentences})
    (document,) = read_json(tmp_path, fields)
    assert document.text == "Head First p53.  Then p63."
    assert [span.marked(document.text) for span in document.layers["anna"]] == ["p53", "p63"]


def test_the_text_of_a_broken_annotation_may_cover_its_gaps(tmp_path: Path) -> None:
    content = HEAD + PAPER + "</collection>"
    covering = content.replace("chains Alpha", "Alpha and beta chains")
    assert read_xml(tmp_path, covering) == read_xml(tmp_path, content)


def test_annotators_named_by_infons_are_layers(tmp_path: Path) -> None:
    fields = paper(passage(0, "p53 p63", (0, "p53"), (4, "p63")))
    infons = fields["passages"][0]["annotations"][1]["infons"]  # type: ignore[index]
    infons["annotator"] = "ben"
    (document,) = read_json(tmp_path, fields)
    assert document.layers == {"anna": (Span(0, 3, "Gene"),), "ben": (Span(4, 7, "Gene"),)}


def test_a_section_type_says_more_than_a_type(tmp_path: Path) -> None:
    fields = paper(passage(0, "We ate", section_type="METHODS", type="paragraph"))
    (document,) = read_json(tmp_path, fields)
    assert document.meta["sections"] == [{"start": 0, "end": 6, "kind": "METHODS"}]


@pytest.mark.parametrize(
    ("passages", "text", "repairs"),
    [
        (
            [passage(0, "αβ", (0, "αβ")), passage(5, "βγ p53", (10, "p53"))],
            "αβ βγ p53",
            {"offsets of passages that count UTF-8 bytes", "offsets that count UTF-8 bytes"},
        ),
        (
            [passage(0, "🧬", (0, "🧬")), passage(3, "🧬 p53", (6, "p53"))],
            "🧬 🧬 p53",
            {
                "offsets of passages that count UTF-16 code units",
                "offsets that count UTF-16 code units",
            },
        ),
        ([passage(0, "a"), passage(4, "p53", (4, "p53"))], "a   p53", set()),
        ([passage(3, "p53", (3, "p53"))], "   p53", set()),
        (
            [passage(0, "title"), passage(0, "p53", (0, "p53"))],
            "title p53",
            {"passages that overlap"},
        ),
        (
            [passage(0, "title"), passage(6, "a p53", (2, "p53"))],
            "title a p53",
            {"offsets that count from the passage"},
        ),
        ([passage(0, "title", (6, "p53")), passage(6, "p53")], "title p53", set()),
    ],
)
def test_odd_offsets_are_understood(
    tmp_path: Path, passages: list[object], text: str, repairs: set[str]
) -> None:
    ledger = Ledger()
    (document,) = read_json(tmp_path, paper(*passages), ledger)
    assert document.text == text
    assert document.layers["anna"][-1].marked(text) == "p53"
    assert {what for deed, what in ledger.counts if deed == "repaired"} == repairs


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<text>APC2</text>", "<text>APC3</text>", r":4: text at 0-4 is 'APC2', not 'APC3'"),
        ('length="4"', 'length="four"', r":4: Expected `int`, got `str`"),
        ('length="4"', "", r":4: .*missing required field `length`"),
        ("<offset>19</offset>", "", r":4: .*missing required field `offset`"),
        ("<offset>19</offset>", "<offset>99999999</offset>", r":4: a passage begins"),
        ("<text>Alpha and", "<text>Alpha <b>and</b>", r":4: <b> inside <text>, where text"),
        ("</document>", "", r": broken XML|:\d+: broken XML"),
        (' SYSTEM "BioC.dtd"', " [<!ENTITY a 'b'>]", r": declares the entity 'a'"),
        ("<text>Alpha", "<text>&alpha;", r"Entity 'alpha' not defined"),
        ("collection", "corpus", r":4: wanted <collection> around <document>"),
    ],
)
def test_what_breaks_the_format_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    content = HEAD + PAPER + "</collection>"
    assert old in content
    with pytest.raises(VermeilError, match=r"a\.bioc\.xml.*" + message):
        read_xml(tmp_path, content.replace(old, new))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", r"a\.bioc\.json:1: wanted a list of documents, or passages"),
        ('{"infons": 3, "documents": 3}', r"a\.bioc\.json:1: wanted a list of documents"),
        ('{"documents": [3]}', r"a\.bioc\.json:1: Expected `object`, got `int`"),
        ('{"documents": [', r"a\.bioc\.json:1: .*truncated"),
        ("[" * 9999, r"a\.bioc\.json: .*recursion"),
    ],
)
def test_json_that_is_not_bioc_is_one_clear_error(
    tmp_path: Path, content: str, message: str
) -> None:
    with pytest.raises(VermeilError, match=message):
        read_json(tmp_path, content)


def test_a_file_without_a_collection_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(VermeilError, match="wanted a BioC <collection>, and found none"):
        read_xml(tmp_path, "<html/>")


def test_a_bad_document_is_set_aside_and_the_next_is_read(tmp_path: Path) -> None:
    ledger = Ledger(skip_bad=True)
    content = HEAD + PAPER.replace(">APC2<", ">APC3<") + PAPER + "</collection>"
    assert len(read_xml(tmp_path, content, ledger)) == 1


def test_the_bioc_library_reads_what_we_write(tmp_path: Path) -> None:
    (document,) = read_xml(tmp_path, HEAD + PAPER + "</collection>")
    write([document], tmp_path / "o.bioc.xml")
    write([document], tmp_path / "o.bioc.json")
    from_xml = biocxml.loads((tmp_path / "o.bioc.xml").read_text())
    from_json = biocjson.loads((tmp_path / "o.bioc.json").read_text())
    for collection in (from_xml, from_json):
        bioc.validate(collection)
        (written,) = collection.documents
        assert [p.offset for p in written.passages] == [0, 19]
        assert [p.infons["type"] for p in written.passages] == ["title", "abstract"]
        (annotation,) = written.passages[0].annotations
        assert annotation.text == "APC2"
        assert annotation.infons["identifier"] == "10297;324"
        assert written.infons["journal"] == "Hum. Genet."


@pytest.mark.parametrize("between", ["", " ", "\n", "  ", "\n\n", " and "])
def test_what_is_between_sections_survives(tmp_path: Path, between: str) -> None:
    cut = 5 + len(between)
    sections = [
        {"start": 0, "end": 5, "kind": "title"},
        {"start": cut, "end": cut + 4, "kind": "abstract"},
    ]
    span = Span(4, cut + 1, "Gene")
    document = Document(
        id="d",
        text=f"Title{between}text",
        layers={"anna": (span,)},
        meta={"sections": sections},
    )
    write([document], tmp_path / "o.bioc.xml")
    assert list(read(tmp_path / "o.bioc.xml")) == [document]


def test_xml_says_which_document_it_cannot_hold(tmp_path: Path) -> None:
    span = Span(0, 3, "Gene", attributes=(("a", "\x00"),))
    document = Document(id="d7", text="p53", layers={"anna": (span,)})
    with pytest.raises(VermeilError, match="XML cannot hold document 'd7'"):
        write([document], tmp_path / "o.bioc.xml")


NAMES = st.sampled_from(
    [
        "type",
        "MESH",
        "score",
        "annotator",
        "attributes",
        "a",
        "",
        "Identifier",
        "identifier",
        "confidence",
        "attribute",
    ]
)
SECTIONS = st.lists(
    st.fixed_dictionaries(
        {"start": st.integers(0, 3), "end": st.integers(0, 3), "kind": st.sampled_from("ab")},
        optional={"more": st.none()},
    ),
    max_size=3,
)


@pytest.mark.parametrize("format", ["bioc-xml", "bioc-json", "pubannotation"])
@given(
    attributes=st.lists(st.tuples(NAMES, st.sampled_from(["0.5", '[["a","b"]]', "\n\t"]))),
    ids=st.lists(st.sampled_from(["-", "a;b", "[1]", " a", "p|SUB|V"])),
    names=st.lists(st.text(alphabet='a"] ;', min_size=1, max_size=2), unique=True, max_size=3),
    sections=st.none() | SECTIONS,
    id=st.sampled_from(["a:b", "a:b:7", "a:b:07", "a:b:c", ":", "a:", "PubMed:1:0", " a "]),
)
def test_any_names_ids_attributes_and_sections_survive(
    tmp_path_factory: pytest.TempPathFactory,
    format: str,
    attributes: list[tuple[str, str]],
    ids: list[str],
    names: list[str],
    sections: object,
    id: str,
) -> None:
    path = tmp_path_factory.mktemp("corpus") / "o"
    span = Span(0, 2, "Gene", ids=tuple(ids), attributes=tuple(attributes))
    document = Document(
        id=id,
        text="a b",
        layers=dict.fromkeys(names, (span,)),
        meta={} if sections is None else {"sections": sections},
    )
    write([document], path, format=format)
    assert list(read(path, format=format)) == [document]


@given(document=documents())
def test_xml_and_json_say_the_same(
    tmp_path_factory: pytest.TempPathFactory, document: Document
) -> None:
    path = tmp_path_factory.mktemp("bioc")
    document = reduce(document, FORMATS["bioc-xml"].carries, Ledger())
    for format in ("bioc-xml", "bioc-json"):
        write([document], path / format, format=format)
        assert list(read(path / format, format=format)) == [document]
