"""WebAnno TSV 3: exports of projects, stacked and broken names, and what is passed over."""

from pathlib import Path

import pytest

from vermeil import Document, Span, VermeilError
from vermeil.formats import Ledger, guess_format, read, write

HEAD = "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Drug|kind|dose\n"
ROWS = "\n\n#Text=IL-2 binds\n1-1\t0-4\tIL-2\tGene\t*\t\n1-2\t5-10\tbinds\t_\t_\t\n"


def loaded(tmp_path: Path, content: str, ledger: Ledger | None = None) -> Document:
    path = tmp_path / "anna.tsv"
    path.write_text(content)
    [document] = read(path, ledger=ledger)
    return document


def test_the_first_feature_is_the_label_and_others_are_attributes(tmp_path: Path) -> None:
    document = loaded(tmp_path, HEAD + ROWS.replace("Gene\t*", "Gene\thigh"))
    assert document.text == "IL-2 binds"
    assert document.layers["anna"] == (Span(0, 4, "Gene", attributes=(("dose", "high"),)),)


def test_spans_without_a_label_are_called_after_their_layer(tmp_path: Path) -> None:
    document = loaded(tmp_path, HEAD + ROWS.replace("Gene", "*"))
    assert document.layers["anna"] == (Span(0, 4, "Drug"),)


def test_parts_of_speech_and_relations_are_passed_over(tmp_path: Path) -> None:
    head = (
        "#FORMAT=WebAnno TSV 3.3\n"
        "#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|coarseValue|PosValue\n"
        "#T_SP=webanno.custom.Drug|kind\n#T_RL=webanno.custom.Rel|type|BT_webanno.custom.Drug\n"
    )
    row = "\n\n#Text=IL-2\n1-1\t0-4\tIL-2\tNN\tNNP\tGene\t*\t*\t\n"
    ledger = Ledger()
    assert loaded(tmp_path, head + row, ledger).layers["anna"] == (Span(0, 4, "Gene"),)
    assert ledger.counts["dropped", "relations and chains"] == 1


def test_offsets_count_utf_16_and_sentences_stand_where_their_tokens_say(tmp_path: Path) -> None:
    first = "\n\n#Text=\U0001d6fc-x\n1-1\t0-4\t\U0001d6fc-x\tG\t*\t\n"
    rows = first + "\n#Text=p53\n2-1\t6-9\tp53\tG\t*\t\n"
    document = loaded(tmp_path, HEAD + rows)
    assert document.text == "\U0001d6fc-x\n\np53"
    assert [span.marked(document.text) for span in document.layers["anna"]] == [
        "\U0001d6fc-x",
        "p53",
    ]


def test_an_export_of_a_project_is_documents_with_annotators(tmp_path: Path) -> None:
    for document in ("a.txt", "b.txt"):
        (tmp_path / "annotation" / document).mkdir(parents=True)
        for annotator in ("anna", "ben"):
            (tmp_path / "annotation" / document / f"{annotator}.tsv").write_text(HEAD + ROWS)
    (tmp_path / "annotation" / "c.txt").mkdir()
    (tmp_path / "annotation" / "c.txt" / "INITIAL_CAS.tsv").write_text(HEAD + ROWS)
    assert guess_format(tmp_path) == "webanno"
    found = {each.id: set(each.layers) for each in read(tmp_path)}
    assert found == {"a.txt": {"anna", "ben"}, "b.txt": {"anna", "ben"}, "c.txt": set()}


def test_files_side_by_side_are_annotators_of_one_text_or_documents(tmp_path: Path) -> None:
    folder = tmp_path / "doc"
    folder.mkdir()
    for annotator in ("anna", "ben"):
        (folder / f"{annotator}.tsv").write_text(HEAD + ROWS)
    [document] = read(folder)
    assert (document.id, set(document.layers)) == ("doc", {"anna", "ben"})
    (folder / "ben.tsv").write_text(HEAD + ROWS.replace("binds", "grows"))
    assert [(each.id, set(each.layers)) for each in read(folder, annotator="x")] == [
        ("anna", {"x"}),
        ("ben", {"x"}),
    ]


def test_stacked_names_and_odd_labels_come_back(tmp_path: Path) -> None:
    layer = (Span(0, 10, "a|b[2]_*;\\"), Span(0, 4, "*"), Span(0, 4, "*"), Span(5, 10, "_"))
    document = Document(id="d/1", text="IL-2 binds\nDNA", layers={"Dr. No": layer})
    write([document], tmp_path / "out", format="webanno")
    assert list(read(tmp_path / "out")) == [document]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("0-4", "0~4", r"anna\.tsv:7: wanted 1-1<TAB>0-3<TAB>token"),
        ("0-4", "0-3000", r"offsets 0-3000 are not in the text"),
        ("\tIL-2\t", "\tIL-3\t", r"anna\.tsv:7: token 'IL-3' is not in the sentence"),
    ],
)
def test_what_breaks_the_format_is_named(
    tmp_path: Path, old: str, new: str, complaint: str
) -> None:
    with pytest.raises(VermeilError, match=complaint):
        loaded(tmp_path, HEAD + "\n" + ROWS.replace(old, new))
