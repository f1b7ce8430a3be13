"""What the contract of all formats does not say of Parquet: files of before, and of others."""

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vermeil import Centroid, Document, Span
from vermeil.columns.held import BlockMapping, SpanBlock
from vermeil.errors import UsageError, VermeilError
from vermeil.formats import read, write
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.source import Source
from vermeil.formats.kinds.own.arrow_arrays import offsets
from vermeil.formats.kinds.own.parquet import _batches, _rows_at_a_time
from vermeil.formats.kinds.own.parquet_columns import are_coded
from vermeil.formats.kinds.own.parquet_schema import schema_of

pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.parquet")


def test_centroids_of_a_time_without_pairs_and_ids_are_read(tmp_path: Path) -> None:
    from pyarrow import parquet

    heart = Centroid(4, 7, "Gene", 2, ((4, 1.0), (0, 1.0)), ((7, 1.0), (12, 1.0)))
    document = Document(id="1", text="the p53 gene").with_standard("silver", [heart])
    write([document], tmp_path / "new.parquet")
    table = parquet.read_table(tmp_path / "new.parquet")
    [standards] = table.column("standards").to_pylist()
    for centroid in standards[0]["centroids"]:
        assert (centroid.pop("pairs"), centroid.pop("ids")) == ([], [])
    place = table.column_names.index("standards")
    old = table.set_column(place, "standards", pyarrow.array([standards]))
    parquet.write_table(old, tmp_path / "old.parquet")
    assert list(read(tmp_path / "old.parquet")) == [document]


ANNA, BEN = (Span(0, 3, "Gene", 0.5, ids=("7157",)),), (Span(4, 9, "Verb"),)


def test_what_pandas_makes_of_our_lines_is_read(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    corpus = [
        Document(id="a", text="p53 binds", layers={"anna": ANNA, "ben": BEN}, meta={"year": 2020}),
        Document(id="b", text="p53 binds", layers={"ben": ()}, meta={"pmid": "1"}),
        Document(id="c", text="no more"),
    ]
    write(corpus, tmp_path / "in.jsonl")
    frame = pandas.read_json(tmp_path / "in.jsonl", lines=True)
    frame.to_parquet(tmp_path / "in.parquet")
    assert list(read(tmp_path / "in.parquet")) == corpus
    assert list(read(tmp_path / "in.parquet", in_columns=True)) == corpus


def test_other_columns_are_metadata_or_noted(tmp_path: Path) -> None:
    table = pyarrow.table(
        {
            "id": ["a", "b"],
            "text": ["p53 binds", "no more"],
            "year": [2020, None],
            "journal": pyarrow.array(["Cell", "Cell"]).dictionary_encode(),
            "meta": [None, '{"journal":"Nature"}'],
            "vector": [[0.5], [0.25]],
        }
    )
    one, two, ledger = tmp_path / "one.parquet", tmp_path / "two.parquet", Ledger()
    pyarrow.parquet.write_table(table, one)
    a, b = read(one, ledger=ledger)
    assert (a.meta, b.meta) == ({"year": 2020, "journal": "Cell"}, {"journal": "Nature"})
    assert ledger.summary() == [f"dropped 1 columns of other names ({one}: vector)"]
    write([a, b], two)
    assert [document.meta for document in read(two)] == [a.meta, b.meta]


def test_fields_of_other_names_are_noted(tmp_path: Path) -> None:
    span = {"start": 0, "end": 3, "label": "Gene", "note": "sure"}
    rows = [{"id": "a", "text": "p53", "layers": [{"annotator": "anna", "spans": [span]}]}]
    path, ledger = tmp_path / "in.parquet", Ledger()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    [document] = read(path, ledger=ledger)
    assert document.layers == {"anna": (Span(0, 3, "Gene"),)}
    assert ledger.summary() == [f"dropped 1 columns of other names ({path}: layers.note)"]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"layer": [1]}, "no column is called 'layer'; did you mean 'layers'?"),
        ({"layers": ["{}"]}, "the column 'layers' is not as docs/formats.md says"),
        ({"meta": ["[1]"]}, "Expected `object`, got `array`"),
        ({"meta": ["[1]"], "year": [2020]}, "Expected `object`, got `array`"),
    ],
)
def test_columns_that_are_not_ours_are_refused(
    tmp_path: Path, columns: dict[str, list[object]], said: str
) -> None:
    path = tmp_path / "in.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"id": ["a"], "text": ["p53"], **columns}), path)
    for in_columns in (True, False):
        with pytest.raises(VermeilError, match=re.escape(said)):
            list(read(path, in_columns=in_columns))


