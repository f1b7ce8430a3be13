"""Which database ids a consensus has, against a naive twin."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents
from vermeil import Document, Span, SpanTable
from vermeil.consensus import CONSENSUS, combine
from vermeil.consensus.kept.ids import with_ids

P53, MDM2 = ("7157",), ("4193",)


def said(*ids: tuple[str, ...]) -> Document:
    layers = {f"a{n}": (Span(0, 3, "Gene", ids=each),) for n, each in enumerate(ids)}
    return Document(id="1", text="p53 binds", layers=layers)


@pytest.mark.parametrize("by", sorted(CONSENSUS))
@pytest.mark.parametrize(
    ("ids", "kept"),
    [
        ((P53, P53, P53), P53),
        ((P53, P53, MDM2), P53),
        ((P53, P53, ()), P53),  # who gives none has no say
        ((P53, (), ()), P53),
        ((P53, MDM2, ()), (*MDM2, *P53)),  # half is enough
        (((), (), ()), ()),
        (((*P53, *MDM2), P53, (*P53, "1"), P53), P53),
    ],
)
def test_ids_stay_that_half_of_those_who_give_any_give(
    by: str, ids: tuple[tuple[str, ...], ...], kept: tuple[str, ...]
) -> None:
    [document] = combine([said(*ids)], by=by)
    assert [span.ids for span in document.layers["consensus"]] == [kept]
    if document.standards:
        assert [heart.ids for heart in document.standards["consensus"]] == [kept]


def test_a_nested_name_does_not_lend_its_ids_to_the_longer_one() -> None:
    text = "BRCA1 gene product"
    both = (Span(0, 18, "Gene"), Span(0, 5, "Gene", ids=("672",)))
    document = Document(id="1", text=text, layers={"a": both, "b": both})
    wide, narrow = with_ids(SpanTable.from_documents([document]), [both])[0]
    assert (wide.ids, narrow.ids) == ((), ("672",))


def naive(document: Document, name: Span, *, together: bool) -> tuple[str, ...]:
    votes: Counter[str] = Counter()
    n_givers = 0
    for annotator in sorted(document.layers):
        near = [
            (min(one.end, name.end) - max(one.start, name.start), one)
            for one in document.layers[annotator]
            if one.start < name.end
            and name.start < one.end
            and (together or one.label == name.label)
        ]
        if not near:
            continue
        best = min(near, key=lambda each: (-each[0], each[1].end - each[1].start))[1]
        n_givers += bool(best.ids)
        votes.update({*best.ids})
    return tuple(id for n, id in sorted((-n, id) for id, n in votes.items()) if -2 * n >= n_givers)


@given(batch=st.lists(documents(annotators=("a", "b", "c")), max_size=3), together=st.booleans())
def test_the_twin_says_the_same(batch: list[Document], together: bool) -> None:
    table = SpanTable.from_documents(batch)
    named = [document.layers.get("a", ()) for document in batch]
    found = with_ids(table, named, together=together)
    for document, names, ours in zip(batch, named, found, strict=True):
        for before, after in zip(names, ours, strict=True):
            wanted = naive(document, before, together=together)
            assert after.ids == (wanted or before.ids)
