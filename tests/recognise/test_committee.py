"""Cascades that judge together: whose opinion counts how much, and on which tokens."""

from math import exp, log
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from tests.recognise.annotated import marked
from tests.recognise.word_classes.made_up import words
from vermeil.recognise.cascade import NO_RESCORER
from vermeil.recognise.committee import LEAST, Committee, mean_opinion
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.recogniser import load, save
from vermeil.recognise.words.knowledge import Resources
from vermeil.sequences.chains.candidates import Candidates

DOCUMENTS = [
    marked(str(n), f"Cells with [G:{gene}] grew, and [G:{gene}]-free ones did not.")
    for n, gene in enumerate(("IL-2", "p53", "BRCA1", "IL-4", "p21", "STAT3") * 2)
]
RECIPE = Recipe(("G",), rescorer=NO_RESCORER, n_rounds=10)

places = st.tuples(st.integers(0, 5), st.integers(1, 3), st.integers(0, 1))
opinions = st.lists(st.dictionaries(places, st.floats(0, 1), max_size=6), min_size=1, max_size=3)


def candidates(opinion: dict[tuple[int, int, int], float]) -> Candidates:
    rows = sorted(
        (start, -(start + length), label, confidence)
        for (start, length, label), confidence in opinion.items()
    )
    start, end, label, confidence = np.array(rows, dtype=float).reshape(-1, 4).T
    first, last, code = (column.astype(np.int64) for column in (start, -end, label))
    return Candidates(("A", "B"), np.zeros_like(first), first, last, code, confidence=confidence)


def naive_mean(
    members: list[dict[tuple[int, int, int], float]],
) -> dict[tuple[int, int, int], float]:
    """Say it again, one candidate at a time."""
    means = {}
    for start, length, label in set().union(*members):
        sure = [min(max(each.get((start, length, label), 0), LEAST), 1 - LEAST) for each in members]
        mean = sum(log(p / (1 - p)) for p in sure) / len(members)
        means[start, start + length, label] = 1 / (1 + exp(-mean))
    return means


@given(opinions)
def test_each_candidate_gets_the_mean_of_log_odds(
    members: list[dict[tuple[int, int, int], float]],
) -> None:
    found = mean_opinion([candidates(each) for each in members])
    columns = (found.start.tolist(), found.end.tolist(), found.label.tolist())
    keys = list(zip(*columns, strict=True))
    assert keys == sorted(keys, key=lambda key: (key[0], -key[1], key[2]))
    assert dict(zip(keys, found.confidence.tolist(), strict=True)) == pytest.approx(
        naive_mean(members)
    )


def test_members_work_on_different_tokens_and_names_keep_their_characters() -> None:
    committee = Committee.fit(DOCUMENTS, RECIPE, Resources({}))
    assert [each.recipe.tokeniser for each in committee.members] == ["fine", "punctuation"]
    found = committee.find(DOCUMENTS, threshold=0.5)
    for number, document in enumerate(DOCUMENTS):
        said = {(span.start, span.end) for span in found.spans(number, found.candidates)}
        assert {(span.start, span.end) for span in document.layers["gold"]} <= said


def test_two_of_the_same_mind_say_what_one_says() -> None:
    one = Committee.fit(DOCUMENTS, RECIPE, Resources({})).members[0]
    alone, twice = one.find(DOCUMENTS), Committee((one, one)).find(DOCUMENTS)
    for name in ("sentence", "start", "end", "label"):
        assert np.array_equal(getattr(alone.candidates, name), getattr(twice.candidates, name))
    clipped = np.clip(alone.candidates.confidence, LEAST, 1 - LEAST)
    assert twice.candidates.confidence == pytest.approx(clipped)


def test_the_second_cascade_works_on_tokens_that_the_first_does_not() -> None:
    recipe = Recipe(("G",), rescorer=NO_RESCORER, n_rounds=2, tokeniser="words")
    members = Committee.fit(DOCUMENTS, recipe, Resources({})).members
    assert [each.recipe.tokeniser for each in members] == ["words", "fine"]


def test_words_that_members_share_are_stored_once(tmp_path: Path) -> None:
    recipe = Recipe(("G",), rescorer=NO_RESCORER, n_rounds=3)
    committee = Committee.fit(DOCUMENTS, recipe, Resources({}, learned=words()))
    arrays = committee.arrays()
    assert "member-0/knowledge/learned/tokens/hashes" in arrays
    assert not any(name.startswith("member-1/knowledge/learned") for name in arrays)
    path = tmp_path / "m.zip"
    save(committee, path)
    again = load(path)
    assert isinstance(again, Committee)
    assert again.members[0].knowledge.learned is again.members[1].knowledge.learned
    for one, other in zip(committee.members, again.members, strict=True):
        some = ["grew", "IL", "never"]
        assert (
            one.knowledge.known(some).company.tolist()
            == other.knowledge.known(some).company.tolist()
        )
