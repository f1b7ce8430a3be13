"""Folders and patterns: what is in files says whether they are annotators or pieces of a corpus."""

from pathlib import Path

import pytest

from vermeil import Document, Span
from vermeil.errors import UsageError
from vermeil.formats import write
from vermeil.formats.arranging import arranged, rows_of
from vermeil.formats.corpus import CorpusFiles
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.inputs import Input

TEXT = "BRCA1 causes breast cancer."
GENE = Span(0, 5, "Gene")
COLUMNS = "BRCA1\tB-Gene\nbinds\tO\n"


def some(annotator: str, *ids: str) -> list[Document]:
    return [Document(id=id, text=TEXT, layers={annotator: (GENE,)}) for id in ids]


def documents(*given: Input, text: Input | None = None) -> list[Document]:
    return list(CorpusFiles(given, text).read(Ledger()))


def test_files_that_share_ids_are_annotators_however_they_are_named(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        write(some(name, "1", "2", "3"), tmp_path / f"{name}.jsonl")
    apart = tuple(Input(tmp_path / f"{name}.jsonl", None, "jsonl") for name in "abc")
    for given in (tmp_path, tmp_path / "*.jsonl"):
        assert arranged([Input(given)]) == apart
        assert [set(each.layers) for each in documents(Input(given))] == [{"a", "b", "c"}] * 3


def test_annotators_whose_format_names_no_layer_are_called_after_their_files(
    tmp_path: Path,
) -> None:
    for name in ("anna", "ben"):
        (tmp_path / f"{name}.conll").write_text(COLUMNS)
    [document] = documents(Input(tmp_path))
    assert set(document.layers) == {"anna", "ben"}


def test_files_that_share_no_id_are_pieces_of_one_corpus(tmp_path: Path) -> None:
    write(some("anna", "1", "2"), tmp_path / "x.jsonl")
    write(some("anna", "3"), tmp_path / "y.jsonl")
    assert arranged([Input(tmp_path)]) == (Input(tmp_path),)
    assert [each.id for each in documents(Input(tmp_path))] == ["1", "2", "3"]


def test_a_mixture_stops_with_a_line_that_shows_both(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(some("me", "1"), tmp_path / f"{name}-1.jsonl")
        write(some("me", "2"), tmp_path / f"{name}-2.jsonl")
    with pytest.raises(
        UsageError,
        match=r"a-1\.jsonl and b-1\.jsonl hold the same .*, a-1\.jsonl and a-2\.jsonl do not",
    ):
        documents(Input(tmp_path))
    apart = [Input(tmp_path / "a-*.jsonl", "anna"), Input(tmp_path / "b-*.jsonl", "ben")]
    assert [set(each.layers) for each in documents(*apart)] == [{"anna", "ben"}] * 2


def test_files_that_name_their_annotators_are_read_side_by_side_batch_by_batch(
    tmp_path: Path,
) -> None:
    for batch, ids in (("x", ("1", "2")), ("y", ("3", "4")), ("z", ("5", "6"))):
        for name in ("a", "b"):
            write(some(f"{name}{batch}", *ids), tmp_path / f"{batch}-{name}.jsonl")
    found = documents(Input(tmp_path))
    assert found == documents(*map(Input, sorted(tmp_path.iterdir())))
    assert [set(each.layers) for each in found] == [
        *({"ax", "bx"}, {"ax", "bx"}, {"ay", "by"}, {"ay", "by"}, {"az", "bz"}, {"az", "bz"})
    ]


@pytest.mark.parametrize("other", ["Another text.", "A second."])
def test_batches_that_number_their_documents_alike_are_asked_about(
    other: str, tmp_path: Path
) -> None:
    for batch, text in (("x", TEXT), ("y", other)):
        for name in ("a", "b"):
            held = [Document(id="1", text=text, layers={f"{name}{batch}": ()})]
            write(held, tmp_path / f"{batch}-{name}.jsonl")
    with pytest.raises(UsageError, match=r"as a pattern without quotes does"):
        documents(Input(tmp_path))


def test_annotators_who_all_have_one_name_are_called_after_their_files(tmp_path: Path) -> None:
    for name in ("anna", "ben", "cyd"):
        write(some("me", "1", "2"), tmp_path / f"{name}.jsonl")
    ledger = Ledger()
    found = list(CorpusFiles([Input(tmp_path)]).read(ledger))
    assert [set(each.layers) for each in found] == [{"anna", "ben", "cyd"}] * 2
    [said] = ledger.summary()
    assert "called 3 layers 'me' after their files, which hold the same documents" in said


def test_a_layer_of_one_annotator_keeps_its_name_where_the_other_files_hold_only_texts(
    tmp_path: Path,
) -> None:
    write([*some("me", "1"), Document(id="2", text=TEXT)], tmp_path / "a.jsonl")
    write([Document(id="1", text=TEXT), *some("me", "2")], tmp_path / "b.jsonl")
    assert [set(each.layers) for each in documents(Input(tmp_path))] == [{"me"}] * 2


def test_one_name_is_not_for_several_annotators(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(some(name, "1"), tmp_path / f"{name}.jsonl")
    with pytest.raises(UsageError, match="several annotators; leave x= off"):
        arranged([Input(tmp_path, "x")])


def test_a_folder_stands_beside_a_single_file(tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    parts.mkdir()
    write(some("anna", "1", "2"), parts / "x.jsonl")
    write(some("anna", "3"), parts / "y.jsonl")
    write(some("gold", "3", "1", "2"), tmp_path / "gold.jsonl")
    found = documents(Input(tmp_path / "gold.jsonl"), Input(parts))
    assert [each.id for each in found] == ["3", "1", "2"]
    assert all(set(each.layers) == {"anna", "gold"} for each in found)


def test_stand_off_annotators_of_one_folder_take_the_same_texts(tmp_path: Path) -> None:
    names = tmp_path / "names"
    names.mkdir()
    for name in ("anna", "ben"):
        (names / f"{name}.eval").write_text("1|0 4|BRCA1\n")
    write([Document(id="1", text=TEXT)], tmp_path / "texts.jsonl")
    [document] = documents(Input(names), text=Input(tmp_path / "texts.jsonl"))
    assert document.layers == {"anna": (GENE,), "ben": (GENE,)}


def test_documents_that_are_only_numbered_are_called_after_their_files(tmp_path: Path) -> None:
    (tmp_path / "x.conll").write_text(COLUMNS)
    (tmp_path / "y.conll").write_text("p53\tB-Gene\n\nis\tO\n")
    found = documents(Input(tmp_path / "*.conll"))
    assert [each.id for each in found] == ["x", "y/1", "y/2"]
    assert {name for each in found for name in each.layers} == {tmp_path.name}  # one annotator


def test_a_document_keeps_an_id_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "x.conll").write_text("# id = PMID-1\n" + COLUMNS)
    (tmp_path / "y.conll").write_text("# id = PMID-2\n" + COLUMNS)
    assert [each.id for each in documents(Input(tmp_path))] == ["PMID-1", "PMID-2"]


def test_pieces_that_use_an_id_twice_are_refused_however_late_that_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vermeil.formats.holdings.N_SEEN", 2)
    monkeypatch.setattr("vermeil.formats.holdings.LEAST_SEEN", 1)
    write(some("anna", "1", "2", "3"), tmp_path / "x.jsonl")
    write(some("anna", "4", "5", "3"), tmp_path / "y.jsonl")
    with pytest.raises(UsageError, match="two documents are called '3'"):
        documents(Input(tmp_path))


def test_plain_text_beside_other_files_is_not_read_in_their_place(tmp_path: Path) -> None:
    write(some("anna", "1"), tmp_path / "x.jsonl")
    (tmp_path / "notes.txt").write_text("Ask Ben about the second round.")
    with pytest.raises(UsageError, match=r"notes\.txt\) and other files \(x\.jsonl\).*\*\.jsonl'"):
        documents(Input(tmp_path))


def test_updates_of_pubmed_are_read_as_a_whole_folder(tmp_path: Path) -> None:
    article = (
        "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>77</PMID><Article><ArticleTitle>"
        "{}</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"
    )
    (tmp_path / "1.xml").write_text(article.format("Old"))
    (tmp_path / "2.xml").write_text(article.format("New"))
    with pytest.raises(
        UsageError, match=r"1\.xml and 2\.xml hold the same articles.*--from pubmed"
    ):
        documents(Input(tmp_path))
    [document] = documents(Input(tmp_path, None, "pubmed"))
    assert document.text == "New"


def test_rows_are_the_files_that_hold_the_same_documents(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    write(some("a", "1"), tmp_path / "a" / "x.jsonl")
    write(some("a", "2"), tmp_path / "a" / "y.jsonl")
    write(some("b", "2"), tmp_path / "b" / "x.jsonl")
    rows = rows_of([Input(tmp_path / "a"), Input(tmp_path / "b")])
    names = [[f"{each.path.parent.name}/{each.path.name}" for each in row.inputs] for row in rows]
    assert names == [["a/x.jsonl"], ["a/y.jsonl", "b/x.jsonl"]]


def test_stand_off_annotators_take_the_texts_of_the_others_in_their_folder(tmp_path: Path) -> None:
    write(some("anna", "1"), tmp_path / "anna.jsonl")
    (tmp_path / "ben.eval").write_text("1|0 4|BRCA1\n")
    [document] = documents(Input(tmp_path))
    assert document.layers == {"anna": (GENE,), "ben": (GENE,)}


def test_people_who_each_share_documents_with_some_others_are_annotators(tmp_path: Path) -> None:
    for number in range(6):
        ids = [str(number * 2 + 100 + at) for at in range(3)]  # the last is the next one's first
        write(some(f"p{number}", *ids), tmp_path / f"p{number}.jsonl")
    found = documents(Input(tmp_path))
    assert len(found) == 13
    assert {name for each in found for name in each.layers} == {f"p{k}" for k in range(6)}
    assert max(len(each.layers) for each in found) == 2


def test_who_shares_documents_only_late_is_found_where_others_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vermeil.formats.holdings.N_SEEN", 6)
    monkeypatch.setattr("vermeil.formats.holdings.LEAST_SEEN", 1)
    for name, ids in (("a", "xyz"), ("b", "xpq"), ("c", "rsty")):
        write(some(name, *ids), tmp_path / f"{name}.jsonl")
    assert len(arranged([Input(tmp_path)])) == 3


def test_of_hundreds_of_people_one_may_have_marked_what_nobody_else_did(tmp_path: Path) -> None:
    for number in range(11):
        write(some("me", "1", "2"), tmp_path / f"p{number}.jsonl")
    write(some("me", "3"), tmp_path / "q.jsonl")
    assert [len(each.layers) for each in documents(Input(tmp_path))] == [11, 11, 1]
    write(some("me", "4"), tmp_path / "r.jsonl")
    with pytest.raises(UsageError, match="are they annotators, or pieces of one corpus"):
        documents(Input(tmp_path))


def test_hundreds_of_files_without_texts_are_read_beside_each_other(tmp_path: Path) -> None:
    n, ids = 1200, [str(100 + number) for number in range(20)]
    (tmp_path / "people").mkdir()
    for number in range(n):
        names = "".join(f"{ids[(number + more) % 20]},0,5,Gene\n" for more in range(2))
        name = f"p{number:04}.csv"
        (tmp_path / "people" / name).write_text(f"document,start,end,label\n{names}")
    write([Document(id=id, text=TEXT) for id in ids], tmp_path / "in.jsonl")
    text = Input(tmp_path / "in.jsonl")
    files = sorted((tmp_path / "people").iterdir())
    for given in ([Input(tmp_path / "people")], list(map(Input, files))):
        found = documents(*given, text=text)
        assert [len(each.layers) for each in found] == [n // 10] * 20


def test_an_empty_file_among_annotators_is_one_who_looked_at_nothing(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(some(name, "1", "2"), tmp_path / f"{name}.jsonl")
    (tmp_path / "c.jsonl").write_text("")
    assert [set(each.layers) for each in documents(Input(tmp_path))] == [{"a", "b"}] * 2


@pytest.mark.parametrize(
    ("suffix", "said"),
    [
        ("csv", "document,start,end,label\n1,0,5,Gene\n"),
        ("jsonl", '{"id": "1", "mentions": []}\n{"id": "2", "mentions": ["BRCA1"]}'),
        ("eval", "1|0 4|BRCA1\n"),
        ("annotations.tsv", "1\tA\t0\t5\tBRCA1\tGene\n"),
    ],
)
@pytest.mark.parametrize("marking", [("anna",), ("anna", "cyd")])
def test_an_empty_file_among_those_without_texts_is_of_their_format(
    marking: tuple[str, ...], suffix: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "people").mkdir()
    for name in (*marking, "ben"):
        (tmp_path / "people" / f"{name}.{suffix}").write_text(said if name in marking else "")
    write([Document(id=id, text=TEXT) for id in ("1", "2")], tmp_path / "in.jsonl")
    given, text = Input(tmp_path / "people"), Input(tmp_path / "in.jsonl")
    options = {} if suffix in ("eval", "annotations.tsv") else {"missing": "nothing-found"}
    found = CorpusFiles([given], text, options=options).read(Ledger())
    assert [set(each.layers) for each in found] == [{*marking, "ben"}] * 2


def in_folders(top: Path, **texts: str) -> None:
    """Write a corpus of brat for each name, with two documents of this text."""
    for name, text in texts.items():
        given = (GENE,) if text.startswith("BRCA1") else ()
        batch = [Document(id=id, text=text, layers={name: given}) for id in ("x", "y")]
        write(batch, top / name, format="brat")


@pytest.mark.parametrize("pattern", ["", "*"])
def test_folders_of_the_same_documents_are_annotators(pattern: str, tmp_path: Path) -> None:
    in_folders(tmp_path, anna=TEXT, ben=TEXT, cyd=TEXT)
    found = documents(Input(tmp_path / pattern))
    assert [each.id for each in found] == ["x", "y"]
    assert all(each.layers == dict.fromkeys(("anna", "ben", "cyd"), (GENE,)) for each in found)
    with pytest.raises(UsageError, match=r"anna and ben hold the same documents, .*leave me= off"):
        documents(Input(tmp_path / pattern, "me"))


def test_folders_of_other_texts_are_parts_of_ids(tmp_path: Path) -> None:
    in_folders(tmp_path, train=TEXT, test="Aspirin helps.")
    found = documents(Input(tmp_path, "me"))
    assert [each.id for each in found] == ["test/x", "test/y", "train/x", "train/y"]
    assert all(set(each.layers) == {"me"} for each in found)


def test_folders_of_which_some_share_documents_stop_with_a_line_that_shows_both(
    tmp_path: Path,
) -> None:
    in_folders(tmp_path, anna=TEXT, ben=TEXT, cyd="Aspirin helps.")
    with pytest.raises(UsageError, match="anna and ben hold the same documents, anna and cyd do"):
        documents(Input(tmp_path))


def test_annotators_in_the_folders_of_batches_are_to_be_named(tmp_path: Path) -> None:
    for batch, text in (("1", TEXT), ("2", "Aspirin helps.")):
        (tmp_path / batch).mkdir()
        in_folders(tmp_path / batch, anna=text, ben=text)
    with pytest.raises(
        UsageError, match=r"1/anna and 1/ben hold the same documents, 1 and 2 do not.*/\*/anna'"
    ):
        documents(Input(tmp_path))


def test_folders_of_files_are_judged_like_files(tmp_path: Path) -> None:
    for name in ("anna", "ben"):
        (tmp_path / name).mkdir()
        write(some(name, "1"), tmp_path / name / "x.jsonl")
        write(some(name, "2"), tmp_path / name / "y.jsonl")
    assert [each.path.name for each in arranged([Input(tmp_path)])] == ["anna", "ben"]
    assert [set(each.layers) for each in documents(Input(tmp_path))] == [{"anna", "ben"}] * 2
    for name in ("anna", "ben"):
        write(some("me", f"{name}-3"), tmp_path / name / "x.jsonl")
        write(some("me", f"{name}-4"), tmp_path / name / "y.jsonl")
    assert arranged([Input(tmp_path)]) == (Input(tmp_path),)
    assert [each.id for each in documents(Input(tmp_path))] == [
        "anna-3",
        "anna-4",
        "ben-3",
        "ben-4",
    ]


def test_files_beside_folders_of_such_files_are_not_passed_over_in_silence(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    write(some("me", "p"), tmp_path / "x.jsonl")
    write(some("me", "q"), tmp_path / "more" / "y.jsonl")
    with pytest.raises(UsageError, match=r"deeper down, such as .*y\.jsonl; say which are meant"):
        documents(Input(tmp_path))
    assert [each.id for each in documents(Input(tmp_path / "*.jsonl"))] == ["p"]
    assert {each.id for each in documents(Input(tmp_path / "**/*.jsonl"))} == {"p", "q"}


def test_documents_that_are_only_numbered_meet_in_the_folders_of_annotators(tmp_path: Path) -> None:
    for name in ("anna", "ben"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.conll").write_text(COLUMNS)
        (tmp_path / name / "y.conll").write_text("p53\tB-Gene\n\nis\tO\n")
    found = documents(Input(tmp_path))
    assert [each.id for each in found] == ["x", "y/1", "y/2"]
    assert all(set(each.layers) == {"anna", "ben"} for each in found)


def test_annotation_and_curation_of_a_project_come_together(tmp_path: Path) -> None:
    for folder, names in (("annotation", ("anna", "ben")), ("curation", ("CURATION_USER",))):
        layers = dict.fromkeys(names, (GENE,))
        batch = [Document(id=id, text=TEXT, layers=layers) for id in ("x", "y")]
        write(batch, tmp_path / folder, format="webanno")
    found = documents(Input(tmp_path))
    assert [(each.id, set(each.layers)) for each in found] == [
        (id, {"anna", "ben", "CURATION_USER"}) for id in ("x", "y")
    ]


def test_documents_of_bioc_without_an_id_are_called_after_their_files(tmp_path: Path) -> None:
    for name, id in (("x", "<id></id>"), ("y", "")):
        (tmp_path / f"{name}.xml").write_text(
            f"<collection><source/><date/><key/><document>{id}<passage><offset>0</offset>"
            f"<text>{TEXT} {name}</text></passage></document></collection>"
        )
    assert [each.id for each in documents(Input(tmp_path))] == ["x", "y"]


def test_a_file_that_is_none_of_a_corpus_can_be_left_out_by_a_pattern(tmp_path: Path) -> None:
    write(some("anna", "1"), tmp_path / "x.jsonl")
    (tmp_path / "README.md").write_text("Whose these are.")
    with pytest.raises(UsageError, match=r"README\.md: cannot tell.*leave it out by a pattern"):
        documents(Input(tmp_path))
