"""Names that come again tell each other what they are: a plain twin, and what it brings."""

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.consensus.people.test_reading import READING, right, votes
from vermeil import Document, Span
from vermeil.consensus import ConsensusStage
from vermeil.consensus.people import reading
from vermeil.consensus.people.repeats import N_OWN, in_document, with_repeats
from vermeil.consensus.reading.text_model import TextPrior

CHANCES = st.lists(
    st.tuples(
        st.integers(0, 3), st.floats(-4, 4), st.floats(-4, 4), st.floats(0, 0.5), st.floats(0, 0.5)
    ),
    min_size=1,
    max_size=12,
)


@given(hearts=CHANCES)
def test_the_others_of_the_same_words_move_what_the_text_says(
    hearts: list[tuple[int, float, float, float, float]],
) -> None:
    columns = np.array(hearts)
    same, labels, chance = columns[:, 0].astype(np.uint64), columns[:, 1:3], columns[:, 3:5]
    nothing = np.zeros(0)
    moved = with_repeats(
        TextPrior(labels, nothing, nothing),
        chance,
        np.ones(chance.shape, dtype=bool),
        same,
        together=True,
        share=0.5,
    ).labels
    for row, (group, *_) in enumerate(hearts):
        others = [each for n, each in enumerate(hearts) if each[0] == group and n != row]
        odds = [exp(value) for value in labels[row]]
        for label in range(2):
            wanted = labels[row, label]
            if others:
                there = sum(each[3 + label] for each in others)
                gone = sum(1 - each[3] - each[4] for each in others)
                none = 1 / (1 + sum(odds))
                told = log((there + N_OWN * odds[label] * none) / (gone + N_OWN * none))
                wanted += 0.5 * (told - wanted)
            assert moved[row, label] == pytest.approx(wanted)


def test_words_are_the_same_within_one_document_only() -> None:
    document, spelt = np.array([0, 0, 1, 1]), np.array([7, 7, 7, 8])
    same = in_document(document.astype(np.uint64), spelt.astype(np.uint64)).tolist()
    assert same[0] == same[1]
    assert len(set(same)) == 3


def repeating(n_documents: int = 60, seed: int = 0) -> list[Document]:
    """Names of no meaning, each three times in a text; who misses one marks the next."""
    rng = np.random.default_rng(seed)
    batch = []
    for number in range(n_documents):
        words = ["".join(rng.choice(list("abcdefgh"), 5)) for _ in range(8)]
        order = rng.permutation(np.repeat(np.arange(8), 3)).tolist()
        text = " ".join(words[each] for each in order)
        said = {}
        for person in rng.choice(20, 3, replace=False).tolist():
            marked = [n for n, each in enumerate(order) if rng.random() < (0.6, 0.15)[each > 3]]
            said[f"p{person:02}"] = tuple(Span(6 * n, 6 * n + 5, "Name") for n in marked)
        gold = tuple(Span(6 * n, 6 * n + 5, "Name") for n, each in enumerate(order) if each < 4)
        batch.append(Document(id=str(number), text=text, layers={**said, "gold": gold}))
    return batch


def test_where_words_come_again_more_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = repeating()
    stage = ConsensusStage(choices=READING)
    assert stage.finish(stage.observe(iter(votes(batch)))).model.text.repeats in reading.REPEATS
    with_them = right(batch, READING)
    monkeypatch.setattr(reading, "REPEATS", (0.0,))
    assert with_them > right(batch, READING) + 0.01
