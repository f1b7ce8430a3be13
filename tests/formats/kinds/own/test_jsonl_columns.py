"""Reading in columns against reading objects: the same documents, errors, and order of both."""

import gzip
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import vermeil.samples
from tests.strategies import documents
from vermeil import Document, SpanTable
from vermeil.columns.held import BlockMapping
from vermeil.errors import VermeilError
from vermeil.formats import read, write
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.kinds.own import jsonl_columns

BATCHES = st.integers(0, 4).flatmap(
    lambda n: st.tuples(*(documents(id=str(number)) for number in range(n)))
)
SAMPLES = Path(vermeil.samples.__path__[0])
SPAN = {"start": 0, "end": 3, "label": "Gene"}
HEART = {**SPAN, "votes": 1, "left": [[0, 1]], "right": [[3, 1]]}
GOOD = {"id": "1", "text": "p53 and p21", "layers": {"anna": [SPAN]}, "standards": {"s": [HEART]}}


def _outcome(path: Path, *, in_columns: bool, skip_bad: bool) -> tuple[list[Document], str, bytes]:
    """Everything that comes of reading: documents, the error, and what was set aside."""
    aside = io.BytesIO()
    ledger = Ledger(skip_bad=skip_bad, bad_records=aside)
    found: list[Document] = []
    try:
        for document in read(path, ledger=ledger, in_columns=in_columns):
            found.append(document)
    except VermeilError as error:
        return found, str(error), aside.getvalue()
    return found, "", aside.getvalue()


def _is_same(path: Path) -> None:
    for skip_bad in (False, True):
        plain = _outcome(path, in_columns=False, skip_bad=skip_bad)
        columns = _outcome(path, in_columns=True, skip_bad=skip_bad)
        assert columns == plain


def _table(table: SpanTable) -> Iterator[Any]:
    """All that is in a table, so that two can be compared."""
    yield from (table.documents, table.annotators, table.labels, table.further)
    for column in (table.document, table.annotator, table.label, table.start, table.end):
        yield column.tolist(), column.dtype
    yield str(table.confidence.tolist())
    yield from (table.looked.tolist(), table.origin.tolist(), table.loose.tolist())


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lines") / "in.jsonl"


@given(BATCHES, st.integers(1, 3))
def test_documents_and_their_columns_are_those_of_the_object_path(
    path: Path, batch: tuple[Document, ...], n_lines: int
) -> None:
    write(batch, path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl_columns, "N_LINES", n_lines)
        held = list(read(path, in_columns=True))
    assert held == list(read(path)) == list(batch)
    for some in (held, held[::-1], held[1:]):
        plain = [document.replace(layers=dict(document.layers)) for document in some]
        assert [*_table(SpanTable.from_documents(some))] == [
            *_table(SpanTable.from_documents(plain))
        ]


def test_documents_in_order_are_held_as_columns() -> None:
    """That the two paths agree shows nothing if one of them is never taken."""
    found = list(read(SAMPLES / "gold.jsonl", in_columns=True))
    assert found
    assert all(isinstance(each.layers, BlockMapping) for each in found)


