"""The stretches that names cover on the axis of a batch, against texts cut by hand."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents
from vermeil import Document, SpanTable
from vermeil.columns.axis import lay_axis, stretches
from vermeil.columns.span_table import codes_of

BATCHES = st.integers(0, 3).flatmap(
    lambda n: st.tuples(*(documents(id=str(number)) for number in range(n)))
)


@given(BATCHES)
def test_stretches_are_the_pieces_of_spans_without_white_space_at_their_edges(
    batch: tuple[Document, ...],
) -> None:
    table = SpanTable.from_documents(batch)
    text = "".join(document.text + "\n" for document in batch)
    wanted = []
    spans = [(d, span) for d, each in enumerate(batch) for _, layer in sorted(each.layers.items())
             for span in layer]  # fmt: skip
    for row, (document, span) in enumerate(spans):
        origin = int(table.origin[document])
        for start, end in span.pieces:
            marked = text[origin + start : origin + end]
            first = origin + start + len(marked) - len(marked.lstrip())
            if marked.strip():
                wanted.append((row, first, first + len(marked.strip())))
    found = zip(*(column.tolist() for column in stretches(table)), strict=True)
    assert sorted(found) == wanted


@given(BATCHES)
def test_an_axis_leaves_out_white_space_and_what_is_ignored(batch: tuple[Document, ...]) -> None:
    table = SpanTable.from_documents(batch)
    axis = lay_axis(table, "-")
    if axis.offset is None:
        return
    codes = codes_of(table)[axis.offset]
    kept = "".join(c for d in batch for c in d.text if not c.isspace() and c != "-")
    ends = np.append(table.origin[1:], len(codes_of(table))) - 1
    assert "".join(map(chr, codes[~np.isin(axis.offset, ends)].tolist())) == kept
    assert axis.places(axis.offset).tolist() == list(range(axis.length))
