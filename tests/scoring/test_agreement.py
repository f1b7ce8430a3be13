from collections.abc import Sequence
from itertools import combinations
from math import isnan
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.in_full import in_full
from tests.scoring.annotated import ANNOTATORS, annotated
from vermeil import Document, Span
from vermeil.columns.span_table import SpanTable
from vermeil.consensus import combine
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.corpus import read_corpus
from vermeil.formats.inputs import Input
from vermeil.scoring.agreement import Agreement, agree
from vermeil.scoring.counts import Counts

EVERYBODY = Document(id="all", text="BRCA1 and p53", layers=dict.fromkeys(ANNOTATORS, ()))


def key(span: Span) -> tuple[object, ...]:
    return span.pieces, span.label


def meets(one: Span, other: Span) -> bool:
    characters = [{k for a, b in span.pieces for k in range(a, b)} for span in (one, other)]
    return one.label == other.label and bool(characters[0] & characters[1])


def naive_counts(layers: Sequence[tuple[Sequence[Span], Sequence[Span]]]) -> tuple[Counts, Counts]:
    """Compare wanted and predicted layers of the same documents, span by span."""
    exact = overlap = Counts()
    for wanted, predicted in layers:
        mine = {key(span): span for span in wanted}
        theirs = {key(span): span for span in predicted}
        n_same = len(mine.keys() & theirs.keys())
        exact += Counts(n_same, len(theirs), n_same, len(mine))
        overlap += Counts(
            sum(any(meets(a, b) for a in mine.values()) for b in theirs.values()),
            len(theirs),
            sum(any(meets(a, b) for b in theirs.values()) for a in mine.values()),
            len(mine),
        )
    return exact, overlap


def figures(agreement: Agreement) -> str:
    shown = (agreement.pairs, agreement.fleiss, agreement.alpha, agreement.exact)
    return in_full((*shown, agreement.left_out, agreement.intervals, agreement.annotators))


@given(annotated())
def test_pairs_are_counted_as_by_hand(batch: list[Document]) -> None:
    pairs = agree(batch, leave_one_out=False).pairs
    assert [(pair.first, pair.second) for pair in pairs] == list(combinations(ANNOTATORS, 2))
    for pair in pairs:
        both = [
            (document.layers[pair.first], document.layers[pair.second])
            for document in batch
            if {pair.first, pair.second} <= document.layers.keys()
        ]
        assert (pair.exact, pair.overlap) == naive_counts(both)
        assert pair.n_documents == len(both)
        assert pair.overlap.right >= pair.exact.right


@given(annotated())
def test_all_pairs_pooled_are_the_sum_of_pairs(batch: list[Document]) -> None:
    agreement = agree(batch, leave_one_out=False)
    total = sum((pair.exact for pair in agreement.pairs), Counts())
    assert agreement.matches.sum(axis=0).tolist() == [
        2 * total.right,
        total.predicted + total.wanted,
    ]
    for row, document in zip(agreement.matches.tolist(), batch, strict=True):
        alone = agree([EVERYBODY, document], leave_one_out=False)
        assert alone.matches.sum(axis=0).tolist() == row


@given(annotated())
def test_leaving_one_out_is_scoring_against_the_consensus_of_the_others(
    batch: list[Document],
) -> None:
    for left_out in agree(batch).left_out:
        others = [name for name in ANNOTATORS if name != left_out.annotator]
        judged = combine(batch, name="others", annotators=others)
        seen = [
            (document.layers["others"], document.layers[left_out.annotator])
            for document in judged
            if left_out.annotator in document.layers
            and not document.layers.keys().isdisjoint(others)
        ]
        assert (left_out.exact, left_out.overlap) == naive_counts(seen)
        assert left_out.n_documents == len(seen)


@given(annotated(), st.randoms(use_true_random=False))
def test_no_order_changes_a_figure(batch: list[Document], random: object) -> None:
    shuffled = [
        document.replace(layers=dict(reversed(list(document.layers.items())))) for document in batch
    ]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert figures(agree(batch, n_resamples=5)) == figures(agree(shuffled, n_resamples=5))


@given(annotated())
def test_a_table_is_as_good_as_documents(batch: list[Document]) -> None:
    table = SpanTable.from_documents(batch)
    assert figures(agree(table)) == figures(agree(batch))


