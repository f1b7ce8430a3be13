import pytest
from hypothesis import given

from tests.scoring.agreement.naive import naive_counts, only_labels, scopes
from tests.scoring.annotated import ANNOTATORS, annotated
from vermeil import Document, Span
from vermeil.consensus import Options, combine
from vermeil.consensus.centroids import Settings
from vermeil.scoring.agreement import agree
from vermeil.scoring.agreement.left_out import FEW
from vermeil.scoring.counts import Counts

HALF = Options(settings=Settings(min_share=0.5))
EVERYTHING = dict.fromkeys(ANNOTATORS, frozenset("*"))


@given(annotated())
def test_leaving_one_out_is_scoring_against_the_consensus_of_the_others(
    batch: list[Document],
) -> None:
    for left_out in agree(batch, scope=EVERYTHING).left_out:
        others = [name for name in ANNOTATORS if name != left_out.annotator]
        judged = combine(batch, by="hearts", name="others", annotators=others)
        seen = [
            (document.layers["others"], document.layers[left_out.annotator])
            for document in judged
            if left_out.annotator in document.layers
            and not document.layers.keys().isdisjoint(others)
        ]
        assert (left_out.exact, left_out.overlap) == naive_counts(seen)
        assert left_out.n_documents == len(seen)


@given(batch=annotated())
def test_in_a_crowd_half_of_those_decide_who_look_for_the_label(batch: list[Document]) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("vermeil.scoring.agreement.stage.FEW", 0)
        found = agree(batch).left_out
    looks = scopes(batch)
    assert [each.annotator for each in found] == sorted(looks)
    for each in found:
        exact = overlap = Counts()
        for document in batch:
            if each.annotator not in document.layers:
                continue
            for label in looks[each.annotator]:
                voters = {
                    name: only_labels(layer, frozenset([label]))
                    for name, layer in document.layers.items()
                    if label in looks[name] and name != each.annotator
                }
                if voters:
                    alone = document.replace(layers=voters)
                    [judged] = combine([alone], by="centroids", name="others", options=HALF)
                    own = only_labels(document.layers[each.annotator], frozenset([label]))
                    more = naive_counts([(judged.layers["others"], own)])
                    exact, overlap = exact + more[0], overlap + more[1]
        assert (each.exact, each.overlap) == (exact, overlap)


def test_a_label_that_nobody_else_looks_for_is_not_held_against_anybody() -> None:
    gene, disease = Span(0, 5, "Gene"), Span(6, 12, "Disease")
    layers = {"anna": (gene, disease), **dict.fromkeys(("ben", "cleo"), (gene,))}
    batch = [Document(id="1", text="BRCA1 cancer", layers=layers)]
    anna = agree(batch).left_out[0]
    assert (anna.annotator, anna.exact) == ("anna", Counts(1, 1, 1, 1))


def test_of_a_crowd_nothing_is_learned() -> None:
    gene = Span(0, 5, "Gene")
    names = [f"a{number:02}" for number in range(FEW + 1)]
    batch = [
        Document(id=str(n), text="BRCA1 was seen", layers=dict.fromkeys(names[n : n + 3], (gene,)))
        for n in range(len(names) - 2)
    ]
    agreement = agree(batch)
    assert len(agreement.left_out) == FEW + 1
    assert all(each.exact.f1 == 1 for each in agreement.left_out)
    assert agreement.looked == {}
    # Those who never met are no pair.
    assert len(agreement.pairs) == 2 * FEW - 1
