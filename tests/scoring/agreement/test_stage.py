from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given, settings

from tests.in_full import in_full
from tests.scoring.annotated import annotated
from vermeil import Document, Span
from vermeil.errors import UnknownNameError
from vermeil.runs.results import put_together, taken_apart
from vermeil.scoring.agreement import AgreeStage, VotersStage, agreement_of
from vermeil.scoring.agreement.stage import Voters
from vermeil.scoring.agreement.sums import AgreementSums
from vermeil.scoring.agreement.totals import drawn

GENE, DISEASE = Span(0, 5, "Gene"), Span(6, 12, "Disease")


@settings(max_examples=15)
@given(annotated())
def test_parts_stored_and_added_up_are_the_whole(batch: list[Document]) -> None:
    first = VotersStage()
    kept = [taken_apart(first.observe(iter([document]))) for document in batch]
    voters = reduce(add, (put_together(Voters, each) for each in kept))
    stage = AgreeStage.of(first.finish(voters), n_resamples=3, n_worst=2)
    at_once = first.finish(first.observe(iter(batch)))
    whole = AgreeStage.of(at_once, n_resamples=3, n_worst=2)
    assert in_full(whole.words) == in_full(stage.words)
    parts = [taken_apart(stage.observe(iter([document]))) for document in reversed(batch)]
    sums = reduce(add, (put_together(AgreementSums, each) for each in parts))
    found = agreement_of(stage, sums)
    wanted = agreement_of(whole, whole.observe(iter(batch)))
    for name in ("pairs", "alpha", "labels", "left_out", "intervals", "worst", "label_examples"):
        assert in_full(getattr(found, name)) == in_full(getattr(wanted, name)), name
    assert found.pair_examples == wanted.pair_examples
    assert found.confusion == wanted.confusion


def test_who_does_not_look_for_a_label_is_not_compared_on_it() -> None:
    layers = {"anna": (GENE, DISEASE), "chem": (GENE,)}
    batch = [Document(id="1", text="BRCA1 cancer", layers=layers)]
    first = VotersStage()
    voters = first.finish(first.observe(iter(batch)))
    for told, f1 in (({}, 1.0), ({"chem": frozenset(["Gene", "Disease"])}, 2 / 3)):
        stage = AgreeStage.of(voters, told)
        [pair] = agreement_of(stage, stage.observe(iter(batch))).pairs
        assert pair.exact.f1 == pytest.approx(f1)
        assert (pair.kappa == 1) == (f1 == 1)
    with pytest.raises(UnknownNameError, match="did you mean 'chem'"):
        AgreeStage.of(voters, {"chen": frozenset(["Gene"])})


def test_a_document_can_say_itself_who_looks_for_what() -> None:
    layers = {"anna": (GENE, DISEASE), "ben": (GENE, DISEASE)}
    usual = Document(id="1", text="BRCA1 cancer", layers=layers)
    told = Document(
        id="2",
        text="BRCA1 cancer",
        layers={"anna": (GENE, DISEASE), "ben": (GENE,)},
        meta={"scope": {"ben": ["Gene"]}},
    )
    first = VotersStage()
    stage = AgreeStage.of(first.finish(first.observe(iter([usual, told]))))
    agreement = agreement_of(stage, stage.observe(iter([usual, told])))
    assert agreement.pairs[0].exact.f1 == 1
    assert agreement.alpha == 1


def test_resamples_draw_documents_once_on_average() -> None:
    times = drawn([str(n) for n in range(400)], 200, seed=1)
    assert times.mean() == pytest.approx(1, abs=0.02)
    assert times.var() == pytest.approx(1, abs=0.05)
    assert (times == drawn([str(n) for n in range(400)], 200, seed=1)).all()
    assert not (times == drawn([str(n) for n in range(400)], 200, seed=2)).all()
    correlations = np.corrcoef(times[:40])
    assert np.abs(correlations - np.eye(40)).max() < 0.35


def test_examples_are_the_first_by_document_and_place() -> None:
    batch = [
        Document(id=id, text="BRCA1 cancer", layers={"anna": (GENE, DISEASE), "ben": said})
        for id, said in (("b", (Span(0, 5, "Disease"),)), ("a", (GENE, Span(6, 12, "Gene"))))
    ]
    first = VotersStage()
    stage = AgreeStage.of(first.finish(first.observe(iter(batch))))
    agreement = agreement_of(stage, stage.observe(iter(batch)))
    [mixed] = [each for two, each in agreement.label_examples.items() if two[1]]
    assert [(each.document, each.start, each.by, each.text) for each in mixed] == [
        ("a", 6, "anna", "cancer"),
        ("b", 0, "ben", "BRCA1"),
    ]
    example = agreement.pair_examples["anna", "ben"]
    assert (example.document, example.text, example.instead) == ("a", "cancer", "cancer")
    assert agreement.confused_labels["Gene", "Disease"] == 2
    assert agreement.confusion["anna", "Disease", "Gene"] == 1