@given(annotated())
def test_annotators_that_say_the_same_agree(batch: list[Document]) -> None:
    document = batch[0]
    layer = document.layers["anna"]
    twin = document.replace(layers={"anna": layer, "ben": layer})
    [pair] = agree([twin], leave_one_out=False).pairs
    for f1 in (pair.exact.f1, pair.overlap.f1, pair.hearts.f1):
        assert f1 == 1 or (isnan(f1) and not [s for s in layer if s.marked(twin.text).strip()])
    assert pair.left == 1 or isnan(pair.left)
    assert pair.kappa == 1 or isnan(pair.kappa)


def test_hearts_see_through_boundaries_but_not_through_edges() -> None:
    text = "the human MAP kinase gene"
    layers = {
        "anna": (Span(14, 20, "Gene"),),  # kinase
        "ben": (Span(10, 25, "Gene"),),  # MAP kinase gene
        "cleo": (Span(4, 13, "Gene"),),  # human MAP
    }
    agreement = agree([Document(id="1", text=text, layers=layers)])
    f1 = {(pair.first, pair.second): pair.hearts.f1 for pair in agreement.pairs}
    # Votes peak at kinase and at MAP; ben marks both hearts.
    assert f1 == {("anna", "ben"): 2 / 3, ("anna", "cleo"): 0.0, ("ben", "cleo"): 2 / 3}
    cuts = {(pair.first, pair.second): (pair.left, pair.right) for pair in agreement.pairs}
    assert cuts["anna", "ben"] == (0.0, 0.0)
    assert cuts["ben", "cleo"] == (0.0, 0.0)
    assert all(map(isnan, cuts["anna", "cleo"]))


def test_who_did_not_look_is_not_held_to_have_found_nothing() -> None:
    gene = (Span(0, 5, "Gene"),)
    batch = [
        Document(id="1", text="BRCA1 was seen", layers={"anna": gene, "ben": gene}),
        Document(id="2", text="BRCA2 was seen", layers={"anna": gene}),
    ]
    agreement = agree(batch)
    assert agreement.pairs[0].exact == Counts(1, 1, 1, 1)
    assert agreement.alpha == agreement.pairs[0].kappa == agreement.fleiss == 1
    assert [each.n_documents for each in agreement.left_out] == [1, 1]
    assert agreement.n_shared == 1


def test_alternatives_take_no_part_and_layers_can_be_chosen() -> None:
    document = EVERYBODY.with_layer("anna.alternatives", ())
    assert agree([document]).annotators == ANNOTATORS
    assert agree([document], annotators=["cleo", "anna"]).annotators == ("anna", "cleo")
    with pytest.raises(UnknownNameError, match="did you mean 'cleo'"):
        agree([document], annotators=["anna", "clea"])


def test_one_annotator_cannot_agree() -> None:
    with pytest.raises(UsageError, match="found: anna"):
        agree([EVERYBODY], annotators=["anna"])


def test_intervals_hold_their_figures() -> None:
    gene, other = Span(0, 5, "Gene"), Span(6, 9, "Gene")
    batch = [
        Document(
            id=str(n),
            text="BRCA1 p53 was seen",
            layers={"anna": (gene,), "ben": (gene, other) if n % 3 else (gene,)},
        )
        for n in range(30)
    ]
    agreement = agree(batch, n_resamples=300)
    assert agreement.intervals is not None
    for name, value in (("exact", agreement.exact), ("alpha", agreement.alpha)):
        interval = agreement.intervals[name]
        assert interval.low < interval.value == value < interval.high


@pytest.mark.corpus
def test_real_taggers_agree_as_naive_counting_says(corpora: Path) -> None:
    folder = corpora / "bc2gm" / "taggers-dev"
    inputs = [Input(folder / f"{name}.eval") for name in ("s01_crf_rich", "s04_dict", "s09_regex")]
    batch = list(read_corpus(inputs, text=Input(folder / "text.in")))
    agreement = agree(batch)
    for pair in agreement.pairs:
        layers = [(each.layers[pair.first], each.layers[pair.second]) for each in batch]
        assert (pair.exact, pair.overlap) == naive_counts(layers)
