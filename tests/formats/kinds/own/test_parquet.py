"""What the contract of all formats does not say of Parquet: files of before, and of others."""

import re
from pathlib import Path

import pytest

from vermeil import Centroid, Document, Span
from vermeil.errors import VermeilError
from vermeil.formats import read, write
from vermeil.formats.files.ledger import Ledger

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


def test_a_file_that_says_the_same_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 50), ["p53 " * 250_000])
    path = tmp_path / "in.parquet"
    table = pyarrow.table({"id": list(map(str, range(50))), "text": text})
    pyarrow.parquet.write_table(table, path, compression="zstd")
    assert path.stat().st_size < 10_000
    monkeypatch.setenv("VERMEIL_MAX_SIZE", "0.04")
    for in_columns in (True, False):
        with pytest.raises(VermeilError, match=r"unpacks to more than 0\.04 GB"):
            list(read(path, in_columns=in_columns))
    monkeypatch.setenv("VERMEIL_MAX_SIZE", "0.06")
    assert len(list(read(path))) == 50


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
