"""What every format promises, whoever wrote it. A new row in FORMATS is tested by being there."""

import io
import json
import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.strategies import WITH_CONTROL, documents
from vermeil import Document, Span, VermeilError
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import FEATURES, FORMATS, Format, Ledger, get_format, kinds, read, write
from vermeil.formats.files.features import reduce

WRITABLE = sorted(name for name, row in FORMATS.items() if row.write)
# What is compared is what the format names; where spans are is not in a list of mentions, and
# treebanks hold trees and their words only.
EXACT = [name for name in WRITABLE if FORMATS[name].carries & {"text", "offsets"}]
# Documents that are called by their place have no other ids.
NUMBERED = {"lines"}


@pytest.mark.parametrize("name", EXACT)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_reading_what_was_written_gives_back_what_the_format_carries(
    name: str, data: st.DataObject
) -> None:
    row = FORMATS[name]
    annotators = ("anna", "ben") if "layers" in row.carries else ("anna",)
    corpus = [
        data.draw(documents(id=id, texts=WITH_CONTROL, annotators=annotators))
        for id in ("first", "second")
    ]
    with TemporaryDirectory() as directory:
        path = Path(directory) / "corpus"
        write(corpus, path, format=name)
        texts = [without_annotation(document, row) for document in corpus]
        back = list(read(path, format=name, annotator="anna", documents=texts))

    ids = ["1", "2"] if name in NUMBERED else ["first", "second"]
    assert [document.id for document in back] == ids
    for before, after in zip(corpus, back, strict=True):
        assert_carried(row, before, after)


@pytest.mark.parametrize("own", ["jsonl", "parquet"])
@pytest.mark.parametrize("name", WRITABLE)
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_what_was_read_in_columns_is_written_as_objects_are(
    name: str, own: str, data: st.DataObject
) -> None:
    corpus = [data.draw(documents(id=id, texts=WITH_CONTROL)) for id in ("first", "second")]
    with TemporaryDirectory() as directory:
        source = Path(directory) / f"in.{own}"
        write(corpus, source)
        plain, columns = (
            outcome_of_writing(source, Path(directory) / str(each), name, in_columns=each)
            for each in (False, True)
        )
    assert columns == plain


def outcome_of_writing(
    source: Path, target: Path, name: str, *, in_columns: bool
) -> tuple[dict[str, bytes], object]:
    """Return the files that were written, and the error or what was noted."""
    ledger = Ledger()
    try:
        write(read(source, in_columns=in_columns), target, format=name, ledger=ledger)
    except VermeilError as error:
        return {}, str(error).replace(target.name, "")
    every = [target, *target.rglob("*")]
    files = {str(path.relative_to(target)): path.read_bytes() for path in every if path.is_file()}
    return files, ledger.counts


def without_annotation(document: Document, row: Format) -> Document:
    """Return what a stand-off reader is handed: the text and the sections that the format needs."""
    meta = reduce(document, row.carries, Ledger()).meta
    return Document(id=document.id, text=document.text, meta=meta)


def assert_carried(row: Format, before: Document, after: Document) -> None:
    wanted = reduce(before, row.carries, Ledger())
    if "text" in row.carries:
        assert after.text == wanted.text
    if "spans" in row.carries:
        layers = wanted.layers
        if "abstention" not in row.carries:
            layers = layers or {"anna": ()}
        assert after.layers == layers
    assert after.standards == wanted.standards
    if "trees" in row.carries:
        assert after.trees == wanted.trees
    found = dict(after.meta)
    if "sections" not in wanted.meta:
        found.pop("sections", None)
    assert found == wanted.meta


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_row_names_features_that_exist_and_can_do_something(name: str) -> None:
    row = FORMATS[name]
    assert row.carries <= set(FEATURES)
    assert row.read or row.annotate or row.write
    assert not (row.read and row.annotate)
    assert ("text" in row.carries) == (row.annotate is None and row.carries != {"trees"})


