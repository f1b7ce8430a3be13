from pathlib import Path

import numpy as np
import pytest

from tests.acquisition.bed import WORDS, abstracts, lexicon, links
from vermeil import Document
from vermeil.acquisition.labelling import Labelling, label
from vermeil.acquisition.support.counts import PRIOR, SupportRates
from vermeil.acquisition.support.judgement import Judgement
from vermeil.acquisition.support.model import SupportModel
from vermeil.errors import FormatError, UsageError
from vermeil.scoring.counts import Counts


@pytest.fixture(scope="module")
def judgement() -> Judgement:
    return Judgement.learn(lexicon(), links(), abstracts())


def counts_of(documents: list[Document], layer: str) -> Counts:
    total = Counts()
    for document in documents:
        found = {(span.start, span.end) for span in document.layers[layer]}
        wanted = {(span.start, span.end) for span in document.layers["gold"]}
        right = len(found & wanted)
        total += Counts(right, len(found), right, len(wanted))
    return total


def test_a_name_that_is_mostly_a_word_has_a_low_rate(judgement: Judgement) -> None:
    rates = {}
    for key in range(len(lexicon())):
        n, rate = judgement.rates.of_matches(np.array([key]))
        if n[0]:
            rates[lexicon().names_of(key)[0]] = rate[0]
    words = [rates.pop(word) for word in WORDS]
    assert max(words) < min(rates.values())


def test_a_match_is_no_witness_for_itself() -> None:
    rates = SupportRates(np.array([1, 5]), np.array([1, 2]))
    every = np.array([True, True])
    n, rate = rates.of_matches(np.array([0, 1]), is_referenced=every, supported=every)
    assert n.tolist() == [0, 4]
    assert rate.tolist() == [PRIOR, (1 + PRIOR) / 5]


def test_what_looks_supported_is_found_without_a_reference(judgement: Judgement) -> None:
    unlinked = [each for each in abstracts() if links().references.number_of(each.id) < 0]
    labelled = list(label(unlinked, lexicon(), links(), judgement, tokeniser=judgement.tokeniser))
    assert all(not document.layers["reference"] for document in labelled)
    assert counts_of(labelled, "dictionary").precision < 0.5
    support = counts_of(labelled, "consensus")
    assert support.precision > 0.95
    assert support.recall > 0.7  # the rest is in no database


def test_layers_grow_from_reference_to_coordination_to_dictionary(judgement: Judgement) -> None:
    for document in label(
        abstracts(), lexicon(), links(), judgement, tokeniser=judgement.tokeniser
    ):
        places = {
            name: {(span.start, span.end) for span in document.layers[name]}
            for name in ("reference", "coordination", "dictionary", "consensus")
        }
        assert places["reference"] <= places["coordination"] <= places["dictionary"]
        assert places["reference"] <= places["consensus"]


def test_a_higher_threshold_never_adds_names(judgement: Judgement) -> None:
    n_names = [
        sum(
            len(document.layers["consensus"])
            for document in label(
                abstracts(),
                lexicon(),
                links(),
                judgement,
                tokeniser=judgement.tokeniser,
                how=Labelling(threshold=threshold),
            )
        )
        for threshold in (-6.0, -2.5, 0.0, 9.0)
    ]
    assert n_names == sorted(n_names, reverse=True)


def test_scores_do_not_depend_on_the_batch(judgement: Judgement) -> None:
    documents = abstracts()[:9]
    together = judgement.judge(documents)
    alone = np.concatenate([judgement.judge([each]).score for each in documents])
    assert together.score == pytest.approx(alone, abs=1e-9)


def test_what_was_learned_comes_back_from_its_file(judgement: Judgement, tmp_path: Path) -> None:
    judgement.save(tmp_path / "learned.zip")
    again = Judgement.load(tmp_path / "learned.zip", lexicon(), links())
    assert (again.judge(abstracts()).score == judgement.judge(abstracts()).score).all()


def test_what_was_learned_about_another_lexicon_is_refused(
    judgement: Judgement, tmp_path: Path
) -> None:
    from vermeil.acquisition.lexicon.compilation import Entry, compile_lexicon

    judgement.save(tmp_path / "learned.zip")
    other = compile_lexicon([Entry("BRCA1", "672", "Gene")])
    with pytest.raises(FormatError, match="learn again"):
        Judgement.load(tmp_path / "learned.zip", other, links())


def test_too_few_supported_matches_are_said() -> None:
    with pytest.raises(UsageError, match="too little to learn from"):
        Judgement.learn(lexicon(), links(), abstracts()[:6])


def test_the_model_learns_which_column_tells() -> None:
    chance = np.random.default_rng(0)
    columns = chance.integers(0, 50, size=(4000, 3))
    supported = columns[:, 0] < 25
    model = SupportModel.fit(columns + np.array([0, 50, 100]), supported)
    scores = model.score(columns + np.array([0, 50, 100]))
    assert ((scores > 0) == supported).mean() > 0.99
    again = SupportModel.from_arrays(model.arrays())
    assert (again.score(columns) == model.score(columns)).all()
