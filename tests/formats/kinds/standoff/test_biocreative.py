"""BioCreative files: what the task distributes, what goes wrong in them, the real corpus."""

from collections import Counter
from pathlib import Path

import pytest

from vermeil import Document, Span
from vermeil.errors import FormatError, UsageError
from vermeil.formats import Ledger, read, write

TEXTS = [
    Document(id="P1T0", text="Comparison with  alkaline phosphatases and 5-nucleotidase"),
    Document(id="P2A3", text="Nothing here."),
]


def annotate(path: Path, content: str, **options: str) -> list[Document]:
    path.write_text(content, newline="")
    return list(read(path, documents=TEXTS, options=options))


def marked(document: Document) -> list[str]:
    return [span.marked(document.text) for layer in document.layers.values() for span in layer]


def test_sentences_come_one_a_line_after_their_id(tmp_path: Path) -> None:
    path = tmp_path / "train.in"
    path.write_bytes("P1T0 Comparison  with α \r\n\nP2A3 \n".encode())
    assert [(d.id, d.text) for d in read(path)] == [("P1T0", "Comparison  with α "), ("P2A3", "")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("P1 a\nP2\n", "train.in:2: wanted an id, one space and the text, found 'P2'"),
        (" a b\n", "train.in:1: wanted an id, one space and the text, found ' a b'"),
        ("P1 a\nP2 b\nP1 c\n", "train.in:3: the id 'P1' is already that of line 1"),
    ],
)
def test_broken_sentence_lines_are_errors(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "train.in").write_text(content)
    with pytest.raises(FormatError) as raised:
        list(read(tmp_path / "train.in"))
    assert str(raised.value) == f"{tmp_path}/{message}"


def test_offsets_count_what_is_not_white_space_and_are_inclusive(tmp_path: Path) -> None:
    content = "P1T0|37 50|5-nucleotidase\r\nP1T0|14 33|alkaline phosphatases"
    first, second = annotate(tmp_path / "anna.eval", content)
    assert first.layers == {"anna": (Span(17, 38, "Gene"), Span(43, 57, "Gene"))}
    assert marked(first) == ["alkaline phosphatases", "5-nucleotidase"]
    assert second.layers == {"anna": ()}


def test_the_name_may_be_missing_or_differ_in_white_space(tmp_path: Path) -> None:
    content = "P1T0|14 33\nP1T0|14 33|\nP1T0|14 33|alkalinephosphatases\nP1T0|10 13|with\n"
    first, _ = annotate(tmp_path / "anna.eval", content)
    assert marked(first) == ["with", *["alkaline phosphatases"] * 3]


def test_the_label_is_an_option(tmp_path: Path) -> None:
    first, _ = annotate(tmp_path / "anna.eval", "P1T0|0 9|Comparison\n", label="Protein")
    assert first.layers["anna"] == (Span(0, 10, "Protein"),)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("P1T0|014 33|x", "wanted two offsets with one space between them and no leading zeros, "
         "found '014 33'"),
        ("P1T0|14  33|x", "wanted two offsets with one space between them and no leading zeros, "
         "found '14  33'"),
        ("P1T0|14|x", "wanted two offsets with one space between them and no leading zeros, "
         "found '14'"),
        ("P1T0|-1 4|x", "wanted two offsets with one space between them and no leading zeros, "
         "found '-1 4'"),
        ("P1T0|33 14|x", "the first offset comes after the last: '33 14'"),
        ("P1T0 14 33", "wanted ID|first last|name, found 'P1T0 14 33'"),
        ("14 33|z", "wanted two offsets with one space between them and no leading zeros, "
         "found 'z'"),
        ("|14 33|z", "wanted ID|first last|name, found '|14 33|z'"),
        (" P1T0|14 33|z", "there is white space around the id ' P1T0'"),
        ("P9T9|14 33|x", "the id 'P9T9' is not among the texts"),
        ("P1T0|14 99|x", "14 99 is out of order or beyond the 51 non-space characters"),
        ("P1T0|14 33|ALKALINE", "text at 14 33 is 'alkaline phosphatases', not 'ALKALINE'"),
    ],
)  # fmt: skip
def test_each_kind_of_broken_line_is_one_clear_error(
    tmp_path: Path, line: str, reason: str
) -> None:
    path = tmp_path / "anna.eval"
    with pytest.raises(FormatError) as raised:
        annotate(path, f"P1T0|37 50|5-nucleotidase\n{line}\n")
    assert str(raised.value) == f"{path}:2: {reason}"
    ledger = Ledger(skip_bad=True)
    first, _ = read(path, documents=TEXTS, ledger=ledger)
    assert marked(first) == ["5-nucleotidase"]
    assert ledger.counts["skipped", "bad records"] == 1