def _repeating(folder: Path) -> Path:
    """Write fifty documents that have one text of a megabyte, which the file holds once."""
    text = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 50), ["p53 " * 250_000])
    table = pyarrow.table({"id": list(map(str, range(50))), "text": text})
    pyarrow.parquet.write_table(table, folder / "in.parquet", compression="zstd")
    return folder / "in.parquet"


def test_a_file_that_says_the_same_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _repeating(tmp_path)
    assert path.stat().st_size < 10_000
    monkeypatch.setenv("VERMEIL_MAX_SIZE", "0.04")
    for in_columns in (True, False):
        with pytest.raises(VermeilError, match=r"unpacks to more than 0\.04 GB"):
            list(read(path, in_columns=in_columns))
    monkeypatch.setenv("VERMEIL_MAX_SIZE", "0.06")
    assert len(list(read(path))) == 50


def test_rows_that_may_repeat_a_long_string_are_read_few_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _repeating(tmp_path)
    monkeypatch.setattr("vermeil.formats.kinds.own.parquet.MOST_REPEATED", 4 << 20)
    file = pyarrow.parquet.ParquetFile(path)
    assert 1 <= _rows_at_a_time(file.metadata) <= 4
    assert len(list(read(path))) == 50


def test_damaged_columns_are_not_asked_how_long_they_are() -> None:
    group = SimpleNamespace(total_byte_size=64 << 20, num_rows=1000)  # Arrow would end the process
    damaged = SimpleNamespace(num_row_groups=1, row_group=lambda _: group)
    assert _rows_at_a_time(damaged) == 4


def test_what_a_crowd_says_alike_is_read_however_small_its_file_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = tuple(Span(3 * at, 3 * at + 2, "Gene") for at in range(40))
    crowd = {f"person-{number:03}": names for number in range(100)}
    corpus = [Document(id=str(n), text="ab " * 40, layers=crowd) for n in range(30)]
    path = tmp_path / "in.parquet"
    write(corpus, path)
    monkeypatch.setattr("vermeil.formats.kinds.own.parquet.N_READ", 2)
    monkeypatch.setenv("VERMEIL_MAX_SIZE", "0.001")  # layers take 3 MB, but never all at once
    for in_columns in (True, False):
        assert sum(1 for _ in read(path, in_columns=in_columns)) == 30


def test_one_row_may_not_hold_more_than_may_be_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = tuple(Span(0, end, "Gene") for end in range(2000, 0, -1))
    path = tmp_path / "in.parquet"
    write([Document(id="1", text="a" * 2000, layers={"anna": names})], path)
    monkeypatch.setenv("VERMEIL_MAX_SIZE", "0.00003")
    for in_columns in (True, False):
        with pytest.raises(VermeilError, match="unpacks to more than 3e-05 GB, which no document"):
            list(read(path, in_columns=in_columns))


@pytest.mark.parametrize("name", ["id", "text", "layers", "year"])
def test_two_columns_of_a_name_are_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "in.parquet"
    columns = {"id": ["a"], "text": ["p53"], "layers": pyarrow.nulls(1), "year": [2020]}
    table = pyarrow.table(columns)
    pyarrow.parquet.write_table(table.append_column(name, table.column(name)), path)
    for in_columns in (True, False):
        with pytest.raises(VermeilError, match=f"2 columns are called '{name}'"):
            list(read(path, in_columns=in_columns))


