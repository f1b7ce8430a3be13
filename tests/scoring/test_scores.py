"""What holds for all views together."""

import random

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from tests.scoring.corpora import corpora
from vermeil import Centroid, Document, Span
from vermeil.errors import UnknownNameError
from vermeil.scope import Scope
from vermeil.scoring.counts import Counts
from vermeil.scoring.scores import VIEWS, Scores, score
from vermeil.scoring.stage import ScoreStage
from vermeil.scoring.views.confusion import NOTHING
from vermeil.scoring.views.instances import instances, offenders

TEXT = "BRCA1 causes breast cancer."
GENE, DISEASE = Span(0, 5, "Gene"), Span(13, 26, "Disease")


def everything(scores: Scores) -> list[object]:
    """Collect all that scores say, for comparison."""
    said: list[object] = [
        scores.n_absent,
        scores.confusion.cells,
        repr(scores.boundaries.mean_left),
    ]
    for name, view in scores.views.items():
        said += [name, view.counts, view.by_label, view.per_document().tobytes(), view.outcomes]
        said += [repr(view.over_labels), repr(view.over_documents)]
        said += [list(instances(scores, name)), offenders(scores, name, 3)]
    return said


@given(corpora(with_centroids=True), st.randoms(use_true_random=False))
def test_no_order_changes_anything(documents: list[Document], rng: random.Random) -> None:
    shuffled = [
        each.replace(
            layers={
                name: tuple(rng.sample(each.layers[name], len(each.layers[name])))
                for name in rng.sample(sorted(each.layers), len(each.layers))
            },
            standards={
                name: tuple(rng.sample(hearts, len(hearts)))
                for name, hearts in each.standards.items()
            },
        )
        for each in rng.sample(documents, len(documents))
    ]
    before, after = score(documents, standard="gold"), score(shuffled, standard="gold")
    assert list(before) == list(after)
    for name in before:
        assert everything(before[name]) == everything(after[name])


@given(corpora(with_centroids=True))
def test_parts_add_to_the_whole(documents: list[Document]) -> None:
    for scores in score(documents, standard="gold").values():
        for view in scores.views.values():
            assert Counts(*view.per_document().sum(axis=0)) == view.counts
            assert sum(view.by_label.values(), start=Counts()) == view.counts
            predicted, wanted = view.outcomes
            assert sum(predicted.values()) == len(view.predicted)
            assert sum(wanted.values()) == len(view.wanted) == view.counts.wanted


@given(corpora())
def test_every_count_is_linked_to_its_instances(documents: list[Document]) -> None:
    scores = score(documents, standard="gold")["ann"]
    for name in VIEWS:
        listed = list(instances(scores, name))
        predicted, wanted = scores.views[name].outcomes
        for outcome in predicted:
            assert predicted[outcome] == sum(i.predicted and i.outcome == outcome for i in listed)
            assert wanted[outcome] == sum(not i.predicted and i.outcome == outcome for i in listed)
        texts = {document.id: document.text for document in documents}
        assert all(each.text == each.span.marked(texts[each.document]) for each in listed)


@given(corpora())
def test_confusion_accounts_for_every_name(documents: list[Document]) -> None:
    scores = score(documents, standard="gold")["ann"]
    counts = scores.counts("exact")
    table = scores.confusion.table
    assert table[:-1].sum() == counts.wanted
    assert table[:, :-1].sum() == counts.predicted


def test_a_system_that_did_not_look_found_nothing_and_is_reported() -> None:
    both = Document(id="1", text=TEXT, layers={"gold": (GENE,), "ann": (GENE,)})
    alone = Document(id="2", text=TEXT, layers={"gold": (GENE,)})
    scores = score([both, alone], standard="gold")["ann"]
    assert scores.n_absent == 1
    assert scores.counts("exact") == Counts(1, 1, 1, 2)


def test_documents_without_the_standard_are_not_scored() -> None:
    both = Document(id="1", text=TEXT, layers={"gold": (GENE,), "ann": (GENE,)})
    other = Document(id="2", text=TEXT, layers={"ann": (GENE,)})
    assert score([both, other], standard="gold")["ann"].counts("exact").predicted == 1


def test_alternatives_are_not_a_system() -> None:
    layers = {"gold": (GENE,), "gold.alternatives": (), "ann": ()}
    assert list(score([Document(id="1", text=TEXT, layers=layers)], standard="gold")) == ["ann"]


def test_an_unknown_standard_is_named() -> None:
    document = Document(id="1", text=TEXT, layers={"gold": (), "ann": ()})
    with pytest.raises(UnknownNameError, match="no layer named 'golt'; did you mean 'gold'"):
        score([document], standard="golt")


def test_per_document_counts_are_in_order_of_ids() -> None:
    one = Document(id="1", text=TEXT, layers={"gold": (GENE,), "ann": (GENE, DISEASE)})
    two = Document(id="2", text=TEXT, layers={"gold": (GENE, DISEASE), "ann": ()})
    scores = score([two, one], standard="gold")["ann"]
    table = scores.per_document("exact")
    assert table.dtype == np.float64
    assert table.tolist() == [[1, 2, 1, 1], [0, 0, 0, 2]]


def test_macro_averages_are_over_what_is_defined() -> None:
    one = Document(id="1", text=TEXT, layers={"gold": (GENE, DISEASE), "ann": (GENE,)})
    two = Document(id="2", text=TEXT, layers={"gold": (), "ann": ()})
    view = score([one, two], standard="gold", scope=Scope())["ann"].views["exact"]
    assert (view.over_labels.precision, view.over_labels.recall, view.over_labels.f1) == (
        1,
        0.5,
        0.5,
    )
    assert view.over_documents.recall == 0.5


def test_confusion_counts_labels_in_place() -> None:
    layers = {"gold": (GENE, DISEASE), "ann": (Span(0, 12, "Drug"),)}
    scores = score([Document(id="1", text=TEXT, layers=layers)], standard="gold")["ann"]
    assert scores.confusion.cells == {("Gene", "Drug"): 1, ("Disease", NOTHING): 1}


def test_offenders_are_counted_and_shown_with_what_they_were_compared_with() -> None:
    wide = Span(0, 12, "Gene")
    documents = [
        Document(id=str(n), text=TEXT, layers={"gold": (GENE, DISEASE), "ann": (wide,)})
        for n in range(3)
    ]
    scores = score(documents, standard="gold", scope=Scope())["ann"]
    first, second = offenders(scores, "exact", 2)
    assert (first.n, first.first.text, first.first.predicted) == (3, "BRCA1 causes", True)
    assert (first.first.compared, first.first.document) == (GENE, "0")
    assert (second.first.text, second.first.outcome) == ("breast cancer", "total")
    assert second.first.compared is None


def test_a_consensus_with_nested_names_is_not_flat() -> None:
    wide, narrow = Span(0, 12, "Gene"), Span(4, 7, "Gene")
    document = Document(
        id="1", text="the p53 gene", layers={"silver": (wide, narrow), "x": (wide,)}
    )
    carried = document.with_standard("silver", [Centroid.of(wide), Centroid.of(narrow)])
    stage = ScoreStage("silver", overlaps="alternatives")
    assert stage.observe(iter([document])).n_alternatives("silver") == 1
    for documents in ([carried], [carried, document.replace(id="2")]):
        sums = stage.observe(iter(documents))
        [scored] = sums.of_systems("silver").values()
        n_wanted = 2 if len(documents) == 1 else 3
        assert scored.counts("biocreative").wanted == n_wanted
        assert scored.counts("exact").wanted == 2 * len(documents)