def test_every_function_of_a_kind_that_reads_or_writes_files_is_in_the_table() -> None:
    functions = {
        function
        for row in FORMATS.values()
        for function in (row.read, row.annotate, row.write, row.sniff, row.brackets)
    }
    for module in walk_packages(kinds.__path__, f"{kinds.__name__}."):
        for name, function in vars(import_module(module.name)).items():
            if re.fullmatch(r"(read|annotate|write|sniff|brackets)(_(xml|json|text|lines))?", name):
                assert function in functions, f"{module.name}.{name}"


@pytest.mark.parametrize("name", WRITABLE)
def test_an_empty_corpus_can_be_written_and_read(name: str, tmp_path: Path) -> None:
    write([], tmp_path / "corpus", format=name)
    assert list(read(tmp_path / "corpus", format=name, annotator="anna", documents=[])) == []


@pytest.mark.parametrize("name", WRITABLE)
def test_a_writer_that_fails_leaves_nothing_behind(name: str, tmp_path: Path) -> None:
    def broken() -> object:
        yield Document(id="1", text="BRCA1")
        raise UsageError("the source dried up")

    with pytest.raises(UsageError, match="dried up"):
        write(broken(), tmp_path / "corpus", format=name)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [each for each in WRITABLE if each not in NUMBERED])
def test_an_id_is_used_once_on_writing_as_on_reading(name: str, tmp_path: Path) -> None:
    twice = [Document(id="1", text="p53", layers={"anna": ()})] * 2
    with pytest.raises(UsageError, match="two documents are called '1'"):
        write(twice, tmp_path / "corpus", format=name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("skip_bad", [False, True])
def test_a_second_document_of_an_id_is_a_bad_record(skip_bad: bool, tmp_path: Path) -> None:
    row = b'{"id": "1", "text": "p53"}\n'
    (tmp_path / "twice.jsonl").write_bytes(row + row)
    ledger = Ledger(skip_bad=skip_bad)
    documents = read(tmp_path / "twice.jsonl", ledger=ledger)
    if skip_bad:
        assert len(list(documents)) == 1
        assert ledger.counts["skipped", "bad records"] == 1
    else:
        with pytest.raises(VermeilError, match="two documents are called '1'; rename one"):
            list(documents)


@pytest.mark.parametrize("in_columns", [False, True])
@pytest.mark.parametrize("name", ["jsonl", "pubtator", "bioc-xml"])
def test_a_second_document_of_an_id_is_kept_whole(
    name: str, in_columns: bool, tmp_path: Path
) -> None:
    first = Document(id="1", text="p53", layers={"a": ()})
    second = Document(id="2", text="BRCA1 binds", layers={"a": (Span(0, 5, "Gene"),)})
    write([first, second], tmp_path / "a", format=name)
    content = (tmp_path / "a").read_bytes()
    twice = content.replace(b'"2"', b'"1"').replace(b"<id>2<", b"<id>1<").replace(b"\n2", b"\n1")
    (tmp_path / "a").write_bytes(twice)
    ledger = Ledger(skip_bad=True, bad_records=io.BytesIO())
    [kept] = read(tmp_path / "a", format=name, ledger=ledger, in_columns=in_columns)
    assert kept.text == "p53"
    aside = json.loads(ledger.bad_records.getvalue())  # type: ignore[union-attr]
    assert "skip-bad" not in aside["reason"]
    (tmp_path / "aside.jsonl").write_text(aside["record"])
    [back] = read(tmp_path / "aside.jsonl")
    assert (back.text, list(back.layers.values())) == (second.text, [second.layers["a"]])


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_missing_file_is_a_clear_error(name: str, tmp_path: Path) -> None:
    with pytest.raises(VermeilError, match="nowhere"):
        list(read(tmp_path / "nowhere", format=name, documents=[]))


def test_unknown_format_suggests_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="no format named 'jsonk'; did you mean 'jsonl'"):
        get_format("jsonk")
