"""XML files that are broken, hostile or merely odd."""

import gzip
from pathlib import Path

import pytest

from vermeil.errors import FormatError
from vermeil.formats.files.safe_xml import local_name, records, walk
from vermeil.formats.files.source import Source


def source_of(path: Path, content: str | bytes) -> Source:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return Source(path, "anna")


def test_records_are_given_whole_one_after_the_other(tmp_path: Path) -> None:
    source = source_of(tmp_path / "a.xml", "<all><d>a<i>b</i></d>\n<d>c</d><x/></all>")
    assert ["".join(d.itertext()) for d in records(source, "d")] == ["ab", "c"]


def test_a_record_inside_a_record_of_the_same_name_is_part_of_it(tmp_path: Path) -> None:
    source = source_of(tmp_path / "a.xml", "<all><d>a<d>b</d>c</d></all>")
    assert ["".join(d.itertext()) for d in records(source, "d")] == ["abc"]


def test_namespaces_comments_and_instructions_do_not_matter(tmp_path: Path) -> None:
    source = source_of(tmp_path / "a.xml", '<n:d xmlns:n="urn:n">a<!-- no -->b<?no?>c</n:d>')
    assert [(local_name(d), d.text) for d in records(source, "d")] == [("d", "abc")]


def test_other_encodings_and_byte_order_marks_are_read(tmp_path: Path) -> None:
    latin = '<?xml version="1.0" encoding="iso-8859-1"?><d>é</d>'.encode("latin1")
    assert [d.text for d in records(source_of(tmp_path / "a.xml", latin), "d")] == ["é"]
    marked = b"\xef\xbb\xbf<d>\xce\xb1</d>"
    assert [d.text for d in records(source_of(tmp_path / "b.xml", marked), "d")] == ["α"]


def test_compressed_files_are_read(tmp_path: Path) -> None:
    source = source_of(tmp_path / "a.xml.gz", gzip.compress(b"<d>a</d>"))
    assert [d.text for d in records(source, "d")] == ["a"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "a.xml: wanted XML, and found no element"),
        ("BRCA1", "a.xml:1: broken XML: Start tag expected, '<' not found"),
        ("<a>\n<d></a>", "a.xml:2: broken XML: Opening and ending tag mismatch: d line 2 and a"),
        ("<a>\n\n<d>p < .05</d></a>", "a.xml:3: broken XML: StartTag: invalid element name"),
        ("<a>\n<d>&alpha;</d></a>", "a.xml:2: broken XML: Entity 'alpha' not defined"),
        ("<d>\n", "a.xml:2: broken XML: Premature end of data in tag d line 1"),
        ("<d>" * 300, "a.xml:1: broken XML: Excessive depth in document"),
    ],
)
def test_broken_xml_is_one_line_with_its_place(tmp_path: Path, content: str, message: str) -> None:
    source = source_of(tmp_path / "a.xml", content)
    with pytest.raises(FormatError) as raised:
        list(records(source, "d"))
    assert str(raised.value).startswith(f"{tmp_path}/{message}")


@pytest.mark.parametrize("place", ["<d>&alpha;-globin</d>", '<d name="&alpha;">x</d>'])
def test_an_entity_of_an_outer_dtd_is_refused_and_not_dropped(tmp_path: Path, place: str) -> None:
    source = source_of(tmp_path / "a.xml", f'<!DOCTYPE d SYSTEM "d.dtd">\n{place}')
    with pytest.raises(FormatError, match=r"a\.xml:2: broken XML: Entity 'alpha' not defined"):
        list(records(source, "d"))


def test_nothing_is_given_out_after_an_entity_was_lost(tmp_path: Path) -> None:
    source = source_of(tmp_path / "a.xml", '<!DOCTYPE a SYSTEM "a.dtd"><a><d>&b;</d><d/></a>')
    with pytest.raises(FormatError):
        next(records(source, "d"))


@pytest.mark.parametrize(
    ("subset", "message"),
    [
        ('<!ENTITY a "ha">', "declares the entity 'a', which is not safe to read"),
        ('<!ENTITY a SYSTEM "file:///etc/passwd">', "declares the entity 'a'"),
        ('<!ENTITY % p SYSTEM "http://127.0.0.1:9/p"> %p;', "declares the entity 'p'"),
        ("<!ELEMENT d ANY>", "declares elements in its DOCTYPE"),
    ],
)
def test_declarations_inside_the_file_are_refused(
    tmp_path: Path, subset: str, message: str
) -> None:
    source = source_of(tmp_path / "a.xml", f"<!DOCTYPE d [{subset}]><d>&a;</d>")
    with pytest.raises(FormatError, match=message):
        list(records(source, "d"))


def test_entities_that_multiply_are_refused_quickly(tmp_path: Path) -> None:
    lines = ['<!ENTITY a0 "ha">'] + [f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(20)]
    for use in ("<d>&a20;</d>", '<d x="&a20;"/>'):
        source = source_of(tmp_path / "a.xml", f"<!DOCTYPE d [{''.join(lines)}]>{use}")
        with pytest.raises(FormatError):
            list(records(source, "d"))


def test_a_doctype_that_declares_nothing_is_fine(tmp_path: Path) -> None:
    source = source_of(tmp_path / "a.xml", '<!DOCTYPE d SYSTEM "BioC.dtd"><d>a</d>')
    assert [event for event, _ in walk(source)] == ["start", "end"]
