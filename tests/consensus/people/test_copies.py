"""Copies are no further witnesses: the law, a plain twin, and who is not taken for one."""

import numpy as np
import pytest
from hypothesis import given

from tests.consensus.people.test_model import BATCHES, observed
from vermeil import Document, Layer, Span
from vermeil.consensus import ConsensusStage, Options, combine
from vermeil.consensus.people import copies, model
from vermeil.consensus.people.answers import AnswerRows
from vermeil.consensus.people.known import NOT_THERE

WORDS = 12
BLIND = Options(read=False)
Names = set[tuple[str, int, int]]


def independent(
    n_annotators: int = 4, *, right: float = 0.75, n_documents: int = 80, seed: int = 0
) -> list[Document]:
    """Let annotators who err each alone mark the even words of texts."""
    rng = np.random.default_rng(seed)
    text = " ".join(["gene"] * WORDS)
    batch = []
    for number in range(n_documents):
        layers: dict[str, Layer] = {}
        for who in range(n_annotators):
            marks = (np.arange(WORDS) % 2 == 0) == (rng.random(WORDS) < right)
            spans = [
                Span(5 * word, 5 * word + 4, "Gene") for word in np.flatnonzero(marks).tolist()
            ]
            layers[f"a{who}"] = tuple(spans)
        batch.append(Document(id=str(number), text=text, layers=layers))
    return batch


def with_copies(batch: list[Document], n_copies: int) -> list[Document]:
    return [
        document.replace(
            layers={**document.layers, **{f"z{n}": document.layers["a0"] for n in range(n_copies)}}
        )
        for document in batch
    ]


def decided(batch: list[Document]) -> Names:
    return {
        (document.id, span.start, span.end)
        for document in combine(batch, options=BLIND)
        for span in document.layers["consensus"]
    }


def voices(batch: list[Document]) -> list[float]:
    answers = observed(batch)
    return [round(each, 3) for each in copies.voices(answers.pooled, len(answers.annotators))]


@pytest.mark.parametrize("n_copies", [1, 3])
def test_a_copy_of_an_annotator_changes_nothing(
    n_copies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = independent()
    alone, beside = decided(batch), decided(with_copies(batch, n_copies))
    assert len(alone ^ beside) <= 0.02 * len(alone)

    def count_all(rows: AnswerRows, n_annotators: int) -> object:
        return np.ones(n_annotators)

    monkeypatch.setattr(model, "voices", count_all)
    assert len(alone ^ decided(with_copies(batch, n_copies))) > 0.1 * len(alone)


def test_copies_share_a_voice_and_those_who_are_good_have_their_own() -> None:
    assert voices(with_copies(independent(), 1)) == [0.5, 1, 1, 1, 0.5]
    assert voices(independent(right=0.9)) == [1, 1, 1, 1]


def test_copies_are_named() -> None:
    stage = ConsensusStage(choices=BLIND)
    batch = with_copies(independent(), 1)
    notes = list(stage.notes(stage.finish(stage.observe(iter(batch)))))
    whose = "a0, z0; --without leaves some out"
    assert notes == [("counted as fewer", "annotators who say nearly the same", whose)]


def test_with_little_that_is_disputed_nobody_is_a_copy() -> None:
    assert voices(with_copies(independent(n_documents=3), 1)) == [1, 1, 1, 1, 1]


@given(batch=BATCHES)
def test_voices_are_those_of_the_plain_twin(batch: list[Document]) -> None:
    answers = observed(batch)
    n_annotators = len(answers.annotators)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(copies, "LEAST_DISPUTED", 1)
        patch.setattr(copies, "ALIKE", 0.9)
        found = copies.voices(answers.pooled, n_annotators)
        wanted = naive_voices(answers.pooled, n_annotators, alike=0.9)
    assert found.tolist() == pytest.approx(wanted)


def naive_voices(rows: AnswerRows, n_annotators: int, *, alike: float) -> list[float]:
    """Compare annotators pair by pair and row by row."""
    if n_annotators <= 2:
        return [1.0] * n_annotators
    said: list[dict[int, tuple[int, int, int]]] = []
    for row in range(len(rows)):
        entries = range(rows.first[row], rows.first[row + 1])
        said.append(
            {
                int(rows.annotator[at]): (
                    int(rows.label[at]),
                    int(rows.left[at]),
                    int(rows.right[at]),
                )
                for at in entries
            }
        )
    voice = []
    for one in range(n_annotators):
        n_copies = 0.0
        for other in set(range(n_annotators)) - {one}:
            n_disputed = n_apart = 0.0
            for answers, count in zip(said, rows.count.tolist(), strict=True):
                if len(set(answers.values())) < 2 or not {one, other} <= answers.keys():
                    continue
                if answers[one][0] == answers[other][0] == NOT_THERE:
                    continue
                n_disputed += count
                n_apart += count * (answers[one] != answers[other])
            if n_disputed:
                n_copies += min(max(2 - 2 * n_apart / n_disputed / alike, 0), 1)
        voice.append(1 / (1 + n_copies))
    return voice
