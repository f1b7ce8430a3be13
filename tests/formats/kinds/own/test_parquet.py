"""What the contract of all formats does not say of Parquet: files of before."""

from pathlib import Path

import pytest

from vermeil import Centroid, Document
from vermeil.formats import read, write

pyarrow = pytest.importorskip("pyarrow")


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
