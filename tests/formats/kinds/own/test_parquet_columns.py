"""Parquet read and written in columns against the same by objects: documents, errors and bytes."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents
from vermeil import Centroid, Document, Span
from vermeil.columns.held import BlockMapping
from vermeil.errors import VermeilError
from vermeil.formats import read, write
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.kinds.own import parquet

pyarrow = pytest.importorskip("pyarrow")

BATCHES = st.integers(0, 4).flatmap(
    lambda n: st.tuples(*(documents(id=str(number)) for number in range(n)))
)
HEART = Centroid(0, 3, "Gene", 1, ((0, 1.0),), ((3, 1.0),))
GOOD = Document(id="1", text="p53 and p21").with_layer("anna", [Span(0, 3, "Gene", 0.5)])
GOOD = GOOD.with_standard("silver", [HEART])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rows")


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
@given(BATCHES, st.integers(1, 3))
def test_documents_and_bytes_are_those_of_the_object_path(
    folder: Path, suffix: str, batch: tuple[Document, ...], n_rows: int
) -> None:
    source = folder / f"in.{suffix}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "N_ROWS", n_rows)
        write(batch, source)
        held = list(read(source, in_columns=True))
        assert held == list(read(source)) == list(batch)
        for target in ("parquet", "jsonl"):
            write(batch, folder / f"plain.{target}")
            write(held, folder / f"columns.{target}")
            same = (folder / f"plain.{target}").read_bytes()
            assert (folder / f"columns.{target}").read_bytes() == same


def test_rows_in_order_are_held_as_columns(folder: Path) -> None:
    write([GOOD], folder / "in.parquet")
    [found] = read(folder / "in.parquet", in_columns=True)
    assert isinstance(found.layers, BlockMapping)
    assert isinstance(found.standards, BlockMapping)


def _changed(rows: list[dict[str, Any]], change: str) -> None:
    """Damage the second of some rows."""
    row = rows[1]
    span, heart = row["layers"][0]["spans"][0], row["standards"][0]["centroids"][0]
    match change.split("="):
        case ["id" | "text" as field, value]:
            row[field] = eval(value)
        case ["layers", value]:
            row["layers"] *= int(value)
            row["layers"][-1] = {**row["layers"][-1], "spans": []}
        case ["standards", value]:
            row["standards"] *= int(value)
            row["standards"][-1] = {**row["standards"][-1], "centroids": []}
        case ["layer", field, value]:
            row["layers"][0][field] = eval(value)
        case ["span", field, value]:
            span[field] = eval(value)
        case ["heart", field, value]:
            heart[field] = eval(value)
        case ["meta", value]:
            row["meta"] = value


@pytest.mark.parametrize(
    "change",
    [
        "id=''",
        "id=None",
        "text=None",
        "text='p'",
        "layers=2",
        "standards=2",
        "layer=annotator=None",
        "layer=spans=None",
        "layer=spans=[None]",
        "span=start=-1",
        "span=start=3",
        "span=start=None",
        "span=end=12",
        "span=label=''",
        "span=label=None",
        "span=confidence=2.0",
        "span=confidence=float('nan')",
        "span=confidence=None",
        "span=fragments=[{'start': 0, 'end': 1}]",
        "span=fragments=[{'start': 0, 'end': None}, {'start': 2, 'end': 3}]",
        "span=ids=['1', None]",
        "heart=votes=-1.0",
        "heart=votes=None",
        "heart=left=[]",
        "heart=left=None",
        "heart=left=[{'offset': 0, 'value': None}]",
        "heart=right=[{'offset': 12, 'value': 1.0}]",
        "heart=labels=[{'label': '', 'value': 1.0}]",
        "heart=pairs=[{'start': 0, 'end': 12, 'value': 1.0}]",
        "meta={",
        "meta=[]",
    ],
)
def test_what_is_damaged_has_the_same_outcome(folder: Path, change: str) -> None:
    from pyarrow.parquet import write_table

    write([GOOD.replace(id=name) for name in "abc"], folder / "good.parquet")
    table = pyarrow.parquet.read_table(folder / "good.parquet")
    rows = table.to_pylist()
    _changed(rows, change)
    path = folder / "bad.parquet"
    write_table(pyarrow.Table.from_pylist(rows, schema=table.schema), path)
    for skip_bad in (False, True):
        plain, columns = (_outcome(path, skip_bad, in_columns=each) for each in (False, True))
        assert columns == plain


def test_a_database_id_that_is_no_utf_8_has_the_same_outcome(folder: Path) -> None:
    path = folder / "bytes.parquet"
    named = Span(0, 3, "Gene", ids=("UNIQUE_7157",))
    write([Document(id="1", text="p53", layers={"anna": (named,)})], path)
    table = pyarrow.parquet.read_table(path)
    pyarrow.parquet.write_table(table, path, compression="none", write_statistics=False)
    path.write_bytes(path.read_bytes().replace(b"UNIQUE_7157", b"UNIQUE_\xff157"))
    for skip_bad in (False, True):
        plain, columns = (_outcome(path, skip_bad, in_columns=each) for each in (False, True))
        assert columns == plain


def _outcome(path: Path, skip_bad: bool, *, in_columns: bool) -> tuple[str, str, list[str]]:
    ledger = Ledger(skip_bad=skip_bad)
    found: list[Document] = []
    try:
        for document in read(path, ledger=ledger, in_columns=in_columns):
            found.append(document.replace(layers=dict(document.layers)))
    except VermeilError as error:
        return str([*map(_shown, found)]), str(error), ledger.summary()
    return str([*map(_shown, found)]), "", ledger.summary()


def _shown(document: Document) -> str:
    """All of a document, in words: what is not a number equals nothing, itself neither."""
    said = (document.id, document.text, document.layers, dict(document.standards), document.meta)
    return str(said)


@pytest.mark.parametrize("size", [1, 300])
def test_a_row_group_may_end_anywhere(folder: Path, size: int) -> None:
    from pyarrow.parquet import read_table, write_table

    many = [GOOD.replace(id=str(number)) for number in range(700)]
    write(many, folder / "in.parquet")
    write_table(read_table(folder / "in.parquet"), folder / "cut.parquet", row_group_size=size)
    assert list(read(folder / "cut.parquet", in_columns=True)) == many


def test_columns_that_are_not_there_are_empty(folder: Path) -> None:
    from pyarrow.parquet import write_table

    write_table(pyarrow.table({"text": ["p53"], "id": ["1"]}), folder / "texts.parquet")
    [found] = read(folder / "texts.parquet", in_columns=True)
    assert found == Document(id="1", text="p53")
    write_table(pyarrow.table({"text": ["p53"], "id": [1]}), folder / "numbered.parquet")
    plain, columns = (
        _outcome(folder / "numbered.parquet", False, in_columns=each) for each in (False, True)
    )
    assert columns == plain


@pytest.mark.parametrize("is_checked", [True, False])
def test_damage_anywhere_has_the_same_outcome(folder: Path, *, is_checked: bool) -> None:
    from pyarrow.parquet import read_table, write_table

    many = [GOOD.replace(id=str(number)) for number in range(300)]
    write(many, folder / "whole.parquet")
    table = read_table(folder / "whole.parquet")
    write_table(table, folder / "whole.parquet", compression="none", write_page_checksum=is_checked)
    whole = (folder / "whole.parquet").read_bytes()
    for place in range(4, len(whole), len(whole) // 40):
        damaged = whole[:place] + bytes([whole[place] ^ 0x15]) + whole[place + 1 :]
        (folder / "bad.parquet").write_bytes(damaged)
        plain, columns = (
            _outcome(folder / "bad.parquet", False, in_columns=each) for each in (False, True)
        )
        assert columns == plain
