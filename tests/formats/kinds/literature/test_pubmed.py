"""PubMed's XML, in articles of our own and in files made up after the public DTD."""

import gzip
import random
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from benchmarks.medline import file_of
from vermeil import Document
from vermeil.cli import app
from vermeil.errors import FormatError, UsageError
from vermeil.formats import Ledger, guess_format, read
from vermeil.formats.kinds.literature.pubmed import Updates

ARTICLES = Path(__file__).parents[3] / "data" / "pubmed" / "articles.xml"


def written(path: Path, ids: Iterable[int], *, deleted: Iterable[int] = (), seed: int = 0) -> Path:
    path.parent.mkdir(exist_ok=True)
    content = "".join(file_of(ids, deleted=deleted, seed=seed)).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def wrapped(path: Path, article: str) -> Path:
    path.write_text(
        "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID>"
        f"<Article>{article}</Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"
    )
    return path


def marked(document: Document) -> dict[str, str]:
    return {
        section["kind"]: document.text[section["start"] : section["end"]]
        for section in document.meta["sections"]
    }


class TestAnArticle:
    def test_is_title_and_abstract_with_labels_and_without_markup(self) -> None:
        first, *_ = read(ARTICLES)
        assert first.id == "101"
        assert first.text.split("\n") == [
            "CO2 and Escherichia coli: α-ketoglutarate & more.",
            "AIM: We asked why p<0.05 holds.",
            "METHODS AND RESULTS: Cells were counted twice.",
        ]
        assert [*marked(first).values()] == first.text.split("\n")
        assert [*marked(first)] == ["title", "AIM", "METHODS AND RESULTS"]

    def test_keeps_what_is_known_of_it(self) -> None:
        first, second, chapter = read(ARTICLES)
        assert {key: first.meta[key] for key in first.meta if key != "sections"} == {
            "journal": "J Made Up",
            "language": "eng",
            "date": "1998-12-03",
            "types": ["Journal Article"],
            "mesh": ["D004926", "D002245"],
        }
        assert (second.meta["date"], second.meta["version"]) == ("1975 Nov-Dec", "2")
        assert (chapter.meta["journal"], chapter.meta["types"]) == ("A book of genes", ["Review"])

    def test_may_have_no_abstract_or_be_a_chapter(self) -> None:
        _, second, chapter = read(ARTICLES)
        assert marked(second) == {"title": "[A title alone]."}
        assert marked(chapter) == {"title": "A chapter", "abstract": "About BRCA1."}

    def test_may_have_a_further_abstract_which_is_asked_for(self) -> None:
        first, *_ = read(ARTICLES, options={"abstracts": "all"})
        assert marked(first)["other abstract"] == "Nous avons compté les cellules."

    def test_looks_like_pubtator_when_asked_to(self) -> None:
        first, *_ = read(ARTICLES, options={"layout": "pubtator"})
        lines, *_ = read(ARTICLES)
        assert first.text == lines.text.replace("\n", " ")
        assert [section["kind"] for section in first.meta["sections"]] == ["title", "abstract"]

    def test_without_any_text_is_an_empty_document(self, tmp_path: Path) -> None:
        [document] = read(wrapped(tmp_path / "a.xml", "<ArticleTitle/>"))
        assert (document.id, document.text, document.meta) == ("1", "", {})

    @pytest.mark.parametrize(
        ("date", "wanted"),
        [
            ("<Year>1998</Year>", "1998"),
            ("<Year>1998</Year><Season>Spring</Season>", "1998"),
            ("<Year>1998</Year><Month>7</Month>", "1998-07"),
            ("<Year>1998</Year><Month>Jul-Aug</Month>", "1998-07"),
            ("<Year>1998</Year><Month>Jul</Month><Day>4</Day>", "1998-07-04"),
        ],
    )
    def test_has_a_date_as_far_as_it_is_given(self, tmp_path: Path, date: str, wanted: str) -> None:
        journal = f"<Journal><JournalIssue><PubDate>{date}</PubDate></JournalIssue></Journal>"
        [document] = read(wrapped(tmp_path / "a.xml", journal), format="pubmed")
        assert document.meta["date"] == wanted

    def test_of_the_older_medline_files_is_read_too(self, tmp_path: Path) -> None:
        (tmp_path / "a.xml").write_text(
            "<MedlineCitationSet><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>T"
            "</ArticleTitle></Article></MedlineCitation></MedlineCitationSet>"
        )
        [document] = read(tmp_path / "a.xml")
        assert (document.id, document.text) == ("1", "T")


