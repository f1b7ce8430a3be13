"""Pairs and their counts against loops over dictionaries."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.acquisition.bed import abstracts, lexicon, links
from vermeil.acquisition.links.model import LinkModel
from vermeil.acquisition.links.pairs import (
    FLOOR,
    Pairs,
    _rank_in_document,
    describe_pairs,
    pairs_of,
    uses_of,
)
from vermeil.acquisition.support.judgement import Judgement


@pytest.fixture(scope="module")
def judgement() -> Judgement:
    return Judgement.learn(lexicon(), links(), abstracts())


def test_pairs_are_those_of_a_loop_over_matches(judgement: Judgement) -> None:
    documents = abstracts()[:60]
    judged = judgement.judge(documents)
    best: dict[tuple[int, int], float] = {}
    times: dict[tuple[int, int, int], int] = defaultdict(int)
    columns = judged.matches.document, judged.matches.key, judged.score
    for document, key, score in zip(*(column.tolist() for column in columns), strict=True):
        if score <= FLOOR:
            continue
        for ids in lexicon().labels_of(key).values():
            for record in map(lexicon().ids.index, ids):
                best[document, record] = max(score, best.get((document, record), -np.inf))
                times[document, key, record] += 1
    uses = uses_of(lexicon(), judged)
    pairs, of = pairs_of(uses, links(), links().numbers_of(documents))
    found = zip(pairs.document.tolist(), pairs.record.tolist(), strict=True)
    assert dict(zip(found, uses.score[pairs.best].tolist(), strict=True)) == best
    used = (uses.document, uses.key, uses.record, uses.n)
    assert {(d, k, r): n for d, k, r, n in zip(*(c.tolist() for c in used), strict=True)} == times
    assert (pairs.document[of] == uses.document).all()
    assert (pairs.record[of] == uses.record).all()
    references = links().references
    for document, record, known in zip(
        pairs.document.tolist(), pairs.record.tolist(), pairs.is_known.tolist(), strict=True
    ):
        number = references.number_of(documents[document].id)
        own = range(*references.first[number : number + 2].tolist()) if number >= 0 else range(0)
        linked = {references.ids[references.id[place]] for place in own}
        assert known == (lexicon().ids[record] in linked)


def test_a_link_is_no_witness_for_itself(judgement: Judgement) -> None:
    documents = [each for each in abstracts() if links().references.number_of(each.id) >= 0][:40]
    model = LinkModel.learn(lexicon(), links(), abstracts())
    uses = uses_of(lexicon(), judgement.judge(documents))
    pairs, of = pairs_of(uses, links(), links().numbers_of(documents))
    every = np.ones(len(documents), dtype=bool)
    with_own = describe_pairs(lexicon(), model.counts, uses, pairs, of, every)
    row = int(np.flatnonzero(pairs.is_known)[0])
    known = pairs.is_known.copy()
    known[row] = False
    own = np.flatnonzero(of == row)
    counts = model.counts
    n_linked, n_links = counts.n_linked.copy(), counts.n_links.copy()
    n_linked[uses.edge[own]] -= 1
    n_links[pairs.record[row]] -= 1
    without = type(counts)(n_linked, counts.n_documents, n_links)
    unlinked = Pairs(pairs.document, pairs.record, pairs.best, known)
    again = describe_pairs(lexicon(), without, uses, unlinked, of, every)
    assert (again[row] == with_own[row]).all()


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), max_size=40))
def test_ranks_count_what_is_worth_more_in_the_same_document(made: list[tuple[int, int]]) -> None:
    made.sort()
    document = np.array([each for each, _ in made], dtype=np.int64)
    worth = np.array([each for _, each in made], dtype=np.float64)
    empty = np.zeros(len(made), dtype=np.int64)
    ranks = _rank_in_document(Pairs(document, empty, empty, empty.astype(bool)), worth)
    assert ranks.tolist() == [
        min(12, sum(other == own and better > value for other, better in made))
        for own, value in made
    ]
