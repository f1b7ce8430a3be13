import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.acquisition.bed import abstracts, lexicon, links
from vermeil.acquisition.labelling import CONSENSUS, Labelling, label
from vermeil.acquisition.links.hidden_names import learned_by_length, length_scores
from vermeil.acquisition.support.judgement import Judgement
from vermeil.acquisition.support.lengths import LEAST, LONGEST, LengthScores, lengths_of
from vermeil.errors import UsageError
from vermeil.text.tokens import tokenise


@given(st.integers(0, 1000), st.floats(-4, 4))
def test_as_many_names_of_each_length_are_found_as_of_all(seed: int, threshold: float) -> None:
    chance = np.random.default_rng(seed)
    length = chance.integers(1, LONGEST, 4000)
    score = chance.normal(length / 2, 1.0)
    scores = LengthScores.of(score, length)
    share = (score > threshold).mean()
    by_length = scores.thresholds(threshold)
    assert by_length[LONGEST - 1] == threshold  # there are none so long
    if not 0.01 < share < 0.99:
        return
    for each in range(1, LONGEST):
        own = score[length == each]
        assert (own > by_length[each - 1]).mean() == pytest.approx(share, abs=0.005)
    moved = scores.levelled(score, length, threshold)
    assert ((moved > threshold) == (score > by_length[length - 1])).all()


def test_few_names_of_a_length_have_the_threshold_of_all() -> None:
    score = np.arange(3.0 * LEAST)
    length = np.where(score < LEAST - 1, 2, 1)
    thresholds = LengthScores.of(score, length).thresholds(60.0)
    assert thresholds[1:].tolist() == [60.0] * (LONGEST - 1)
    assert thresholds[0] > 60


def test_lengths_are_those_of_the_tokens_of_a_match() -> None:
    judged = Judgement.learn(lexicon(), links(), abstracts()).judge(abstracts()[:9])
    found = lengths_of(judged.matches, abstracts()[:9], tokeniser="fine").tolist()
    columns = judged.matches.document, judged.matches.start, judged.matches.end
    assert found == [
        min(LONGEST, len(tokenise(abstracts()[document].text[start:end], by="fine")))
        for document, start, end in zip(*(each.tolist() for each in columns), strict=True)
    ]


def test_what_is_learned_by_length_is_kept_and_used() -> None:
    made = learned_by_length(lexicon(), links(), abstracts(), tokeniser="punctuation")
    assert made.lengths is not None
    again = Judgement.from_arrays(lexicon(), links(), made.tokeniser, made.arrays())
    assert again.lengths is not None
    kept = again.lengths.quantiles
    assert np.array_equal(kept, made.lengths.quantiles, equal_nan=True)
    known = [each for each in abstracts() if links().references.number_of(each.id) >= 0]
    alone = length_scores(lexicon(), links(), known, "punctuation")
    assert np.array_equal(alone.quantiles, made.lengths.quantiles, equal_nan=True)
    how = Labelling(by_length=True)
    labelled = label(abstracts()[:30], lexicon(), links(), again, tokeniser=made.tokeniser, how=how)
    assert any(each.layers[CONSENSUS] for each in labelled)


def test_what_was_learned_without_lengths_is_refused() -> None:
    plain = Judgement.learn(lexicon(), links(), abstracts())
    how = Labelling(by_length=True)
    with pytest.raises(UsageError, match="learn again with --by-length"):
        next(label(abstracts(), lexicon(), links(), plain, tokeniser="punctuation", how=how))
