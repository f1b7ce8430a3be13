import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.recognise.tiny import unseen, worded_cascade
from vermeil.recognise.rescoring.word_evidence import SHORTEST, company_of_words, words_elsewhere

pytest.importorskip("sklearn")


def test_evidence_of_words_is_that_of_a_plain_loop() -> None:
    cascade, documents = worded_cascade(), unseen()[:5]
    axis, lattice, candidates = cascade.lattice_candidates(documents)
    known = cascade.knowledge.known(axis.vocabulary.words)
    made = {
        **company_of_words(candidates, axis, known),
        **words_elsewhere(candidates, lattice, axis, known),
    }
    company = cascade.knowledge.known(axis.words).company
    spelling = cascade.knowledge.preclassifier.score(axis.words)
    inside = 1 - lattice.marginal[:, 0]
    document = np.searchsorted(axis.first_of_document, np.arange(len(axis.words)), side="right")
    lower = np.array([word.lower() for word in axis.words])
    for row in range(len(candidates)):
        start, end = int(candidates.start[row]), int(candidates.end[row])
        first, last = axis.first_token[candidates.sentence[row] : candidates.sentence[row] + 2]
        others = [
            inside[
                (lower == lower[at]) & (document == document[at]) & (np.arange(len(lower)) != at)
            ]
            for at in range(start, end)
            if len(axis.words[at]) >= SHORTEST
        ]
        there = [each for each in others if len(each)]
        wanted = {
            "mean company": company[start:end].mean(),
            "first company": company[start],
            "last company": company[end - 1],
            "company before": company[start - 1] if start > first else np.nan,
            "spelling before": spelling[start - 1] if start > first else np.nan,
            "company after": company[end] if end < last else np.nan,
            "spelling after": spelling[end] if end < last else np.nan,
            "words elsewhere: mean": np.mean([each.mean() for each in there]) if there else np.nan,
            "words elsewhere: best": np.mean([each.max() for each in there]) if there else np.nan,
        }
        assert made.keys() == wanted.keys()
        for name, value in wanted.items():
            assert_allclose(made[name][row], value, atol=1e-9, err_msg=name)
