"""The exact and MUC-style views."""

from collections import Counter

import pytest
from hypothesis import given

from tests.scoring.corpora import corpora
from tests.scoring.looking import score
from vermeil import Document, Span
from vermeil.scoring.scores import Scores

TEXT = "mutations of human BRCA1 gene cause breast cancer in some families"
GENE, DISEASE = Span(19, 24, "Gene"), Span(36, 49, "Disease")


def scored(gold: tuple[Span, ...], ann: tuple[Span, ...], same_label: bool | None = None) -> Scores:
    document = Document(id="1", text=TEXT, layers={"gold": gold, "ann": ann})
    return score([document], standard="gold", same_label=same_label)["ann"]


def muc(scores: Scores, mode: str) -> dict[str, int]:
    """Name the outcomes as MUC does."""
    predicted, wanted = scores.views[mode].outcomes
    return {
        "COR": predicted["right"],
        "INC": predicted["near"],
        "PAR": predicted["partly"],
        "MIS": wanted["total"],
        "SPU": predicted["total"],
    }


# The scenarios of Batista's well-known article, on which nervaluate is built.
@pytest.mark.parametrize(
    ("predicted", "outcomes"),
    [
        (GENE, {"exact": "COR", "boundaries": "COR", "partial": "COR", "type": "COR"}),
        (
            Span(19, 24, "Drug"),
            {"exact": "INC", "boundaries": "COR", "partial": "COR", "type": "INC"},
        ),
        (
            Span(13, 24, "Gene"),
            {"exact": "INC", "boundaries": "INC", "partial": "PAR", "type": "COR"},
        ),
        (
            Span(13, 24, "Drug"),
            {"exact": "INC", "boundaries": "INC", "partial": "PAR", "type": "INC"},
        ),
    ],
)
def test_a_pair_is_judged_in_four_ways(predicted: Span, outcomes: dict[str, str]) -> None:
    scores = scored((GENE,), (predicted,))
    for mode, outcome in outcomes.items():
        assert muc(scores, mode) == {**dict.fromkeys(("COR", "INC", "PAR", "MIS", "SPU"), 0)} | {
            outcome: 1
        }


def test_what_overlaps_nothing_is_spurious_and_missed() -> None:
    for mode in ("exact", "boundaries", "partial", "type"):
        found = muc(scored((GENE,), (DISEASE,)), mode)
        assert (found["MIS"], found["SPU"]) == (1, 1)


def test_partial_overlap_earns_half() -> None:
    counts = scored((GENE, DISEASE), (Span(13, 24, "Gene"),)).counts("partial")
    assert (counts.precision, counts.recall) == (0.5, 0.25)


def test_of_two_predictions_on_one_name_one_is_spurious() -> None:
    halves = Span(36, 42, "Disease"), Span(43, 49, "Disease")
    assert muc(scored((DISEASE,), halves), "type") == {
        "COR": 1,
        "INC": 0,
        "PAR": 0,
        "MIS": 0,
        "SPU": 1,
    }


def test_labels_can_be_ignored() -> None:
    scores = scored((GENE,), (Span(19, 24, "Drug"),), same_label=False)
    assert scores.counts("exact").f1 == scores.counts("type").f1 == 1


def test_discontinuous_names_must_agree_in_their_fragments() -> None:
    broken = Span(13, 29, "Gene", fragments=((13, 18), (25, 29)))
    other = Span(13, 29, "Gene", fragments=((13, 18), (24, 29)))
    assert scored((broken,), (broken,)).counts("exact").f1 == 1
    assert scored((broken,), (other,)).counts("exact").f1 == 0
    assert scored((broken,), (Span(13, 29, "Gene"),)).counts("exact").f1 == 0


def exact_twin(documents: list[Document], *, labels: bool) -> tuple[int, int, int]:
    n_right = n_predicted = n_wanted = 0
    for document in documents:
        wanted, predicted = (
            Counter(
                (span.start, span.end, span.fragments, span.label if labels else "")
                for span in document.layers.get(name, ())
            )
            for name in ("gold", "ann")
        )
        n_right += (wanted & predicted).total()
        n_predicted += predicted.total()
        n_wanted += wanted.total()
    return n_right, n_predicted, n_wanted


@given(corpora())
def test_exact_counts_are_those_of_multisets(documents: list[Document]) -> None:
    covered = [document for document in documents if "gold" in document.layers]
    for same_label in (True, False):
        scores = score(documents, standard="gold", same_label=same_label)["ann"]
        counts = scores.counts("exact")
        assert counts.right == counts.found
        assert (counts.right, counts.predicted, counts.wanted) == exact_twin(
            covered, labels=same_label
        )
        if not same_label:
            assert scores.counts("exact") == scores.counts("boundaries")


@given(corpora())
def test_swapping_sides_swaps_precision_and_recall(documents: list[Document]) -> None:
    both = [document for document in documents if {"gold", "ann"} <= set(document.layers)]
    there = score(both, standard="gold", systems=["ann"])["ann"]
    back = score(both, standard="ann", systems=["gold"])["gold"]
    for mode in ("exact", "boundaries", "partial", "type"):
        one, other = there.counts(mode), back.counts(mode)
        assert (one.right, one.predicted, one.found, one.wanted) == (
            other.found,
            other.wanted,
            other.right,
            other.predicted,
        )
    assert (there.confusion.table == back.confusion.table.T).all()


@given(corpora())
def test_lenient_views_never_give_less_credit(documents: list[Document]) -> None:
    scores = score(documents, standard="gold")["ann"]
    right = {mode: scores.counts(mode).right for mode in scores.views}
    assert right["exact"] <= right["boundaries"] <= right["partial"]
    assert right["exact"] <= right["type"]