@pytest.mark.parametrize(
    "change",
    [
        {"id": ""},
        {"id": 1},
        {"text": "p5\ud800"},
        {"text": "p"},
        {"more": 1},
        {"layers": []},
        {"layers": {"anna": [{**SPAN, "start": -1}]}},
        {"layers": {"anna": [{**SPAN, "start": 3}]}},
        {"layers": {"anna": [{**SPAN, "end": 12}]}},
        {"layers": {"anna": [{**SPAN, "end": 1 << 70}]}},
        {"layers": {"anna": [{**SPAN, "end": 2.5}]}},
        {"layers": {"anna": [{**SPAN, "label": ""}]}},
        {"layers": {"anna": [{**SPAN, "confidence": 1.5}]}},
        {"layers": {"anna": [{**SPAN, "confidence": -0.5}]}},
        {"layers": {"anna": [{**SPAN, "fragments": [[0, 1]]}]}},
        {"layers": {"anna": [{**SPAN, "fragments": [[0, 2], [1, 3]]}]}},
        {"layers": {"anna": [{**SPAN, "ids": ["1"], "note": 1}]}},
        {"layers": {"anna": [{**SPAN, "start": 1}, SPAN]}},
        {"layers": {"anna": [SPAN, {**SPAN, "label": "A"}, {**SPAN, "end": 5}]}},
        {"layers": {"anna": [SPAN, {**SPAN, "confidence": 0.5}, SPAN]}},
        {"standards": {"s": [{**HEART, "votes": -1}]}},
        {"standards": {"s": [{**HEART, "votes": 1e999}]}},
        {"standards": {"s": [{**HEART, "left": []}]}},
        {"standards": {"s": [{**HEART, "left": [[0, 1], [1, 1]]}]}},
        {"standards": {"s": [{**HEART, "left": [[0, 1], [-1, 1]]}]}},
        {"standards": {"s": [{**HEART, "left": [[0, -1]]}]}},
        {"standards": {"s": [{**HEART, "left": [[3, 1]]}]}},
        {"standards": {"s": [{**HEART, "right": [[3, 1], [2, 1]]}]}},
        {"standards": {"s": [{**HEART, "right": [[3, 1], [12, 1]]}]}},
        {"standards": {"s": [{**HEART, "right": [[0, 1]]}]}},
        {"standards": {"s": [{**HEART, "labels": [["", 1]]}]}},
        {"standards": {"s": [{**HEART, "labels": [["Gene", -1]]}]}},
        {"standards": {"s": [{**HEART, "pairs": [[0, 12, 1]]}]}},
        {"standards": {"s": [{**HEART, "pairs": [[3, 3, 1]]}]}},
        {"standards": {"s": [{**HEART, "pairs": [[0, 3, -1]]}]}},
        {"standards": {"s": [{**HEART, "confidence": 2}]}},
        {"standards": {"s": [{**HEART, "label": ""}]}},
        {"standards": {"s": [{**HEART, "start": 1}, HEART]}},
        {"trees": {"p": ["(S (NN p53)"]}},
        {"meta": []},
    ],
    ids=str,
)
def test_what_is_damaged_is_the_same_error_in_the_same_line(
    path: Path, change: dict[str, Any]
) -> None:
    good = [{**GOOD, "id": name} for name in "abc"]
    bad = {**GOOD, **change}
    lines = [_line(each) for each in (good[0], bad, good[1], {**bad, "id": "z"}, good[2])]
    path.write_bytes(b"\n".join([lines[0], b"", *lines[1:], b""]))
    _is_same(path)


def _line(record: dict[str, Any]) -> bytes:
    """Encode a record; half a surrogate pair and infinity, which JSON cannot hold, as they come."""
    text = record["text"].replace("\ud800", "LONE")
    encoded = msgspec.json.encode({**record, "text": text})
    return encoded.replace(b"null", b"1e999").replace(b"LONE", rb"\ud800")


@given(
    st.tuples(documents(id="1"), documents(id="2"), documents(id="3")),
    st.floats(0, 1, exclude_max=True),
    st.sampled_from([b"", b"0", b"9", b"-", b'"', b"}", b"]", b",", b"\xff", b"null", b"\n"]),
)
def test_a_byte_that_is_changed_has_the_same_outcome(
    path: Path, batch: tuple[Document, ...], where: float, what: bytes
) -> None:
    write(batch, path)
    content = path.read_bytes()
    at = int(where * len(content))
    path.write_bytes(content[:at] + what + content[at + 1 :])
    _is_same(path)


def test_a_database_id_that_is_no_utf_8_has_the_same_outcome(path: Path) -> None:
    line = _line({**GOOD, "layers": {"anna": [{**SPAN, "ids": ["UNIQUE"]}]}})
    path.write_bytes(line + b"\n" + line.replace(b"UNIQUE", b"UNI\xffUE") + b"\n")
    _is_same(path)


def test_what_stands_before_broken_compression_is_read(tmp_path: Path) -> None:
    packed = gzip.compress(b"".join(_line({**GOOD, "id": str(n)}) + b"\n" for n in range(2000)))
    path = tmp_path / "in.jsonl.gz"
    path.write_bytes(packed[: len(packed) // 2])
    found, error, _ = _outcome(path, in_columns=True, skip_bad=False)
    plain, same, _ = _outcome(path, in_columns=False, skip_bad=False)
    assert (found, error) == (plain, same)
    assert found
    assert "broken compression" in error
