"""Columns as CoNLL-2003, JNLPBA, BioBERT, Stanford NER and brat have them, and as we write them."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.strategies import documents
from vermeil import Document, Span
from vermeil.errors import FormatError, UsageError
from vermeil.formats import FORMATS, Ledger, guess_format, read, write
from vermeil.formats.files.features import reduce

CONLL_2003 = """\
-DOCSTART- -X- O O

IL-2 NNP B-NP B-Gene
gene NN I-NP I-Gene
binds VBZ B-VP O

p53 NNP B-NP B-Gene

-DOCSTART- -X- O O

HeLa NNP B-NP B-Cell
"""

JNLPBA = """\
###MEDLINE:95369245

IL-2\tB-DNA
gene\tI-DNA
expression\tO

###MEDLINE:95333264

T\tB-cell_type
cells\tI-cell_type
"""


def load(
    tmp_path: Path, content: str, *, name: str = "file.conll", **options: str
) -> list[Document]:
    path = tmp_path / name
    path.write_bytes(content.encode())
    return list(read(path, annotator="anna", options=options))


def marked(document: Document, annotator: str = "anna") -> list[tuple[str, str]]:
    return [(span.marked(document.text), span.label) for span in document.layers[annotator]]


def test_conll_2003_reads_the_tag_from_the_last_column(tmp_path: Path) -> None:
    first, second = load(tmp_path, CONLL_2003)
    assert (first.id, second.id) == ("1", "2")
    assert first.text == "IL-2 gene binds\np53"
    assert marked(first) == [("IL-2 gene", "Gene"), ("p53", "Gene")]
    assert marked(second) == [("HeLa", "Cell")]


def test_the_documents_of_jnlpba_keep_their_ids(tmp_path: Path) -> None:
    first, second = load(tmp_path, JNLPBA, name="train.iob2")
    assert (first.id, second.id) == ("MEDLINE:95369245", "MEDLINE:95333264")
    assert marked(second) == [("T cells", "cell_type")]


def test_line_ends_of_windows_a_byte_order_mark_and_a_missing_last_line_end_do_no_harm(
    tmp_path: Path,
) -> None:
    content = "\ufeff" + JNLPBA.strip().replace("\n", "\r\n")
    assert load(tmp_path, content) == load(tmp_path, JNLPBA)


@pytest.mark.parametrize(
    ("marker", "id"),
    [
        ("# id = PMID 7", "PMID 7"),
        ('# id = "a\\tb"', "a\tb"),
        ("# doc_id = 7", "7"),
        ("# newdoc id = 7", "7"),
        ("#doc 7", "7"),
        ("#begin document (7); part 000", "7"),
        ("###7", "7"),
        ("-DOCSTART- (7 EU)", "7 EU"),
        ("-DOCSTART-\tPMID7\tO", "PMID7"),
        ("-DOCSTART- O", "1"),
        ("-DOCSTART-", "1"),
    ],
)
def test_documents_begin_at_any_known_marker(tmp_path: Path, marker: str, id: str) -> None:
    (document,) = load(tmp_path, f"{marker}\n\np53 B-Gene\n\nbinds O\n")
    assert (document.id, document.text) == (id, "p53\nbinds")


def test_without_markers_each_sentence_is_a_document(tmp_path: Path) -> None:
    found = load(tmp_path, "p53 B-Gene\n\n\nbinds O\n# O\n")
    assert [(document.id, document.text) for document in found] == [("1", "p53"), ("2", "binds #")]


def test_a_whole_file_can_be_one_document(tmp_path: Path) -> None:
    (document,) = load(tmp_path, CONLL_2003, documents="file")
    assert document.text == "IL-2 gene binds\np53\nHeLa"


def test_comments_are_passed_over_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text("# made by hand\n# sent_id = 3\np53\tB-Gene\n")
    ledger = Ledger()
    (document,) = read(path, ledger=ledger)
    assert document.text == "p53"
    assert ledger.counts["dropped", "comment lines"] == 2


def test_iob1_iobes_bilou_and_io_are_told_apart_by_themselves(tmp_path: Path) -> None:
    rows = {
        "iob1": ["I-G", "I-G", "B-G", "O"],
        "iobes": ["B-G", "E-G", "S-G", "O"],
        "bilou": ["B-G", "L-G", "U-G", "O"],
        "iob2": ["B-G", "I-G", "B-G", "O"],
    }
    for tags in rows.values():
        content = "".join(f"t{at}\t{tag}\n" for at, tag in enumerate(tags))
        (document,) = load(tmp_path, content)
        assert marked(document) == [("t0 t1", "G"), ("t2", "G")]
    (document,) = load(tmp_path, "a\tI-G\nb\tI-G\nc\tO\n")
    assert marked(document) == [("a b", "G")]


def test_tags_of_one_letter_get_the_label_that_was_asked_for(tmp_path: Path) -> None:
    biobert = "IL-2\tB\ngene\tI\nbinds\tO\n"
    (document,) = load(tmp_path, biobert, name="train.tsv")
    assert marked(document) == [("IL-2 gene", "Entity")]
    (document,) = load(tmp_path, biobert, label="Gene")
    assert marked(document) == [("IL-2 gene", "Gene")]


def test_labels_alone_are_read_as_io_when_that_is_asked_for(tmp_path: Path) -> None:
    stanford = "IL-2\tPROTEIN\ngene\tPROTEIN\nbinds\tO\n"
    (document,) = load(tmp_path, stanford, scheme="io")
    assert marked(document) == [("IL-2 gene", "PROTEIN")]
    with pytest.raises(FormatError, match=r"file.conll:1: tag 'PROTEIN', wanted .* scheme=io"):
        load(tmp_path, stanford)


def test_tags_that_break_the_scheme_are_repaired_and_counted(tmp_path: Path) -> None:
    content = "a B-G\nb I-G\n\nc B-G\nd O\ne I-G\n"
    path = tmp_path / "file.conll"
    path.write_text(content)
    ledger = Ledger()
    _, second = read(path, annotator="anna", ledger=ledger)
    assert marked(second) == [("c", "G"), ("e", "G")]
    assert ledger.counts["repaired", "tags"] == 1
    assert ledger.examples["repaired", "tags"] == [f"{path}:6: 'I-G' where iob2 wants 'B-G'"]


def test_tags_that_break_the_scheme_can_be_dropped_or_refused(tmp_path: Path) -> None:
    content = "# id = 1\na B-G\nb I-G\n\nc B-G\nd O\ne I-G\n"
    (document,) = load(tmp_path, content, repair="drop")
    assert marked(document) == [("a b", "G"), ("c", "G")]
    with pytest.raises(FormatError, match=r"file.conll:7: tag 'I-G' where iob2 wants 'B-G'"):
        load(tmp_path, content, repair="strict")


def test_a_later_document_may_use_letters_the_first_ones_did_not(tmp_path: Path) -> None:
    content = "a I-G\nb O\n\n" * 600 + "c S-G\nd O\n"
    assert marked(load(tmp_path, content)[-1]) == [("c", "G")]


def test_the_text_is_laid_at_the_offsets(tmp_path: Path) -> None:
    content = "# id = 1\nIL\t1\t3\tB-G\n-\t3\t4\tI-G\n2\t4\t5\tI-G\n\nyes\t7\t10\tO\n"
    (document,) = load(tmp_path, content)
    assert document.text == " IL-2\n yes"
    assert marked(document) == [("IL-2", "G")]


def test_offsets_in_utf_16_are_recognised_by_the_length_of_the_tokens(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text("\U0001d6fc\t0\t2\tB-G\nIL\t3\t5\tO\n")
    ledger = Ledger()
    (document,) = read(path, annotator="anna", ledger=ledger)
    assert document.text == "\U0001d6fc IL"
    assert ledger.counts["repaired", "offsets that count UTF-16 code units"] == 2


def test_brat_writes_the_tag_first_and_the_token_last(tmp_path: Path) -> None:
    (document,) = load(tmp_path, "B-G\t0\t4\tIL-2\nO\t5\t10\tbinds\n")
    assert document.text == "IL-2 binds"
    assert marked(document) == [("IL-2", "G")]


def test_a_text_without_offsets_is_followed_token_by_token(tmp_path: Path) -> None:
    (document,) = load(tmp_path, "# id = 1\n# text = IL-2  binds.\nIL-2 B-G\nbinds O\n. O\n")
    assert document.text == "IL-2  binds."
    assert marked(document) == [("IL-2", "G")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("p53\n", r"file.conll:1: one column 'p53', wanted a token and its tag"),
        ("# columns = token a\np53\tO\tO\n", r"file.conll:2: 3 columns, wanted 2"),
        ("# columns = word a\np53\tO\n", r"the columns begin with 'word', wanted 'token'"),
        ("a\tO\n\tB-G\n", r"file.conll:2: there is no token"),
        ("p53\tB-\n", r"file.conll:1: tag 'B-', wanted O"),
        ("a\tB-G\nb\tX-G\n", r"tag 1 is 'X-G', but the scheme has only B, I and O"),
        ("IL-2\t0\t9\tB-G\n", r"file.conll:1: token 'IL-2' has 4 characters, its offsets say 9"),
        ("# text = a b\nb\tO\n", r"token 'b' does not come next in the text, which has 'a b'"),
        (
            '# text = "a b"\n# columns = token start end x\nb\t0\t1\tO\n',
            r"file.conll:3: text at 0-1 is 'a', not 'b'",
        ),
        (
            "# columns = token start end x\nb\t0\tone\tO\n",
            r"file.conll:2: offsets '0' and 'one', wanted whole numbers",
        ),
        (
            "# columns = token start end x\nab\t0\t2\tO\nc\t1\t2\tO\n",
            r"file.conll:3: the token at 1-2 begins before 2",
        ),
    ],
)
def test_what_breaks_the_format_is_named_with_its_line(
    tmp_path: Path, content: str, message: str
) -> None:
    with pytest.raises(FormatError, match=message):
        load(tmp_path, content)


def test_bad_documents_can_be_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text("a O\n\nb WHAT\n\nc O\n")
    ledger = Ledger(skip_bad=True)
    assert [document.text for document in read(path, ledger=ledger)] == ["a", "c"]


def test_a_file_of_ours_names_its_columns_and_keeps_the_text(tmp_path: Path) -> None:
    spans = (Span(0, 9, "Gene"), Span(0, 4, "Protein"))
    document = Document(
        id="1", text="IL-2 gene\nbinds", layers={"Dr. No": spans, "end": (), "a%#": ()}
    )
    path = tmp_path / "out.conll"
    write([document], path, options={"tokens": "words"})
    assert path.read_text() == (
        "# id = 1\n"
        '# text = "IL-2 gene\\nbinds"\n'
        "# columns = token start end Dr.%20No Dr.%20No#2 %65nd a%25%23\n"
        "IL-2\t0\t4\tB-Gene\tB-Protein\tO\tO\n"
        "gene\t5\t9\tI-Gene\tO\tO\tO\n"
        "\n"
        "binds\t10\t15\tO\tO\tO\tO\n"
        "\n"
    )
    assert list(read(path)) == [document]


def test_tokens_that_look_like_markers_are_tokens_in_our_files(tmp_path: Path) -> None:
    text = "-DOCSTART- ###x #doc # id = 7"
    bare = Document(id="1", text=text)
    full = Document(id="2", text=text, layers={"anna": (Span(0, 10, "Gene"),)})
    for offsets in ("yes", "no"):
        for tokens in ("fine", "chemistry"):
            path = tmp_path / "out.conll"
            write([bare, full], path, options={"offsets": offsets, "tokens": tokens})
            assert list(read(path)) == [bare, full]


def test_without_a_header_the_file_is_what_taggers_read(tmp_path: Path) -> None:
    document = Document(id="1", text="IL-2 binds", layers={"anna": (Span(0, 4, "Gene"),)})
    ledger = Ledger()
    path = tmp_path / "out.conll"
    options = {"header": "no", "offsets": "no", "tokens": "words", "scheme": "bilou"}
    write([document, Document(id="2", text="x")], path, options=options, ledger=ledger)
    assert path.read_text() == "-DOCSTART-\tO\n\nIL-2\tU-Gene\nbinds\tO\n\n"
    assert ledger.counts["dropped", "texts and ids of documents"] == 1
    assert ledger.counts["dropped", "documents nobody looked at"] == 1


def test_io_joins_touching_names_and_says_so(tmp_path: Path) -> None:
    layer = (Span(0, 1, "Gene"), Span(1, 2, "Gene"))
    ledger = Ledger()
    path = tmp_path / "out.conll"
    write(
        [Document(id="1", text="ab", layers={"x": layer})],
        path,
        options={"scheme": "io"},
        ledger=ledger,
    )
    assert ledger.counts["changed", "touching names into one, as io must"] == 1
    assert next(read(path)).layers == {"x": (Span(0, 2, "Gene"),)}


def test_a_layer_without_a_name_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a layer without a name"):
        write([Document(id="1", text="x", layers={"": ()})], tmp_path / "out.conll")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    document=documents(),
    scheme=st.sampled_from(["iob1", "iob2", "iobes", "bilou", "ioe2"]),
    offsets=st.sampled_from(["yes", "no"]),
    tokens=st.sampled_from(["fine", "words", "chemistry"]),
)
def test_whatever_the_options_every_name_comes_back_and_nothing_is_repaired(
    document: Document, scheme: str, offsets: str, tokens: str
) -> None:
    options = {"scheme": scheme, "offsets": offsets, "tokens": tokens}
    with TemporaryDirectory() as directory:
        path = Path(directory) / "out.conll"
        write([document], path, options=options)
        ledger = Ledger()
        (back,) = read(path, ledger=ledger, options={"scheme": scheme})
    wanted = reduce(document, FORMATS["conll"].carries, Ledger())
    assert (back.text, back.layers) == (wanted.text, wanted.layers)
    assert not ledger.counts


@pytest.mark.parametrize(
    ("content", "known"),
    [
        (CONLL_2003, True),
        (JNLPBA, True),
        ("p53\tB\nbinds\tO\n", True),
        ("O\t0\t5\tbinds\n", True),
        ('# id = 1\n# text = ""\n# columns = token start end\n', True),
        ("id\tstart\tend\tlabel\n1\t0\t5\tGene\n", False),
        ("The p53 gene\n", False),
        ('{"id": 1}\n', False),
    ],
)
def test_columns_are_known_by_their_tags(tmp_path: Path, content: str, known: bool) -> None:
    sniff = FORMATS["conll"].sniff
    assert sniff is not None
    assert sniff(content) == known
    if known:
        path = tmp_path / "file.iob"
        path.write_text(content)
        assert guess_format(path) == "conll"


class TestColumns:
    def test_that_number_the_tokens_are_no_words(self, tmp_path: Path) -> None:
        content = "1\tIL-2\tNN\tB-Gene\n2\tbinds\tVB\tO\n\n1\tYes\tUH\tO\n"
        first, second = load(tmp_path, content)
        assert (first.text, second.text) == ("IL-2 binds", "Yes")
        assert marked(first) == [("IL-2", "Gene")]

    def test_of_words_may_hold_numbers(self, tmp_path: Path) -> None:
        content = "1 CD B-NP O\n\nIL-2 NN B-NP B-Gene\nbinds VB B-VP O\n"
        assert [each.text for each in load(tmp_path, content)] == ["1", "IL-2 binds"]

    def test_of_gold_and_predicted_tags_are_two_layers(self, tmp_path: Path) -> None:
        path = tmp_path / "conlleval.txt"
        path.write_text("IL-2 NN B-NP B-Gene B-Gene\nbinds VB B-VP O B-Gene\nDNA NN B-NP O O\n")
        ledger = Ledger()
        [document] = read(path, ledger=ledger)
        assert marked(document, "gold") == [("IL-2", "Gene")]
        assert marked(document, "predicted") == [("IL-2", "Gene"), ("binds", "Gene")]
        assert any("layers gold, predicted" in line for line in ledger.summary())

    def test_of_tags_beyond_two_are_numbered(self, tmp_path: Path) -> None:
        [document] = load(tmp_path, "IL-2 B-Gene O B-DNA\nbinds O O O\n")
        assert list(document.layers) == ["anna-2", "anna-3", "anna-4"]

    def test_are_what_the_user_says(self, tmp_path: Path) -> None:
        content = "B-Gene x IL-2 O\nO x binds O\n"
        [document] = load(tmp_path, content, columns="ann,_,token,ben")
        assert document.text == "IL-2 binds"
        assert marked(document, "ann") == [("IL-2", "Gene")]
        assert document.layers["ben"] == ()
        [document] = load(
            tmp_path, "0 4 IL-2 B-Gene\n6 11 binds O\n", columns="start,end,token,tag"
        )
        assert document.text == "IL-2  binds"

    @pytest.mark.parametrize(
        ("columns", "complaint"),
        [("a,b", "names 0 tokens"), ("token,_", "no column of tags"), ("token,a,b", "wanted 3")],
    )
    def test_that_cannot_be_are_refused(self, tmp_path: Path, columns: str, complaint: str) -> None:
        with pytest.raises((FormatError, UsageError), match=complaint):
            load(tmp_path, "IL-2 B-Gene\n", columns=columns)


CROWD = "Peter B-PER ? B-PER ?\nruns O ? O ?\n\nBRUSSELS ? O B-LOC ?\n1996 ? O O ?\n"


def test_a_column_of_question_marks_is_an_annotator_who_did_not_look(tmp_path: Path) -> None:
    path = tmp_path / "answers.txt"
    path.write_text(CROWD)
    assert guess_format(path) == "conll"
    first, second = read(path)
    per, loc = Span(0, 5, "PER"), Span(0, 8, "LOC")
    assert dict(first.layers) == {"answers-2": (per,), "answers-4": (per,)}
    assert dict(second.layers) == {"answers-3": (), "answers-4": (loc,)}


def test_whoever_saw_a_part_of_a_document_has_seen_whole_sentences(tmp_path: Path) -> None:
    path = tmp_path / "answers.txt"
    path.write_text(f"-DOCSTART- ? ? ? ?\n\n{CROWD}")
    with pytest.raises(FormatError, match=r":3: column 2 is \? .* -O documents=sentences"):
        list(read(path))
    found = list(read(path, options={"documents": "sentences"}))
    assert [each.id for each in found] == ["1", "2"]
    assert [set(each.layers) for each in found] == [
        {"answers-2", "answers-4"},
        {"answers-3", "answers-4"},
    ]
