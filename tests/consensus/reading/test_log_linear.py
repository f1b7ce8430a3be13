"""What texts teach, against plain sums over features."""

from math import exp, log

import numpy as np
import pytest

from vermeil import Document, Span, SpanTable
from vermeil.consensus.people.answers import each_row
from vermeil.consensus.people.evidence import gather, gather_both, ranks_of
from vermeil.consensus.people.heart_texts import CrowdTexts, boundaries_of
from vermeil.consensus.reading import log_linear
from vermeil.consensus.reading.described import DescribedThings
from vermeil.consensus.reading.log_linear import learn_cuts, learn_labels
from vermeil.consensus.reading.places import ReadTexts
from vermeil.sequences.features.rows import TokenViews


def things(*features: tuple[int, ...]) -> DescribedThings:
    """Things seen from one view."""
    first = np.cumsum([0, *map(len, features)])
    held = np.array([each for own in features for each in own], dtype=np.int32)
    return DescribedThings(np.arange(len(features), dtype=np.int32)[:, None], first, held)


def test_labels_are_learned_to_the_least_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_linear, "N_ROUNDS", 200)
    seen = ((1, 7), (1, 9), (2, 7), (2, 9), (2, 9))
    chance = np.array([[0.9, 0.0], [0.8, 0.1], [0.2, 0.7], [0.1, 0.1], [0.0, 0.3]])
    every = np.ones(chance.shape, dtype=bool)
    learned = learn_labels(things(*seen), chance, every)
    assert learned.features.tolist() == [1, 2, 7, 9]

    def loss(weights: np.ndarray) -> float:
        total = log_linear.PENALTY * float((weights**2).sum()) / 2
        for own, wanted in zip(seen, chance.tolist(), strict=True):
            scores = [
                sum(weights[learned.features.tolist().index(each), k] for each in own)
                for k in range(2)
            ]
            total += log(1 + sum(map(exp, scores)))
            total -= sum(score * share for score, share in zip(scores, wanted, strict=True))
        return total

    least = loss(learned.weights)
    rng = np.random.default_rng(0)
    for _ in range(20):
        assert loss(learned.weights + rng.normal(scale=0.05, size=learned.weights.shape)) > least


def test_what_is_not_possible_is_not_learned() -> None:
    seen = things(*[(1,)] * 4, *[(2,)] * 4)
    chance = np.array([[0.9, 0.0]] * 4 + [[0.0, 0.9]] * 4)
    possible = chance > 0
    learned = learn_labels(seen, chance, possible)
    assert learned.weights[0, 0] > 0
    assert learned.weights[1, 1] > 0
    assert learned.weights[0, 1] == learned.weights[1, 0] == 0


def test_the_true_boundary_is_learned_from_what_stands_there() -> None:
    seen = things(*[(1,), (2,)] * 6)
    learned = learn_cuts(seen, np.array([0.8, 0.2] * 6), np.arange(0, 13, 2), np.ones(6))
    assert learned.weights[0, 0] > 0 > learned.weights[1, 0]
    assert learned.weights[0, 0] == pytest.approx(-learned.weights[1, 0], abs=1e-4)


def test_nothing_to_choose_teaches_nothing() -> None:
    learned = learn_cuts(things(), np.zeros(0), np.zeros(1, dtype=np.int64), np.zeros(0))
    assert not len(learned.features)


def test_rows_that_are_equal_are_one_and_their_order_is_forgotten() -> None:
    one, other = things((3, 5), (4,), ()), things((4,), (3, 5), (6,))
    here, there = one.beside(other).in_order(), other.beside(one).in_order()
    assert len(here.first) - 1 == len(there.first) - 1 == 4
    again = there.chosen(np.array([3, 4, 5, 0, 1, 2]))
    assert np.array_equal(here.row, again.row)
    assert np.array_equal(here.features, there.features)


def test_hearts_and_boundaries_are_seen_by_the_words_beside_them() -> None:
    text = "\U0001f9ec We gave aspirin tablets to p53 mice."
    layers = {
        "a": (Span(10, 17, "Drug"),),
        "b": (Span(10, 25, "Drug"),),
        "c": (Span(29, 32, "Gene"),),
    }
    empty = Document(id="0", text="", layers={"a": ()})
    table = SpanTable.from_documents([empty, Document(id="1", text=text, layers=layers)])
    evidence = gather(table, together=True)
    texts = ReadTexts(table.documents)
    start, end = evidence.axis.bounds(evidence.hearts.first, evidence.hearts.end)
    views = texts.hearts(evidence.document, start, end)
    words = (*texts.axis.vocabulary.words, "beyond")

    def seen_as(views: TokenViews, number: int) -> list[str]:
        row = views.views[number].row
        assert row is not None
        return [words[at] for at in row.tolist()]

    assert seen_as(views, 0) == ["aspirin", "p53"]
    assert seen_as(views, 2) == ["gave", "to"]
    right = boundaries_of(evidence, ranks_of(evidence, evidence.right), is_left=False)
    assert [text[at - 7 : at] for at in (right.offset - table.origin[1]).tolist()][:2] == [
        "aspirin",
        "tablets",
    ]
    seen = texts.boundaries(right, evidence.document, start, end)
    assert seen_as(seen, 0) == ["tablets", "to", "mice"]
    assert seen_as(seen, 1) == ["aspirin", "tablets", "p53"]


def test_a_batch_without_a_word_can_be_read() -> None:
    table = SpanTable.from_documents([Document(id="1", text="", layers={"a": (), "b": ()})])
    evidence = gather(table, together=True)
    texts = ReadTexts(table.documents)
    none = np.zeros(0, dtype=np.int64)
    assert len(DescribedThings.of(texts.hearts(evidence.document, none, none))) == 0


def test_a_batch_of_which_no_text_is_wanted_can_be_passed_over() -> None:
    table = SpanTable.from_documents(
        Document(id=each, text=f"p53 {each}", layers={"a": (Span(0, 3, "Gene"),), "b": ()})
        for each in "12"
    )
    said = gather_both(table)
    seen = CrowdTexts.of(table, said, each_row(said), n_zeros=60)
    assert len(seen) == 0
