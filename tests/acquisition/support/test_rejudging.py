from math import log

import numpy as np
import pytest

from tests.acquisition.bed import abstracts, lexicon, links
from vermeil import Span
from vermeil.acquisition.support.judgement import Judgement
from vermeil.acquisition.support.rejudging import Rejudgement, TaggedBatch, _opinions, batches
from vermeil.recognise.placed_names import PlacedNames
from vermeil.sequences.chains.candidates import Candidates
from vermeil.sequences.tokens.axis import TokenAxis

NOTHING = log(1e-4 / (1 + 1e-4))


class Silent:
    """A tagger that finds nothing."""

    def find(self, documents, *, threshold=0.0):  # type: ignore[no-untyped-def]
        none = np.zeros(0, dtype=np.int64)
        names = Candidates(("Gene",), none, none, none, none, np.zeros(0))
        return PlacedNames(TokenAxis.of(documents), names)


def test_what_a_tagger_says_of_a_match_its_string_and_what_overlaps() -> None:
    text = "RAD2 and rad2 and RAD2B"
    found = [
        Span(0, 4, "Gene", confidence=0.5),
        Span(9, 13, "Gene", confidence=0.1),
        Span(18, 23, "Gene", confidence=0.9),
    ]
    first, inside = _opinions(text, found, iter([(0, 4), (18, 22)]))
    assert first[0] == pytest.approx(0)
    assert first[1] == pytest.approx(log(0.3 / 0.7), abs=0.01)
    assert first[2] == pytest.approx(0)
    assert first[3] == pytest.approx(NOTHING)
    # RAD2 within RAD2B was not found there, and something surer overlaps it.
    assert inside[0] == pytest.approx(NOTHING)
    assert inside[3] == pytest.approx(log(0.9 / 0.1), abs=0.01)
    assert inside[4] < inside[0]


def test_a_tagger_that_finds_nothing_changes_little() -> None:
    judgement = Judgement.learn(lexicon(), links(), abstracts())
    rejudgement = Rejudgement.learn(judgement, [(abstracts(), Silent())])
    batch = TaggedBatch(abstracts()[:20], [() for _ in range(20)])
    before, after = judgement.judge(batch.documents), rejudgement.judge(batch)
    assert (before.supported == after.supported).all()
    assert np.corrcoef(before.score, after.score)[0, 1] > 0.98


def test_batches_hold_every_document_once_with_the_tagger_of_its_part() -> None:
    one, two = abstracts()[:7], abstracts()[7:9]
    seen = [each.id for batch in batches([(one, Silent()), (two, Silent())]) for each in batch[0]]
    assert seen == [each.id for each in abstracts()[:9]]
