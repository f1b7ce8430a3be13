import random

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.batches import batches, shuffled
from vermeil import Document, Layer, Span, SpanTable
from vermeil.consensus import majority

TEXT = "human p53 protein"
BATCHES = batches(annotators=("anna", "ben", "cleo"))


def voted(**layers: list[tuple[int, int, str]]) -> Document:
    by_name = {name: tuple(Span(*span) for span in spans) for name, spans in layers.items()}
    return Document(id="1", text=TEXT, layers=by_name)


def decided(batch: list[Document], **settings: float) -> list[Layer]:
    return majority.decide(SpanTable.from_documents(batch), **settings).layers()


def naive(document: Document, min_votes: float, min_share: float) -> Layer:
    """Count the annotators of every span, then take the best that overlap nothing taken."""
    voters: dict[tuple[int, int, str], set[str]] = {}
    for annotator, layer in document.layers.items():
        for span in layer:
            for start, end in span.pieces:
                marked = document.text[start:end]
                first, last = (
                    start + len(marked) - len(marked.lstrip()),
                    end - len(marked) + len(marked.rstrip()),
                )
                if first < last:
                    voters.setdefault((first, last, span.label), set()).add(annotator)
    kept: list[Span] = []
    ranked = sorted(voters, key=lambda span: (-len(voters[span]), span[0], -span[1], span[2]))
    for start, end, label in ranked:
        votes = len(voters[start, end, label])
        share = votes / len(document.layers)
        free = all(end <= span.start or span.end <= start for span in kept)
        if votes >= min_votes and share >= min_share and free:
            kept.append(Span(start, end, label, share))
    return tuple(sorted(kept, key=lambda span: span.start))


def test_what_half_of_those_who_looked_marked_is_kept() -> None:
    batch = [voted(anna=[(6, 9, "Gene")], ben=[(6, 9, "Gene")], cleo=[(0, 9, "Gene")], dora=[])]
    assert decided(batch) == [(Span(6, 9, "Gene", 0.5),)]


def test_whoever_did_not_look_has_no_say() -> None:
    assert decided([voted(anna=[(6, 9, "Gene")], ben=[]), voted(ben=[])])[0] == (
        Span(6, 9, "Gene", 0.5),
    )
    assert decided([voted(anna=[(6, 9, "Gene")])]) == [(Span(6, 9, "Gene", 1.0),)]


def test_a_span_given_twice_is_one_vote() -> None:
    batch = [voted(anna=[(6, 9, "Gene"), (6, 9, "Gene")], ben=[], cleo=[])]
    assert decided(batch, min_votes=2, min_share=0) == [()]


def test_another_label_is_another_span() -> None:
    batch = [voted(anna=[(6, 9, "Gene")], ben=[(6, 9, "Protein")], cleo=[(6, 9, "Protein")])]
    assert decided(batch) == [(Span(6, 9, "Protein", 2 / 3),)]


def test_of_overlapping_spans_the_better_supported_is_kept() -> None:
    batch = [voted(anna=[(0, 9, "Gene")], ben=[(6, 9, "Gene")], cleo=[(6, 9, "Gene")])]
    assert decided(batch, min_share=0) == [(Span(6, 9, "Gene", 2 / 3),)]


def test_nothing_comes_of_nothing() -> None:
    assert decided([]) == []
    assert decided([Document(id="1", text=TEXT)]) == [()]


@given(BATCHES, st.sampled_from([1, 2, 3]), st.sampled_from([0.0, 0.4, 0.5, 2 / 3, 1.0]))
def test_it_is_the_naive_vote(batch: list[Document], votes: float, share: float) -> None:
    expected = [naive(document, votes, share) for document in batch]
    assert decided(batch, min_votes=votes, min_share=share) == expected


@given(BATCHES, st.randoms(use_true_random=False))
def test_no_order_changes_anything(batch: list[Document], chance: random.Random) -> None:
    layer_by_id = {d.id: layer for d, layer in zip(batch, decided(batch), strict=True)}
    again = shuffled(batch, chance)
    assert {d.id: layer for d, layer in zip(again, decided(again), strict=True)} == layer_by_id


@given(BATCHES)
def test_a_higher_threshold_never_adds_spans(batch: list[Document]) -> None:
    low, high = (decided(batch, min_votes=votes, min_share=0) for votes in (1, 2))
    assert all(set(few) <= set(many) for few, many in zip(high, low, strict=True))


@pytest.mark.parametrize("label", ["Gene", "Ω/β"])
def test_touching_spans_do_not_overlap(label: str) -> None:
    batch = [voted(anna=[(0, 5, label), (5, 9, label)])]
    assert [len(layer) for layer in decided(batch)] == [2]
