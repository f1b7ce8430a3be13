from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.recognise.word_classes.made_up import DRUGS, PEOPLE, words
from vermeil.recognise.words.company_score import PENALTY, CompanyScore, logistic

SIDES = {**dict.fromkeys(DRUGS[:1] + DRUGS[4:6], 2), **dict.fromkeys(PEOPLE[:4], 1), "the": 1}


def test_words_in_the_company_of_names_score_higher_seen_or_not() -> None:
    table = words().tokens
    score = CompanyScore.fit(SIDES, table)
    drug, person, drugs, the = score.score(["codeine", "infants", "codeines", "The"], table)
    assert drug > 0 > person
    assert drugs > person > -12.1
    assert the < 0


def test_scores_need_no_vectors_once_they_are_learned() -> None:
    score, small = CompanyScore.fit(SIDES, words().tokens), words().without_vectors().tokens
    some = ["codeine", "infants", "never-seen"]
    again = CompanyScore.from_arrays(score.arrays(), small)
    assert again.score(some, small).tolist() == score.score(some, words().tokens).tolist()


def test_scores_of_another_table_are_refused() -> None:
    score = CompanyScore.fit(SIDES, words().tokens)
    other = replace(score, scores=score.scores[1:])
    with pytest.raises(ValueError, match="scores has the shape"):
        CompanyScore.from_arrays(other.arrays(), words().tokens)


def test_of_words_on_one_side_only_nothing_is_learned() -> None:
    table = words().tokens
    assert not CompanyScore.fit({"aspirin": 2}, table).score(["aspirin", "men"], table).any()


def test_weights_are_where_the_penalised_likelihood_is_flat() -> None:
    chance = np.random.default_rng(0)
    design = np.column_stack((chance.standard_normal((50, 3)), np.ones(50)))
    right = chance.random(50) < 0.4
    weights = logistic(design, right)
    likely = 1 / (1 + np.exp(-design @ weights))
    slope = design.T @ (right - likely) - np.array([PENALTY] * 3 + [1e-3]) * weights
    assert_allclose(slope, 0, atol=1e-9)
