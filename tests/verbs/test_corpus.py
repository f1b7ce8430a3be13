import logging
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import vermeil as vm
from tests.verbs.samples import passages
from vermeil import Corpus, Document, Span, VermeilError, samples
from vermeil.verbs.corpus import documents_of, some_documents
from vermeil.verbs.models import source_of

LINES = '{"id":"a","text":"p53"}\n{"id":"b","text":"BRCA1"}\n{"id":"c","text":"TP63"}\n'


def lines(folder: Path, text: str = LINES) -> Path:
    path = folder / "three.jsonl"
    path.write_text(text)
    return path


def test_a_corpus_is_read_anew_each_time(tmp_path: Path) -> None:
    corpus = vm.read(lines(tmp_path))
    assert [each.id for each in corpus] == [each.id for each in corpus] == ["a", "b", "c"]
    assert not corpus.is_held


def test_documents_are_found_by_position_and_by_id(tmp_path: Path) -> None:
    corpus = vm.read(lines(tmp_path))
    assert corpus[1].id == "b"
    assert corpus[-1].id == "c"
    assert corpus[np.int64(0)].id == "a"
    assert corpus["c"].text == "TP63"
    assert [each.id for each in corpus[1:]] == ["b", "c"]
    assert [each.id for each in corpus[:2]] == ["a", "b"]
    assert [each.id for each in corpus[::-1]] == ["c", "b", "a"]
    assert "b" in corpus  # type: ignore[comparison-overlap]
    assert "x" not in corpus  # type: ignore[comparison-overlap]
    assert corpus[0] in corpus


def test_the_first_documents_do_not_cost_the_whole_file(tmp_path: Path) -> None:
    corpus = vm.read(lines(tmp_path, LINES + "{broken"))
    assert corpus[0].id == "a"
    assert corpus[:3][2].id == "c"
    with pytest.raises(VermeilError, match=r"three\.jsonl:4"):
        len(corpus)


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    corpus = vm.read(lines(tmp_path))
    with pytest.raises(VermeilError, match="no document named 'bb'; did you mean 'b'"):
        corpus["bb"]
    with pytest.raises(IndexError, match="there are 3 documents, and number 7 was wanted"):
        corpus[7]
    with pytest.raises(VermeilError, match="by position or id, not by float"):
        corpus[1.5]  # type: ignore[call-overload]


def test_a_corpus_says_in_a_line_what_it_is(tmp_path: Path) -> None:
    corpus = vm.read(lines(tmp_path))
    assert repr(corpus) == "<Corpus: three.jsonl>"
    len(corpus)
    assert repr(corpus) == "<Corpus: three.jsonl, 3 documents>"
    many = vm.read({f"annotator-{n}": [Document(id="1", text="x")] for n in range(1000)})
    assert len(repr(many)) < 200


def test_a_notebook_shows_the_first_documents(tmp_path: Path) -> None:
    shown = vm.read(lines(tmp_path, '{"id":"<b>","text":"<script>"}\n'))._repr_html_()
    assert "&amp;lt;script&amp;gt;" in shown
    assert "<script>" not in shown


def test_notes_say_what_was_mended_and_the_log_says_it_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    corpus = vm.read([samples.GOLD, samples.ANNOTATORS[-1]])
    with caplog.at_level(logging.WARNING, "vermeil"):
        for _ in range(3):
            list(corpus)
    assert len(caplog.records) == 1
    assert corpus.notes[0].startswith("guessed 98 places of ambiguous mentions")


def test_a_generator_is_kept_so_that_it_can_be_gone_through_twice() -> None:
    def stream() -> Iterator[Document]:
        yield Document(id="1", text="p53", layers={"ann": (Span(0, 3, "Gene"),)})

    kept = documents_of(stream())
    assert [each.id for each in kept] == [each.id for each in kept] == ["1"]


def test_a_generator_that_was_used_is_told_from_an_empty_list() -> None:
    stream = iter(passages()[:3])
    vm.combine(stream)
    with pytest.raises(VermeilError, match=r"no documents; a generator can be gone through once"):
        vm.combine(stream)
    with pytest.raises(VermeilError, match=r"score was given no documents$"):
        vm.score([])


def test_one_document_is_as_good_as_a_list_of_one() -> None:
    assert documents_of(passages()[0])[0] == passages()[0]


def test_two_documents_of_one_id_are_refused_in_every_verb() -> None:
    first, second = passages()[:2]
    again = second.replace(id=first.id)
    message = f"two documents are called '{first.id}'; rename one"
    for verb in (vm.combine, vm.agree, vm.score, vm.info):
        with pytest.raises(VermeilError, match=f"^{verb.__name__}: {message}"):
            verb(iter([first, again]))
    with pytest.raises(VermeilError, match=f"^tag: {message}"):
        source_of([first, again])
    with pytest.raises(VermeilError, match=message):
        Corpus.of([first, again])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("all.jsonl", "takes documents, not a str; read files with vermeil.read"),
        (Path("all.jsonl"), "read files with vermeil.read"),
        ({"anna": "anna.xml"}, "vermeil.read takes a mapping"),
        (None, "takes documents, not None"),
        (3, "takes documents, not an int"),
        (["p53"], "item 0 is a str"),
        ([b"p53"], "item 0 is a bytes"),
        ([None], "item 0 is None"),
    ],
)
def test_what_is_no_document_is_refused_with_a_hint(given: object, message: str) -> None:
    with pytest.raises(VermeilError, match=message):
        some_documents(given, verb="combine")


def test_a_data_frame_is_pointed_to_its_verb() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(VermeilError, match="make them of a data frame"):
        vm.combine(pandas.DataFrame({"start": [1]}))


def test_holding_reads_once() -> None:
    calls = []

    def read(ledger: object) -> Iterator[Document]:
        calls.append(1)
        yield Document(id="1", text="x")

    corpus = Corpus(read, "counted").hold()
    assert [len(corpus), len(list(corpus)), len(list(corpus))] == [1, 1, 1]
    assert len(calls) == 1
