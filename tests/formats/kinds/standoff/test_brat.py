"""brat stand-off: the lines it has, the liberties tools take, and what goes wrong."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vermeil import Document, Span, VermeilError
from vermeil.formats import Ledger, guess_format, read, write

TEXT = "alpha and beta globin bind p53.\n"
ANN = (
    "T1\tGene 0 5;15 21\talpha globin\n"
    "T2\tGene 10 21\tbeta globin\n"
    "A1\tNegation T2\n"
    "A2\tSize T2 big\n"
    "A3\tConfidence T2 0.75\n"
    "N1\tReference T2 EntrezGene:3043\tHBB\n"
    "#1\tAnnotatorNotes T2\tnot quite sure\n"
    "R1\tEquals Arg1:T1 Arg2:T2\n"
    "T3\tBinding 22 26\tbind\n"
    "E1\tBinding:T3 Theme:T1 Theme2:T2\n"
    "M1\tSpeculation E1\n"
    "*\tEquiv T1 T2\n"
)


def folder(tmp_path: Path, **files: str | bytes) -> Path:
    path = tmp_path / "gold"
    path.mkdir()
    for name, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        (path / name.replace("_", ".")).write_bytes(data)
    return path


def read_one(path: Path, ledger: Ledger | None = None) -> Document:
    (document,) = read(path, format="brat", annotator="anna", ledger=ledger)
    return document


def test_every_kind_of_line_is_read(tmp_path: Path) -> None:
    ledger = Ledger()
    path = folder(tmp_path, d1_txt=TEXT, d1_ann=ANN)
    assert guess_format(path) == "brat"
    document = read_one(path, ledger)
    assert (document.id, document.text) == ("d1", TEXT)
    assert document.layers["anna"] == (
        Span(0, 21, "Gene", fragments=((0, 5), (15, 21))),
        Span(
            10,
            21,
            "Gene",
            0.75,
            ids=("EntrezGene:3043",),
            attributes=(
                ("Negation", ""),
                ("Size", "big"),
                ("AnnotatorNotes", "not quite sure"),
            ),
        ),
        Span(22, 26, "Binding"),
    )
    assert {what: n for (deed, what), n in ledger.counts.items() if deed == "dropped"} == {
        "relations": 1,
        "events": 1,
        "equivalences": 1,
        "attributes and notes of relations and events": 1,
        "names beside database ids": 1,
    }


def test_a_text_without_annotation_file_was_not_looked_at(tmp_path: Path) -> None:
    path = folder(tmp_path, d1_txt=TEXT, d2_txt=TEXT, d2_ann="")
    layers = [document.layers for document in read(path, format="brat", annotator="anna")]
    assert layers == [{}, {"anna": ()}]


def test_the_files_of_a_shared_task_are_read_together(tmp_path: Path) -> None:
    a2 = "T2\tBinding 22 26\tbind\nE1\tBinding:T2 Theme:T1\n"
    path = folder(tmp_path, d1_txt=TEXT, d1_a1="T1\tProtein 27 30\tp53\n", d1_a2=a2)
    spans = read_one(path).layers["anna"]
    assert [span.label for span in spans] == ["Binding", "Protein"]


def test_an_error_names_the_file_it_is_in(tmp_path: Path) -> None:
    a1, a2 = "T1\tProtein 27 30\tp53\n", "T2\tBinding 22 26\tbound\n"
    path = folder(tmp_path, d1_txt=TEXT, d1_a1=a1, d1_a2=a2)
    with pytest.raises(VermeilError, match=r"d1\.a2:1: text at 22-26 is 'bind', not 'bound'"):
        read_one(path)


@pytest.mark.parametrize("suffix", [".txt", ".ann"])
def test_one_document_can_be_read_alone(tmp_path: Path, suffix: str) -> None:
    path = folder(tmp_path, d1_txt=TEXT, d1_ann=ANN, d2_txt=TEXT)
    assert len(read_one(path / f"d1{suffix}").layers["anna"]) == 3


def test_folders_inside_the_folder_are_part_of_the_id(tmp_path: Path) -> None:
    path = folder(tmp_path, b_txt=TEXT)
    (path / "train").mkdir()
    (path / "train" / "a.txt").write_text(TEXT)
    (path / ".cache").mkdir()
    (path / ".cache" / "c.txt").write_text(TEXT)
    assert [document.id for document in read(path, format="brat")] == ["b", "train/a"]


def test_fragments_out_of_order_are_put_in_order(tmp_path: Path) -> None:
    path = folder(tmp_path, d1_txt=TEXT, d1_ann="T1\tGene 15 21;0 5\tglobin alpha\n")
    assert read_one(path).layers["anna"][0].fragments == ((0, 5), (15, 21))


def test_dots_between_fragments_are_understood(tmp_path: Path) -> None:
    path = folder(tmp_path, d1_txt=TEXT, d1_ann="T1\tGene 0 5;15 21\talpha ... globin\n")
    assert read_one(path).layers["anna"][0].fragments == ((0, 5), (15, 21))


def test_windows_line_ends_in_the_annotation_file_are_passed_over(tmp_path: Path) -> None:
    path = folder(tmp_path, d1_txt="a\r\np53", d1_ann="T1\tGene 3 6\tp53\r\n\r\n")
    document = read_one(path)
    assert document.text == "a\r\np53"
    assert document.layers["anna"] == (Span(3, 6, "Gene"),)


@pytest.mark.parametrize(
    ("text", "ann", "what"),
    [
        ("🧬 p53".encode(), "T1\tGene 3 6\tp53", "offsets that count UTF-16 code units"),
        ("α p53".encode(), "T1\tGene 3 6\tp53", "offsets that count UTF-8 bytes"),
        (b"\xef\xbb\xbfa p53", "T1\tGene 3 6\tp53", "offsets that count the byte order mark"),
    ],
)
def test_other_ways_to_count_are_repaired(tmp_path: Path, text: bytes, ann: str, what: str) -> None:
    ledger = Ledger()
    document = read_one(folder(tmp_path, d1_txt=text, d1_ann=ann), ledger)
    assert document.layers["anna"] == (Span(2, 5, "Gene"),)
    assert ledger.counts["repaired", what] == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("T1\tGene 0 5\tbeta", r"d1\.ann:1: text at 0-5 is 'alpha', not 'beta'"),
        ("T1\tGene 0 500\talpha", r"d1\.ann:1: offsets 0-500 do not lie inside the text"),
        ("T1\tGene 5 5\t", r"d1\.ann:1: offsets 5-5 do not lie"),
        ("T1\tGene 0 5;3 9\talpha ha and", r"d1\.ann:1: fragments must be in order and apart"),
        ("T1 Gene 0 5 alpha", r"d1\.ann:1: wanted ID<TAB>label start end"),
        ("T1\tGene 0 5\talpha\nT1\tGene 0 5\talpha", r"d1\.ann:2: T1 is on line 1 already"),
        ("A1\tNegation T9", r"d1\.ann:1: there is no T9 for"),
        ("\nX1\tGene 0 5\talpha", r"d1\.ann:2: wanted a line of brat's"),
        ("N1\tReference", r"d1\.ann:1: wanted a line of brat's"),
    ],
)
def test_what_breaks_the_format_is_named_with_its_line(
    tmp_path: Path, line: str, message: str
) -> None:
    with pytest.raises(VermeilError, match=message):
        read_one(folder(tmp_path, d1_txt=TEXT, d1_ann=line + "\n"))


def test_a_bad_document_can_be_set_aside(tmp_path: Path) -> None:
    ledger = Ledger(skip_bad=True)
    path = folder(tmp_path, d1_txt=TEXT, d1_ann="T1", d2_txt=TEXT)
    assert [document.id for document in read(path, format="brat", ledger=ledger)] == ["d2"]
    assert ledger.counts["skipped", "bad records"] == 1


def test_annotation_without_its_text_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(VermeilError, match=r"d1\.ann: there is no d1\.txt beside it"):
        list(read(folder(tmp_path, d1_ann=ANN), format="brat"))


def test_two_files_with_one_id_are_an_error(tmp_path: Path) -> None:
    path = folder(tmp_path)
    (path / "a b.txt").write_text("")
    (path / "a%20b.txt").write_text("")
    with pytest.raises(VermeilError, match=r"a%20b\.txt: a b\.txt has the same id 'a b'"):
        list(read(path, format="brat"))


def test_what_is_written_is_what_brat_reads(tmp_path: Path) -> None:
    span = Span(
        0,
        21,
        "Gene",
        0.5,
        ((0, 5), (15, 21)),
        ("EntrezGene:3039",),
        (("Negation", ""), ("Size", "big"), ("Why", "a long story")),
    )
    write([Document(id="d1", text=TEXT, layers={"anna": (span,)})], tmp_path / "o", format="brat")
    assert (tmp_path / "o" / "d1.txt").read_text() == TEXT
    assert (tmp_path / "o" / "d1.ann").read_text() == (
        "T1\tGene 0 5;15 21\talpha globin\n"
        "N1\tReference T1 EntrezGene:3039\talpha globin\n"
        "A1\tConfidence T1 0.5\n"
        "A2\tNegation T1\n"
        "A3\tSize T1 big\n"
        "#1\tWhy T1\ta long story\n"
    )


def test_a_text_may_begin_with_the_character_of_a_byte_order_mark(tmp_path: Path) -> None:
    document = Document(id="d", text="\ufeffp53", layers={"anna": (Span(1, 4, "Gene"),)})
    write([document], tmp_path / "o", format="brat")
    assert read_one(tmp_path / "o") == document


def test_a_database_id_with_a_line_break_is_refused_by_name(tmp_path: Path) -> None:
    span = Span(0, 5, "Gene", ids=("a\nb",))
    with pytest.raises(VermeilError, match=r"cannot hold the database id 'a\\nb'"):
        write([Document(id="d", text=TEXT, layers={"a": (span,)})], tmp_path / "o", format="brat")


NAMES = st.text(alphabet="aT1 \t\n\r\u00a0", max_size=4) | st.sampled_from(
    ["Confidence", "Attribute", "AnnotatorNotes"]
)


@given(st.lists(st.tuples(NAMES, NAMES | st.sampled_from(["0.5", '["a","b"]'])), max_size=3))
def test_any_attribute_survives(
    tmp_path_factory: pytest.TempPathFactory, attributes: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("brat") / "o"
    document = Document(
        id="d", text="p53", layers={"anna": (Span(0, 3, "Gene", attributes=tuple(attributes)),)}
    )
    write([document], path, format="brat")
    assert read_one(path) == document


def test_what_is_left_out_of_a_folder_is_said(tmp_path: Path) -> None:
    folder, outside = tmp_path / "corpus", tmp_path / "outside.txt"
    folder.mkdir()
    outside.write_text("secret")
    for name in ("a", ".hidden"):
        (folder / f"{name}.txt").write_text("p53 binds")
        (folder / f"{name}.ann").write_text("T1\tGene 0 3\tp53\n")
    (folder / "link.txt").symlink_to(outside)
    bad = os.fsencode(folder) + b"/caf\xe9"
    for suffix in (b".txt", b".ann"):
        Path(os.fsdecode(bad + suffix)).write_bytes(b"")
    ledger = Ledger()
    assert [each.id for each in read(folder, ledger=ledger)] == ["a"]
    assert dict(ledger.counts) == {
        ("left out", "hidden files"): 2,
        ("left out", "links that lead out of the folder"): 1,
        ("left out", "files whose names are not UTF-8"): 2,
    }
    assert all(line.isprintable() for line in ledger.summary())


def test_a_file_whose_name_is_not_utf8_is_refused_in_one_line(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt"))
    path.write_text("p53 binds")
    with pytest.raises(VermeilError, match="not UTF-8") as error:
        list(read(path))
    assert str(error.value).encode()
