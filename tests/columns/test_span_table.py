import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents
from vermeil import Document, Span, SpanTable
from vermeil.columns.span_table import codes_in

BATCHES = st.integers(0, 3).flatmap(
    lambda n: st.tuples(*(documents(id=str(number)) for number in range(n)))
)


@given(BATCHES)
def test_documents_come_back_from_columns_unchanged(batch: tuple[Document, ...]) -> None:
    assert tuple(SpanTable.from_documents(batch).to_documents()) == batch


@given(BATCHES)
def test_rows_are_the_spans_of_all_layers(batch: tuple[Document, ...]) -> None:
    table = SpanTable.from_documents(batch)
    assert len(table) == sum(len(layer) for each in batch for layer in each.layers.values())
    for row in range(len(table)):
        document = batch[table.document[row]]
        layer = document.layers[table.annotators[table.annotator[row]]]
        assert (table.start[row], table.end[row]) in {(span.start, span.end) for span in layer}


def test_documents_lie_apart_on_the_axis() -> None:
    texts = ["ab", "", "c"]
    batch = [Document(id=str(n), text=text) for n, text in enumerate(texts)]
    assert SpanTable.from_documents(batch).origin.tolist() == [0, 3, 4]


def test_who_did_not_look_is_kept() -> None:
    batch = [
        Document(id="1", text="p53", layers={"ann": (), "ben": (Span(0, 3, "Gene"),)}),
        Document(id="2", text="p53", layers={"ben": ()}),
    ]
    assert SpanTable.from_documents(batch).looked.tolist() == [[True, True], [False, True]]


@given(BATCHES)
def test_arrow_and_pandas_show_the_same_rows(batch: tuple[Document, ...]) -> None:
    table = SpanTable.from_documents(batch)
    arrow, frame = table.to_arrow(), table.to_pandas()
    assert arrow.num_rows == len(frame) == len(table)
    assert arrow["start"].to_pylist() == frame["start"].tolist() == table.start.tolist()
    names = [table.annotators[code] for code in table.annotator]
    assert arrow["annotator"].to_pylist() == frame["annotator"].tolist() == names


@pytest.mark.parametrize("column", ["start", "end", "confidence"])
def test_numbers_are_shared_not_copied(column: str) -> None:
    table = SpanTable.from_documents(
        [Document(id="1", text="p53", layers={"ann": (Span(0, 3, "Gene", 0.5),)})]
    )
    ours = getattr(table, column)
    [chunk] = table.to_arrow()[column].chunks
    assert chunk.buffers()[1].address == ours.ctypes.data
    assert np.shares_memory(table.to_pandas()[column].to_numpy(), ours)


@given(BATCHES)
def test_loose_rows_have_white_space_at_an_edge_of_a_piece(batch: tuple[Document, ...]) -> None:
    table = SpanTable.from_documents(batch)
    spans = [
        (document.text, span)
        for document in batch
        for name in sorted(document.layers)
        for span in document.layers[name]
    ]
    assert table.loose.tolist() == [
        row
        for row, (text, span) in enumerate(spans)
        if any(
            text[at].isspace()
            for start, end in ((span.start, span.end), *span.fragments)
            for at in (start, end - 1)
        )
    ]


@pytest.mark.parametrize("text", ["p53", "β-globin", "\U0001d6fc-β 1", "a\u3000", ""])
def test_codes_are_those_of_python_however_many_bytes_they_take(text: str) -> None:
    codes = codes_in([Document(id="1", text=text), Document(id="2", text="x")])
    assert codes.tolist() == [ord(character) for character in f"{text}\nx\n"]
