from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.recognise.annotated import marked
from vermeil import Document
from vermeil.errors import UnknownNameError
from vermeil.formats import read
from vermeil.recognise.linear.examples import examples_of
from vermeil.recognise.linear.options import LinearOptions
from vermeil.recognise.linear.tagger import LinearTagger
from vermeil.recognise.placed_names import are_right
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.recogniser import load, save
from vermeil.recognise.tagging import tag
from vermeil.scoring.ranked import calibrate
from vermeil.scoring.scores import score

pytest.importorskip("sklearn")

GENES = ("BRCA1", "p53", "protein kinase C", "IL-2", "tumour necrosis factor")
DOCUMENTS = [
    marked(
        f"{gene}-{verb}",
        f"We saw that [G:{gene}] {verb} in cells. Nothing {verb} there, they said.",
    )
    for gene in GENES
    for verb in ("rose", "fell", "was seen")
]
RECIPE = Recipe(("G",), tokeniser="separators")
FAST = LinearOptions(n_folds=0, n_bits=16)


def names(tagger: LinearTagger, text: str) -> list[str]:
    found = tagger.find([Document(id="1", text=text)])
    return [span.marked(text) for span in found.spans(0, found.candidates)]


@pytest.mark.parametrize("learner", ["svm", "online"])
@pytest.mark.parametrize("decoder", ["greedy", "viterbi"])
def test_it_finds_names_by_what_stands_around_them(learner: str, decoder: str) -> None:
    options = replace(FAST, learner=learner, decoder=decoder, hide_words=True, cost=1.0)
    tagger = LinearTagger.fit(DOCUMENTS, RECIPE, options=options)
    assert names(tagger, "We saw that XYZ9 fell in cells.") == ["XYZ9"]
    assert names(tagger, "We saw that protein kinase D rose in cells.") == ["protein kinase D"]
    assert names(tagger, "Nothing rose there.") == []


def test_confidences_rise_with_margins() -> None:
    tagger = LinearTagger.fit(DOCUMENTS, RECIPE, options=replace(FAST, n_folds=3))
    found, margin = tagger.find_margins(DOCUMENTS)
    order = np.argsort(margin, kind="stable")
    assert (np.diff(found.candidates.confidence[order]) >= 0).all()
    assert len(tagger.find(DOCUMENTS, threshold=1.1).candidates) == 0


def test_a_saved_tagger_is_the_same_to_the_last_digit(tmp_path: Path) -> None:
    options = replace(FAST, n_folds=2, decoder="viterbi", hide_words=True)
    tagger = LinearTagger.fit(DOCUMENTS, RECIPE, options=options)
    save(tagger, tmp_path / "model.zip")
    again = load(tmp_path / "model.zip")
    assert isinstance(again, LinearTagger)
    one, two = (each.find_margins(DOCUMENTS) for each in (tagger, again))
    assert np.array_equal(one[1], two[1])
    for column in ("start", "end", "confidence"):
        assert np.array_equal(*(getattr(each[0].candidates, column) for each in (one, two)))


@pytest.mark.parametrize("learner", ["svm", "online"])
def test_the_same_documents_give_the_same_tagger(learner: str) -> None:
    options = replace(FAST, learner=learner)
    one, two = (LinearTagger.fit(DOCUMENTS, RECIPE, options=options) for _ in range(2))
    assert np.array_equal(one.weights.columns, two.weights.columns)
    assert np.array_equal(one.weights.weights, two.weights.weights)


def test_examples_made_before_give_the_same_tagger() -> None:
    examples = [examples_of(DOCUMENTS, RECIPE, FAST)]
    whole = LinearTagger.fit(DOCUMENTS, RECIPE, options=FAST)
    made_before = LinearTagger.of_examples(examples, RECIPE, options=FAST)
    assert np.array_equal(whole.weights.weights, made_before.weights.weights)


def test_names_that_are_unknown_are_not_learned_as_none() -> None:
    text = "We saw that IL-2 rose in cells."
    half = [
        each.with_layer("dictionary", each.layers["gold"]).with_layer(
            "gold", () if number % 5 else each.layers["gold"]
        )
        for number, each in enumerate(DOCUMENTS * 2)
    ]
    taught = LinearTagger.fit(half, RECIPE, options=replace(FAST, unsure="dictionary"))
    misled = LinearTagger.fit(half, RECIPE, options=FAST)
    assert names(taught, text) == ["IL-2"]
    assert names(misled, text) == []


def test_an_unknown_learner_or_decoder_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="no learner named 'svn'; did you mean 'svm'"):
        LinearTagger.fit(DOCUMENTS, RECIPE, options=replace(FAST, learner="svn"))
    with pytest.raises(UnknownNameError, match="no decoder named 'greed'; did you mean 'greedy'"):
        LinearTagger.fit(DOCUMENTS, RECIPE, options=replace(FAST, decoder="greed"))


@pytest.mark.corpus
def test_proteins_of_abstracts_are_found_by_both_learners(corpora: Path) -> None:
    documents = sorted(
        read(corpora / "acquire" / "ge-train", annotator="gold"), key=lambda each: each.id
    )
    train, test = documents[:100], documents[400:500]
    recipe = Recipe(("Protein",), tokeniser="separators")
    fits = {
        "svm": LinearTagger.fit(train, recipe, options=LinearOptions(n_folds=2)),
        "online": LinearTagger.fit(
            train, recipe, options=LinearOptions(learner="online", n_folds=0)
        ),
    }
    f1 = {}
    for learner, tagger in fits.items():
        tagged = tag(tagger, test, name=learner, threshold=0.0)
        f1[learner] = score(tagged, standard="gold", systems=[learner])[learner].counts("exact").f1
    assert min(f1.values()) > 0.65
    assert abs(f1["svm"] - f1["online"]) < 0.015
    found = fits["svm"].find(test)
    calibration = calibrate(found.candidates.confidence, are_right(found, test, "gold"))
    assert calibration.expected_error < 0.08
