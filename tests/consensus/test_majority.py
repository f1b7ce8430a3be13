import random

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import given

from tests.batches import batches, shuffled
from tests.strategies import trimmed_pieces
from vermeil import Document, Layer, Span, SpanTable
from vermeil.columns.levels import levels_of
from vermeil.consensus import majority
from vermeil.document import reading_order

TEXT = "human p53 protein"
BATCHES = batches(annotators=("anna", "ben", "cleo"))


def voted(**layers: list[tuple[int, int, str]]) -> Document:
    by_name = {name: tuple(Span(*span) for span in spans) for name, spans in layers.items()}
    return Document(id="1", text=TEXT, layers=by_name)


def decided(batch: list[Document], **settings: float) -> list[Layer]:
    table = SpanTable.from_documents(batch)
    return majority.decide(table, levels=levels_of(table), **settings).layers()


def naive(document: Document, min_votes: float, min_share: float) -> Layer:
    """Count who has each name, then take the best that overlap nothing on their level."""
    voters: dict[Span, set[str]] = {}
    level_of: dict[Span, int] = {}
    levels = iter(levels_of(SpanTable.from_documents([document])).level.tolist())
    for annotator in sorted(document.layers):
        for span in document.layers[annotator]:
            level = next(levels)
            if pieces := trimmed_pieces(document.text, span):
                name = Span.over(pieces, span.label)
                voters.setdefault(name, set()).add(annotator)
                assert level_of.setdefault(name, level) == level
    kept: list[Span] = []
    ranked = sorted(voters, key=lambda span: (-len(voters[span]), reading_order(span)))
    for name in ranked:
        share = len(voters[name]) / len(document.layers)
        rivals = [span for span in kept if level_of[span] == level_of[name]]
        free = all(name.end <= span.start or span.end <= name.start for span in rivals)
        if len(voters[name]) >= min_votes and share >= min_share and free:
            kept.append(name)
    shares = {name: len(voters[name]) / len(document.layers) for name in kept}
    return tuple(
        msgspec.structs.replace(s, confidence=shares[s]) for s in sorted(kept, key=reading_order)
    )


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


def test_a_name_is_counted_with_its_pieces() -> None:
    broken = Span(0, 17, "Gene", fragments=((0, 5), (10, 17)))
    layers = {"anna": (broken,), "ben": (broken,), "cleo": (Span(0, 17, "Gene"),)}
    document = Document(id="1", text=TEXT, layers=layers)
    assert decided([document]) == [(msgspec.structs.replace(broken, confidence=2 / 3),)]


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
