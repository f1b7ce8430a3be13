from itertools import combinations
from math import isnan
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.in_full import in_full
from tests.scoring.agreement.naive import (
    label_alpha,
    naive_counts,
    only_labels,
    scopes,
    stratified_alpha,
    told_of_names,
    units,
)
from tests.scoring.annotated import ANNOTATORS, annotated
from tests.scoring.test_kappa import naive_kappa
from vermeil import Document, Span
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.evidence import gather
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.corpus import read_corpus
from vermeil.formats.inputs import Input
from vermeil.scoring.agreement import Agreement, agree
from vermeil.scoring.counts import Counts
from vermeil.scoring.kappa import character_pairs, fleiss, krippendorff
from vermeil.scoring.pairing.names import ScoringBatch

EVERYBODY = Document(id="all", text="BRCA1 and p53", layers=dict.fromkeys(ANNOTATORS, ()))


def figures(agreement: Agreement) -> str:
    shown = (agreement.pairs, agreement.fleiss, agreement.alpha, agreement.exact)
    return in_full((*shown, agreement.left_out, agreement.intervals, agreement.annotators))


@given(annotated())
def test_pairs_are_counted_as_by_hand(batch: list[Document]) -> None:
    looks = scopes(batch)
    pairs = {(pair.first, pair.second): pair for pair in agree(batch, leave_one_out=False).pairs}
    for two in combinations(ANNOTATORS, 2):
        common = looks[two[0]] & looks[two[1]]
        both = [document for document in batch if {*two} <= document.layers.keys()]
        if not common and any(looks.values()):
            assert two not in pairs
            continue
        pair = pairs[two]
        layers = [[only_labels(each.layers[name], common) for name in two] for each in both]
        assert (pair.exact, pair.overlap) == naive_counts([(a, b) for a, b in layers])
        assert pair.n_documents == len(both)
        assert pair.overlap.right >= pair.exact.right
        said = [
            tuple(row[name] if row[name] in common else "" for name in two)
            for document in both
            for row in units(document, two)
        ]
        codes = {"": 0} | {label: code for code, label in enumerate(sorted(common), start=1)}
        wanted = naive_kappa([(codes[a], codes[b]) for a, b in said])
        assert pair.kappa == pytest.approx(wanted, nan_ok=True)


@given(annotated())
def test_hearts_are_counted_as_in_a_table_of_all_annotators(batch: list[Document]) -> None:
    table, looks = SpanTable.from_documents(batch), scopes(batch)
    evidence = gather(table)
    labels = [table.labels[code] for code in evidence.hearts.group.tolist()]
    for pair in agree(batch, leave_one_out=False).pairs:
        a, b = (table.annotators.index(name) for name in (pair.first, pair.second))
        both = evidence.voted[:, a] & evidence.voted[:, b]
        n = [
            sum(
                bool(evidence.voted[heart, one] and evidence.looked[heart, other])
                and label in looks[table.annotators[other]]
                for heart, label in enumerate(labels)
            )
            for one, other in ((a, b), (b, a))
        ]
        assert pair.hearts == Counts(int(both.sum()), n[1], int(both.sum()), n[0])
        if both.any():
            same = evidence.left[both, a] == evidence.left[both, b]
            assert pair.left == pytest.approx(same.mean())


@given(annotated())
def test_alpha_is_that_of_pairs_of_values(batch: list[Document]) -> None:
    agreement = agree(batch, leave_one_out=False)
    assert agreement.alpha == pytest.approx(stratified_alpha(batch), nan_ok=True)
    for each in agreement.labels:
        assert each.alpha == pytest.approx(label_alpha(batch, each.label), nan_ok=True)


@given(annotated())
def test_where_all_look_for_all_coefficients_are_the_usual_ones(batch: list[Document]) -> None:
    everything = dict.fromkeys(ANNOTATORS, frozenset("*"))
    agreement = agree(batch, leave_one_out=False, scope=everything)
    units = character_pairs(ScoringBatch.of(batch))
    assert agreement.alpha == pytest.approx(float(krippendorff(units)), nan_ok=True)
    assert agreement.fleiss == pytest.approx(float(fleiss(units)), nan_ok=True)


@given(annotated())
def test_what_others_say_is_counted_as_by_hand(batch: list[Document]) -> None:
    assert agree(batch, leave_one_out=False).confusion == told_of_names(batch)


@given(annotated())
def test_all_pairs_pooled_are_the_sum_of_pairs(batch: list[Document]) -> None:
    agreement = agree(batch, leave_one_out=False)
    total = sum((pair.exact for pair in agreement.pairs), Counts())
    assert agreement.matches == (2 * total.right, total.predicted + total.wanted)
    by_label = sum((each.exact for each in agreement.labels), Counts())
    assert by_label == total


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
