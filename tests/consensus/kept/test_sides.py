"""Pairs of boundaries that were given together."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tests.consensus.test_centroids import P75, P75_NAMES, TGF, TGF_NAMES, marked
from tests.strategies import documents
from vermeil import Document, SpanTable
from vermeil.consensus.centroids import Settings, find_centroids


def given_together(document: Document) -> list[tuple[str, dict[str, float]]]:
    [standard] = find_centroids(SpanTable.from_documents([document])).standards()
    text = document.text
    return [
        (text[each.start : each.end], {text[a:b]: n for a, b, n in each.pairs}) for each in standard
    ]


def test_what_somebody_said_is_told_from_what_recombination_permits() -> None:
    assert given_together(marked(TGF, *TGF_NAMES)) == [
        ("TGF-beta", dict.fromkeys(sorted(TGF_NAMES, key=len), 1.0))
    ]
    (_, rel), (_, p75) = given_together(marked(P75, *P75_NAMES))
    assert set(p75) == {name for name in P75_NAMES if "p75" in name}
    assert "p75 nucleoprotein" not in p75
    assert rel == {}  # on one side there is one boundary: nothing to recombine


@given(
    st.lists(documents(annotators=("a", "b", "c")), min_size=1, max_size=3),
    st.sampled_from(["names", "changes"]),
)
def test_pairs_are_the_names_around_a_heart(batch: list[Document], boundaries: str) -> None:
    table = SpanTable.from_documents(batch)
    standards = find_centroids(table, Settings(boundaries=boundaries)).standards()
    for document, standard in zip(batch, standards, strict=True):
        names = Counter(
            (start, end, span.label)
            for layer in document.layers.values()
            for span in layer
            for start, end in _trimmed(document.text, span.pieces)
        )
        for heart in standard:
            around = {
                (start, end, float(n))
                for (start, end, label), n in names.items()
                if start <= heart.start and end >= heart.end and label == heart.label
            }
            several = len(heart.left) > 1 and len(heart.right) > 1
            assert {*heart.pairs} == (around if several else set())
            assert len({*heart.pairs}) == len(heart.pairs)


def _trimmed(text: str, pieces: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    found = []
    for start, end in pieces:
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if start < end:
            found.append((start, end))
    return found