def test_blank_lines_are_passed_over_and_counted(tmp_path: Path) -> None:
    ledger = Ledger()
    path = tmp_path / "anna.eval"
    path.write_text("P1T0|14 33|\n\nP1T0|37 50|\n")
    first, _ = read(path, documents=TEXTS, ledger=ledger)
    assert len(first.layers["anna"]) == 2
    assert ledger.summary() == [f"passed over 1 blank lines ({path}:2)"]


def test_names_can_be_ignored_as_the_official_scorer_does(tmp_path: Path) -> None:
    first, _ = annotate(tmp_path / "anna.eval", "P1T0|14 33|x\n", names="ignore")
    assert marked(first) == ["alkaline phosphatases"]


def test_names_can_be_noted_and_offsets_believed(tmp_path: Path) -> None:
    first, _ = annotate(tmp_path / "anna.eval", "P1T0|14 33|x\n", names="note")
    assert marked(first) == ["alkaline phosphatases"]


def test_one_slip_at_an_edge_in_a_thousand_names_is_noted(tmp_path: Path) -> None:
    ledger = Ledger()
    path = tmp_path / "anna.eval"
    path.write_text("P1T0|14 33|alkaline phosphatases\n" * 999 + "P1T0|37 50|nucleotidase\n")
    list(read(path, documents=TEXTS, ledger=ledger))
    miss = "text at 37 50 is '5-nucleotidase', not 'nucleotidase'"
    assert ledger.summary() == [f"repaired 1 names by their offsets ({path}:1000: {miss})"]
    path.write_text("P1T0|14 33|alkaline phosphatases\n" * 998 + "P1T0|37 50|nucleotidase\n" * 2)
    with pytest.raises(FormatError, match=r"anna\.eval:1000: text at 37 50 is"):
        list(read(path, documents=TEXTS))


def test_names_are_written_in_reading_order_as_the_text_has_them(tmp_path: Path) -> None:
    document = Document(id="P1", text="of a\tb c", layers={"x": (Span(5, 6, "G"), Span(3, 6, "G"))})
    write([document, Document(id="P2", text="")], tmp_path / "x.eval")
    assert (tmp_path / "x.eval").read_text() == "P1|2 3|a b\nP1|3 3|b\n"


@pytest.mark.parametrize("id", ["a b", "a|b", "a\nb"])
def test_ids_that_cannot_be_written_are_refused(tmp_path: Path, id: str) -> None:
    document = Document(id=id, text="a", layers={"x": (Span(0, 1, "Gene"),)})
    for name in ("x.in", "x.eval"):
        with pytest.raises(UsageError, match="cannot be written here"):
            write([document], tmp_path / name)


@pytest.mark.corpus
def test_the_training_corpus_comes_back_line_by_line(corpora: Path, tmp_path: Path) -> None:
    folder = corpora / "bc2gm" / "train"
    texts = list(read(folder / "train.in"))
    write(texts, tmp_path / "train.in")
    assert (tmp_path / "train.in").read_bytes() == (folder / "train.in").read_bytes()
    for name, n_names, n_slips in [("GENE.eval", 18265, 1), ("ALTGENE.eval", 14499, 3)]:
        ledger = Ledger()
        documents = list(read(folder / name, documents=texts, ledger=ledger))
        write(documents, tmp_path / name)
        before = (folder / name).read_text().splitlines()
        after = (tmp_path / name).read_text().splitlines()
        assert len(before) == len(after) == n_names
        # Names that disagree with their offsets in the corpus are written as the text has them.
        assert (Counter(before) - Counter(after)).total() == n_slips
        assert ledger.counts == {("repaired", "names by their offsets"): n_slips}
        assert [line.split("|")[0] for line in before] == [line.split("|")[0] for line in after]


@pytest.mark.corpus
def test_the_files_of_the_taggers_read_without_error(corpora: Path) -> None:
    folder = corpora / "bc2gm" / "taggers-dev"
    texts = list(read(folder / "text.in"))
    assert len(texts) == 2510
    for path in sorted(folder.glob("*.eval")):
        ledger = Ledger()
        documents = list(read(path, documents=texts, ledger=ledger))
        n_spans = sum(len(layer) for d in documents for layer in d.layers.values())
        assert n_spans == len(path.read_text().splitlines()), path
