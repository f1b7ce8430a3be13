"""Votes of documents for strings against a naive twin that counts them one by one."""

from math import exp, isnan, log1p

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from vermeil.recognise.rescoring.corpus_evidence import UNIT, CorpusEvidence, DocumentVotes

Row = tuple[int, int, float, float, bool]
FITS = st.sampled_from([float("nan"), 0.0, 0.25, 1.0])
ROWS = st.lists(
    st.tuples(st.integers(1, 4), st.integers(0, 3), st.integers(-8, 8), FITS, st.booleans()),
    min_size=1,
    max_size=30,
)


def votes_of(rows: list[Row]) -> DocumentVotes:
    key, document, logit, fit, voting = zip(*rows, strict=True)
    return DocumentVotes.of(
        np.array(key, dtype=np.uint64),
        np.array(document),
        np.array(logit, dtype=float),
        np.array(fit),
        np.array(voting),
    )


@given(ROWS)
def test_a_candidate_is_told_what_other_documents_say(rows: list[Row]) -> None:
    votes = votes_of(rows)
    columns = CorpusEvidence.of(votes).elsewhere(votes)
    for place, (key, document, *_) in enumerate(rows):
        best: dict[int, float] = {}
        fits: dict[int, float] = {}
        for other, where, logit, fit, voting in rows:
            if other == key and where != document:
                if voting:
                    best[where] = max(logit, best.get(where, logit))
                if not isnan(fit):
                    fits[where] = max(fit, fits.get(where, fit))
        n = len(best)
        assert columns["corpus: how often"][place] == pytest.approx(log1p(n))
        assert columns["corpus: short form"][place] == pytest.approx(log1p(len(fits)))
        sure = sum(round(UNIT / (1 + exp(-each))) for each in best.values()) / UNIT
        assert columns["corpus: sure"][place] == pytest.approx((sure + 0.5) / (n + 1))
        mean = sum(best.values()) / n if n else np.nan
        np.testing.assert_allclose(columns["corpus: mean"][place], mean)
        fit = sum(fits.values()) / len(fits) if fits else np.nan
        np.testing.assert_allclose(columns["corpus: fit of long form"][place], fit)


@given(ROWS, st.integers(0, 3))
def test_evidence_adds_however_documents_are_cut(rows: list[Row], cut: int) -> None:
    whole = CorpusEvidence.of(votes_of(rows))
    parts = [[row for row in rows if (row[1] < cut) is is_first] for is_first in (True, False)]
    total = CorpusEvidence.nothing()
    for part in reversed([part for part in parts if part]):
        total += CorpusEvidence.of(votes_of(part))
    assert total.key.tolist() == whole.key.tolist()
    assert total.sums.tolist() == whole.sums.tolist()


def test_a_document_alone_knows_nothing_of_others() -> None:
    votes = votes_of([(1, 0, 2.0, 0.5, True), (1, 1, 3.0, 0.5, True)])
    columns = CorpusEvidence.nothing().elsewhere(votes)
    assert columns["corpus: how often"].tolist() == [0, 0]
    assert columns["corpus: sure"].tolist() == [0.5, 0.5]
    assert np.isnan(columns["corpus: mean"]).all()
