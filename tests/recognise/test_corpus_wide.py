import pytest

from tests.recognise.tiny import LABELS, N_TRAINED, samples, tiny_cascade, unseen, wide_cascade
from vermeil import Document
from vermeil.errors import UsageError
from vermeil.recognise.cascade import Cascade
from vermeil.recognise.corpus_wide import corpus_wide, gather, informed
from vermeil.recognise.folds import folds_of, held_out
from vermeil.recognise.judging.cross_validation import cross_validate
from vermeil.recognise.tagging import tag

pytest.importorskip("sklearn")


def confidences(model: Cascade, documents: list[Document]) -> list[list[float | None]]:
    tagged = tag(model, documents, name="m", threshold=0.001, overlaps=True)
    return [[span.confidence for span in each.layers["m"]] for each in tagged]


def test_a_document_is_read_the_same_alone_and_among_others_unless_told_of_them() -> None:
    model, documents = wide_cascade(), unseen()[:8]
    together = confidences(model, documents)
    assert [confidences(model, [each])[0] for each in documents] == together
    assert confidences(informed(model, documents), documents) != together


def test_evidence_of_parts_adds_to_that_of_the_whole() -> None:
    model, documents = wide_cascade(), unseen()[:8]
    whole, parts = gather(model, documents), gather(model, documents[:3])
    parts += gather(model, documents[3:])
    assert whole.key.tolist() == parts.key.tolist()
    assert whole.sums.tolist() == parts.sums.tolist()


def test_only_a_model_that_was_trained_so_looks_at_a_corpus() -> None:
    assert informed(tiny_cascade(), unseen()) is tiny_cascade()
    assert corpus_wide(wide_cascade()) is wide_cascade()
    with pytest.raises(UsageError, match="not trained to look at other documents"):
        corpus_wide(tiny_cascade())


def test_a_fold_is_read_as_one_corpus() -> None:
    model, documents = wide_cascade(), list(samples()[N_TRAINED : N_TRAINED + 12])
    read = cross_validate(lambda rest: model, documents, LABELS, n_folds=2, n_read=1)
    _, fold = held_out(documents, folds_of(len(documents), 2), 0)
    known = informed(model, fold).find(fold).candidates.confidence
    assert read.confidence.tolist() == known.tolist()
    assert known.tolist() != model.find(fold).candidates.confidence.tolist()