def test_dates_of_pandas_are_metadata(tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    day = pyarrow.array([1_714_564_800_123_456_789], pyarrow.timestamp("ns"))
    table = pyarrow.table({"id": ["a"], "text": ["p53"], "day": day})
    pyarrow.parquet.write_table(table, path)
    for in_columns in (True, False):
        [document] = read(path, in_columns=in_columns)
        assert document.meta == {"day": "2024-05-01T12:00:00.123456"}


@pytest.mark.parametrize(
    "kind", [pyarrow.timestamp("us"), pyarrow.timestamp("us", "Nowhere/Bad"), pyarrow.date64()]
)
def test_dates_that_nobody_knows_are_refused(tmp_path: Path, kind: Any) -> None:
    path = tmp_path / "in.parquet"
    day = pyarrow.array([2**62], pyarrow.int64()).view(kind)
    table = pyarrow.table({"id": ["a"], "text": ["p53"], "day": day})
    pyarrow.parquet.write_table(table, path, store_schema=True)
    for in_columns in (True, False):
        with pytest.raises(VermeilError, match="the column 'day' holds what cannot be metadata"):
            list(read(path, in_columns=in_columns))


HEART = {"start": 0, "end": 3, "label": "Gene", "votes": 1.0}
SIDES = {"left": [{"offset": 0, "value": 1.0}], "right": [{"offset": 3, "value": 1.0}]}


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("standards", [{"annotator": None, "centroids": [{**HEART, **SIDES}]}]),
        ("standards", [{"annotator": "s", "centroids": [{**HEART, **SIDES, "ids": [None]}]}]),
        (
            "standards",
            [
                {
                    "annotator": "s",
                    "centroids": [
                        {**HEART, **SIDES, "pairs": [{"start": None, "end": 3, "value": 1.0}]}
                    ],
                }
            ],
        ),
        ("trees", [{"annotator": None, "trees": ["(S (NN p53))"]}]),
    ],
)
def test_a_null_in_a_standard_or_a_tree_is_a_bad_record(
    tmp_path: Path, column: str, value: object
) -> None:
    path = tmp_path / "in.parquet"
    schema = schema_of(pyarrow)
    rows = [
        {"id": "a", "text": "p53", column: value},
        {"id": "b", "text": "p53", "layers": [{"annotator": "anna", "spans": []}]},
    ]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, schema=schema), path)
    for in_columns in (True, False):
        with pytest.raises(VermeilError, match=r"in\.parquet:1: .*(null|None)"):
            list(read(path, in_columns=in_columns))
        ledger = Ledger(skip_bad=True)
        assert [each.id for each in read(path, ledger=ledger, in_columns=in_columns)] == ["b"]


def test_our_own_files_are_read_as_codes(tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    corpus = [Document(id=str(n), text="p53 binds", layers={"anna": ANNA}) for n in range(7)]
    write(corpus, path)
    file = pyarrow.parquet.ParquetFile(path)
    with path.open("rb") as stream:
        source = Source(path, "in", Ledger(), {}, in_columns=True)
        [(batch, is_coded)] = _batches(file, stream, None, source, (pyarrow, pyarrow.parquet))
    assert is_coded
    assert are_coded(batch)


def test_few_labels_of_many_in_a_group_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "in.parquet"
    labels = ["Gene", "Disease", "Cell", "Drug"]
    corpus = [
        Document(id=str(n), text="p53", layers={"anna": (Span(0, 3, label),)})
        for n, label in enumerate(labels)
    ]
    write(corpus, path)
    monkeypatch.setattr("vermeil.formats.kinds.own.parquet.N_READ", 2)
    held = [each.layers for each in read(path, in_columns=True)]
    known = []
    for layers in held:
        assert isinstance(layers, BlockMapping)
        block: object = layers.block
        assert isinstance(block, SpanBlock)
        known.append(block.labels)
    assert known == [["Disease", "Gene"]] * 2 + [["Cell", "Drug"]] * 2
    assert list(read(path, in_columns=True)) == corpus


def test_many_names_make_small_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vermeil.formats.kinds.own.parquet.N_SPANS", 2)
    corpus = [Document(id=str(n), text="p53 binds", layers={"anna": ANNA}) for n in range(7)]
    for batch in (corpus, list(_held(corpus, tmp_path))):
        write(batch, tmp_path / "in.parquet")
        assert pyarrow.parquet.ParquetFile(tmp_path / "in.parquet").num_row_groups == 4
        assert list(read(tmp_path / "in.parquet")) == corpus


def _held(corpus: list[Document], folder: Path) -> Iterator[Document]:
    write(corpus, folder / "held.jsonl")
    return read(folder / "held.jsonl", in_columns=True)


def test_a_column_that_is_too_long_is_refused_and_not_wrapped() -> None:
    with pytest.raises(UsageError, match="takes more than 2 GB"):
        offsets(np.array([0, 2**31 + 5]), pyarrow)


@pytest.mark.parametrize("in_columns", [True, False])
def test_long_rows_are_read_few_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_columns: bool
) -> None:
    corpus = [Document(id=str(n), text="p53 binds", layers={"anna": ANNA}) for n in range(7)]
    write(corpus, tmp_path / "in.parquet")
    monkeypatch.setattr("vermeil.formats.kinds.own.parquet.N_BYTES", 1)
    assert list(read(tmp_path / "in.parquet", in_columns=in_columns)) == corpus


def test_long_texts_make_small_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vermeil.formats.kinds.own.parquet.N_CHARACTERS", 20)
    corpus = [Document(id=str(n), text="p53 binds", layers={"anna": ANNA}) for n in range(7)]
    write(corpus, tmp_path / "in.parquet")
    assert pyarrow.parquet.ParquetFile(tmp_path / "in.parquet").num_row_groups == 3
    assert list(read(tmp_path / "in.parquet")) == corpus
