import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.recognise.annotated import marked
from vermeil.errors import MissingExtraError, UsageError
from vermeil.recognise.linear.examples import Examples, examples_of
from vermeil.recognise.linear.features import columns_of
from vermeil.recognise.linear.iobes import Iobes
from vermeil.recognise.linear.learning import (
    LEARNERS,
    LEAST_WEIGHT,
    LinearWeights,
    as_matrix,
    fit_online,
    fit_svm,
)
from vermeil.recognise.linear.options import LinearOptions
from vermeil.recognise.recipe import Recipe

pytest.importorskip("sklearn")

TEXTS = [
    "We saw [G:BRCA1] and [G:protein kinase C] in cells. No gene was seen.",
    "Then [G:p53] bound [G:BRCA1], and the [C:T cell] died of [G:tumour necrosis factor].",
    "In [C:mast cell] cultures [G:IL-2] rose. It fell in others.",
]
DOCUMENTS = [marked(str(number), text) for number, text in enumerate(TEXTS)]
LABELS = ("G", "C")
TAGS = Iobes(LABELS)
RECIPE, SMALL_HASHES = Recipe(LABELS, tokeniser="separators"), LinearOptions(n_bits=13)
SMALL: dict[str, dict[str, Any]] = {"svm": {}, "online": {"n_bits": SMALL_HASHES.n_bits}}

every_learner = pytest.mark.parametrize("learner", sorted(LEARNERS))


def scored(weights: LinearWeights, examples: Examples) -> np.ndarray:
    before = np.minimum(examples.before, len(TAGS))
    return weights.scores(examples.encoded) + weights.before[before]


def test_our_scores_are_the_decision_function_of_scikit_learn() -> None:
    from sklearn.svm import LinearSVC

    examples = examples_of(DOCUMENTS, RECIPE, SMALL_HASHES)
    matrix = as_matrix(
        columns_of(examples.encoded), examples.before, 1 << SMALL_HASHES.n_bits, TAGS
    )
    peer = LinearSVC(C=0.1, fit_intercept=False, tol=0.01, random_state=0)
    peer.fit(matrix, examples.tag)
    ours = scored(fit_svm([examples], TAGS), examples)
    width = columns_of(examples.encoded).shape[1]
    assert ours[:, peer.classes_] == pytest.approx(
        peer.decision_function(matrix), abs=width * LEAST_WEIGHT
    )
    assert np.array_equal(ours.argmax(axis=1), peer.predict(matrix))
    assert np.array_equal(ours.argmax(axis=1), examples.tag)


@every_learner
def test_the_training_tokens_are_learned(learner: str) -> None:
    examples = examples_of(DOCUMENTS, RECIPE, SMALL_HASHES)
    more = {**SMALL[learner], "n_epochs": 30} if learner == "online" else {}
    weights = LEARNERS[learner]([examples], TAGS, cost=10.0, **more)
    assert np.array_equal(scored(weights, examples).argmax(axis=1), examples.tag)


def test_the_online_learner_tends_to_the_svm() -> None:
    examples = examples_of(DOCUMENTS, RECIPE, SMALL_HASHES)
    wanted = scored(fit_svm([examples], TAGS), examples)
    few, many = (
        scored(fit_online([examples], TAGS, n_epochs=n, n_bits=SMALL_HASHES.n_bits), examples)[
            :, wanted[0] > -np.inf
        ]
        for n in (2, 100)
    )
    wanted = wanted[:, wanted[0] > -np.inf]
    assert np.abs(many - wanted).mean() < 0.05 < np.abs(few - wanted).mean()


@every_learner
def test_a_tag_never_seen_is_never_the_best(learner: str) -> None:
    singles = [marked("1", "We saw [G:BRCA1] and [G:p53] in cells.")]
    examples = examples_of(singles, RECIPE, SMALL_HASHES)
    scores = scored(LEARNERS[learner]([examples], TAGS, **SMALL[learner]), examples)
    assert set(scores.argmax(axis=1).tolist()) <= {0, 4}


@every_learner
def test_a_token_of_no_weight_teaches_nothing(learner: str) -> None:
    examples = examples_of(DOCUMENTS, RECIPE, SMALL_HASHES)
    ignored = slice(3, 9)
    tag, weight = examples.tag.copy(), examples.weight.copy()
    tag[ignored], weight[ignored] = 4, 0.0
    wrong = Examples(examples.encoded, tag, examples.before, weight)
    scores = scored(LEARNERS[learner]([wrong], TAGS, **SMALL[learner]), examples)
    tempted = scored(
        LEARNERS[learner]([replace(wrong, weight=examples.weight)], TAGS, **SMALL[learner]),
        examples,
    )
    assert (scores.argmax(axis=1)[ignored] != 4).all()
    assert (tempted.argmax(axis=1)[ignored] == 4).all()


def test_nothing_to_learn_from_is_refused_in_one_line() -> None:
    plain = [examples_of([marked("1", "Nothing here.")], RECIPE, SMALL_HASHES)]
    with pytest.raises(UsageError, match="no names of these labels"):
        fit_svm(plain, TAGS)
    with pytest.raises(UsageError, match="no names of these labels"):
        fit_svm([], TAGS)
    with pytest.raises(UsageError, match="nothing to learn from"):
        fit_online([], TAGS)


@every_learner
def test_without_scikit_learn_the_error_names_the_extra(
    learner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vermeil.recognise.linear.learning.find_spec", lambda _: None)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(
        MissingExtraError, match=r"linear tagger needs scikit-learn, .* 'scikit-learn>="
    ):
        LEARNERS[learner]([], TAGS)
