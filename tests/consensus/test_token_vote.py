import random
from collections import Counter

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.batches import batches, shuffled
from vermeil import Document, Layer, Span, SpanTable
from vermeil.consensus import token_vote
from vermeil.errors import UnknownNameError
from vermeil.text.tags import decode
from vermeil.text.tokens import TOKENISERS, covering, tokenise

TEXT = "human p53 protein"
BATCHES = batches(annotators=("anna", "ben", "cleo"))


def voted(**layers: list[tuple[int, int, str]]) -> Document:
    by_name = {name: tuple(Span(*span) for span in spans) for name, spans in layers.items()}
    return Document(id="1", text=TEXT, layers=by_name)


def decided(batch: list[Document], *, by: str = "words", **settings: float) -> list[Layer]:
    return token_vote.decide(SpanTable.from_documents(batch), by=by, **settings).layers()


def naive_tags(text: str, layer: Layer, by: str) -> list[str]:
    """Tag the names of one annotator one after the other."""
    tokens = tokenise(text, by=by)
    ranges = [(*covering(tokens, *piece), span.label) for span in layer for piece in span.pieces]
    tags, place = ["O"] * len(tokens), 0
    for first, last, label in sorted(ranges, key=lambda name: (name[0], -name[1], name[2])):
        if place <= first < last:
            tags[first:last] = [f"B-{label}", *[f"I-{label}"] * (last - first - 1)]
            place = last
    return tags


def naive(document: Document, by: str, min_votes: float, min_share: float) -> Layer:
    tokens = tokenise(document.text, by=by)
    tagged = [naive_tags(document.text, layer, by) for layer in document.layers.values()]
    tags, n_votes = [], []
    for column in zip(*tagged, strict=True):
        votes = Counter(tag[2:] for tag in column if tag != "O")
        best = min(votes, key=lambda label: (-votes[label], label), default="")
        enough = votes[best] >= min_votes and votes[best] / len(tagged) >= min_share
        n_begin = column.count(f"B-{best}")
        letter = "B" if 2 * n_begin > votes[best] else "I"
        tags.append(f"{letter}-{best}" if best and enough else "O")
        n_votes.append(votes[best])
    return tuple(
        Span(
            tokens[first][0],
            tokens[last - 1][1],
            label,
            sum(n_votes[first:last]) / (len(tagged) * (last - first)),
        )
        for first, last, label in decode(tags, "iob2")
    )


def test_each_token_gets_what_half_of_those_who_looked_say() -> None:
    batch = [voted(anna=[(0, 9, "Gene")], ben=[(6, 17, "Gene")], cleo=[(6, 9, "Gene")])]
    assert decided(batch) == [(Span(6, 9, "Gene", 1.0),)]
    assert decided(batch, min_share=0) == [(Span(0, 5, "Gene", 1 / 3), Span(6, 17, "Gene", 2 / 3))]


def test_names_side_by_side_stay_apart_where_most_part_them() -> None:
    apart = [(0, 5, "Gene"), (6, 9, "Gene")]
    batch = [voted(anna=apart, ben=apart, cleo=[(0, 9, "Gene")])]
    assert decided(batch) == [(Span(0, 5, "Gene", 1.0), Span(6, 9, "Gene", 1.0))]
    batch = [voted(anna=apart, ben=[(0, 9, "Gene")])]
    assert decided(batch) == [(Span(0, 9, "Gene", 1.0),)]


def test_a_name_reaches_out_to_its_tokens() -> None:
    assert decided([voted(anna=[(7, 8, "Gene")])]) == [(Span(6, 9, "Gene", 1.0),)]


def test_of_labels_with_equal_votes_the_first_in_the_alphabet_wins() -> None:
    batch = [voted(anna=[(6, 9, "Protein")], ben=[(6, 9, "Gene")])]
    assert decided(batch) == [(Span(6, 9, "Gene", 0.5),)]


def test_names_do_not_cross_from_one_document_to_the_next() -> None:
    batch = [voted(anna=[(10, 17, "Gene")]), voted(anna=[(0, 5, "Gene")])]
    assert [len(layer) for layer in decided(batch)] == [1, 1]


def test_nothing_comes_of_nothing() -> None:
    assert decided([]) == []
    assert decided([Document(id="1", text=TEXT), Document(id="2", text="", layers={"a": ()})]) == [
        (),
        (),
    ]


def test_an_unknown_tokeniser_is_named() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'words'"):
        decided([], by="word")


@given(
    BATCHES,
    st.sampled_from(sorted(TOKENISERS)),
    st.sampled_from([1, 2]),
    st.sampled_from([0.0, 0.5, 2 / 3]),
)
def test_it_is_the_naive_vote(batch: list[Document], by: str, votes: int, share: float) -> None:
    expected = [naive(document, by, votes, share) for document in batch]
    assert decided(batch, by=by, min_votes=votes, min_share=share) == expected


@given(BATCHES, st.randoms(use_true_random=False))
def test_no_order_changes_anything(batch: list[Document], chance: random.Random) -> None:
    layer_by_id = {d.id: layer for d, layer in zip(batch, decided(batch), strict=True)}
    again = shuffled(batch, chance)
    assert {d.id: layer for d, layer in zip(again, decided(again), strict=True)} == layer_by_id
