"""The features of matches against a plain reckoning, match by match."""

import numpy as np
import pytest

from tests.acquisition.bed import abstracts, lexicon
from vermeil import Document
from vermeil.acquisition.lexicon.compilation import Entry, compile_lexicon
from vermeil.acquisition.lexicon.matching import Matches, match
from vermeil.acquisition.support.counts import KeySupport, WordCounts
from vermeil.acquisition.support.match_features import (
    _best_holding,
    _Place,
    _records,
    _Words,
    describe_matches,
)

COUNTS = WordCounts.over(abstracts(), tokeniser="punctuation")


def evidence(matches: Matches) -> KeySupport:
    rate = np.linspace(0.05, 0.95, len(matches)) if len(matches) else np.zeros(0)
    return KeySupport(np.full(len(matches), 3), rate)


def test_places_are_the_tokens_of_the_matches() -> None:
    documents = [
        Document(id="1", text="KIN1 (RAD2) was"),
        Document(id="2", text=""),
        Document(id="3", text="α KIN1, KIN2."),
    ]
    matches = match(lexicon(), documents, tokeniser="punctuation", overlapping=True)
    words = _Words.of(documents, "punctuation")
    place = _Place.of(matches, words)
    for row in range(len(matches)):
        origin = words.origin[matches.document[row]]
        assert words.start[place.first[row]] == matches.start[row] + origin
        assert words.end[place.last[row] - 1] == matches.end[row] + origin
        assert words.word[place.first[row]]
    # Beyond the edges of a document there is no word.
    assert words.word[place.first[0] - 1] == 0


def test_the_best_match_around_another_is_that_of_a_plain_search() -> None:
    chance = np.random.default_rng(3)
    first = np.sort(chance.integers(0, 60, 80))
    last = first + chance.integers(1, 9, 80)
    order = np.lexsort((-last, first))
    first, last = first[order], last[order]
    rate = chance.random(80)
    plain = [
        max(
            (
                rate[other]
                for other in range(80)
                if first[other] <= first[row]
                and last[other] >= last[row]
                and (first[other], last[other]) != (first[row], last[row])
            ),
            default=-1.0,
        )
        for row in range(80)
    ]
    assert _best_holding(_Place(first, last), rate).tolist() == pytest.approx(plain)


def test_other_names_of_the_same_record_are_counted_in_the_document() -> None:
    entries = [Entry("KIN1", "1", "G"), Entry("kinase one", "1", "G"), Entry("RAD2", "2", "G")]
    names = compile_lexicon(entries, spelling="normalised")
    documents = [
        Document(id="1", text="kinase one (KIN1) and RAD2"),
        Document(id="2", text="KIN1 and KIN1"),
    ]
    matches = match(names, documents, tokeniser="punctuation", overlapping=True)
    rate = np.array([0.75, 0.35, 0.15, 0.35, 0.35])
    n_names, best_other = _records(names, matches, rate)
    assert n_names.tolist() == [2, 2, 1, 1, 1]
    assert best_other.tolist() == [3, 7, 0, 0, 0]


def test_a_match_is_described_alike_alone_and_in_a_batch() -> None:
    documents = abstracts()[:6]
    whole = match(lexicon(), documents, tokeniser="punctuation", overlapping=True)
    every = KeySupport(np.full(len(whole), 3), np.full(len(whole), 0.4))
    together = describe_matches(lexicon(), COUNTS, whole, every, documents, tokeniser="punctuation")
    for number, document in enumerate(documents):
        own = match(lexicon(), [document], tokeniser="punctuation", overlapping=True)
        some = KeySupport(np.full(len(own), 3), np.full(len(own), 0.4))
        alone = describe_matches(lexicon(), COUNTS, own, some, [document], tokeniser="punctuation")
        assert (together[whole.document == number] == alone).all()


def test_what_stands_around_matters_and_what_is_far_away_does_not() -> None:
    def columns(text: str) -> np.ndarray:
        document = Document(id="1", text=text)
        matches = match(lexicon(), [document], tokeniser="punctuation", overlapping=True)
        first = matches.keep(np.arange(1))
        described = describe_matches(
            lexicon(), COUNTS, first, evidence(first), [document], tokeniser="punctuation"
        )
        row: np.ndarray = described[0]
        return row

    plain = columns("We saw KIN1 here and then there")
    assert (plain == columns("We saw KIN1 here and then elsewhere")).all()
    assert (plain != columns("We saw KIN1 there and then there")).any()
