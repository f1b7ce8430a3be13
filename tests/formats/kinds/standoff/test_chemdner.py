"""CHEMDNER abstracts and annotations."""

from pathlib import Path

import pytest

from vermeil import Document, Span, VermeilError
from vermeil.formats import Ledger, guess_format, read, write

ABSTRACTS = (
    "23104419\tMetformin in PCOS\tWe gave metformin and α-tocopherol.\n"
    "CA2119782C\t\tA patent on aspirin\n"
)
ANNOTATIONS = (
    "23104419\tT\t0\t9\tMetformin\tTRIVIAL\n"
    "23104419\tA\t8\t17\tmetformin\tTRIVIAL\n"
    "23104419\tA\t22\t34\tα-tocopherol\tSYSTEMATIC\n"
    "CA2119782C\tA\t12\t19\taspirin\tTRIVIAL\n"
)


@pytest.fixture
def texts(tmp_path: Path) -> list[Document]:
    path = tmp_path / "training.abstracts.txt"
    path.write_text(ABSTRACTS)
    return list(read(path))


def annotated(
    tmp_path: Path, texts: list[Document], content: str, ledger: Ledger | None = None
) -> list[Document]:
    path = tmp_path / "training.annotations.txt"
    path.write_bytes(content.encode())
    return list(read(path, annotator="anna", documents=texts, ledger=ledger))


def test_title_and_abstract_make_the_text(texts: list[Document]) -> None:
    first, second = texts
    assert first.text == "Metformin in PCOS We gave metformin and α-tocopherol."
    assert first.meta["sections"] == [
        {"start": 0, "end": 17, "kind": "title"},
        {"start": 18, "end": 53, "kind": "abstract"},
    ]
    assert (second.text, second.meta) == ("A patent on aspirin", {})


def test_offsets_count_from_the_title_or_the_abstract(
    tmp_path: Path, texts: list[Document]
) -> None:
    first, second = annotated(tmp_path, texts, ANNOTATIONS)
    assert first.layers["anna"] == (
        Span(0, 9, "TRIVIAL"),
        Span(26, 35, "TRIVIAL"),
        Span(40, 52, "SYSTEMATIC"),
    )
    assert second.layers["anna"] == (Span(12, 19, "TRIVIAL"),)


def test_what_systems_hand_in_is_read_with_its_confidence(
    tmp_path: Path, texts: list[Document]
) -> None:
    first, second = annotated(tmp_path, texts, "23104419\tA:8:17\t1\t0.97\tmetformin\n")
    assert first.layers["anna"] == (Span(26, 35, "CHEMICAL", 0.97),)
    assert second.layers["anna"] == ()


def test_formats_are_told_apart_by_their_lines(tmp_path: Path, texts: list[Document]) -> None:
    annotated(tmp_path, texts, ANNOTATIONS)
    assert guess_format(tmp_path / "training.abstracts.txt") == "chemdner-text"
    assert guess_format(tmp_path / "training.annotations.txt") == "chemdner"


def test_bytes_are_repaired_in_an_abstract_after_a_greek_title(tmp_path: Path) -> None:
    path = tmp_path / "a.abstracts.tsv"
    path.write_text("1\tα-pinene\tβ-pinene and water\r\n", newline="")
    ledger = Ledger()
    content = "1\tT\t0\t8\tα-pinene\tX\r\n1\tA\t14\t19\twater\tY\r\n"
    (document,) = annotated(tmp_path, list(read(path)), content, ledger)
    assert document.layers["anna"] == (Span(0, 8, "X"), Span(22, 27, "Y"))
    assert ledger.counts["repaired", "offsets that count UTF-8 bytes"] == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("23104419\tT\t0\t9\tMetformine\tTRIVIAL", r":1: text at 0-9 is 'Metformin', not"),
        ("\n99\tT\t0\t9\tMetformin\tTRIVIAL", r":2: '99' is not among the texts"),
        ("23104419\tX\t0\t9\tMetformin\tTRIVIAL", r":1: wanted id, T or A, start, end"),
        ("23104419\tA:8:17\t1\thigh\tmetformin", r":1: wanted a confidence, found 'high'"),
        ("23104419\tA:8:17\t1\t1.5\tmetformin", r":1: a confidence lies between 0 and 1"),
    ],
)
def test_what_breaks_the_format_is_named_with_its_line(
    tmp_path: Path, texts: list[Document], content: str, message: str
) -> None:
    with pytest.raises(VermeilError, match=r"training\.annotations\.txt" + message):
        annotated(tmp_path, texts, content)


def test_an_abstract_line_needs_three_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.abstracts.txt"
    path.write_text("1\ttitle\tabstract\n2\ttitle\n")
    with pytest.raises(VermeilError, match=r"a\.abstracts\.txt:2: .* found 2 columns"):
        list(read(path))


def test_what_is_written_looks_like_the_corpus(tmp_path: Path, texts: list[Document]) -> None:
    documents = annotated(tmp_path, texts, ANNOTATIONS)
    write(documents, tmp_path / "o.abstracts.txt")
    write(documents, tmp_path / "o.annotations.txt")
    assert (tmp_path / "o.abstracts.txt").read_text() == ABSTRACTS
    assert (tmp_path / "o.annotations.txt").read_text() == ANNOTATIONS


@pytest.mark.parametrize("format", ["chemdner", "chemdner-text"])
def test_an_id_with_a_tab_is_refused_by_name(tmp_path: Path, format: str) -> None:
    with pytest.raises(VermeilError, match=r"cannot hold the document id 'a\\tb'"):
        write([Document(id="a\tb", text="p53")], tmp_path / "o", format=format)
