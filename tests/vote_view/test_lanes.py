import json

import msgspec
from hypothesis import given

from tests.batches import batches
from vermeil import Document, Span
from vermeil.columns.levels import levels_of
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.centroids import find_centroids
from vermeil.vote_view.lanes import Heart, vote_view

ANNOTATORS = ("anna", "ben", "cleo")
TEXT = "the human BRCA1 gene"
SEVERAL = Document(
    id="1",
    text=TEXT,
    layers={
        "anna": (Span(10, 15, "Gene", 0.9),),
        "ben": (Span(4, 15, "Gene"),),
        "cleo": (Span(10, 20, "Gene"),),
        "dora": (),
        "gold": (Span(10, 15, "Gene"),),
        "gold.alternatives": (Span(4, 20, "Gene"),),
    },
)
VOTERS = ("anna", "ben", "cleo", "dora")


def test_a_heart_has_its_boundaries_with_votes_and_who_voted() -> None:
    [heart] = vote_view(SEVERAL, VOTERS).hearts
    assert TEXT[heart.start : heart.end] == "BRCA1"
    assert (heart.left, heart.right) == (((10, 2.0), (4, 1.0)), ((15, 2.0), (20, 1.0)))
    assert (heart.extent, heart.modal, heart.votes) == ((4, 20), (10, 15), 3.0)
    assert heart.annotators == ("anna", "ben", "cleo")
    assert heart.confidence == 0.75


def test_who_found_nothing_has_an_empty_lane_and_who_did_not_look_none() -> None:
    lanes = {lane.annotator: lane.spans for lane in vote_view(SEVERAL, (*VOTERS, "eve")).lanes}
    assert lanes["dora"] == ()
    assert "eve" not in lanes
    assert lanes["anna"] == ((10, 15, "Gene", 0.9, ()),)


def test_alternatives_and_a_former_consensus_do_not_vote() -> None:
    with_consensus = SEVERAL.with_layer("consensus", (Span(0, 3, "Gene"),))
    view = vote_view(with_consensus)
    assert [lane.annotator for lane in view.lanes] == [*VOTERS, "gold"]


def test_a_view_is_plain_json() -> None:
    said = json.loads(msgspec.json.encode(vote_view(SEVERAL, VOTERS)))
    assert said["hearts"][0]["left"] == [[10, 2.0], [4, 1.0]]
    assert said["lanes"][1] == {"annotator": "ben", "spans": [[4, 15, "Gene", None, []]]}
    assert said["wave"][4] == 0.25


@given(batches(annotators=ANNOTATORS))
def test_the_wave_is_the_share_of_those_who_looked_that_marked_a_pair(
    batch: list[Document],
) -> None:
    for document in batch:
        wave = vote_view(document, ANNOTATORS).wave
        assert len(wave) == max(0, len(document.text) - 1)
        for pair, share in enumerate(wave):
            n_marked = sum(
                any(a <= pair and pair + 1 < b for span in layer for a, b in span.pieces)
                for layer in document.layers.values()
            )
            assert share == n_marked / max(1, len(document.layers))


@given(batches(annotators=ANNOTATORS))
def test_hearts_are_those_of_the_consensus_but_everybody_has_one_vote(
    batch: list[Document],
) -> None:
    table = SpanTable.from_documents(batch)
    wanted = find_centroids(table, levels=levels_of(table)).standards()
    for document, standard in zip(batch, wanted, strict=True):
        hearts = vote_view(document).hearts
        once = [heart for heart in hearts if heart.votes == len(heart.annotators)]
        assert {(h.label, h.votes, h.left, h.right) for h in once} <= {
            (c.label, c.votes, c.left, c.right) for c in standard
        } | {(h.label, h.votes, h.left, h.right) for h in hearts if _is_doubled(document, h)}
        places = [(heart.start, heart.end, heart.label) for heart in hearts]
        assert len(set(places)) == len(places), "no two rows are alike"
        for heart in hearts:
            if heart.annotators:
                n = len(heart.annotators)
                assert n <= len(document.layers)
                assert sum(v for _, v in heart.left) == sum(v for _, v in heart.right) == n


def _is_doubled(document: Document, heart: Heart) -> bool:
    """Tell whether somebody has two names of that label around a heart."""
    return any(
        sum(s.label == heart.label and s.start < heart.end and heart.start < s.end for s in layer)
        > 1
        for layer in document.layers.values()
    )


def test_nested_names_and_names_with_a_gap_are_hearts_of_their_own() -> None:
    text = "alpha and beta globin in breast cancer cells"
    cells, cancer = Span(25, 44, "X"), Span(25, 38, "X")
    alpha, beta = Span.over([(0, 5), (15, 21)], "X"), Span(10, 21, "X")
    layers = dict.fromkeys("ab", (alpha, beta, cells, cancer))
    view = vote_view(Document(id="1", text=text, layers={**layers, "c": (beta, cancer)}))
    found = {(h.start, h.end): (h.votes, h.annotators, h.fragments) for h in view.hearts}
    assert found == {
        (0, 21): (2, ("a", "b"), ((0, 5), (15, 21))),
        (10, 21): (3, ("a", "b", "c"), ()),
        (25, 44): (2, ("a", "b"), ()),
        (25, 38): (3, ("a", "b", "c"), ()),
    }
    assert view.lanes[0].spans[0] == (0, 21, "X", None, ((0, 5), (15, 21)))
    assert view.wave[6:9] == (0, 0, 0), "the gap is not marked"


@given(batches(annotators=ANNOTATORS))
def test_no_order_of_annotators_changes_hearts_or_wave(batch: list[Document]) -> None:
    for document in batch:
        one, other = vote_view(document, ANNOTATORS), vote_view(document, ANNOTATORS[::-1])
        assert one.wave == other.wave
        assert [heart.left for heart in one.hearts] == [heart.left for heart in other.hearts]