@given(
    text=st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=30),
    tags=st.lists(st.tuples(st.integers(0, 30), st.sampled_from(["i", "b", "sup", "sub"]))),
)
def test_markup_never_costs_a_character(
    text: str, tags: list[tuple[int, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    pieces = [each.replace("&", "&amp;").replace("<", "&lt;") for each in text]
    for at, tag in tags:
        if at < len(pieces):
            pieces[at] = f"<{tag}>{pieces[at]}</{tag}>"
    path = tmp_path_factory.mktemp("markup") / "a.xml"
    wrapped(path, f"<ArticleTitle>{''.join(pieces)}</ArticleTitle>")
    [document] = read(path)
    assert document.text == text.replace("\ufffe", "").replace("\uffff", "").strip(" ")


class TestAFile:
    def test_is_known_by_how_it_begins(self, tmp_path: Path) -> None:
        assert guess_format(ARTICLES) == "pubmed"
        assert guess_format(written(tmp_path / "pubmed24n0001.xml.gz", [1])) == "pubmed"
        treebank = ARTICLES.parent.parent / "genia-xml" / "abstract.xml"
        assert guess_format(treebank) == "genia-xml"

    def test_is_read_as_it_stands_and_says_what_it_wants_deleted(self, tmp_path: Path) -> None:
        ledger = Ledger()
        path = written(tmp_path / "a.xml", [1, 2, 3], deleted=[1, 7])
        assert [document.id for document in read(path, ledger=ledger)] == ["1", "2", "3"]
        [line] = ledger.summary()
        assert line.startswith("left out 2 deletions of articles")

    def test_converts_to_a_shard(self, tmp_path: Path) -> None:
        source = written(tmp_path / "pubmed24n0001.xml.gz", range(1, 30))
        target = tmp_path / "pubmed24n0001.jsonl.gz"
        result = CliRunner().invoke(app, ["convert", str(source), "-o", str(target)])
        assert (result.exit_code, result.output) == (0, "")
        assert list(read(target)) == list(read(source))

    def test_of_any_length_takes_the_same_memory(self, tmp_path: Path) -> None:
        few, many = (
            peak_memory(written(tmp_path / f"{n}.xml.gz", range(1, n + 1))) for n in (300, 6000)
        )
        assert many < few * 1.15


class TestAFolder:
    def test_holds_the_last_version_of_what_was_not_deleted(self, tmp_path: Path) -> None:
        written(tmp_path / "baseline" / "pubmed24n0001.xml.gz", [1, 2, 3], seed=1)
        written(tmp_path / "baseline" / "pubmed24n0002.xml.gz", [4, 5, 5], seed=2)
        written(tmp_path / "updates" / "pubmed24n0003.xml.gz", [2, 6], deleted=[3, 99], seed=3)
        written(tmp_path / "updates" / "pubmed24n0004.xml.gz", [7], deleted=[6], seed=4)
        ledger = Ledger()
        found = list(read(tmp_path, format="pubmed", ledger=ledger))
        assert [document.id for document in found] == ["1", "4", "5", "2", "7"]
        updated = next(iter(read(tmp_path / "updates" / "pubmed24n0003.xml.gz")))
        assert found[3] == updated
        [line] = ledger.summary()
        assert line.startswith("left out 4 articles that were replaced or deleted later")

    def test_counts_a_bad_record_once(self, tmp_path: Path) -> None:
        (tmp_path / "a.xml").write_text(
            "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>x</PMID></MedlineCitation>"
            "</PubmedArticle></PubmedArticleSet>"
        )
        written(tmp_path / "b.xml", [3])
        ledger = Ledger(skip_bad=True)
        assert [each.id for each in read(tmp_path, format="pubmed", ledger=ledger)] == ["3"]
        assert ledger.counts["skipped", "bad records"] == 1

    def test_that_changes_while_it_is_read_gives_no_result(self, tmp_path: Path) -> None:
        written(tmp_path / "a.xml", [1])
        written(tmp_path / "b.xml", [2])
        documents = read(tmp_path, format="pubmed")
        next(documents)
        written(tmp_path / "b.xml", [2, 3])
        with pytest.raises(UsageError, match="files changed while they were read"):
            list(documents)

    def test_without_files_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "notes.md").write_text("nothing here")
        with pytest.raises(FormatError, match=r"there is no \.xml or \.xml\.gz file"):
            list(read(tmp_path, format="pubmed"))


@given(st.lists(st.tuples(st.integers(1, 5) | st.integers(1, 2**60), st.booleans())))
def test_the_last_event_about_an_article_decides(events: list[tuple[int, bool]]) -> None:
    updates = Updates()
    plain: dict[int, int | None] = {}
    for place, (id, is_deletion) in enumerate(events):
        updates.note(id)
        plain[id] = None if is_deletion else place
    wanted = sorted(place for place in plain.values() if place is not None)
    assert wanted == [
        place
        for place, (id, is_deletion) in enumerate(events)
        if not is_deletion and updates.is_current(id, place)
    ]


HOSTILE = {
    "billion laughs": '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><PubmedArticleSet/>',
    "external entity": '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><PubmedArticleSet/>',
    "unknown entity": "<PubmedArticleSet><DeleteCitation>&x;</DeleteCitation></PubmedArticleSet>",
    "something else": "<collection><document/></collection>",
    "cut off": "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID>",
    "no number": "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>&#x661;</PMID>"
    "</MedlineCitation></PubmedArticle></PubmedArticleSet>",
    "no PMID": "<PubmedArticleSet><PubmedArticle/></PubmedArticleSet>",
    "zero": "<PubmedArticleSet><DeleteCitation><PMID>0</PMID></DeleteCitation></PubmedArticleSet>",
    "endless": f"<PubmedArticleSet><DeleteCitation><PMID>{'9' * 5000}</PMID></DeleteCitation>"
    "</PubmedArticleSet>",
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_hostile_and_broken_files_are_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.xml").write_text(content)
    with pytest.raises(FormatError) as raised:
        list(read(tmp_path / "a.xml", format="pubmed"))
    assert "a.xml" in str(raised.value)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 300


def test_a_file_cut_off_anywhere_is_one_line_and_gives_whole_articles_only(tmp_path: Path) -> None:
    whole = written(tmp_path / "whole.xml.gz", range(1, 60))
    wanted = list(read(whole))
    content, plain = whole.read_bytes(), gzip.decompress(whole.read_bytes())
    rng = random.Random(0)
    for path, data in ((tmp_path / "a.xml.gz", content), (tmp_path / "a.xml", plain)):
        for _ in range(20):
            path.write_bytes(data[: rng.randrange(30, len(data) - 30)])
            found: list[Document] = []
            with pytest.raises(FormatError):
                found.extend(read(path, format="pubmed"))
            assert found == wanted[: len(found)]


def peak_memory(path: Path) -> int:
    """Measure the peak resident size in KB of reading ``path`` in a process of its own."""
    script = (
        "import re, sys; from vermeil.formats import read\n"
        "for _ in read(sys.argv[1]): pass\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    )
    command = [sys.executable, "-c", script, str(path)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
