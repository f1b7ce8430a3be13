"""Annotators that say how sure they are vote with it, for what it is worth of each."""

from collections import defaultdict
from dataclasses import replace
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vermeil import Document, Span, SpanTable
from vermeil.consensus import combine
from vermeil.consensus.people.answers import Answers
from vermeil.consensus.people.evidence import gather
from vermeil.consensus.people.judging import SURE_OF_NAMES, judge, sober
from vermeil.consensus.people.model import learn
from vermeil.consensus.people.sureness import (
    LEAN,
    N_STEPS,
    STEPS,
    UNSAID,
    steps_of,
    worth_of_steps,
)

WORD, N_WORDS = "alpha ", 30
TRUE = range(0, N_WORDS, 3)
"""The words that are names."""

NAMES = st.lists(
    st.tuples(st.integers(0, 2), st.integers(-1, N_STEPS - 1), st.floats(0, 1), st.floats(0, 1)),
    max_size=30,
)


def taggers(confidence: str, n_documents: int = 60, seed: int = 3) -> list[Document]:
    """Three taggers that find most names and invent many, surer of what is a name."""
    rng = np.random.default_rng(seed)
    batch = []
    for number in range(n_documents):
        layers = {}
        for who in ("a", "b", "c"):
            spans = []
            for word in range(N_WORDS):
                is_name = word in TRUE
                if rng.random() > (0.8 if is_name else 0.25):
                    continue
                sure, noise = rng.beta(6, 2) if is_name else rng.beta(2, 6), rng.random()
                said = {"telling": sure, "turned": 1 - sure, "noise": noise, "one": 0.7}
                said["decided"] = 0.5 + sure / 2
                start = word * len(WORD)
                spans.append(Span(start, start + 5, "Gene", said.get(confidence)))
            layers[who] = tuple(spans)
        batch.append(Document(id=str(number), text=WORD * N_WORDS, layers=layers))
    return batch


def n_wrong(confidence: str) -> int:
    """Count what is decided wrongly."""
    wanted = {word * len(WORD) for word in TRUE}
    found = combine(taggers(confidence))
    return sum(len(wanted ^ {span.start for span in d.layers["consensus"]}) for d in found)


def decided(confidence: str) -> list[tuple[Span, ...]]:
    return [document.layers["consensus"] for document in combine(taggers(confidence))]


def test_confidences_that_tell_something_mend_what_is_decided() -> None:
    plain, telling = n_wrong("none"), n_wrong("telling")
    assert telling < plain / 2


def test_it_is_learned_what_confidences_mean() -> None:
    assert n_wrong("turned") == pytest.approx(n_wrong("telling"), abs=20)


def test_confidences_that_tell_nothing_change_next_to_nothing() -> None:
    plain, noisy = (
        {(number, span.start) for number, layer in enumerate(decided(said)) for span in layer}
        for said in ("none", "noise")
    )
    assert len(plain ^ noisy) <= 0.02 * len(plain)


def test_who_is_always_equally_sure_votes_as_without_confidences() -> None:
    one, none = (
        {
            (number, span.start): span.confidence
            for number, layer in enumerate(each)
            for span in layer
        }
        for each in (decided("one"), decided("none"))
    )
    assert one == pytest.approx(none, abs=1e-12)  # sums of other terms, which are zeros


def test_who_gives_only_likely_names_has_decided_already() -> None:
    telling, plain = (
        [(span.start, span.confidence) for layer in decided(said) for span in layer]
        for said in ("decided", "none")
    )
    assert [start for start, _ in telling] == [start for start, _ in plain]
    assert [sure for _, sure in telling] == pytest.approx([sure for _, sure in plain], abs=1e-9)


def test_confidences_make_nothing_surer_than_votes_alone() -> None:
    batch = taggers("telling")
    table = SpanTable.from_documents(batch)
    crowd = learn(Answers.of(table)).among(table.annotators)
    judged = judge(gather(table, together=crowd.together), crowd)
    by_votes = judged.by_votes
    assert by_votes is not None
    likely, said = judged.there > 0.5, judged.existence
    alone = sober(by_votes, SURE_OF_NAMES)
    assert (said < sober(judged.there, SURE_OF_NAMES))[likely].any()
    assert (said[likely] <= np.maximum(alone[likely], 0.5)).all()
    assert (said[~likely] == sober(judged.there[~likely], SURE_OF_NAMES)).all()
    outvoted = replace(judged, by_votes=np.zeros(len(said))).existence
    assert (outvoted[likely] == 0.5).all()


def test_hearts_that_are_chosen_keep_how_sure_annotators_are() -> None:
    evidence = gather(SpanTable.from_documents(taggers("telling", 2)), together=True)
    some = np.array([5, 2])
    wanted = [evidence.step[evidence.heart == heart].tolist() for heart in some.tolist()]
    assert evidence.chosen(some).step.tolist() == [step for each in wanted for step in each]


@given(names=NAMES)
def test_steps_are_worth_what_a_plain_twin_says(
    names: list[tuple[int, int, float, float]],
) -> None:
    columns = [np.array(column) for column in zip(*names, strict=True)] or [np.zeros(0)] * 4
    who, step = (column.astype(np.int64) for column in columns[:2])
    worth = worth_of_steps(who, step, columns[2], columns[3], 3)
    there: dict[tuple[int, int], float] = defaultdict(float)
    gone: dict[tuple[int, int], float] = defaultdict(float)
    for one, at, true, false in names:
        there[one, at] += true
        gone[one, at] += false
    for one in range(3):
        used = [at for at in range(-1, N_STEPS) if there[one, at] + gone[one, at] > 0]
        all_there, all_gone = (sum(each[one, at] for at in used) + 1 for each in (there, gone))
        usual = all_there / (all_there + all_gone)
        said = {at: there[one, at] + gone[one, at] for at in range(N_STEPS)}
        unlikely = sum(n for at, n in said.items() if at <= STEPS.index(0.5))
        has_decided = unlikely < 0.05 * sum(said.values())
        for at in range(-1, N_STEPS):
            wanted = 0.0
            if len(used) > 1 and at in used and not has_decided:
                share = (there[one, at] + LEAN * usual) / (gone[one, at] + LEAN * (1 - usual))
                wanted = log(share) - log(usual / (1 - usual))
            assert worth[one, at] == pytest.approx(wanted, abs=1e-9)


def test_steps_end_where_they_are_said_to() -> None:
    assert steps_of(np.array(STEPS)).tolist() == [*range(1, N_STEPS)]
    assert steps_of(np.nextafter(np.array(STEPS), 0)).tolist() == [*range(N_STEPS - 1)]
    assert steps_of(np.array([np.nan])).tolist() == [UNSAID]
